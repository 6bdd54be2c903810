//! Checkpoints that lose nothing: queue, flush, clearing, retention and delivery over a storage that may fail.
#![cfg(not(target_family = "wasm"))]
#![allow(missing_docs, reason = "a test target")]

mod buffered;
#[path = "../common/mod.rs"]
mod common;
mod lab;

use common::{
    faulty::{Fault, Faulty},
    session,
};
use lab::*;
use pollster::block_on;
use std::sync::Arc;
use throughline_core::{
    checkpoint::ContinuityOptions,
    engine::{
        Activity, CheckpointRequest, IngestOptions, Options, QueueMode, RecordOptions, RecoverRequest,
        Skipped,
    },
    host::{DynStorage, MemoryStorage, Storage},
    id::{Project, SessionId},
    model::{Answer, Effect, Query, Trigger},
};

#[test]
fn a_later_flush_never_puts_an_older_periodic_row_last() {
    let dial = Dial::default();
    let engine = over(MemoryStorage::default(), &dial, |_| ());
    let id = session("s");
    prompt(&engine, &id, "what the periodic one tells");
    assert_eq!(take(&engine, &id, Trigger::Periodic), (false, Some(Skipped::Queued)));
    dial.set(500);
    let request = CheckpointRequest {
        context: Some("where it stood before the compaction".into()),
        ..Trigger::PreCompaction.into()
    };
    assert!(block_on(engine.take_checkpoint(&id, request)).unwrap().written);
    for millis in [2_500, 3_000, 10_000] {
        dial.set(millis);
        assert!(block_on(engine.tick()).written.is_empty());
    }
    let text = recover(&engine, &id).unwrap();
    assert!(text.contains("## Pre-Compaction Checkpoint") && text.contains("before the compaction"));
    assert!(text.contains("- what the periodic one tells"), "{text}");
    let rows = rows(&engine, &id);
    assert_eq!((rows.len(), rows[0].prompt_count), (1, 1));
    assert_eq!(pending(&engine, &id), None);
}

#[test]
fn enough_prompts_queue_a_checkpoint_in_the_commit_of_the_last_of_them() {
    let dial = Dial::default();
    let engine = over(MemoryStorage::default(), &dial, |_| ());
    let id = session("s");
    for number in 1..=9 {
        assert_eq!(prompt(&engine, &id, &format!("p{number}")).len(), 1);
    }
    assert_eq!(pending(&engine, &id), None);
    assert_eq!(block_on(engine.next_deadline()), Some(Dial::at(900_000)), "by time");
    let effects = prompt(&engine, &id, "p10");
    let [Effect::RowStored { .. }, Effect::CheckpointQueued { checkpoint, due_at, .. }] = &effects[..] else {
        panic!("{effects:?}");
    };
    assert_eq!((*due_at, block_on(engine.next_deadline())), (Dial::at(2_500), Some(Dial::at(2_500))));
    let waiting = pending(&engine, &id).unwrap();
    assert_eq!((&waiting.id, waiting.version, waiting.draft.prompt_count), (checkpoint, 1, 10));
    assert_eq!(prompt(&engine, &id, "p11").len(), 1, "the next one is not due again");
    dial.set(2_499);
    assert!(block_on(engine.tick()).written.is_empty());
    dial.set(2_500);
    assert_eq!(block_on(engine.tick()).written, std::slice::from_ref(checkpoint));
    let found = rows(&engine, &id);
    assert_eq!((found.len(), found[0].prompt_count, found[0].total_prompts), (1, 10, 10));
    assert!(found[0].digest.as_str().contains("Prompts: 10 | "));
    // What came after it counts for the next.
    assert!(recover(&engine, &id).unwrap().contains("Prompts: 1 | "));
}

#[test]
fn an_idle_session_is_captured_by_time() {
    let dial = Dial::default();
    let engine = over(MemoryStorage::default(), &dial, |_| ());
    let id = session("s");
    prompt(&engine, &id, "left alone");
    dial.set(900_000);
    let tick = block_on(engine.tick());
    assert_eq!((tick.queued.len(), tick.written.len()), (1, 0));
    let deadline = block_on(engine.next_deadline());
    assert_eq!(deadline, Some(Dial::at(902_500)));
    dial.set(902_500);
    assert_eq!(block_on(engine.tick()).written.len(), 1);
    assert_eq!(rows(&engine, &id)[0].created_at, Dial::at(0), "of its last event");
    assert_eq!(block_on(engine.next_deadline()), None, "nothing is new");
}

