//! What is due by time, for a host to call when its timer ends.
use super::{
    Engine, EngineError, Ids,
    checkpoints::written,
    commit::{Loaded, Needs, unexpected},
    memory::Memory,
    step::Step,
};
use crate::{
    host::{Host, MaybeSend, Storage, StorageError},
    id::{CheckpointId, SessionId},
    model::{Answer, DueDraft, Effect, Pending, Query},
    time::Timestamp,
};
use alloc::vec::Vec;

/// How many drafts of other hosts are looked for at once.
const PAGE: u32 = 100;

/// What a [`tick`](Engine::tick) or a [`flush`](Engine::flush) did.
#[derive(Debug, Default)]
pub struct Tick {
    /// Checkpoints that were written.
    pub written: Vec<CheckpointId>,
    /// Checkpoints that were queued: enough time had passed.
    pub queued: Vec<CheckpointId>,
    /// The first failure; what failed stays, and is tried again after a while.
    pub failed: Option<EngineError>,
}

impl Tick {
    fn take(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::CheckpointWritten { checkpoint, .. } => self.written.push(checkpoint),
                Effect::CheckpointQueued { checkpoint, .. } => self.queued.push(checkpoint),
                Effect::RowStored { .. } | Effect::Compacted { .. } => {}
            }
        }
    }

    pub(super) fn fail(&mut self, error: EngineError) {
        self.failed.get_or_insert(error);
    }
}

impl<H: Host> Engine<H> {
    /// When there is something to do next: a window closes, a periodic checkpoint is due by time, or a failed
    /// write is tried again. The time to set one timer to, after each operation; `None`: none is needed.
    pub async fn next_deadline(&self) -> Option<Timestamp> {
        self.memory.lock().await.next_deadline()
    }

    /// Does what is due: writes drafts whose window has closed, those of other hosts among them, and queues
    /// periodic checkpoints of sessions that have been idle for long enough. A failure of one session does not
    /// keep the others from being looked at.
    pub async fn tick(&self) -> Tick {
        let mut tick = Tick::default();
        let now = self.ids().now();
        let due = {
            let memory = self.memory.lock().await;
            // No deadline is further away than that, unless the clock went back.
            let horizon = now.saturating_add_millis(i64::from(self.policy.continuity.time_interval_millis));
            let beyond = memory.agenda.last().is_some_and(|(at, _)| at > horizon);
            let due = memory.agenda.iter().filter(|(at, _)| *at <= now || (beyond && *at > horizon));
            due.map(|(_, session)| session.clone()).collect::<Vec<_>>()
        };
        for session in &due {
            self.look_at(session, &mut tick).await;
        }
        self.write_drafts(&mut tick, Memory::due_drafts).await;
        self.others(&mut tick).await;
        tick
    }

    /// Writes everything that waits, whether its window has closed or not: for a host that ends. Drafts of
    /// other hosts are theirs.
    pub async fn flush(&self) -> Tick {
        let mut tick = Tick::default();
        let known: Vec<SessionId> =
            self.memory.lock().await.agenda.iter().map(|(_, session)| session.clone()).collect();
        for session in &known {
            match self.flush_session(session).await {
                Ok(written) => tick.written.extend(written),
                Err(error) => tick.fail(error),
            }
        }
        self.write_drafts(&mut tick, Memory::all_drafts).await;
        tick
    }

    /// What is due of one session; a failure puts it off.
    pub(super) async fn look_at(&self, id: &SessionId, tick: &mut Tick) {
        self.look_with(id, |step, ids| step.attend(ids), tick).await;
    }

    /// Drafts of one session whose window has closed, and no more; a failure puts them off.
    pub(super) async fn write_closed(&self, id: &SessionId, tick: &mut Tick) {
        self.look_with(id, |step, ids| step.write_closed(ids), tick).await;
    }

