//! Load, plan, commit, confirm, announce: a thin loop over the rooms below, and the only one that awaits.
//!
//! It awaits nothing but the injected [`Storage`](crate::host::Storage). Clock and entropy are asked before an operation queues up.
//! One queue covers load, plan, commit and confirm, so concurrent calls on one engine take turns in the order in
//! which they came, and no borrow is held while host code runs. A state is taken out of memory while its commit
//! is in flight, so a call that is dropped in the middle leaves nothing stale behind: the next one reads the
//! store again.

mod checkpoints;
mod commit;
mod compact;
mod deliver;
mod error;
mod hook;
mod ids;
mod ingest;
mod inspect;
mod memory;
mod policy;
#[cfg(test)]
mod properties;
mod queue;
mod reads;
mod record;
mod recover;
mod remove;
#[cfg(test)]
mod secrets;
mod session;
mod state;
mod step;
mod tail;
mod tick;

pub use checkpoints::{CheckpointOutcome, CheckpointRequest};
pub use compact::{
    Begun, Cause, CompactRequest, Compaction, CompactionEffect, CompactionEvent, CompactionReport, Driven,
    Summarizers, drive, prompt_tokens,
};
pub use deliver::{Offer, Offering, REOFFER_MILLIS};
pub use error::EngineError;
pub use hook::{HookOptions, HookOutcome, HookStep};
pub use ids::Ids;
pub use ingest::{Ingest, IngestOptions, IngestReport, Settled};
pub use inspect::{Inspection, SecretAtRest};
pub use policy::{Policy, QueueMode};
pub use reads::{CheckpointSummary, SessionPage, SessionSummary};
pub use record::{Activity, RecordOptions};
pub use recover::{RecoverRequest, Recovered, Whose};
pub use remove::{Pruned, Removed};
pub use session::{Session, Skipped};
pub use state::SessionState;
pub use tail::{Glimpse, LogCursor, Tail};
pub use tick::Tick;

use crate::{
    checkpoint::{ContinuityOptions, RECOVERY_WINDOW_MILLIS},
    compaction::FailedAttempt,
    host::{Clock, Entropy, Host},
    id::SessionId,
    redact::Redactor,
};
use alloc::collections::BTreeMap;
use async_lock::Mutex;
use memory::Memory;
use queue::Queue;

/// How an engine behaves; fixed at its start.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// When checkpoints are taken, how many are kept, and how long a recovery text is.
    pub continuity: ContinuityOptions,
    /// Where drafts wait.
    pub queue: QueueMode,
    /// How far back another session of the project is taken up, in milliseconds.
    pub recovery_window_millis: i64,
    /// A log of up to this many bytes is one commit; a longer one is several, each whole by itself.
    pub ingest_commit_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            continuity: ContinuityOptions::default(),
            queue: QueueMode::default(),
            recovery_window_millis: RECOVERY_WINDOW_MILLIS,
            ingest_commit_bytes: 32 * 1024 * 1024,
        }
    }
}

/// Keeps sessions over an injected [`Host`].
///
/// ```
/// use throughline_core::{engine::{Engine, Options}, host::{FixedClock, MemoryStorage, Parts}, id::SessionId};
/// use throughline_core::redact::Redactor;
/// # fn block_on<F: core::future::Future>(f: F) -> F::Output {
/// #     let mut f = core::pin::pin!(f);
/// #     let mut context = core::task::Context::from_waker(core::task::Waker::noop());
/// #     loop { if let core::task::Poll::Ready(out) = f.as_mut().poll(&mut context) { return out; } }
/// # }
/// let clock = FixedClock("2026-01-01T00:00:00Z".parse().unwrap());
/// // A host takes its entropy from the system; what counts is that no two draws are alike.
/// let drawn = core::sync::atomic::AtomicU8::new(0);
/// let entropy = move || [drawn.fetch_add(1, core::sync::atomic::Ordering::Relaxed); 16];
/// let host = Parts { storage: MemoryStorage::default(), clock, entropy };
/// let engine = Engine::new(host, Redactor::standard(), Options::default());
/// let session = SessionId::new("my-harness", "", "s1").unwrap();
/// block_on(async {
///     engine.submit_prompt(&session, None, "remember: password=hunter2").await.unwrap();
///     let recovered = engine.recover(&Default::default()).await.unwrap().unwrap();
///     assert!(recovered.recovery.text.as_str().contains("remember: password=[REDACTED:assignment]"));
/// });
/// ```
#[derive(Debug)]
pub struct Engine<H> {
    host: H,
    redactor: Redactor,
    options: Options,
    policy: Policy,
    queue: Queue,
    memory: Mutex<Memory>,
    /// Compactions that failed of late, by session.
    failures: Mutex<BTreeMap<SessionId, FailedAttempt>>,
}

impl<H: Host> Engine<H> {
    /// An engine over a host. Numbers of the continuity options outside their ranges are clamped.
    #[must_use]
    pub fn new(host: H, redactor: Redactor, options: Options) -> Self {
        let policy = Policy { continuity: options.continuity.clamped(), queue: options.queue };
        let (queue, memory, failures) = (Queue::default(), Mutex::default(), Mutex::default());
        Self { host, redactor, options, policy, queue, memory, failures }
    }

    /// The same engine with other options for checkpoints, before its first operation. Numbers outside their ranges
    /// are clamped.
    #[must_use]
    pub fn with_continuity(mut self, continuity: ContinuityOptions) -> Self {
        self.policy.continuity = continuity.clamped();
        self
    }

    /// The host.
    #[must_use]
    pub fn host(&self) -> &H {
        &self.host
    }

    /// The redactor.
    #[must_use]
    pub fn redactor(&self) -> &Redactor {
        &self.redactor
    }

    /// When checkpoints are taken, and where drafts wait.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Instant and ids of one operation: host code runs here, before the queue.
    fn ids(&self) -> Ids {
        Ids::new(self.host.clock().now(), self.host.entropy().bytes())
    }

    fn check_identity(&self, id: &SessionId) -> Result<(), EngineError> {
        self.redactor.identifier("harness", id.harness())?;
        self.redactor.identifier("agent", id.agent())?;
        self.redactor.identifier("session", id.key())?;
        Ok(())
    }
}