#[test]
fn a_clock_that_went_back_keeps_no_session_waiting() {
    let dial = Dial::default();
    let engine = over(MemoryStorage::default(), &dial, |_| ());
    let id = session("s");
    dial.set(36_000_000);
    prompt(&engine, &id, "before the clock was set back");
    dial.set(0);
    block_on(engine.tick());
    assert_eq!(block_on(engine.next_deadline()), Some(Dial::at(900_000)));
    dial.set(900_000);
    assert_eq!(block_on(engine.tick()).queued.len(), 1);
}

#[test]
fn of_two_hosts_exactly_one_writes_a_draft() {
    for both_know_it in [false, true] {
        let (dial, storage) = (Dial::default(), shared());
        let engines = [over(Arc::clone(&storage), &dial, |_| ()), over(storage, &dial, |_| ())];
        let ids: Vec<SessionId> = (0..20).map(|number| session(&format!("s{number}"))).collect();
        for id in &ids {
            prompt(&engines[0], id, "one");
            if both_know_it {
                prompt(&engines[1], id, "two");
            }
            assert_eq!(take(&engines[0], id, Trigger::Agent), (false, Some(Skipped::Queued)));
        }
        dial.set(2_500);
        // The second has no stale idea of what waits, and the first has one once the second was there.
        let (second, first) = (block_on(engines[1].tick()), block_on(engines[0].tick()));
        assert!(first.failed.is_none() && second.failed.is_none());
        assert_eq!((second.written.len(), first.written.len()), (20, 0));
        for id in &ids {
            let found = rows(&engines[0], id);
            assert_eq!((found.len(), found[0].prompt_count), (1, 1 + u64::from(both_know_it)));
        }
    }
}

#[test]
fn a_session_that_was_forgotten_and_made_again_is_another_one() {
    let (dial, store, id) = (Dial::default(), shared(), session("s"));
    let (first, second) = (over(store.clone(), &dial, |_| {}), over(store, &dial, |_| {}));
    prompt(&first, &id, "the old plan");
    block_on(second.forget(&id)).unwrap();
    dial.set(1);
    prompt(&second, &id, "the new plan");
    // This host still remembers the session that is gone.
    prompt(&first, &id, "go on");
    let text = recover(&second, &id).unwrap();
    assert!(text.contains("the new plan") && text.contains("go on"), "{text}");
    assert!(!text.contains("the old plan"), "{text}");
}

#[test]
fn many_threads_of_two_hosts_write_every_draft_once() {
    let (dial, storage) = (Dial::default(), shared());
    let engines = [over(Arc::clone(&storage), &dial, |_| ()), over(storage, &dial, |_| ())];
    let ids: Vec<SessionId> = (0..50).map(|number| session(&format!("s{number}"))).collect();
    for id in &ids {
        prompt(&engines[0], id, "one");
        take(&engines[0], id, Trigger::Agent);
    }
    dial.set(5_000);
    let ticks: Vec<usize> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4)
            .map(|number| {
                let engine = &engines[number % 2];
                scope.spawn(move || block_on(engine.tick()).written.len())
            })
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert_eq!(ticks.iter().sum::<usize>(), 50, "{ticks:?}");
    assert!(ids.iter().all(|id| rows(&engines[1], id).len() == 1));
}

#[test]
fn a_fault_at_any_commit_loses_and_doubles_no_prompt() {
    use Fault::{Conflict, LostAfter, LostBefore, Unavailable};
    for fault in [Unavailable, LostBefore, LostAfter, Conflict] {
        for queue in [QueueMode::Journaled, QueueMode::Buffered] {
            for at in 0..16 {
                let mut faults = vec![None; at];
                faults.push(Some(fault));
                let dial = Dial::default();
                let engine = over(Faulty::with(&faults), &dial, |options| {
                    options.queue = queue;
                    options.continuity.prompt_interval = 3;
                });
                let id = session("s");
                let mut acknowledged = 0;
                for number in 0..10 {
                    dial.set(number * 1_300);
                    let mut outcome = block_on(engine.submit_prompt(&id, None, "p"));
                    if outcome.is_err() {
                        outcome = block_on(engine.submit_prompt(&id, None, "p"));
                    }
                    outcome.unwrap();
                    acknowledged += 1;
                    if number == 4 {
                        let take = || block_on(engine.take_checkpoint(&id, Trigger::PreCompaction));
                        take().or_else(|_| take()).unwrap();
                    }
                    block_on(engine.tick());
                }
                dial.set(60_000);
                let tick = block_on(engine.tick());
                assert!(tick.failed.is_none() || at > 10, "{tick:?}");
                dial.set(120_000);
                assert!(block_on(engine.flush()).failed.is_none());
                assert_eq!(counted(&engine, &id), acknowledged, "{fault:?} at commit {at}, {queue:?}");
            }
        }
    }
}