    async fn look_with(&self, id: &SessionId, act: for<'s> fn(&mut Step<'s>, &mut Ids), tick: &mut Tick) {
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let Some(session) = loaded.session else { return Ok((None, ())) };
            let mut step = Step::new(session.state(), &self.policy, None);
            act(&mut step, ids);
            let plan = if step.is_empty(session.state()) { None } else { Some(step.into_plan(ids)) };
            Ok((plan, ()))
        };
        let ids = self.ids();
        let now = ids.now();
        match self.transact(id, Needs::default(), ids, plan).await {
            Ok((effects, ())) => tick.take(effects),
            Err(error) => {
                self.memory.lock().await.put_off(id, now);
                tick.fail(error);
            }
        }
    }

    /// Drafts whose host does not write them: it ended, or another one is first.
    async fn others(&self, tick: &mut Tick) {
        let until = self.ids().now();
        loop {
            let found = match self.due_in_store(until).await {
                Ok(found) => found,
                Err(error) => return tick.fail(error.into()),
            };
            let before = tick.written.len();
            for due in &found {
                // One that failed waits for its time, which is not that of its window.
                if !self.memory.lock().await.is_put_off(&due.session, until) {
                    self.look_at(&due.session, tick).await;
                }
            }
            let is_last = found.len() < usize::try_from(PAGE).unwrap_or(usize::MAX);
            if is_last || tick.written.len() == before {
                return;
            }
        }
    }

    async fn due_in_store(&self, until: Timestamp) -> Result<Vec<DueDraft>, StorageError> {
        match self.host.storage().read(&Query::Due { until, limit: PAGE }).await? {
            Answer::Due(found) => Ok(found),
            other => Err(unexpected(&other, "ends of windows")),
        }
    }

    /// Writes the drafts of one session that wait in memory.
    pub(super) async fn write_buffered(&self, id: &SessionId) -> Result<(), EngineError> {
        let mut tick = Tick::default();
        self.write_drafts(&mut tick, |memory, now| memory.drafts_of(id, now)).await;
        tick.failed.map_or(Ok(()), Err)
    }

    /// Writes drafts that wait in memory, until none is handed out any more or one fails.
    async fn write_drafts(
        &self,
        tick: &mut Tick,
        hand_out: impl Fn(&mut Memory, Timestamp) -> Vec<Pending> + MaybeSend,
    ) {
        let mut ids = self.ids();
        let _turn = self.queue.turn().await;
        let mut memory = self.memory.lock().await;
        self.write_drafts_in(&mut memory, &mut ids, tick, hand_out).await;
    }

    /// Writes those drafts of a session that wait in memory and whose write has failed before, for who has the turn.
    pub(super) async fn write_failed(
        &self,
        memory: &mut Memory,
        id: &SessionId,
        ids: &mut Ids,
    ) -> Result<(), EngineError> {
        let mut tick = Tick::default();
        self.write_drafts_in(memory, ids, &mut tick, |memory, now| memory.failed_of(id, now)).await;
        tick.failed.map_or(Ok(()), Err)
    }

    async fn write_drafts_in(
        &self,
        memory: &mut Memory,
        ids: &mut Ids,
        tick: &mut Tick,
        hand_out: impl Fn(&mut Memory, Timestamp) -> Vec<Pending> + MaybeSend,
    ) {
        // Whoever was writing has given up, or it would have the turn.
        memory.drafts.recall(ids.now());
        loop {
            let handed = hand_out(memory, ids.now());
            if handed.is_empty() {
                return;
            }
            for pending in handed {
                match self.write_draft(memory, &pending, ids).await {
                    Ok(done) => {
                        tick.written.extend(done);
                        memory.drafts.confirm(&pending.id);
                    }
                    Err(error) => {
                        memory.drafts.retry(&pending.id, ids.now());
                        tick.fail(error);
                    }
                }
            }
            if tick.failed.is_some() {
                return;
            }
        }
    }

    async fn write_draft(
        &self,
        memory: &mut Memory,
        pending: &Pending,
        ids: &mut Ids,
    ) -> Result<Vec<CheckpointId>, EngineError> {
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let Some(session) = loaded.session else { return Ok((None, ())) };
            let mut step = Step::new(session.state(), &self.policy, Some(pending));
            step.write_buffered();
            let plan = if step.is_empty(session.state()) { None } else { Some(step.into_plan(ids)) };
            Ok((plan, ()))
        };
        let session = &pending.draft.session;
        match self.transact_in(memory, session, Needs::default(), ids, plan).await {
            Ok((effects, ())) => Ok(written(effects).collect()),
            // An earlier attempt went through, and nobody heard of it.
            Err(EngineError::Storage(StorageError::Conflict { .. }))
                if self.checkpoint(&pending.id).await.is_ok() =>
            {
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }
}
