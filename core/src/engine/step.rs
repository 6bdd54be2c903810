//! One commit of a session, as it comes together: what is counted, queued and written.
use super::{Ids, Policy, QueueMode, state::SessionState};
use crate::{
    checkpoint::{self, Words, beyond_cap, closes_window, enqueued, is_due},
    id::CheckpointId,
    model::{
        Batch, CheckpointHead, Draft, Effect, Op, Pending, Plan, Precondition, SessionRow, Status, Trigger,
    },
    redact::Clean,
    time::Timestamp,
};
use alloc::{vec, vec::Vec};

pub(super) struct Step<'a> {
    base: u64,
    pub(super) next: SessionState,
    pub(super) ops: Vec<Op>,
    pub(super) effects: Vec<Effect>,
    /// The earliest event time in what is queued or written.
    guard: Option<Timestamp>,
    policy: &'a Policy,
    /// The draft that waits in memory.
    buffered: Option<&'a Pending>,
}

impl<'a> Step<'a> {
    pub(super) fn new(session: &SessionState, policy: &'a Policy, buffered: Option<&'a Pending>) -> Self {
        let (next, base) = (session.clone(), session.row.version);
        let buffered = buffered.filter(|pending| !next.row.is_cleared(pending.draft.created_at));
        Self { base, next, ops: Vec::new(), effects: Vec::new(), guard: None, policy, buffered }
    }

    fn row(&mut self) -> &mut SessionRow {
        &mut self.next.row
    }

    /// Whether something that happened then counts.
    pub(super) fn counts(&self, at: Timestamp) -> bool {
        self.policy.continuity.enabled && !self.next.row.is_cleared(at)
    }

    /// The session was active then.
    pub(super) fn happened(&mut self, at: Timestamp) {
        let row = self.row();
        row.last_activity = row.last_activity.max(at);
    }

    /// Somebody works with the session: one that had ended goes on.
    pub(super) fn goes_on(&mut self) {
        let row = self.row();
        if row.status == Status::Ended {
            row.status = Status::Idle;
        }
    }

    pub(super) fn count_prompt(&mut self, text: &Clean, at: Timestamp) {
        if self.counts(at) {
            checkpoint::record_prompt(&mut self.row().continuity, text);
        }
    }

    pub(super) fn count_query(&mut self, text: &Clean, at: Timestamp) {
        if self.counts(at) {
            checkpoint::record_query(&mut self.row().continuity, text);
        }
    }

    pub(super) fn count_remember(&mut self, text: &Clean, at: Timestamp) {
        if self.counts(at) {
            checkpoint::record_remember(&mut self.row().continuity, text);
        }
    }

    /// Queues a periodic checkpoint when it is time; to be called after an event was counted.
    pub(super) fn enqueue_if_due(&mut self, ids: &mut Ids) {
        checkpoint::settle_clock(&mut self.next.row, ids.now());
        if is_due(&self.next.row, ids.now(), &self.policy.continuity) {
            let at = self.next.row.last_activity;
            self.enqueue(Trigger::Periodic, Words::default(), at, ids);
        }
    }

    /// Takes what is new down and lets it wait; rank 3 and up is written at once, with what waited.
    pub(super) fn enqueue(&mut self, trigger: Trigger, words: Words, at: Timestamp, ids: &mut Ids) {
        let draft = self.take(trigger, words, at, ids);
        if closes_window(trigger) {
            self.write_with_waiting(Some(draft), ids);
            return;
        }
        match self.policy.queue {
            QueueMode::Journaled => self.wait(draft, ids),
            QueueMode::Buffered => self.next.handed = Some(draft),
        }
    }

    /// What is new becomes a periodic checkpoint, together with what waits, whether due or not.
    pub(super) fn settle(&mut self, ids: &mut Ids) {
        let at = self.next.row.last_activity;
        let news = checkpoint::has_news(&self.next.row.continuity) && self.counts(at);
        let draft = news.then(|| self.take(Trigger::Periodic, Words::default(), at, ids));
        self.write_with_waiting(draft, ids);
    }

    /// What waits is written when its window has closed, together with a periodic draft that is due.
    pub(super) fn attend(&mut self, ids: &mut Ids) {
        let now = ids.now();
        let closed = self.next.pending.as_ref().is_some_and(|pending| pending.due_at <= now);
        if !closed {
            return self.enqueue_if_due(ids);
        }
        if is_due(&self.next.row, now, &self.policy.continuity) {
            return self.settle(ids);
        }
        self.write_with_waiting(None, ids);
    }

    /// What waits is written when its window has closed, and nothing is taken.
    pub(super) fn write_closed(&mut self, ids: &mut Ids) {
        if self.next.pending.as_ref().is_some_and(|pending| pending.due_at <= ids.now()) {
            self.write_with_waiting(None, ids);
        }
    }

    /// What waits in the store is written, whether its window has closed or not.
    pub(super) fn write_pending(&mut self, ids: &mut Ids) {
        self.write_with_waiting(None, ids);
    }

    /// Writes the draft that waited in memory, and nothing else.
    pub(super) fn write_buffered(&mut self) {
        if let Some(pending) = self.buffered.take() {
            self.next.settled = Some(pending.id.clone());
            self.write(pending.draft.clone(), pending.id.clone());
        }
    }