#[test]
fn a_failed_flush_is_tried_again_later_and_later() {
    let dial = Dial::default();
    let faults: Vec<_> = [None, None].into_iter().chain([Some(Fault::Unavailable); 4]).collect();
    let engine = over(Faulty::with(&faults), &dial, |_| ());
    let id = session("s");
    prompt(&engine, &id, "one");
    take(&engine, &id, Trigger::Agent);
    let mut now = 2_500;
    for wait in [250, 500, 1_000, 2_000] {
        dial.set(now);
        let tick = block_on(engine.tick());
        assert_eq!(tick.failed.unwrap().code(), "storage_unavailable");
        dial.set(now + wait - 1);
        assert!(block_on(engine.tick()).failed.is_none(), "it waits");
        now += wait;
        assert_eq!(block_on(engine.next_deadline()), Some(Dial::at(now)));
    }
    dial.set(now);
    assert_eq!(block_on(engine.tick()).written.len(), 1);
    assert_eq!(block_on(engine.next_deadline()), None);
}

#[test]
fn a_killed_host_loses_nothing_that_was_acknowledged() {
    let (dial, storage) = (Dial::default(), shared());
    let project = Project::new("/work/app").unwrap();
    for (key, queued) in [("a", true), ("b", false)] {
        let killed = over(Arc::clone(&storage), &dial, |_| ());
        let id = session(key);
        block_on(killed.submit_prompt(&id, Some(&project), "before")).unwrap();
        if queued {
            take(&killed, &id, Trigger::Agent);
            block_on(killed.submit_prompt(&id, Some(&project), "after")).unwrap();
        }
        dial.set(1_000);
    }
    let next = over(storage, &dial, |_| ());
    // By project: the candidates are settled, whether due or not.
    let request = RecoverRequest { project: Some(project), ..RecoverRequest::default() };
    assert!(block_on(next.recover(&request)).unwrap().is_some());
    let found = rows(&next, &session("a"));
    assert_eq!((found.len(), found[0].prompt_count, found[0].trigger), (1, 2, Trigger::Agent));
    assert!(recover(&next, &session("a")).unwrap().contains("- before\n- after"));
    assert_eq!(rows(&next, &session("b")).len(), 1);
}

fn log(lines: &[(&str, &str)]) -> String {
    let line = |(uuid, at): &(&str, &str)| {
        format!(
            r#"{{"type":"user","uuid":"{uuid}","sessionId":"s","timestamp":"{at}","message":{{"content":"prompt {uuid}"}}}}"#
        ) + "\n"
    };
    lines.iter().map(line).collect()
}

fn ingest<S: Storage>(engine: &Hand<S>, log: &str) -> Option<u64> {
    block_on(async {
        let mut ingest =
            engine.ingest(IngestOptions { harness: Some("test".into()), ..IngestOptions::default() });
        ingest.push(log.as_bytes()).await.unwrap();
        let report = ingest.finish().await.unwrap();
        report.checkpoint.is_some().then_some(report.added)
    })
}

fn nothing_is_there<S: Storage>(engine: &Hand<S>, way: &str) {
    let id = session("s");
    assert_eq!(recover(engine, &id), None, "{way}");
    assert!(rows(engine, &id).is_empty(), "{way}");
    assert_eq!(pending(engine, &id), None, "{way}");
    let Answer::Session(Some(row)) =
        block_on(engine.host().storage.read(&Query::Session { session: id })).unwrap()
    else {
        panic!("the session stays")
    };
    assert_eq!((row.continuity.prompts_since, row.continuity.recent_prompts.len()), (0, 0), "{way}");
    assert!(row.cleared_at.is_some());
}

