//! What a host injects: storage, clock, entropy. Each trait stands beside its in-memory or fixed version.
//!
//! No host code runs while the core holds a borrow, and none runs inside the engine's queue except the
//! storage. Clock and entropy are asked before an operation queues up.

mod memory;

pub use crate::model::{EstimatedTokens, FileFault, StorageError, TokenCounter};
pub use memory::MemoryStorage;

use crate::{
    compaction::Summarize,
    model::{Answer, Batch, Query},
    time::Timestamp,
};
use alloc::{boxed::Box, string::String, sync::Arc};
use core::{future::Future, pin::Pin};
use serde::{Deserialize, Serialize};

/// `Send` natively, nothing in wasm (JavaScript values do not cross threads).
#[cfg(not(target_family = "wasm"))]
pub trait MaybeSend: Send {}
#[cfg(not(target_family = "wasm"))]
impl<T: Send + ?Sized> MaybeSend for T {}
/// `Send` natively, nothing in wasm (JavaScript values do not cross threads).
#[cfg(target_family = "wasm")]
pub trait MaybeSend {}
#[cfg(target_family = "wasm")]
impl<T: ?Sized> MaybeSend for T {}
/// `Sync` natively, nothing in wasm.
#[cfg(not(target_family = "wasm"))]
pub trait MaybeSync: Sync {}
#[cfg(not(target_family = "wasm"))]
impl<T: Sync + ?Sized> MaybeSync for T {}
/// `Sync` natively, nothing in wasm.
#[cfg(target_family = "wasm")]
pub trait MaybeSync {}
#[cfg(target_family = "wasm")]
impl<T: ?Sized> MaybeSync for T {}

/// The answer to a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Committed {
    /// The batch had been committed before; nothing was changed now.
    #[serde(default)]
    pub repeated: bool,
}

/// Where everything is kept.
///
/// Implementors write plain `async fn`; the bounds make the futures `Send` where the target has threads.
/// A method that awaits an engine which uses this very storage hangs: the engine's queue is waiting for it.
pub trait Storage: MaybeSend + MaybeSync {
    /// Writes the batch whole or not at all.
    ///
    /// A batch whose id was committed within the last 7 days is answered `repeated` without a change.
    /// A precondition that does not hold, or an insert that finds something in its place, is
    /// [`StorageError::Conflict`], and then nothing is written. Any other error but
    /// [`StorageError::OutcomeUnknown`] says that nothing was written.
    fn commit(&self, batch: &Batch) -> impl Future<Output = Result<Committed, StorageError>> + MaybeSend;

    /// Answers a question with the variant of [`Answer`] that the query names.
    ///
    /// A read sees every batch whose commit was acknowledged before it began. A session, row or checkpoint
    /// that does not exist is an empty answer, not an error.
    fn read(&self, query: &Query) -> impl Future<Output = Result<Answer, StorageError>> + MaybeSend;
}

/// A boxed future, `Send` where the target has threads.
#[cfg(not(target_family = "wasm"))]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
/// A boxed future, `Send` where the target has threads.
#[cfg(target_family = "wasm")]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// [`Storage`] behind a pointer; every storage is one.
pub trait DynStorage: MaybeSend + MaybeSync {
    /// See [`Storage::commit`].
    fn commit_dyn<'a>(&'a self, batch: &'a Batch) -> BoxFuture<'a, Result<Committed, StorageError>>;
    /// See [`Storage::read`].
    fn read_dyn<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Answer, StorageError>>;
}

impl<S: Storage> DynStorage for S {
    fn commit_dyn<'a>(&'a self, batch: &'a Batch) -> BoxFuture<'a, Result<Committed, StorageError>> {
        Box::pin(self.commit(batch))
    }
    fn read_dyn<'a>(&'a self, query: &'a Query) -> BoxFuture<'a, Result<Answer, StorageError>> {
        Box::pin(self.read(query))
    }
}

impl Storage for Arc<dyn DynStorage> {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        (**self).commit_dyn(batch).await
    }
    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        (**self).read_dyn(query).await
    }
}

/// Wall time.
pub trait Clock: MaybeSend + MaybeSync {
    /// The instant now. It may go back; the core copes.
    fn now(&self) -> Timestamp;
}

impl<F: Fn() -> Timestamp + MaybeSend + MaybeSync> Clock for F {
    fn now(&self) -> Timestamp {
        self()
    }
}

/// A clock that stands still: for tests and replays.
#[derive(Debug, Clone, Copy)]
pub struct FixedClock(pub Timestamp);

impl Clock for FixedClock {
    fn now(&self) -> Timestamp {
        self.0
    }
}

/// Randomness for ids. Ids identify and break ties; nothing relies on their order or secrecy.
pub trait Entropy: MaybeSend + MaybeSync {
    /// 16 bytes that no other call on any host gives.
    fn bytes(&self) -> [u8; 16];
}

impl<F: Fn() -> [u8; 16] + MaybeSend + MaybeSync> Entropy for F {
    fn bytes(&self) -> [u8; 16] {
        self()
    }
}

/// Everything a host injects, as one parameter.
pub trait Host: MaybeSend + MaybeSync {
    /// Where everything is kept.
    type Storage: Storage;
    /// Wall time.
    type Clock: Clock;
    /// Randomness for ids.
    type Entropy: Entropy;
    /// The storage.
    fn storage(&self) -> &Self::Storage;
    /// The clock.
    fn clock(&self) -> &Self::Clock;
    /// The entropy.
    fn entropy(&self) -> &Self::Entropy;
}

/// A host made of its parts.
#[derive(Debug, Clone)]
pub struct Parts<S, C, E> {
    /// Where everything is kept.
    pub storage: S,
    /// Wall time.
    pub clock: C,
    /// Randomness for ids.
    pub entropy: E,
}

impl<S: Storage, C: Clock, E: Entropy> Host for Parts<S, C, E> {
    type Storage = S;
    type Clock = C;
    type Entropy = E;
    fn storage(&self) -> &S {
        &self.storage
    }
    fn clock(&self) -> &C {
        &self.clock
    }
    fn entropy(&self) -> &E {
        &self.entropy
    }
}

/// A summary as a model wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Its text; it is scrubbed before it is stored.
    pub text: String,
    /// Whether the model was stopped at its limit: then the summary counts as failed.
    pub truncated: bool,
}

/// Who calls models. It serves `engine::drive` alone: a host with a loop of its own
/// answers the effects instead.
pub trait Agent: MaybeSend + MaybeSync {
    /// Calls a binding or function for a summary: the input is one text, the options say the rest.
    ///
    /// An error is the text of what went wrong; the next attempt follows, unless this one was strict. It runs
    /// outside the engine's queue, so it may take its time and use the engine.
    fn summarize(&self, asked: &Summarize) -> impl Future<Output = Result<Summary, String>> + MaybeSend;
}

/// No agent: whatever is called fails.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoAgent;

impl Agent for NoAgent {
    async fn summarize(&self, _asked: &Summarize) -> Result<Summary, String> {
        Err("there is no agent to call".into())
    }
}
