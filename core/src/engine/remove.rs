//! What goes: by age, by command, and with its session (`spec/checkpoints.md`, "Cap, retention, clearing").
use super::{
    Engine, EngineError, Ids,
    commit::{CONFLICTS, Loaded, Needs, unexpected},
    step::Step,
};
use crate::{
    checkpoint::kept_since,
    host::{Host, Storage, StorageError},
    id::SessionId,
    model::{Aging, Answer, Batch, CheckpointHead, Continuity, Expired, Op, Precondition, Query},
    time::Timestamp,
};
use alloc::{collections::BTreeSet, vec, vec::Vec};
use serde::Serialize;

/// How much is pruned in one batch.
const PAGE: u32 = 200;

/// What was removed of one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Removed {
    /// Checkpoints.
    pub checkpoints: u64,
    /// Drafts that waited.
    pub drafts: u64,
    /// Messages, notes and calls.
    pub messages: u64,
}

/// What was pruned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Pruned {
    /// Checkpoints.
    pub checkpoints: u64,
    /// Drafts that waited.
    pub drafts: u64,
    /// Continuity states.
    pub states: u64,
    /// Delivery records.
    pub deliveries: u64,
}

impl<H: Host> Engine<H> {
    /// Deletes checkpoints, drafts, continuity states and delivery records that are older than the retention,
    /// whether or not checkpoints are enabled: batch by batch, so that no commit is long.
    ///
    /// # Errors
    /// The codes of the storage. What was pruned before stays pruned.
    pub async fn prune(&self) -> Result<Pruned, EngineError> {
        let before = kept_since(self.ids().now(), self.policy.continuity.retention_days);
        let mut pruned = Pruned::default();
        for kind in [Aging::Checkpoint, Aging::Draft, Aging::State] {
            loop {
                let found = self.expired(kind, before).await?;
                let sessions: BTreeSet<SessionId> = found.into_iter().map(|old| old.session).collect();
                let earlier = pruned;
                for session in &sessions {
                    self.prune_session(session, before, &mut pruned).await?;
                }
                if pruned == earlier {
                    break;
                }
            }
        }
        loop {
            let found = self.expired(Aging::Delivery, before).await?;
            let ops: Vec<Op> = found.into_iter().filter_map(forget_delivery).collect();
            let Ok(count @ 1..) = u64::try_from(ops.len()) else { return Ok(pruned) };
            let id = self.ids().batch();
            self.commit(&Batch { id, preconditions: Vec::new(), ops }).await?;
            pruned.deliveries = pruned.deliveries.saturating_add(count);
        }
    }

    /// Everything of one session that is too old, in one commit.
    async fn prune_session(
        &self,
        id: &SessionId,
        before: Timestamp,
        pruned: &mut Pruned,
    ) -> Result<(), EngineError> {
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let mut gone = Pruned::default();
            let Some(session) = loaded.session else { return Ok((None, gone)) };
            let mut step = Step::new(session.state(), &self.policy, None);
            for head in heads(&step).into_iter().filter(|head| head.created_at < before) {
                step.remove(&head);
                gone.checkpoints = gone.checkpoints.saturating_add(1);
            }
            let old = step.next.pending.as_ref().is_some_and(|pending| pending.draft.created_at < before);
            if old && step.remove_pending() {
                gone.drafts = 1;
            }
            let row = &mut step.next.row;
            if row.last_activity < before && !row.continuity.is_empty() {
                row.continuity = Continuity::default();
                gone.states = 1;
            }
            let plan = if step.is_empty(session.state()) { None } else { Some(step.into_plan(ids)) };
            Ok((plan, gone))
        };
        let needs = Needs { heads: true, ..Needs::default() };
        let (_, gone) = self.transact(id, needs, self.ids(), plan).await?;
        pruned.checkpoints = pruned.checkpoints.saturating_add(gone.checkpoints);
        pruned.drafts = pruned.drafts.saturating_add(gone.drafts);
        pruned.states = pruned.states.saturating_add(gone.states);
        Ok(())
    }

    async fn expired(&self, kind: Aging, before: Timestamp) -> Result<Vec<Expired>, StorageError> {
        let query = Query::Expired { kind, before, limit: PAGE };
        match self.host.storage().read(&query).await? {
            Answer::Expired(found) => Ok(found),
            other => Err(unexpected(&other, "what is too old")),
        }
    }

    /// Deletes checkpoints, draft and continuity state of a session, in one commit. Nothing that happened until
    /// now is counted, queued, digested or recovered any more, whoever brings it later; what happens later
    /// counts as usual. Its messages stay.
    ///
    /// # Errors
    /// `session_unknown`; the codes of the storage.
    pub async fn clear(&self, id: &SessionId) -> Result<Removed, EngineError> {
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let session = loaded.session.ok_or_else(|| EngineError::unknown(id))?;
            let mut step = Step::new(session.state(), &self.policy, None);
            let removed = clear(&mut step, loaded.buffered.is_some(), ids.now());
            Ok((Some(step.into_plan(ids)), removed))
        };
        let needs = Needs { heads: true, ..Needs::default() };
        let (_, removed) = self.transact(id, needs, self.ids(), plan).await?;
        Ok(removed)
    }

    /// Deletes a session with everything that is stored of it.
    ///
    /// # Errors
    /// `session_unknown`; the codes of the storage.
    pub async fn forget(&self, id: &SessionId) -> Result<Removed, EngineError> {
        let mut ids = self.ids();
        let _turn = self.queue.turn().await;
        let mut memory = self.memory.lock().await;
        for _ in 0..CONFLICTS {
            let session = self.load(id).await?.ok_or_else(|| EngineError::unknown(id))?;
            let count = |length: usize| u64::try_from(length).unwrap_or(u64::MAX);
            let removed = Removed {
                checkpoints: count(self.checkpoint_heads(id).await?.len()),
                drafts: u64::from(session.pending().is_some() || memory.drafts.open(id).is_some()),
                messages: count(self.row_index(id).await?.len()),
            };
            let is = session.row().version;
            let preconditions = vec![Precondition::SessionVersion { session: id.clone(), is }];
            let ops = vec![Op::DeleteSession { session: id.clone() }];
            match self.commit(&Batch { id: ids.batch(), preconditions, ops }).await {
                Ok(()) => {
                    memory.forget(id);
                    self.failures.lock().await.remove(id);
                    return Ok(removed);
                }
                Err(StorageError::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(EngineError::Contended { session: id.clone() })
    }
}

/// What clears a session, as a part of a commit. Its heads must be known.
pub(super) fn clear(step: &mut Step<'_>, buffered: bool, at: Timestamp) -> Removed {
    let mut removed = Removed::default();
    for head in heads(step) {
        step.remove(&head);
        removed.checkpoints = removed.checkpoints.saturating_add(1);
    }
    removed.drafts = u64::from(step.remove_pending() || buffered);
    let row = &mut step.next.row;
    row.continuity = Continuity::default();
    // What another host's faster clock has brought until now is cleared as well.
    row.cleared_at = Some(at).max(Some(row.last_activity)).max(row.cleared_at);
    removed
}

fn heads(step: &Step<'_>) -> Vec<CheckpointHead> {
    step.next.heads.clone().unwrap_or_default()
}

fn forget_delivery(old: Expired) -> Option<Op> {
    Some(Op::DeleteDelivery { receiver: old.session, checkpoint: old.checkpoint? })
}
