use super::*;
use crate::{
    checkpoint::{MAX_WAIT_MILLIS, WINDOW_MILLIS, Words, draft, samples},
    model::{SessionRow, Trigger},
};
use proptest::prelude::*;

fn at(millis: i64) -> Timestamp {
    samples::at("2026-03-01T10:00:00Z").saturating_add_millis(millis)
}

fn session(key: u64) -> SessionId {
    SessionId::new("test", "", std::format!("s{key}")).unwrap()
}

fn id(number: u64) -> CheckpointId {
    CheckpointId::generate(at(0), u128::from(number).to_be_bytes()[6..].try_into().unwrap())
}

fn of(key: u64, trigger: Trigger) -> Draft {
    let mut draft = draft(&SessionRow::new(session(key), at(0)), trigger, Words::default(), at(0));
    draft.prompt_count = 1;
    draft
}

fn ids(pending: &[Pending]) -> Vec<CheckpointId> {
    pending.iter().map(|pending| pending.id.clone()).collect()
}

#[test]
fn each_enqueue_restarts_the_window_up_to_the_longest_wait() {
    let mut queue = Queue::default();
    assert_eq!(queue.next_deadline(), None);
    for step in 0..10 {
        assert_eq!(queue.enqueue(of(1, Trigger::Periodic), id(step), at(step as i64 * 1000)), id(0));
        let restarted = step as i64 * 1000 + WINDOW_MILLIS;
        assert_eq!(queue.next_deadline(), Some(at(restarted.min(MAX_WAIT_MILLIS))));
        assert!(queue.due(at(step as i64 * 1000)).is_empty());
    }
    assert!(queue.due(at(9_999)).is_empty());
    let due = queue.due(at(10_000));
    assert_eq!((ids(&due), due[0].draft.prompt_count), (Vec::from([id(0)]), 10));
    assert_eq!(due[0].version, 10);
    assert!(queue.due(at(60_000)).is_empty(), "it is being written");
    queue.confirm(&id(0));
    assert!(queue.is_empty() && queue.next_deadline().is_none());
}

#[test]
fn rank_three_and_up_close_the_window_and_take_what_was_pending() {
    let mut queue = Queue::default();
    queue.enqueue(of(1, Trigger::Periodic), id(0), at(0));
    assert_eq!(queue.enqueue(of(1, Trigger::PreCompaction), id(1), at(500)), id(0));
    assert_eq!(queue.next_deadline(), Some(at(500)));
    // Two of them in one window are two rows, in their order.
    assert_eq!(queue.enqueue(of(1, Trigger::Explicit), id(2), at(600)), id(2));
    assert_eq!(queue.enqueue(of(1, Trigger::Periodic), id(3), at(700)), id(3));
    assert_eq!(queue.len(), 3);
    let first = queue.due(at(700));
    assert_eq!((ids(&first), first[0].draft.trigger), (Vec::from([id(0)]), Trigger::PreCompaction));
    assert_eq!(first[0].draft.prompt_count, 2);
    assert!(queue.due(at(800)).is_empty(), "one at a time");
    queue.confirm(&id(0));
    let second = queue.due(at(800));
    assert_eq!((ids(&second), second[0].draft.trigger), (Vec::from([id(2)]), Trigger::Explicit));
    queue.confirm(&id(2));
    assert!(queue.due(at(3_199)).is_empty());
    assert_eq!(ids(&queue.due(at(3_200))), [id(3)]);
}

#[test]
fn a_failed_write_comes_again_later_and_later() {
    let mut queue = Queue::default();
    queue.enqueue(of(1, Trigger::Explicit), id(0), at(0));
    let mut now = 0;
    for wait in [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000] {
        assert_eq!(ids(&queue.due(at(now))), [id(0)]);
        queue.retry(&id(0), at(now));
        queue.retry(&id(0), at(now));
        assert!(queue.due(at(now + wait - 1)).is_empty(), "{wait}");
        now += wait;
    }
    assert_eq!(queue.len(), 1);
    // What comes meanwhile waits behind it, merged.
    queue.enqueue(of(1, Trigger::Periodic), id(1), at(now));
    queue.enqueue(of(1, Trigger::Periodic), id(2), at(now));
    assert_eq!(queue.len(), 2);
    assert_eq!(ids(&queue.due(at(now + 60_000))), [id(0)]);
    queue.confirm(&id(0));
    assert_eq!(ids(&queue.due(at(now + 60_000))), [id(1)]);
}

