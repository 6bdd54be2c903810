//! Load, plan, commit, confirm, announce: a thin loop over the rooms below, and the only one that awaits.
//!
//! It awaits nothing but the injected [`Storage`]. Clock and entropy are asked before an operation queues up.
//! One queue covers load, plan, commit and confirm, so concurrent calls on one engine take turns in the order in
//! which they came, and no borrow is held while host code runs. A state is taken out of memory while its commit
//! is in flight, so a call that is dropped in the middle leaves nothing stale behind: the next one reads the
//! store again.

mod compact;
mod error;
mod ids;
mod ingest;
#[cfg(test)]
mod properties;
mod queue;
mod reads;
mod recover;
mod session;

pub use compact::{
    Begun, Cause, CompactRequest, Compaction, CompactionEffect, CompactionEvent, CompactionReport, Driven,
    Summarizers, drive, prompt_tokens,
};
pub use error::EngineError;
pub use ids::Ids;
pub use ingest::{Ingest, IngestOptions, IngestReport};
pub use reads::{CheckpointSummary, SessionPage, SessionSummary};
pub use recover::{RecoverRequest, Recovered};
pub use session::Session;

use crate::{
    checkpoint::RECOVERY_WINDOW_MILLIS,
    compaction::FailedAttempt,
    host::{Clock, Entropy, Host, MaybeSend, MaybeSync, Storage, StorageError},
    id::{BatchId, CheckpointId, Project, SessionId},
    model::{Answer, Batch, Effect, Plan, Query, RowSummary, SessionRow, Trigger},
    redact::Redactor,
};
use alloc::{collections::BTreeMap, string::String, vec::Vec};
use async_lock::Mutex;
use queue::Queue;

/// How an engine behaves; fixed at its start.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Options {
    /// Length of a recovery text in characters, 200 to 10,000.
    pub recovery_budget: usize,
    /// How far back another session of the project is taken up, in milliseconds.
    pub recovery_window_millis: i64,
    /// A log of up to this many bytes is one commit; a longer one is several, each whole by itself.
    pub ingest_commit_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            recovery_budget: 2000,
            recovery_window_millis: RECOVERY_WINDOW_MILLIS,
            ingest_commit_bytes: 32 * 1024 * 1024,
        }
    }
}

/// Sessions kept in memory; they are copies, so that letting them go costs a read.
const CACHED_SESSIONS: usize = 1024;
/// How often an operation is planned again when others write the same session.
const CONFLICTS: usize = 100;
/// How often a batch is committed again when its outcome is not known.
const UNKNOWN_OUTCOMES: usize = 3;

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
    queue: Queue,
    sessions: Mutex<BTreeMap<SessionId, Session>>,
    /// Compactions that failed of late, by session.
    failures: Mutex<BTreeMap<SessionId, FailedAttempt>>,
}

/// What an operation is planned on.
#[derive(Debug)]
struct Loaded<'a> {
    /// The session; `None` when it does not exist.
    session: Option<&'a Session>,
    /// Heads of its rows, where the operation asked for them.
    index: Vec<RowSummary>,
}

impl<H: Host> Engine<H> {
    /// An engine over a host.
    #[must_use]
    pub fn new(host: H, redactor: Redactor, options: Options) -> Self {
        let (sessions, failures) = (Mutex::new(BTreeMap::new()), Mutex::new(BTreeMap::new()));
        Self { host, redactor, options, queue: Queue::default(), sessions, failures }
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

    /// Stores what a user sent, scrubbed, and counts it. It is stored when this returns.
    ///
    /// # Errors
    /// `empty_message` for a blank text; `secret_in_identifier`; the codes of the storage.
    pub async fn submit_prompt(
        &self,
        id: &SessionId,
        project: Option<&Project>,
        text: &str,
    ) -> Result<Vec<Effect>, EngineError> {
        if text.trim().is_empty() {
            return Err(EngineError::EmptyMessage);
        }
        self.check_identity(id)?;
        let text = self.redactor.clean(text);
        let ids = self.ids();
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let session = self.session_or_new(loaded, id, project, ids);
            Ok(Some(session.plan_prompt(text.clone(), ids)))
        };
        Ok(self.transact(id, false, ids, plan).await?.unwrap_or_default())
    }

    /// Takes a checkpoint of a session as it stands. Periodic and agent checkpoints are written only when
    /// something is new since the last one; the others always (`spec/checkpoints.md`, "Continuity state").
    /// `None` when nothing was written.
    ///
    /// # Errors
    /// `session_unknown`; the codes of the storage.
    pub async fn take_checkpoint(
        &self,
        id: &SessionId,
        trigger: Trigger,
        context: Option<&str>,
        note: Option<&str>,
    ) -> Result<Option<CheckpointId>, EngineError> {
        let context = context.map(|text| self.redactor.clean(text));
        let note = note.map(|text| self.redactor.clean(text));
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let session = loaded.session.ok_or_else(|| EngineError::unknown(id))?;
            Ok(session.plan_checkpoint(trigger, context.clone(), note.clone(), ids))
        };
        let effects = self.transact(id, false, self.ids(), plan).await?;
        Ok(effects.into_iter().flatten().find_map(|effect| match effect {
            Effect::CheckpointWritten { checkpoint, .. } => Some(checkpoint),
            _ => None,
        }))
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

