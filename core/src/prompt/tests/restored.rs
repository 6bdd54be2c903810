//! The request that a compaction inside a turn restores.
use super::{
    rows::{assistant, at, boundary, call, clean, done, id, prompt_with, user},
    shape::{check, codes, shape},
};
use crate::{
    model::{Boundary, BoundaryMetadata, BoundaryMode, CompactionReason, RestoredRequest, SummarySource},
    prompt::{RESUME_NOTE, Request},
};
use alloc::{string::String, vec, vec::Vec};

#[test]
fn the_request_of_a_cut_turn_is_restored_until_the_next_one() {
    let mut cut = boundary("a2", 2, BoundaryMode::Inclusive);
    let request = RestoredRequest { row: id("u1"), text: clean("says u1") };
    cut.metadata = Some(BoundaryMetadata {
        checkpoint_reason: CompactionReason::TokenThresholdExceeded,
        trigger_tokens: 9,
        trigger_tokens_estimated: false,
        tokens_before: 9,
        tokens_after: 5,
        checkpoint_tokens: 1,
        checkpoint_source: SummarySource::Function,
        checkpoint_source_id: clean("f"),
        checkpoint_binding_errors: Vec::new(),
        originating_request: Some(request),
    });
    let mut rows = vec![assistant("a2", 2), done(call("c2", 3, Some(("a2", 1))))];
    let prompt = prompt_with(rows.clone(), Some(cut.clone()), Request::default());
    check(&prompt);
    let resume = String::from("developer cut: ") + RESUME_NOTE;
    let head =
        ["user u1: says u1", &resume, "assistant a2: answers a2, call id-c2", "tool c2: id-c2 = gave c2"];
    assert_eq!(shape(&prompt), head);
    // Nothing replays after an exclusive cut at the newest row: request and note are all there is.
    let mut exclusive =
        Boundary { mode: BoundaryMode::Exclusive, anchor: id("c2"), anchor_at: at(3), ..cut.clone() };
    assert_eq!(shape(&prompt_with(rows.clone(), Some(exclusive.clone()), Request::default())), head[..2]);
    rows.push(user("u2", 4));
    let prompt = prompt_with(rows.clone(), Some(cut), Request::default());
    check(&prompt);
    assert_eq!(shape(&prompt)[0], resume);
    assert_eq!(codes(&prompt), Vec::<String>::new());
    exclusive.metadata = None;
    assert_eq!(shape(&prompt_with(rows, Some(exclusive), Request::default())), ["user u2: says u2"]);
}
