use super::Session;
use crate::{
    checkpoint::{ContinuityOptions, Deadlines, Queue, backoff_millis, next_due},
    id::SessionId,
    model::Pending,
    time::Timestamp,
};
use alloc::{collections::BTreeMap, vec::Vec};

/// Sessions kept in memory; they are copies, so that letting them go costs a read.
pub(super) const CACHED_SESSIONS: usize = 1024;

/// What an engine keeps in memory.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) sessions: BTreeMap<SessionId, Session>,
    /// When each session is to be looked at: a window closes, or a periodic checkpoint is due by time.
    pub(super) agenda: Deadlines<SessionId>,
    /// Failed looks in a row.
    failures: BTreeMap<SessionId, u32>,
    /// Drafts that wait in memory alone.
    pub(super) drafts: Queue,
}

impl Memory {
    /// Keeps a session as it stands after a commit, and notes when it is to be looked at.
    pub(super) fn keep(&mut self, session: Session, now: Timestamp, options: &ContinuityOptions) {
        let id = session.row().id.clone();
        self.failures.remove(&id);
        let window = session.pending().map(|pending| pending.due_at);
        let due = next_due(session.row(), now, options);
        match window.into_iter().chain(due).min() {
            Some(at) => self.agenda.set(id.clone(), at),
            None => self.agenda.remove(&id),
        }
        if self.sessions.len() >= CACHED_SESSIONS {
            self.sessions.clear();
        }
        self.sessions.insert(id, session);
    }

    /// The session is gone.
    pub(super) fn forget(&mut self, id: &SessionId) {
        self.sessions.remove(id);
        self.agenda.remove(id);
        self.failures.remove(id);
        self.drafts.remove(id);
    }

    /// The session could not be looked at: again after a while.
    pub(super) fn put_off(&mut self, id: &SessionId, now: Timestamp) {
        let failures = self.failures.entry(id.clone()).or_default();
        *failures = failures.saturating_add(1);
        let at = now.saturating_add_millis(backoff_millis(*failures));
        self.agenda.set(id.clone(), at);
    }

    /// Whether a failed look is to be repeated later than now.
    pub(super) fn is_put_off(&self, id: &SessionId, now: Timestamp) -> bool {
        self.failures.contains_key(id) && self.agenda.get(id).is_some_and(|at| at > now)
    }

    /// The earliest time at which something is to be done.
    pub(super) fn next_deadline(&self) -> Option<Timestamp> {
        let agenda = self.agenda.first().map(|(at, _)| at);
        agenda.into_iter().chain(self.drafts.next_deadline()).min()
    }

    /// Drafts in memory whose window has closed.
    pub(super) fn due_drafts(&mut self, now: Timestamp) -> Vec<Pending> {
        self.drafts.due(now)
    }

    /// Drafts in memory, whether their window has closed or not.
    pub(super) fn all_drafts(&mut self, now: Timestamp) -> Vec<Pending> {
        self.drafts.flush(now)
    }

    /// The first draft in memory of one session.
    pub(super) fn drafts_of(&mut self, id: &SessionId, now: Timestamp) -> Vec<Pending> {
        self.drafts.hand_out(id, now).into_iter().collect()
    }

    /// The first draft in memory of one session whose window was closed before: its write has failed.
    pub(super) fn failed_of(&mut self, id: &SessionId, now: Timestamp) -> Vec<Pending> {
        if self.drafts.has_closed(id) { self.drafts_of(id, now) } else { Vec::new() }
    }
}
