//! Which session a new run may go on from.
use crate::{
    id::{CheckpointId, SessionId},
    time::Timestamp,
};

/// How far back another session of the project is taken up, by default: 4 hours.
pub const RECOVERY_WINDOW_MILLIS: i64 = 4 * 60 * 60 * 1000;
/// A session that has not ended and was active so recently may still be running elsewhere: 10 minutes.
pub const ACTIVE_MILLIS: i64 = 10 * 60 * 1000;

/// The newest checkpoint of a session of the same project and agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The session.
    pub session: SessionId,
    /// Its checkpoint with the greatest `seq`.
    pub checkpoint: CheckpointId,
    /// That checkpoint's time.
    pub created_at: Timestamp,
    /// The session's last activity.
    pub last_activity: Timestamp,
    /// Whether the session ended.
    pub ended: bool,
}

/// The candidate to recover from, when the asking session has no checkpoint of its own: the newest that is at
/// most `within_millis` old, and one that may still be running elsewhere only when there is no other
/// (`spec/checkpoints.md`, "Recovery"). The order in which the candidates come does not matter.
///
/// ```
/// use throughline_core::{checkpoint::{Candidate, RECOVERY_WINDOW_MILLIS, choose}, time::Timestamp};
/// use throughline_core::id::{CheckpointId, SessionId};
/// let now: Timestamp = "2026-01-01T12:00:00Z".parse()?;
/// let at = |minutes: i64, ended| -> Result<Candidate, throughline_core::id::IdError> {
///     let at = now.saturating_add_millis(-minutes * 60_000);
///     let checkpoint = CheckpointId::generate(at, [0; 10]);
///     Ok(Candidate { session: SessionId::new("codex", "", "a")?, checkpoint, created_at: at, last_activity: at, ended })
/// };
/// let candidates = [at(2, false)?, at(90, true)?, at(300, true)?];
/// assert_eq!(choose(&candidates, now, RECOVERY_WINDOW_MILLIS), Some(&candidates[1]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn choose(candidates: &[Candidate], now: Timestamp, within_millis: i64) -> Option<&Candidate> {
    let at_rest = |of: &Candidate| of.ended || now.millis_since(of.last_activity) > ACTIVE_MILLIS;
    candidates.iter().filter(|of| now.millis_since(of.created_at) <= within_millis).max_by(|a, b| {
        let by_rest = at_rest(a).cmp(&at_rest(b));
        by_rest.then(a.created_at.cmp(&b.created_at)).then_with(|| a.checkpoint.cmp(&b.checkpoint))
    })
}

#[cfg(test)]
mod tests;