    fn take(&mut self, trigger: Trigger, words: Words, at: Timestamp, ids: &Ids) -> Draft {
        let draft = checkpoint::draft(&self.next.row, trigger, words, at);
        checkpoint::take(&mut self.row().continuity, ids.now());
        draft
    }

    fn wait(&mut self, draft: Draft, ids: &mut Ids) {
        self.guard(draft.created_at);
        let open = self.next.pending.take();
        let pending = enqueued(open, draft, ids.checkpoint(), ids.now());
        self.row().pending = true;
        self.effects.push(Effect::CheckpointQueued {
            session: self.next.row.id.clone(),
            checkpoint: pending.id.clone(),
            due_at: pending.due_at,
        });
        self.ops.push(Op::PutPending { pending: pending.clone() });
        self.next.pending = Some(pending);
    }

    /// Writes what waits in the store and in memory, and this, as one checkpoint.
    fn write_with_waiting(&mut self, draft: Option<Draft>, ids: &mut Ids) {
        let stored = self.next.pending.take();
        if let Some(Pending { id, version, .. }) = &stored {
            let session = self.next.row.id.clone();
            self.ops.push(Op::DeletePending { session, id: id.clone(), version: *version });
            self.row().pending = false;
        }
        self.next.settled = self.buffered.map(|pending| pending.id.clone());
        let waiting = stored.into_iter().chain(self.buffered.take().cloned());
        let (mut id, mut merged) = (None, None);
        for pending in waiting {
            id = id.or(Some(pending.id));
            merged = Some(match merged {
                Some(earlier) => checkpoint::merge(earlier, pending.draft),
                None => pending.draft,
            });
        }
        let merged = match (merged, draft) {
            (Some(earlier), Some(later)) => Some(checkpoint::merge(earlier, later)),
            (merged, draft) => merged.or(draft),
        };
        if let Some(draft) = merged {
            self.write(draft, id.unwrap_or_else(|| ids.checkpoint()));
        }
    }

    /// Writes a checkpoint, and removes those that it pushes over the cap.
    fn write(&mut self, draft: Draft, id: CheckpointId) {
        self.guard(draft.created_at);
        let row = &mut self.next.row;
        row.checkpoint_seq = row.checkpoint_seq.saturating_add(1);
        row.counts.checkpoints = row.counts.checkpoints.saturating_add(1);
        let (session, seq) = (row.id.clone(), row.checkpoint_seq);
        let (trigger, created_at) = (draft.trigger, draft.created_at);
        let checkpoint = draft.into_row(id.clone(), seq);
        self.ops.push(Op::InsertCheckpoint { checkpoint });
        self.effects.push(Effect::CheckpointWritten { session, checkpoint: id.clone() });
        if let Some(heads) = &mut self.next.heads {
            heads.push(CheckpointHead { id, seq, trigger, created_at });
            let gone = beyond_cap(heads, self.policy.continuity.max_checkpoints_per_session);
            gone.into_iter().for_each(|head| self.remove(&head));
        }
    }

    /// Removes a checkpoint.
    pub(super) fn remove(&mut self, head: &CheckpointHead) {
        if let Some(heads) = &mut self.next.heads {
            heads.retain(|kept| kept.id != head.id);
        }
        let row = &mut self.next.row;
        row.counts.checkpoints = row.counts.checkpoints.saturating_sub(1);
        self.ops.push(Op::DeleteCheckpoint { session: row.id.clone(), checkpoint: head.id.clone() });
    }

    /// Removes what waits in the store; whether there was anything.
    pub(super) fn remove_pending(&mut self) -> bool {
        let Some(pending) = self.next.pending.take() else { return false };
        let session = self.next.row.id.clone();
        self.ops.push(Op::DeletePending { session, id: pending.id, version: pending.version });
        self.row().pending = false;
        true
    }

    fn guard(&mut self, at: Timestamp) {
        self.guard = Some(self.guard.map_or(at, |guard| guard.min(at)));
    }

    /// Whether nothing came together.
    pub(super) fn is_empty(&self, session: &SessionState) -> bool {
        self.ops.is_empty() && self.next.handed.is_none() && self.next.row == session.row
    }

    /// The plan, on the session as it was.
    pub(super) fn into_plan(mut self, ids: &mut Ids) -> Plan<SessionState> {
        self.next.row.version = match self.base {
            // By time, so that a session that was forgotten and made again has no version that it had before: a host
            // that still remembers the old one would otherwise write over it.
            0 => u64::try_from(ids.now().unix_millis()).unwrap_or(0).max(1),
            base => base.saturating_add(1),
        };
        let session = self.next.row.id.clone();
        let mut preconditions =
            vec![Precondition::SessionVersion { session: session.clone(), is: self.base }];
        preconditions.extend(self.guard.map(|at| Precondition::NotCleared { session, at }));
        let mut ops = vec![Op::PutSession { session: self.next.row.clone() }];
        ops.append(&mut self.ops);
        Plan {
            batch: Batch { id: ids.batch(), preconditions, ops },
            effects: self.effects,
            change: self.next,
            base: self.base,
        }
    }
}
