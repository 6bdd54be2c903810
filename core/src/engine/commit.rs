//! Load, plan, commit, confirm.
use super::{Engine, EngineError, Ids, Session, SessionState, memory::Memory};
use crate::{
    host::{Host, MaybeSend, MaybeSync, Storage, StorageError},
    id::{BatchId, Project, SessionId},
    model::{Answer, Batch, CheckpointHead, Effect, Pending, Plan, Query, RowSummary, SessionRow},
};
use alloc::{string::String, vec::Vec};

/// How often an operation is planned again when others write the same session.
pub(super) const CONFLICTS: usize = 100;
/// How often a batch is committed again when its outcome is not known.
const UNKNOWN_OUTCOMES: usize = 3;

/// What an operation is planned on.
#[derive(Debug)]
pub(super) struct Loaded<'a> {
    /// The session; `None` when it does not exist.
    pub(super) session: Option<&'a Session>,
    /// Heads of its rows, where the operation asked for them.
    pub(super) index: Vec<RowSummary>,
    /// The draft of it that waits in memory.
    pub(super) buffered: Option<Pending>,
}

/// What an operation needs beside the session.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Needs {
    /// The heads of its rows.
    pub(super) index: bool,
    /// The heads of its checkpoints, even while there are few.
    pub(super) heads: bool,
    /// That its drafts whose write failed are written before: what is written at once comes after them.
    pub(super) after_failed: bool,
}

/// A plan, or that nothing is to be done; and what the caller wants to know of it.
pub(super) type Planned<T> = (Option<Plan<SessionState>>, T);

