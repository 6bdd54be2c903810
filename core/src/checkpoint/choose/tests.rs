use super::*;
use crate::checkpoint::samples::at;
use alloc::vec::Vec;
use proptest::prelude::*;

/// A candidate with its checkpoint and its activity so many seconds ago.
fn candidate(key: &str, checkpoint: i64, activity: i64, ended: bool) -> Candidate {
    let ago = |seconds: i64| at("2026-03-01T12:00:00Z").saturating_add_millis(-seconds * 1000);
    Candidate {
        session: SessionId::new("codex", "", key).unwrap(),
        checkpoint: CheckpointId::generate(ago(checkpoint), [1; 10]),
        created_at: ago(checkpoint),
        last_activity: ago(activity),
        ended,
    }
}

fn chosen(candidates: &[Candidate]) -> Option<&str> {
    let now = at("2026-03-01T12:00:00Z");
    choose(candidates, now, RECOVERY_WINDOW_MILLIS).map(|chosen| chosen.session.key())
}

#[test]
fn the_newest_of_those_at_rest_is_chosen() {
    let ended = candidate("ended", 7200, 7200, true);
    let idle = candidate("idle", 3600, 3600, false);
    let running = candidate("running", 60, 60, false);
    assert_eq!(chosen(&[running.clone(), ended.clone(), idle.clone()]), Some("idle"));
    assert_eq!(chosen(&[running.clone(), ended.clone()]), Some("ended"));
    assert_eq!(chosen(&[running]), Some("running"));
    assert_eq!(chosen(&[ended, candidate("just ended", 60, 60, true), idle]), Some("just ended"));
    assert_eq!(chosen(&[]), None);
}

#[test]
fn the_limits_belong_to_what_they_limit() {
    assert_eq!(chosen(&[candidate("a", 4 * 3600, 4 * 3600, true)]), Some("a"));
    assert_eq!(chosen(&[candidate("a", 4 * 3600 + 1, 4 * 3600 + 1, true)]), None);
    let ended = candidate("ended", 3600, 3600, true);
    assert_eq!(chosen(&[ended.clone(), candidate("ten", 600, 600, false)]), Some("ended"));
    assert_eq!(chosen(&[ended, candidate("more", 601, 601, false)]), Some("more"));
}

#[test]
fn a_clock_that_went_back_hides_nothing() {
    assert_eq!(chosen(&[candidate("ahead", -3600, -3600, true)]), Some("ahead"));
}

proptest! {
    #[test]
    fn the_order_of_the_candidates_does_not_matter(of in prop::collection::vec((0..20_000i64, 0..20_000i64, any::<bool>()), 0..8)) {
        let mut candidates: Vec<Candidate> = of
            .iter()
            .enumerate()
            .map(|(index, (checkpoint, activity, ended))| {
                let mut of = candidate("k", *checkpoint, *activity, *ended);
                let byte = u8::try_from(index).unwrap();
                of.checkpoint = CheckpointId::generate(of.created_at, [byte; 10]);
                of
            })
            .collect();
        let now = at("2026-03-01T12:00:00Z");
        let first = choose(&candidates, now, RECOVERY_WINDOW_MILLIS).cloned();
        candidates.reverse();
        prop_assert_eq!(choose(&candidates, now, RECOVERY_WINDOW_MILLIS).cloned(), first);
    }
}
