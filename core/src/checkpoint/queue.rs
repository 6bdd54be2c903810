//! Drafts that wait in memory until they are written (`spec/checkpoints.md`, "Queue").
use super::{
    deadlines::Deadlines,
    window::{backoff_millis, closes_window, enqueued},
};
use crate::{
    id::{CheckpointId, SessionId},
    model::{Draft, Pending},
    time::Timestamp,
};
use alloc::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    vec::Vec,
};

/// A debounced queue of drafts, as a pure state machine: it takes `now` and never waits.
///
/// Each session has a window of 2,500 ms, restarted by each enqueue, at most 10,000 ms after the first; drafts
/// in one window are merged. Rank 3 and up close it at once and take with them what was pending. A draft that
/// was handed out stays until [`confirm`](Self::confirm), and comes again after [`retry`](Self::retry); the
/// only way to shrink is to merge. Drafts of one session are handed out in order, one at a time. Every
/// operation is O(log n) in the number of sessions.
///
/// ```
/// use throughline_core::{checkpoint::{Queue, Words, draft}, id::{CheckpointId, SessionId}};
/// use throughline_core::{model::{SessionRow, Trigger}, time::Timestamp};
/// let start = Timestamp::EPOCH;
/// let session = SessionRow::new(SessionId::new("codex", "", "a")?, start);
/// let id = CheckpointId::generate(start, [1; 10]);
/// let mut queue = Queue::default();
/// queue.enqueue(draft(&session, Trigger::Periodic, Words::default(), start), id.clone(), start);
/// let deadline = start.saturating_add_millis(2_500);
/// assert_eq!(queue.next_deadline(), Some(deadline));
/// assert!(queue.due(start).is_empty());
/// assert_eq!(queue.due(deadline)[0].id, id);
/// queue.confirm(&id);
/// assert!(queue.is_empty());
/// # Ok::<(), throughline_core::id::IdError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Queue {
    lines: BTreeMap<SessionId, Line>,
    sessions: BTreeMap<CheckpointId, SessionId>,
    deadlines: Deadlines<SessionId>,
    /// Sessions of which a draft is being written.
    out: BTreeSet<SessionId>,
}

/// What waits of one session: drafts whose window is closed, in order, and then the one that is open.
#[derive(Debug, Clone, Default)]
struct Line {
    closed: VecDeque<Closed>,
    open: Option<Pending>,
}

#[derive(Debug, Clone)]
struct Closed {
    pending: Pending,
    /// When it is to be handed out; `None` while it is being written.
    at: Option<Timestamp>,
    failures: u32,
}

impl Line {
    /// When it has something to hand out; `None` while something is being written.
    fn deadline(&self) -> Option<Timestamp> {
        match self.closed.front() {
            Some(closed) => closed.at,
            None => self.open.as_ref().map(|open| open.due_at),
        }
    }

    fn close(&mut self, at: Timestamp) {
        if let Some(pending) = self.open.take() {
            self.closed.push_back(Closed { pending, at: Some(at), failures: 0 });
        }
    }

    /// Hands out what is first.
    fn hand_out(&mut self, now: Timestamp) -> Option<Pending> {
        if self.closed.is_empty() {
            self.close(now);
        }
        let first = self.closed.front_mut()?;
        first.at.take()?;
        Some(first.pending.clone())
    }
}

impl Queue {
    /// Takes a draft in; `id` is its own unless it is merged into one that waits, whose id is given back.
    pub fn enqueue(&mut self, draft: Draft, id: CheckpointId, now: Timestamp) -> CheckpointId {
        let session = draft.session.clone();
        let line = self.lines.entry(session.clone()).or_default();
        let closes = closes_window(draft.trigger);
        let pending = enqueued(line.open.take(), draft, id, now);
        let id = pending.id.clone();
        line.open = Some(pending);
        if closes {
            line.close(now);
        }
        self.sessions.insert(id.clone(), session.clone());
        self.arrange(&session);
        id
    }

