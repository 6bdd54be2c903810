//! When the next periodic checkpoint is due (`spec/checkpoints.md`, "Continuity state").
use super::{continuity::has_news, options::ContinuityOptions};
use crate::{
    model::{Continuity, SessionRow},
    time::Timestamp,
};

/// Whether a periodic checkpoint is due: enabled, something is new, and enough prompts or enough time have
/// passed since the last one (before the first, since the session's start). When the clock went back, the last
/// checkpoint's time is taken as `now`.
///
/// ```
/// use throughline_core::{checkpoint::{self, ContinuityOptions}, id::SessionId, model::SessionRow};
/// use throughline_core::{redact::Redactor, time::Timestamp};
/// let start = Timestamp::EPOCH;
/// let mut session = SessionRow::new(SessionId::new("codex", "", "a")?, start);
/// checkpoint::record_prompt(&mut session.continuity, &Redactor::standard().clean("Go on."));
/// let options = ContinuityOptions::default();
/// assert!(!checkpoint::is_due(&session, start, &options));
/// assert_eq!(checkpoint::next_due(&session, start, &options), Some(start.saturating_add_millis(900_000)));
/// assert!(checkpoint::is_due(&session, start.saturating_add_millis(900_000), &options));
/// # Ok::<(), throughline_core::id::IdError>(())
/// ```
#[must_use]
pub fn is_due(session: &SessionRow, now: Timestamp, options: &ContinuityOptions) -> bool {
    next_due(session, now, options).is_some_and(|due| due <= now)
}

/// When a periodic checkpoint of the session as it stands is due, for a host to set its timer to: at once when
/// enough prompts came together, else by time. `None` when there is nothing new, or nothing is counted at all.
#[must_use]
pub fn next_due(session: &SessionRow, now: Timestamp, options: &ContinuityOptions) -> Option<Timestamp> {
    let state = &session.continuity;
    if !options.enabled || !has_news(state) {
        return None;
    }
    if state.prompts_since >= u64::from(options.prompt_interval) {
        return Some(now);
    }
    let interval = i64::from(options.time_interval_millis);
    Some(last_of(session, state).min(now).saturating_add_millis(interval))
}

/// Takes over that the clock went back: time counts from `now` on. To be called with each event.
pub fn settle_clock(session: &mut SessionRow, now: Timestamp) {
    if last_of(session, &session.continuity) > now {
        session.continuity.last_checkpoint_at = Some(now);
    }
}

fn last_of(session: &SessionRow, state: &Continuity) -> Timestamp {
    state.last_checkpoint_at.unwrap_or_else(|| session.counted_from())
}

#[cfg(test)]
mod tests;
