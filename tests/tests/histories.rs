//! Random histories: what is kept row by row equals what is assembled in one go, nothing parts from a promise
//! without a named edit, and a provider that signs its thinking never refuses it. `STEPS` and `HISTORIES` of
//! the environment live more of them.
#![cfg(not(target_family = "wasm"))]
#![allow(missing_docs, reason = "a test target")]

use std::collections::BTreeMap;
use throughline_tests::histories::{Tally, live};

fn number(name: &str, usual: usize) -> usize {
    std::env::var(name).map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

fn live_all(any_time: bool) -> Tally {
    let (steps, histories) = (number("STEPS", 4_000), number("HISTORIES", 1));
    let mut all = Tally::default();
    let (mut edits, mut causes) = (BTreeMap::<&str, usize>::new(), BTreeMap::<&str, usize>::new());
    for seed in 0..histories {
        let one = live(seed as u64, steps, any_time);
        all.steps += one.steps;
        all.requests += one.requests;
        all.accepted += one.accepted;
        all.foreign += one.foreign;
        all.dropped += one.dropped;
        all.refused += one.refused;
        all.unexplained += one.unexplained;
        all.longest = all.longest.max(one.longest);
        one.causes.into_iter().for_each(|(cause, count)| *causes.entry(cause).or_default() += count);
        one.edits.into_iter().for_each(|(edit, count)| *edits.entry(edit).or_default() += count);
    }
    println!(
        "edits at any time: {any_time}: {all:#?}\ntold by the conversation {edits:#?}\nfound in two prompts {causes:#?}"
    );
    assert_eq!((all.unexplained, all.refused), (0, 0));
    assert!(all.accepted > all.steps / 20, "{} blocks say little", all.accepted);
    assert!(edits.len() >= 10 || steps < 5_000, "only {edits:?}");
    all
}

#[test]
fn edits_between_rounds_leave_nothing_to_drop() {
    assert_eq!(live_all(false).dropped, 0);
}

#[test]
fn edits_at_any_time_are_told() {
    assert!(live_all(true).steps > 0);
}