impl<H: Host> Engine<H> {
    /// The loop: load, plan, commit, confirm; again from the start when another host was first.
    pub(super) async fn transact<F, T>(
        &self,
        id: &SessionId,
        needs: Needs,
        mut ids: Ids,
        plan: F,
    ) -> Result<(Vec<Effect>, T), EngineError>
    where
        F: Fn(&Loaded<'_>, &mut Ids) -> Result<Planned<T>, EngineError> + MaybeSend + MaybeSync,
        T: MaybeSend,
    {
        let _turn = self.queue.turn().await;
        let mut memory = self.memory.lock().await;
        if needs.after_failed {
            self.write_failed(&mut memory, id, &mut ids).await?;
        }
        self.transact_in(&mut memory, id, needs, &mut ids, plan).await
    }

    /// The same, for who has the turn already.
    pub(super) async fn transact_in<F, T>(
        &self,
        memory: &mut Memory,
        id: &SessionId,
        needs: Needs,
        ids: &mut Ids,
        plan: F,
    ) -> Result<(Vec<Effect>, T), EngineError>
    where
        F: Fn(&Loaded<'_>, &mut Ids) -> Result<Planned<T>, EngineError> + MaybeSend + MaybeSync,
        T: MaybeSend,
    {
        let mut remembered = memory.sessions.remove(id);
        let mut last_conflict = None;
        for _ in 0..CONFLICTS {
            let is_remembered = remembered.is_some();
            let mut held = match remembered.take() {
                Some(session) => Some(session),
                None => self.load(id).await?,
            };
            if let Some(session) = held.as_mut().filter(|session| self.wants_heads(session, needs)) {
                session.learn_heads(self.checkpoint_heads(id).await?);
            }
            let index = if needs.index { self.row_index(id).await? } else { Vec::new() };
            let buffered = memory.drafts.open(id).cloned();
            let loaded = Loaded { session: held.as_ref(), index, buffered };
            let (plan, said) = plan(&loaded, ids)?;
            let Some(plan) = plan else {
                // Others may have written since it was remembered: what is stored decides.
                if is_remembered {
                    continue;
                }
                match held {
                    Some(session) => memory.keep(session, ids.now(), &self.policy.continuity),
                    None => memory.forget(id),
                }
                return Ok((Vec::new(), said));
            };
            match self.commit(&plan.batch).await {
                Ok(()) => {
                    let mut session = held.unwrap_or_else(|| Session::new(id.clone(), ids.now()));
                    let effects = session.confirm(plan)?;
                    settle_drafts(memory, &mut session, ids);
                    memory.keep(session, ids.now(), &self.policy.continuity);
                    return Ok((effects, said));
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

    /// The session as it was loaded, or a new one; its project is named if it names none.
    pub(super) fn session_or_new(
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

    /// A row that is added may push others out, once there are as many as are kept.
    fn wants_heads(&self, session: &Session, needs: Needs) -> bool {
        let max = u64::from(self.policy.continuity.max_checkpoints_per_session);
        !session.knows_heads() && (needs.heads || session.row().counts.checkpoints >= max)
    }

    /// Commits a batch; where the outcome is not known, its id tells.
    pub(super) async fn commit(&self, batch: &Batch) -> Result<(), StorageError> {
        let storage = self.host.storage();
        let mut outcome = storage.commit(batch).await;
        for _ in 0..UNKNOWN_OUTCOMES {
            if !matches!(outcome, Err(StorageError::OutcomeUnknown { .. })) {
                break;
            }
            match self.was_committed(&batch.id).await {
                Ok(true) => return Ok(()),
                Ok(false) => outcome = storage.commit(batch).await,
                // Still not known: any other error would say that nothing was written.
                Err(_) => break,
            }
        }
        outcome.map(|_| ())
    }

    async fn was_committed(&self, id: &BatchId) -> Result<bool, StorageError> {
        match self.host.storage().read(&Query::Batch { id: id.clone() }).await? {
            Answer::Batch(committed) => Ok(committed),
            other => Err(unexpected(&other, "whether a batch was committed")),
        }
    }

    pub(super) async fn load(&self, id: &SessionId) -> Result<Option<Session>, StorageError> {
        let row = match self.host.storage().read(&Query::Session { session: id.clone() }).await? {
            Answer::Session(found) => found.map(SessionRow::open),
            other => return Err(unexpected(&other, "a session")),
        };
        let Some(row) = row else { return Ok(None) };
        let pending = if row.pending { self.pending(id).await? } else { None };
        Ok(Some(Session::open(row, pending)))
    }

    async fn pending(&self, id: &SessionId) -> Result<Option<Pending>, StorageError> {
        match self.host.storage().read(&Query::Pending { session: id.clone() }).await? {
            Answer::Pending(found) => Ok(found.map(Pending::open)),
            other => Err(unexpected(&other, "a pending draft")),
        }
    }

    pub(super) async fn checkpoint_heads(&self, id: &SessionId) -> Result<Vec<CheckpointHead>, StorageError> {
        match self.host.storage().read(&Query::CheckpointHeads { session: id.clone() }).await? {
            Answer::CheckpointHeads(heads) => Ok(heads),
            other => Err(unexpected(&other, "heads of checkpoints")),
        }
    }

    pub(super) async fn row_index(&self, id: &SessionId) -> Result<Vec<RowSummary>, StorageError> {
        match self.host.storage().read(&Query::RowIndex { session: id.clone() }).await? {
            Answer::RowIndex(rows) => Ok(rows),
            other => Err(unexpected(&other, "heads of rows")),
        }
    }
}

/// Drafts in memory follow what was committed: one that was written or cleared goes, one that was handed over
/// waits.
fn settle_drafts(memory: &mut Memory, session: &mut Session, ids: &mut Ids) {
    let id = &session.row().id;
    let cleared = memory.drafts.open(id).filter(|open| session.row().is_cleared(open.draft.created_at));
    if let Some(cleared) = cleared.map(|open| open.id.clone()) {
        memory.drafts.confirm(&cleared);
    }
    let (handed, settled) = session.take_drafts();
    if let Some(written) = settled {
        memory.drafts.confirm(&written);
    }
    if let Some(draft) = handed {
        memory.drafts.enqueue(draft, ids.checkpoint(), ids.now());
    }
}

/// An answer of another kind than the question.
pub(super) fn unexpected(answer: &Answer, expected: &'static str) -> StorageError {
    let what = match answer {
        Answer::Batch(_) => "the state of a batch",
        Answer::Session(_) => "a session",
        Answer::Sessions(_) => "sessions",
        Answer::Rows(_) => "rows",
        Answer::RowIndex(_) => "heads of rows",
        Answer::Boundary(_) => "a boundary",
        Answer::Checkpoints(_) => "checkpoints",
        Answer::CheckpointHeads(_) => "heads of checkpoints",
        Answer::Pending(_) => "a pending draft",
        Answer::Due(_) => "ends of windows",
        Answer::Delivery(_) => "a delivery record",
        Answer::Expired(_) => "what is too old",
        Answer::Tally(_) => "the size of a table",
        Answer::Bodies(_) => "stored bodies",
    };
    StorageError::Corrupt { what: String::from(what), expected }
}
