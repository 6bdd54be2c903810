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
    /// The number of each session's line. Everything else goes by it: numbers are compared without a look at the
    /// sessions' texts, which lie anywhere.
    numbers: BTreeMap<SessionId, u64>,
    next: u64,
    lines: BTreeMap<u64, Line>,
    drafts: BTreeMap<CheckpointId, u64>,
    deadlines: Deadlines<u64>,
    /// Lines of which a draft is being written.
    out: BTreeSet<u64>,
}

/// What waits of one session: drafts whose window is closed, in order, and then the one that is open.
#[derive(Debug, Clone)]
struct Line {
    session: SessionId,
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
        let number = self.number(&draft.session);
        let line = self.lines.entry(number).or_insert_with(|| Line {
            session: draft.session.clone(),
            closed: VecDeque::new(),
            open: None,
        });
        let closes = closes_window(draft.trigger);
        let is_new = line.open.is_none();
        let pending = enqueued(line.open.take(), draft, id, now);
        let id = pending.id.clone();
        line.open = Some(pending);
        if closes {
            line.close(now);
        }
        if is_new {
            self.drafts.insert(id.clone(), number);
        }
        self.arrange(number);
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
        while let Some((_, number)) = self.deadlines.first().filter(|(at, _)| *at <= now) {
            due.extend(self.hand_out_of(*number, now));
        }
        due
    }

    /// Hands out one draft of each session whether it is due or not, for a host that ends; `due` gives the next
    /// one of a session when the first is confirmed.
    pub fn flush(&mut self, now: Timestamp) -> Vec<Pending> {
        let waiting: Vec<u64> = self.deadlines.iter().map(|(_, number)| *number).collect();
        waiting.into_iter().filter_map(|number| self.hand_out_of(number, now)).collect()
    }

    /// Hands out what is first of one session, whether it is due or not.
    pub fn hand_out(&mut self, session: &SessionId, now: Timestamp) -> Option<Pending> {
        self.hand_out_of(*self.numbers.get(session)?, now)
    }

    /// The open draft of a session: what the next enqueue would be merged into.
    #[must_use]
    pub fn open(&self, session: &SessionId) -> Option<&Pending> {
        self.line(session)?.open.as_ref()
    }

    /// Whether a draft of the session waits whose window is closed: its write is due, under way, or has failed.
    #[must_use]
    pub fn has_closed(&self, session: &SessionId) -> bool {
        self.line(session).is_some_and(|line| !line.closed.is_empty())
    }

    /// The draft is written, or it is not to be: it goes. One that is not there is gone already.
    pub fn confirm(&mut self, id: &CheckpointId) {
        let Some(number) = self.drafts.remove(id) else { return };
        if let Some(line) = self.lines.get_mut(&number) {
            line.closed.retain(|closed| closed.pending.id != *id);
            line.open.take_if(|open| open.id == *id);
        }
        self.arrange(number);
    }

    /// The write of the draft failed: it is handed out again after 250 ms, doubling to 30 s.
    pub fn retry(&mut self, id: &CheckpointId, now: Timestamp) {
        let Some(number) = self.drafts.get(id).copied() else { return };
        let closed = self.lines.get_mut(&number).and_then(|line| line.closed.front_mut());
        if let Some(closed) = closed.filter(|closed| closed.pending.id == *id && closed.at.is_none()) {
            closed.failures = closed.failures.saturating_add(1);
            closed.at = Some(now.saturating_add_millis(backoff_millis(closed.failures)));
        }
        self.arrange(number);
    }

    /// Whoever was writing drafts has given up without a word: all that were handed out are due again.
    pub fn recall(&mut self, now: Timestamp) {
        for number in core::mem::take(&mut self.out) {
            if let Some(first) = self.lines.get_mut(&number).and_then(|line| line.closed.front_mut()) {
                first.at = Some(now);
            }
            self.arrange(number);
        }
    }

    /// Drops everything of the session, as when it is cleared.
    pub fn remove(&mut self, session: &SessionId) {
        let Some(number) = self.numbers.remove(session) else { return };
        if let Some(line) = self.lines.remove(&number) {
            let closed = line.closed.into_iter().map(|closed| closed.pending);
            closed.chain(line.open).for_each(|pending| {
                self.drafts.remove(&pending.id);
            });
        }
        self.deadlines.remove(&number);
        self.out.remove(&number);
    }

    /// How many drafts wait or are being written.
    #[must_use]
    pub fn len(&self) -> usize {
        self.drafts.len()
    }

    /// Whether none does.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.drafts.is_empty()
    }

    fn number(&mut self, session: &SessionId) -> u64 {
        if let Some(number) = self.numbers.get(session) {
            return *number;
        }
        self.next = self.next.saturating_add(1);
        self.numbers.insert(session.clone(), self.next);
        self.next
    }

    fn line(&self, session: &SessionId) -> Option<&Line> {
        self.lines.get(self.numbers.get(session)?)
    }

    fn hand_out_of(&mut self, number: u64, now: Timestamp) -> Option<Pending> {
        let handed = self.lines.get_mut(&number)?.hand_out(now);
        self.arrange(number);
        handed
    }

    /// Puts the line where it belongs; one that holds nothing goes.
    fn arrange(&mut self, number: u64) {
        let Some(line) = self.lines.get(&number) else { return };
        match line.deadline() {
            Some(at) => self.deadlines.set(number, at),
            None => self.deadlines.remove(&number),
        }
        if line.closed.front().is_some_and(|first| first.at.is_none()) {
            self.out.insert(number);
        } else {
            self.out.remove(&number);
        }
        if line.closed.is_empty() && line.open.is_none() {
            self.numbers.remove(&line.session);
            self.lines.remove(&number);
        }
    }
}

#[cfg(test)]
mod tests;