#[test]
fn nothing_that_was_cleared_comes_back_by_any_way() {
    for queue in [QueueMode::Journaled, QueueMode::Buffered] {
        let (dial, storage) = (Dial::default(), shared());
        let host = |mode| over(Arc::clone(&storage), &dial, |options: &mut Options| options.queue = mode);
        let (one, other) = (host(queue), host(queue));
        let id = session("s");
        let early = log(&[("u1", "2026-06-01T09:00:00Z"), ("u2", "2026-06-01T09:59:00Z")]);
        ingest(&one, &early);
        prompt(&other, &id, "the other host's prompt");
        take(&other, &id, Trigger::Agent);
        prompt(&one, &id, "counted and not yet written");
        dial.set(1_000);
        let removed = block_on(one.clear(&id)).unwrap();
        assert_eq!(removed.checkpoints, 1);
        nothing_is_there(&one, "cleared");

        dial.set(5_000);
        assert!(block_on(other.tick()).written.is_empty());
        assert!(block_on(other.flush()).written.is_empty());
        nothing_is_there(&other, "another host's draft");

        assert_eq!(ingest(&one, &early), None);
        nothing_is_there(&one, "a log that is read again");
        let grown = format!("{early}{}", log(&[("u3", "2026-06-01T10:00:01Z")]));
        assert_eq!(ingest(&other, &grown), None);
        nothing_is_there(&other, "a row of the log that nobody had read");

        let spooled = RecordOptions { at: Some(Dial::at(1_000)), ..RecordOptions::default() };
        let activities =
            [Activity::Prompt("p".into()), Activity::Query("q".into()), Activity::Remember("r".into())];
        assert!(!block_on(other.record(&id, &activities, &spooled)).unwrap().0);
        nothing_is_there(&other, "an event out of the spool");
        let late = CheckpointRequest { at: Some(Dial::at(900)), ..Trigger::SessionEnd.into() };
        let taken = block_on(one.take_checkpoint(&id, late)).unwrap();
        assert_eq!((taken.written, taken.reason), (false, Some(Skipped::Cleared)));
        nothing_is_there(&one, "an end out of the spool");

        // Later events count normally.
        prompt(&other, &id, "a new beginning");
        let text = recover(&other, &id).unwrap();
        assert!(text.contains("Prompts: 1 | Duration: 0m") && text.ends_with("- a new beginning"), "{text}");
    }
}

#[test]
fn the_cap_holds_in_the_commit_that_adds_a_row() {
    let dial = Dial::default();
    let engine = over(MemoryStorage::default(), &dial, |options| {
        options.continuity.max_checkpoints_per_session = 4;
    });
    let id = session("s");
    prompt(&engine, &id, "one");
    for (number, trigger) in (1..).zip([
        Trigger::SessionEnd,
        Trigger::PreCompaction,
        Trigger::Explicit,
        Trigger::Explicit,
        Trigger::Explicit,
        Trigger::Explicit,
        Trigger::SessionEnd,
    ]) {
        dial.set(number * 1_000);
        assert!(take(&engine, &id, trigger).0);
        assert_eq!(rows(&engine, &id).len(), usize::try_from(number).unwrap().min(4));
        let sessions = block_on(engine.sessions(1, None)).unwrap();
        assert_eq!(sessions.sessions[0].checkpoints, number.min(4) as u64);
    }
    let seqs: Vec<u64> = rows(&engine, &id).iter().map(|row| row.seq).collect();
    assert_eq!(seqs, [2, 5, 6, 7]);
    // Another host, whose cap is lower, removes what is beyond its own.
    let storage = Arc::new(MemoryStorage::default()) as Arc<dyn DynStorage>;
    let wide = over(Arc::clone(&storage), &dial, |_| ());
    prompt(&wide, &id, "one");
    (0..9).for_each(|_| assert!(take(&wide, &id, Trigger::Explicit).0));
    let narrow = over(storage, &dial, |options| options.continuity.max_checkpoints_per_session = 2);
    take(&narrow, &id, Trigger::Explicit);
    assert_eq!(rows(&wide, &id).iter().map(|row| row.seq).collect::<Vec<_>>(), [9, 10]);
}

#[test]
fn pruning_deletes_what_is_older_than_the_retention_whether_enabled_or_not() {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let (dial, storage) = (Dial::default(), shared());
    let engine = over(Arc::clone(&storage), &dial, |_| ());
    for number in 0..250 {
        let id = session(&format!("s{number}"));
        prompt(&engine, &id, "one");
        take(&engine, &id, Trigger::Explicit);
        prompt(&engine, &id, "two");
        if number % 2 == 0 {
            take(&engine, &id, Trigger::Agent);
        }
    }
    let first = rows(&engine, &session("s0")).remove(0);
    block_on(engine.delivered(&session("told"), &first.id)).unwrap();
    let off = over(storage, &dial, |options| options.continuity.enabled = false);
    dial.set(7 * DAY);
    assert_eq!(block_on(off.prune()).unwrap(), Default::default(), "not older yet");
    prompt(&engine, &session("s1"), "still in use");
    dial.set(7 * DAY + 1);
    let pruned = block_on(off.prune()).unwrap();
    assert_eq!((pruned.checkpoints, pruned.drafts, pruned.states), (250, 125, 249));
    assert!(rows(&engine, &session("s0")).is_empty());
    assert_eq!(recover(&engine, &session("s0")), None);
    assert!(recover(&engine, &session("s1")).unwrap().contains("still in use"));
    assert_eq!(block_on(off.prune()).unwrap(), Default::default());
}

