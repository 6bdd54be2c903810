//! How long a draft waits, and how long a failed write does.
use crate::{
    id::CheckpointId,
    model::{Draft, Pending, Trigger},
    time::Timestamp,
};

use super::merge::merge;

/// A draft waits this long for another one of its session; each enqueue starts it again.
pub const WINDOW_MILLIS: i64 = 2_500;
/// No window is open longer than this after its first enqueue.
pub const MAX_WAIT_MILLIS: i64 = 10_000;
const BACKOFF_FIRST_MILLIS: i64 = 250;
const BACKOFF_MAX_MILLIS: i64 = 30_000;

/// Whether a draft of this trigger closes its window at once: rank 3 (explicit) and up.
#[must_use]
pub fn closes_window(trigger: Trigger) -> bool {
    trigger.rank() >= Trigger::Explicit.rank()
}

/// When a window closes that was opened then and enqueued to now. A clock that went back opens it anew.
#[must_use]
pub fn window_end(opened_at: Timestamp, now: Timestamp) -> Timestamp {
    let limit = opened_at.min(now).saturating_add_millis(MAX_WAIT_MILLIS);
    now.saturating_add_millis(WINDOW_MILLIS).min(limit)
}

/// How long to wait after so many failed writes in a row: 250 ms, doubling to 30 s.
///
/// ```
/// use throughline_core::checkpoint::backoff_millis;
/// assert_eq!([1, 2, 3, 7, 8, 99].map(backoff_millis), [250, 500, 1000, 16_000, 30_000, 30_000]);
/// ```
#[must_use]
pub fn backoff_millis(failures: u32) -> i64 {
    let doublings = failures.saturating_sub(1).min(16);
    BACKOFF_FIRST_MILLIS.saturating_mul(1_i64 << doublings).min(BACKOFF_MAX_MILLIS)
}

/// What waits after `draft` is enqueued: a new window with `id`, or the one that is open with the draft merged
/// into it and its id kept. One that [closes at once](closes_window) is due now.
#[must_use]
pub fn enqueued(open: Option<Pending>, draft: Draft, id: CheckpointId, now: Timestamp) -> Pending {
    let closes = closes_window(draft.trigger);
    let mut pending = match open {
        Some(open) => Pending {
            version: open.version.saturating_add(1),
            opened_at: open.opened_at.min(now),
            draft: merge(open.draft, draft),
            ..open
        },
        None => Pending { id, version: 1, opened_at: now, due_at: now, draft },
    };
    pending.due_at = if closes { now } else { window_end(pending.opened_at, now) };
    pending
}
