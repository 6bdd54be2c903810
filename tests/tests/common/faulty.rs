//! An engine over a storage that fails as it is told to.
use std::{
    future::Future,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    task::Poll,
};
use throughline_core::{
    engine::{Engine, Options},
    host::{Committed, FixedClock, MemoryStorage, Parts, Storage, StorageError},
    model::{Answer, Batch, Query},
    redact::Redactor,
    time::Timestamp,
};

/// What a storage does to one commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Fails, and nothing was written.
    Unavailable,
    /// Fails without a word on what became of it; it was not written.
    LostBefore,
    /// The same; it was written.
    LostAfter,
    /// Says that another host was first.
    Conflict,
    /// Yields once before it does anything, so that a caller can drop it.
    Yield,
}

/// A storage with faults laid out by number of commit.
#[derive(Default)]
pub struct Faulty {
    pub inner: MemoryStorage,
    pub faults: Mutex<Vec<Option<Fault>>>,
    pub commits: AtomicU64,
}

impl Faulty {
    pub fn with(faults: &[Option<Fault>]) -> Self {
        let mut faults = faults.to_vec();
        faults.reverse();
        Self { faults: Mutex::new(faults), ..Self::default() }
    }
}

impl Storage for Faulty {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        self.commits.fetch_add(1, Ordering::SeqCst);
        let fault = self.faults.lock().unwrap().pop().flatten();
        let why = || "told to".to_owned();
        match fault {
            None => self.inner.commit(batch).await,
            Some(Fault::Unavailable) => Err(StorageError::Unavailable { why: why() }),
            Some(Fault::LostBefore) => Err(StorageError::OutcomeUnknown { why: why() }),
            Some(Fault::LostAfter) => {
                self.inner.commit(batch).await?;
                Err(StorageError::OutcomeUnknown { why: why() })
            }
            Some(Fault::Conflict) => Err(StorageError::Conflict { what: why() }),
            Some(Fault::Yield) => {
                yield_once().await;
                let committed = self.inner.commit(batch).await;
                yield_once().await;
                committed
            }
        }
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        self.inner.read(query).await
    }
}

pub fn yield_once() -> impl Future<Output = ()> {
    let mut yielded = false;
    std::future::poll_fn(move |context| {
        if std::mem::replace(&mut yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
}

pub type TestEngine<S> = Engine<Parts<S, FixedClock, fn() -> [u8; 16]>>;

pub fn entropy() -> [u8; 16] {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&NEXT.fetch_add(1, Ordering::SeqCst).to_be_bytes());
    bytes
}

pub fn now() -> Timestamp {
    Timestamp::parse("2026-06-01T10:00:00Z").unwrap()
}

pub fn engine<S: Storage>(storage: S) -> TestEngine<S> {
    let host = Parts { storage, clock: FixedClock(now()), entropy: entropy as fn() -> [u8; 16] };
    Engine::new(host, Redactor::standard(), Options::default())
}
