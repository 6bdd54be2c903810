//! Drafts that wait in memory.
use crate::{
    common::{
        faulty::{Fault, Faulty},
        session,
    },
    lab::{Dial, counted, over, prompt, rows, shared, take},
};
use pollster::block_on;
use std::sync::Arc;
use throughline_core::{
    engine::{Options, QueueMode},
    model::Trigger,
};

#[test]
fn a_buffered_window_is_lost_with_its_host_and_nothing_else() {
    let (dial, storage) = (Dial::default(), shared());
    let buffered = |options: &mut Options| options.queue = QueueMode::Buffered;
    let id = session("s");
    let killed = over(Arc::clone(&storage), &dial, buffered);
    prompt(&killed, &id, "lost");
    take(&killed, &id, Trigger::Agent);
    prompt(&killed, &id, "kept");
    drop(killed);
    let host = over(storage, &dial, buffered);
    assert_eq!(counted(&host, &id), 1);
    prompt(&host, &id, "three");
    take(&host, &id, Trigger::Agent);
    assert_eq!(block_on(host.next_deadline()), Some(Dial::at(2_500)));
    dial.set(1_000);
    prompt(&host, &id, "four");
    take(&host, &id, Trigger::Agent);
    assert_eq!(block_on(host.next_deadline()), Some(Dial::at(3_500)));
    dial.set(3_500);
    assert_eq!(block_on(host.tick()).written.len(), 1);
    prompt(&host, &id, "five");
    take(&host, &id, Trigger::Agent);
    assert!(take(&host, &id, Trigger::Explicit).0, "it takes what waited");
    assert_eq!(block_on(host.next_deadline()), None);
    let counts: Vec<_> = rows(&host, &id).iter().map(|row| (row.trigger, row.prompt_count)).collect();
    assert_eq!(counts, [(Trigger::Periodic, 1), (Trigger::Agent, 2), (Trigger::Explicit, 1)]);
}

#[test]
fn a_buffered_draft_whose_write_failed_stays_before_what_is_written_at_once() {
    let dial = Dial::default();
    // The prompt, its draft, and then the write of the draft.
    let storage = Faulty::with(&[None, None, Some(Fault::Unavailable), Some(Fault::Unavailable)]);
    let host = over(storage, &dial, |options| options.queue = QueueMode::Buffered);
    let id = session("s");
    prompt(&host, &id, "periodic");
    take(&host, &id, Trigger::Periodic);
    dial.set(2_500);
    assert_eq!(block_on(host.tick()).failed.unwrap().code(), "storage_unavailable");
    // While the store refuses, nothing overtakes it either.
    let error = block_on(host.take_checkpoint(&id, Trigger::PreCompaction)).unwrap_err();
    assert_eq!(error.code(), "storage_unavailable");
    assert!(rows(&host, &id).is_empty());
    dial.set(2_600);
    assert!(take(&host, &id, Trigger::PreCompaction).0);
    dial.set(60_000);
    assert!(block_on(host.tick()).written.is_empty());
    let order: Vec<_> = rows(&host, &id).iter().map(|row| (row.trigger, row.prompt_count)).collect();
    assert_eq!(order, [(Trigger::Periodic, 1), (Trigger::PreCompaction, 0)]);
}