    fn session_or_new(
        &self,
        loaded: &Loaded<'_>,
        id: &SessionId,
        project: Option<&Project>,
        ids: &Ids,
    ) -> Session {
        let mut session = loaded.session.cloned().unwrap_or_else(|| Session::new(id.clone(), ids.now()));
        if let Some(project) = project {
            session.set_project(project, &self.redactor);
        }
        session
    }

    /// The loop: load, plan, commit, confirm; again from the start when another host was first.
    ///
    /// `None` when the plan is that nothing is to be done.
    async fn transact<F>(
        &self,
        id: &SessionId,
        with_index: bool,
        mut ids: Ids,
        plan: F,
    ) -> Result<Option<Vec<Effect>>, EngineError>
    where
        F: Fn(&Loaded<'_>, &mut Ids) -> Result<Option<Plan<SessionRow>>, EngineError> + MaybeSend + MaybeSync,
    {
        let _turn = self.queue.turn().await;
        let mut sessions = self.sessions.lock().await;
        let mut remembered = sessions.remove(id);
        let mut last_conflict = None;
        for _ in 0..CONFLICTS {
            let is_remembered = remembered.is_some();
            let held = match remembered.take() {
                Some(session) => Some(session),
                None => self.load(id).await?,
            };
            let index = if with_index { self.row_index(id).await? } else { Vec::new() };
            let Some(plan) = plan(&Loaded { session: held.as_ref(), index }, &mut ids)? else {
                // Others may have written since it was remembered: what is stored decides.
                if is_remembered {
                    continue;
                }
                return Ok(None);
            };
            match self.commit(&plan.batch).await {
                Ok(()) => {
                    let mut session = held.unwrap_or_else(|| Session::new(id.clone(), ids.now()));
                    let effects = session.confirm(plan)?;
                    if sessions.len() >= CACHED_SESSIONS {
                        sessions.clear();
                    }
                    sessions.insert(id.clone(), session);
                    return Ok(Some(effects));
                }
                Err(conflict @ StorageError::Conflict { .. }) => {
                    // Nobody else wrote, and it was refused all the same: planning again would not help.
                    let version = held.map_or(0, |session| session.row().version);
                    if last_conflict.replace(version) == Some(version) {
                        return Err(conflict.into());
                    }
                }
                Err(error) => return Err(error.into()),
            }
        }
        Err(EngineError::Contended { session: id.clone() })
    }

    /// Commits a batch; where the outcome is not known, its id tells.
    async fn commit(&self, batch: &Batch) -> Result<(), StorageError> {
        let storage = self.host.storage();
        let mut outcome = storage.commit(batch).await;
        for _ in 0..UNKNOWN_OUTCOMES {
            if !matches!(outcome, Err(StorageError::OutcomeUnknown { .. })) {
                break;
            }
            if self.was_committed(&batch.id).await? {
                return Ok(());
            }
            outcome = storage.commit(batch).await;
        }
        outcome.map(|_| ())
    }

    async fn was_committed(&self, id: &BatchId) -> Result<bool, StorageError> {
        match self.host.storage().read(&Query::Batch { id: id.clone() }).await? {
            Answer::Batch(committed) => Ok(committed),
            other => Err(unexpected(&other, "whether a batch was committed")),
        }
    }

    async fn load(&self, id: &SessionId) -> Result<Option<Session>, StorageError> {
        match self.host.storage().read(&Query::Session { session: id.clone() }).await? {
            Answer::Session(found) => Ok(found.map(|row| Session::open(row.open()))),
            other => Err(unexpected(&other, "a session")),
        }
    }

    async fn row_index(&self, id: &SessionId) -> Result<Vec<RowSummary>, StorageError> {
        match self.host.storage().read(&Query::RowIndex { session: id.clone() }).await? {
            Answer::RowIndex(rows) => Ok(rows),
            other => Err(unexpected(&other, "heads of rows")),
        }
    }
}

/// An answer of another kind than the question.
fn unexpected(answer: &Answer, expected: &'static str) -> StorageError {
    let what = match answer {
        Answer::Batch(_) => "the state of a batch",
        Answer::Session(_) => "a session",
        Answer::Sessions(_) => "sessions",
        Answer::Rows(_) => "rows",
        Answer::RowIndex(_) => "heads of rows",
        Answer::Boundary(_) => "a boundary",
        Answer::Checkpoints(_) => "checkpoints",
    };
    StorageError::Corrupt { what: String::from(what), expected }
}
