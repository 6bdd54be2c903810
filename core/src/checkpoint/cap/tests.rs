use super::*;
use crate::{checkpoint::samples::at, id::CheckpointId};
use proptest::prelude::*;

fn heads(triggers: &[Trigger]) -> Vec<CheckpointHead> {
    let numbered = triggers.iter().zip(1u64..);
    let head = |(trigger, seq): (&Trigger, u64)| {
        let created_at = at("2026-03-01");
        let id = CheckpointId::generate(
            created_at,
            (u128::from(seq) << 48).to_be_bytes()[..10].try_into().unwrap(),
        );
        CheckpointHead { id, seq, trigger: *trigger, created_at }
    };
    numbered.map(head).collect()
}

fn kept(heads: &[CheckpointHead], max: u32) -> Vec<u64> {
    let gone = beyond_cap(heads, max);
    heads.iter().filter(|head| !gone.contains(head)).map(|head| head.seq).collect()
}

#[test]
fn the_order_of_keeping() {
    use Trigger::{Explicit, Periodic, PreCompaction, SessionEnd};
    let list = heads(&[SessionEnd, PreCompaction, SessionEnd, PreCompaction, Periodic, Explicit, Periodic]);
    assert_eq!(kept(&list, 9), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(kept(&list, 7), [1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(kept(&list, 4), [3, 4, 6, 7]);
    assert_eq!(kept(&list, 3), [3, 4, 7]);
    assert_eq!(kept(&list, 2), [3, 7]);
    assert_eq!(kept(&list, 1), [7]);
}

#[test]
fn the_row_just_added_may_be_a_session_end_itself() {
    use Trigger::{Periodic, PreCompaction, SessionEnd};
    let list = heads(&[PreCompaction, SessionEnd, Periodic, SessionEnd]);
    assert_eq!(kept(&list, 3), [1, 3, 4]);
    assert_eq!(kept(&list, 2), [1, 4]);
}

#[test]
fn days_are_24_hours() {
    assert_eq!(kept_since(at("2026-03-08T00:00:00Z"), 7), at("2026-03-01T00:00:00Z"));
    assert_eq!(kept_since(Timestamp::MIN, 90), Timestamp::MIN);
}

proptest! {
    #[test]
    fn as_many_as_may_stay_do(triggers in prop::collection::vec(0usize..5, 0..60), max in 1u32..50) {
        let triggers: Vec<Trigger> = triggers.iter().map(|index| Trigger::ALL[*index]).collect();
        let list = heads(&triggers);
        let kept = kept(&list, max);
        prop_assert_eq!(kept.len(), list.len().min(max as usize));
        prop_assert_eq!(kept.last(), list.last().map(|head| &head.seq));
        let mut shuffled = list.clone();
        shuffled.reverse();
        let mut again = self::kept(&shuffled, max);
        again.reverse();
        prop_assert_eq!(again, kept);
    }
}