    /// When there is something to hand out next: the time to set a timer to.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Timestamp> {
        self.deadlines.first().map(|(at, _)| at)
    }

    /// Hands out what is due, the earliest first: at most one of a session, and none of one of which a draft is
    /// being written. Each is to be confirmed or tried again.
    pub fn due(&mut self, now: Timestamp) -> Vec<Pending> {
        let mut due = Vec::new();
        while let Some((_, session)) = self.deadlines.first().filter(|(at, _)| *at <= now) {
            let session = session.clone();
            due.extend(self.hand_out(&session, now));
        }
        due
    }

    /// Hands out one draft of each session whether it is due or not, for a host that ends; `due` gives the next
    /// one of a session when the first is confirmed.
    pub fn flush(&mut self, now: Timestamp) -> Vec<Pending> {
        let sessions: Vec<SessionId> = self.deadlines.iter().map(|(_, session)| session.clone()).collect();
        sessions.iter().filter_map(|session| self.hand_out(session, now)).collect()
    }

    /// Hands out what is first of one session, whether it is due or not.
    pub fn hand_out(&mut self, session: &SessionId, now: Timestamp) -> Option<Pending> {
        let handed = self.lines.get_mut(session)?.hand_out(now);
        self.arrange(session);
        handed
    }

    /// The open draft of a session: what the next enqueue would be merged into.
    #[must_use]
    pub fn open(&self, session: &SessionId) -> Option<&Pending> {
        self.lines.get(session)?.open.as_ref()
    }

    /// The draft is written, or it is not to be: it goes. One that is not there is gone already.
    pub fn confirm(&mut self, id: &CheckpointId) {
        let Some(session) = self.sessions.remove(id) else { return };
        if let Some(line) = self.lines.get_mut(&session) {
            line.closed.retain(|closed| closed.pending.id != *id);
            line.open.take_if(|open| open.id == *id);
        }
        self.arrange(&session);
    }

    /// The write of the draft failed: it is handed out again after 250 ms, doubling to 30 s.
    pub fn retry(&mut self, id: &CheckpointId, now: Timestamp) {
        let Some(session) = self.sessions.get(id).cloned() else { return };
        let closed = self.lines.get_mut(&session).and_then(|line| line.closed.front_mut());
        if let Some(closed) = closed.filter(|closed| closed.pending.id == *id && closed.at.is_none()) {
            closed.failures = closed.failures.saturating_add(1);
            closed.at = Some(now.saturating_add_millis(backoff_millis(closed.failures)));
        }
        self.arrange(&session);
    }

    /// Whoever was writing drafts has given up without a word: all that were handed out are due again.
    pub fn recall(&mut self, now: Timestamp) {
        for session in core::mem::take(&mut self.out) {
            if let Some(first) = self.lines.get_mut(&session).and_then(|line| line.closed.front_mut()) {
                first.at = Some(now);
            }
            self.arrange(&session);
        }
    }

    /// Drops everything of the session, as when it is cleared.
    pub fn remove(&mut self, session: &SessionId) {
        if let Some(line) = self.lines.remove(session) {
            let closed = line.closed.into_iter().map(|closed| closed.pending);
            closed.chain(line.open).for_each(|pending| {
                self.sessions.remove(&pending.id);
            });
        }
        self.deadlines.remove(session);
        self.out.remove(session);
    }

    /// How many drafts wait or are being written.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sessions.len()
    }

    /// Whether none does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    fn arrange(&mut self, session: &SessionId) {
        let Some(line) = self.lines.get(session) else { return };
        match line.deadline() {
            Some(at) => self.deadlines.set(session.clone(), at),
            None => self.deadlines.remove(session),
        }
        if line.closed.front().is_some_and(|first| first.at.is_none()) {
            self.out.insert(session.clone());
        } else {
            self.out.remove(session);
        }
        if line.closed.is_empty() && line.open.is_none() {
            self.lines.remove(session);
        }
    }
}

#[cfg(test)]
mod tests;
