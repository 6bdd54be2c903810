use super::*;
use crate::checkpoint::{
    record_prompt, record_query,
    samples::{at, clean, session},
    take,
};

const MINUTE: i64 = 60_000;

fn with_prompts(count: usize) -> SessionRow {
    let mut session = session();
    (0..count).for_each(|_| record_prompt(&mut session.continuity, &clean("go on")));
    session
}

#[test]
fn enough_prompts_are_due_at_once() {
    let (options, now) = (ContinuityOptions::default(), at("2026-03-01T09:00:01Z"));
    assert!(!is_due(&with_prompts(9), now, &options));
    assert!(is_due(&with_prompts(10), now, &options));
    assert_eq!(next_due(&with_prompts(10), now, &options), Some(now));
}

#[test]
fn enough_time_is_due_from_the_start_or_the_last_checkpoint() {
    let options = ContinuityOptions::default();
    let mut session = with_prompts(1);
    let start = session.started_at;
    let after = |minutes: i64| start.saturating_add_millis(minutes * MINUTE);
    assert_eq!(next_due(&session, after(3), &options), Some(after(15)));
    assert!(!is_due(&session, after(15).saturating_add_millis(-1), &options));
    assert!(is_due(&session, after(15), &options));
    take(&mut session.continuity, after(15));
    assert_eq!(next_due(&session, after(15), &options), None, "nothing is new");
    assert!(!is_due(&session, after(99), &options));
    record_query(&mut session.continuity, &clean("where"));
    assert_eq!(next_due(&session, after(16), &options), Some(after(30)));
    assert!(is_due(&session, after(30), &options));
    record_prompt(&mut session.continuity, &clean("go on"));
    take(&mut session.continuity, after(30));
    record_prompt(&mut session.continuity, &clean("go on"));
    assert!(!is_due(&session, after(31), &options), "the next prompt is not due again");
}

#[test]
fn time_counts_from_the_clearing() {
    let mut session = with_prompts(1);
    session.cleared_at = Some(at("2026-03-01T10:00:00Z"));
    let due = next_due(&session, at("2026-03-01T10:01:00Z"), &ContinuityOptions::default());
    assert_eq!(due, Some(at("2026-03-01T10:15:00Z")));
}

#[test]
fn disabled_is_never_due() {
    let options = ContinuityOptions { enabled: false, ..ContinuityOptions::default() };
    assert!(!is_due(&with_prompts(1000), at("2027-01-01"), &options));
    assert_eq!(next_due(&with_prompts(1000), at("2027-01-01"), &options), None);
}

#[test]
fn a_clock_that_went_back_counts_from_now_on() {
    let options = ContinuityOptions::default();
    let mut session = with_prompts(1);
    session.continuity.last_checkpoint_at = Some(at("2026-03-01T12:00:00Z"));
    let now = at("2026-03-01T10:00:00Z");
    assert!(!is_due(&session, now, &options));
    assert_eq!(next_due(&session, now, &options), Some(at("2026-03-01T10:15:00Z")));
    settle_clock(&mut session, now);
    assert_eq!(session.continuity.last_checkpoint_at, Some(now));
    assert!(is_due(&session, at("2026-03-01T10:15:00Z"), &options));
    settle_clock(&mut session, at("2026-03-01T10:05:00Z"));
    assert_eq!(session.continuity.last_checkpoint_at, Some(now), "it did not go back again");
    let mut fresh = with_prompts(1);
    settle_clock(&mut fresh, at("2026-03-01T08:00:00Z"));
    assert!(is_due(&fresh, at("2026-03-01T08:15:00Z"), &options), "nor does the start lie ahead");
}