#[test]
fn what_is_being_written_is_not_merged_into() {
    let mut queue = Queue::default();
    queue.enqueue(of(1, Trigger::Periodic), id(0), at(0));
    queue.due(at(2_500));
    assert_eq!(queue.enqueue(of(1, Trigger::Periodic), id(1), at(2_600)), id(1));
    queue.confirm(&id(0));
    assert_eq!(queue.open(&session(1)).unwrap().draft.prompt_count, 1);
    assert_eq!(queue.next_deadline(), Some(at(5_100)));
}

#[test]
fn a_flush_hands_out_everything_and_a_recall_hands_it_out_again() {
    let mut queue = Queue::default();
    for key in 0..5 {
        queue.enqueue(of(key, Trigger::Periodic), id(key), at(0));
    }
    assert_eq!(queue.flush(at(1)).len(), 5);
    assert_eq!(queue.flush(at(1)).len(), 0);
    queue.recall(at(2));
    assert_eq!(queue.due(at(2)).len(), 5);
    queue.remove(&session(0));
    queue.confirm(&id(0));
    queue.recall(at(3));
    assert_eq!(queue.due(at(3)).len(), 4);
}

#[test]
fn a_clock_that_went_back_opens_the_window_anew() {
    let mut queue = Queue::default();
    queue.enqueue(of(1, Trigger::Periodic), id(0), at(3_600_000));
    queue.enqueue(of(1, Trigger::Periodic), id(1), at(0));
    assert_eq!(queue.next_deadline(), Some(at(2_500)));
}

#[derive(Debug, Clone)]
enum Deed {
    Enqueue(u64, usize),
    Wait(i64),
    Due(bool),
    Flush,
}

proptest! {
    #[test]
    fn every_prompt_is_written_once_in_order(
        deeds in prop::collection::vec(
            prop_oneof![
                4 => (0u64..4, 0usize..5).prop_map(|(key, trigger)| Deed::Enqueue(key, trigger)),
                2 => (0i64..4_000).prop_map(Deed::Wait),
                2 => any::<bool>().prop_map(Deed::Due),
                1 => Just(Deed::Flush),
            ],
            1..80,
        )
    ) {
        let (mut queue, mut now, mut made) = (Queue::default(), 0, 0);
        let (mut put, mut got) = ([0u64; 4], [0u64; 4]);
        let mut last = [0u64; 4];
        let mut write = |queue: &mut Queue, handed: Vec<Pending>, fails: bool, now: i64| {
            for pending in handed {
                if fails {
                    queue.retry(&pending.id, at(now));
                    continue;
                }
                let key: usize = pending.draft.session.key()[1..].parse().unwrap();
                got[key] += pending.draft.prompt_count;
                assert!(pending.draft.total_prompts > last[key], "in order");
                last[key] = pending.draft.total_prompts;
                queue.confirm(&pending.id);
            }
        };
        for deed in deeds {
            match deed {
                Deed::Enqueue(key, trigger) => {
                    made += 1;
                    let mut draft = of(key, Trigger::ALL[trigger]);
                    put[key as usize] += 1;
                    draft.total_prompts = put[key as usize];
                    queue.enqueue(draft, id(made), at(now));
                }
                Deed::Wait(millis) => now += millis,
                Deed::Due(fails) => {
                    let due = queue.due(at(now));
                    write(&mut queue, due, fails, now);
                    prop_assert!(queue.next_deadline().is_none_or(|next| next > at(now)) || !fails);
                }
                Deed::Flush => {
                    let all = queue.flush(at(now));
                    write(&mut queue, all, false, now);
                }
            }
        }
        for _ in 0..100 {
            let all = queue.flush(at(now));
            write(&mut queue, all, false, now);
        }
        prop_assert!(queue.is_empty());
        prop_assert_eq!(put, got);
    }
}