#[test]
fn disabled_counts_and_writes_nothing_and_flushes_what_waits() {
    let (dial, storage) = (Dial::default(), shared());
    let on = over(Arc::clone(&storage), &dial, |_| ());
    let off = over(storage, &dial, |options| options.continuity.enabled = false);
    let id = session("s");
    prompt(&on, &id, "one");
    take(&on, &id, Trigger::Agent);
    prompt(&off, &id, "two");
    for trigger in Trigger::ALL {
        let taken = block_on(off.take_checkpoint(&id, trigger)).unwrap();
        let json = serde_json::to_value(&taken).unwrap();
        assert_eq!((&json["written"], &json["reason"]), (&false.into(), &"disabled".into()));
    }
    assert!(
        !block_on(off.record(&id, &[Activity::Prompt("p".into())], &RecordOptions::default())).unwrap().0
    );
    assert_eq!(ingest(&off, &log(&[("u1", "2026-06-01T11:00:00Z")])), None);
    dial.set(2_500);
    assert_eq!(block_on(off.tick()).written.len(), 1);
    let found = rows(&off, &id);
    assert_eq!((found.len(), found[0].prompt_count), (1, 1));
    assert!(recover(&off, &id).is_some());
    assert_eq!(rows(&off, &id).len(), 1, "recovery writes none");
    assert_eq!(block_on(off.clear(&id)).unwrap().checkpoints, 1);
    assert_eq!(block_on(off.forget(&id)).unwrap().messages, 3);
}

#[test]
fn a_session_is_told_once() {
    let (dial, storage) = (Dial::default(), shared());
    let (one, other) = (over(Arc::clone(&storage), &dial, |_| ()), over(storage, &dial, |_| ()));
    let project = Project::new("/work/app").unwrap();
    block_on(one.submit_prompt(&session("old"), Some(&project), "one")).unwrap();
    let new = session("new");
    let request = RecoverRequest { project: Some(project), ..RecoverRequest::default() };
    let offer = |engine: &Hand<_>| block_on(engine.offer(&new, &request)).unwrap();
    let first = offer(&one).unwrap();
    assert!(first.recovered.recovery.text.as_str().contains("- one"));
    assert_eq!(offer(&other), None, "it is being told");
    dial.set(4_999);
    assert_eq!(offer(&other), None);
    // The host that offered it was killed before it had written.
    dial.set(5_000);
    assert_eq!(offer(&other).as_ref(), Some(&first));
    block_on(other.delivered(&new, &first.recovered.checkpoint.id)).unwrap();
    dial.set(3_600_000);
    assert_eq!((offer(&one), offer(&other)), (None, None));
    let third = block_on(one.offer(&session("third"), &request)).unwrap();
    assert!(third.is_some(), "another session is told");
    // Recovering records none.
    assert!(block_on(one.recover(&request)).unwrap().is_some());
    assert!(recover(&one, &session("old")).is_some());
}

#[test]
fn queries_and_remembers_count_without_rows() {
    let dial = Dial::default();
    let engine = over(MemoryStorage::default(), &dial, |_| ());
    let id = session("s");
    let secret = ["hunt", "er2!x9"].concat();
    let activities = [
        Activity::Prompt(format!("password: {secret}")),
        Activity::Query("where".into()),
        Activity::Query("where".into()),
        Activity::Remember("there".into()),
    ];
    let project = Project::new("/work/app");
    let options = RecordOptions { project, at: Some(Dial::at(-60_000)) };
    assert!(block_on(engine.record(&id, &activities, &options)).unwrap().0);
    let text = recover(&engine, &id).unwrap();
    assert!(text.contains("Project: /work/app\nPrompts: 1 | Duration: 0m"), "{text}");
    assert!(text.ends_with("Queries: where\nRemembered: there") && !text.contains(&secret), "{text}");
    assert_eq!(ContinuityOptions::default(), engine.policy().continuity);
}
