//! Which thinking is sent again.
use super::{
    rows::{
        boundary, by, call, clean, done, imported, part, prompt, prompt_with, row, said, text, thinking, user,
    },
    shape::{check, codes, shape},
};
use crate::{
    model::{BoundaryMode, RowKind, StoredRow},
    prompt::{Edit, Request},
};
use alloc::{string::String, vec};

fn thinker(place: usize) -> StoredRow {
    let mut stored = row(RowKind::Assistant, "a", place);
    stored.parts = vec![thinking("a", 0, "hm", "c2ln"), part("a", 1, text("so"))];
    stored.row.issuer = Some(by("m"));
    stored.row.generation_checkpoint_id = Some(String::new());
    stored
}

fn named(model: &str) -> Request {
    Request { model: Some(clean(model)), ..Request::default() }
}

#[test]
fn thinking_is_kept_when_the_chain_before_it_is_the_one_it_saw() {
    let before = prompt_with(vec![user("u", 1)], None, named("m"));
    let mut stored = thinker(2);
    stored.row.prefix_hash = Some(before.tail_hash.clone());
    let kept = prompt_with(vec![user("u", 1), stored.clone()], None, named("m"));
    assert_eq!((shape(&kept)[1].as_str(), codes(&kept)), ("assistant a: <hm>, so", vec![]));
    let changed = prompt_with(vec![said(RowKind::User, "u", 1, "else"), stored.clone()], None, named("m"));
    assert_eq!(
        (shape(&changed)[1].as_str(), codes(&changed)),
        ("assistant a: so", vec![String::from("thinking_left_out a")])
    );
    assert_eq!(changed.diagnostics[0].edit, Some(Edit::ThinkingDropped));
    let other = prompt_with(vec![user("u", 1), stored], None, named("n"));
    assert_eq!((shape(&other)[1].as_str(), other.diagnostics[0].edit), ("assistant a: so", None));
}

#[test]
fn older_and_imported_thinking_is_judged_by_less() {
    let fingerprint = prompt_with(vec![], None, named("m")).fingerprint;
    let judged = |change: &dyn Fn(&mut StoredRow)| {
        let mut stored = thinker(1);
        change(&mut stored);
        let prompt = prompt_with(vec![stored, user("u", 2)], None, named("m"));
        check(&prompt);
        codes(&prompt)[0].clone()
    };
    let kept = "thinking_unverified a";
    let out = "thinking_left_out a";
    assert_eq!(judged(&|stored| stored.row.prefix_fingerprint = Some(fingerprint.clone())), kept);
    assert_eq!(judged(&|stored| stored.row.prefix_fingerprint = Some("else".into())), out);
    assert_eq!(judged(&|_| {}), out);
    assert_eq!(judged(&|stored| stored.row.imported = true), kept);
    assert_eq!(judged(&|stored| (stored.row.imported, stored.row.issuer) = (true, None)), out);
    let other_generation = Some(String::from("cut"));
    assert_eq!(
        judged(&|stored| (stored.row.imported, stored.row.generation_checkpoint_id) =
            (true, other_generation.clone())),
        out
    );
    assert_eq!(
        judged(&|stored| (stored.row.imported, stored.row.generation_checkpoint_id) = (true, None)),
        out
    );
    assert_eq!(judged(&|stored| stored.parts[0].replay = false), "thinking_withheld a");
}

#[test]
fn the_current_round_keeps_stale_thinking_and_promises_nothing_of_it() {
    let mut stored = thinker(2);
    stored.row.prefix_hash = Some("else".into());
    let rows = vec![user("u", 1), stored, done(call("c", 3, Some(("a", 2))))];
    let during = prompt(rows.clone());
    check(&during);
    assert_eq!((shape(&during)[1].as_str(), during.stable_len), ("assistant a: <hm>, so, call id-c", 1));
    assert_eq!(codes(&during), ["thinking_kept_for_round a"]);
    let after = prompt([rows, vec![user("v", 4)]].concat());
    assert_eq!((shape(&after)[1].as_str(), after.stable_len), ("assistant a: so, call id-c", 4));
}

#[test]
fn the_anchor_of_an_inclusive_boundary_is_stale_unless_it_was_written_after_it() {
    let judged = |generation: &str| {
        let mut stored = imported(thinker(1));
        stored.row.generation_checkpoint_id = Some(generation.into());
        let cut = boundary("a", 1, BoundaryMode::Inclusive);
        codes(&prompt_with(vec![stored], Some(cut), named("m")))[0].clone()
    };
    assert_eq!(
        (judged("").as_str(), judged("cut").as_str()),
        ("thinking_left_out a", "thinking_unverified a")
    );
}

#[test]
fn blank_text_stays_among_thinking_alone() {
    let mut stored = imported(thinker(1));
    stored.parts[1] = part("a", 1, text(" "));
    assert_eq!(shape(&prompt(vec![stored.clone(), user("u", 2)]))[0], "assistant a: <hm>,  ");
    stored.row.generation_checkpoint_id = None;
    assert_eq!(shape(&prompt(vec![stored, user("u", 2)])), ["user u: says u"]);
}
