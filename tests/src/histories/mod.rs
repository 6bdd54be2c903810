//! Random histories of a session: requests, steering, steps, results, stops, compactions, imports, rewinds and
//! every named edit, in any order. After each event the prompt that is kept row by row must equal one that is
//! assembled from what is stored, and extend the one before unless a named edit was told; whenever the model
//! is asked, a provider that signs its thinking must find before each block what it saw.
//!
//! A history follows from its seed alone, so that every host can live it and compare the hashes.
mod events;
mod life;
mod provider;
mod rows;

use crate::properties::Random;
use events::Sent;
use life::Life;
use std::collections::BTreeMap;
use throughline_core::{
    id::{RowId, sha256_hex},
    model::ResultStatus,
    prompt::{Body, Cause, Change, Prompt, PromptFile, Provider, Role, assemble, explain, explain_files},
};

/// What a history came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Events.
    pub steps: usize,
    /// How often each named edit was told.
    pub edits: BTreeMap<&'static str, usize>,
    /// How often each named edit was found in two prompts alone.
    pub causes: BTreeMap<&'static str, usize>,
    /// Prompts that parted from the promised part of the one before without a named edit.
    pub unexplained: usize,
    /// Requests that were sent.
    pub requests: usize,
    /// Signed blocks in them that the provider took.
    pub accepted: usize,
    /// Blocks that were not the provider's own.
    pub foreign: usize,
    /// Blocks of the current round that it was asked to drop.
    pub dropped: usize,
    /// Blocks that it refused.
    pub refused: usize,
    /// The longest prompt, in messages.
    pub longest: usize,
    /// A hash of every prompt of the history.
    pub hash: String,
}

/// Lives a history of so many events. With `any_time`, edits come in the middle of tool rounds as well.
///
/// # Panics
/// When something does not hold; the message says after which event.
#[must_use]
pub fn live(seed: u64, steps: usize, any_time: bool) -> Tally {
    let mut life = Life::new(Random::of(seed, "history", u64::from(any_time)));
    let mut tally = Tally::default();
    let mut before = life.conversation.prompt().clone();
    for step in 0..steps {
        let (event, changes, sent) = happen(&mut life, any_time);
        tally.steps += 1;
        check(&life, &before, &changes, &mut tally, &format!("seed {seed}, step {step}, {event}"));
        if let Some(sent) = sent {
            count(&sent, &mut tally, &format!("seed {seed}, step {step}"));
        }
        before = life.conversation.prompt().clone();
        tally.longest = tally.longest.max(before.messages.len());
        tally.hash =
            sha256_hex(format!("{}{}{}", tally.hash, before.tail_hash, before.stable_len).as_bytes());
    }
    tally
}

fn happen(life: &mut Life, any_time: bool) -> (&'static str, Vec<Change>, Option<Sent>) {
    let is_open = life.waiting().iter().any(|call| life.is_open(call));
    let roll = life.random.size(100);
    let in_round = ends_in_round(life);
    // In the middle of a round only what belongs to it happens, unless anything may.
    let (event, changes) = match roll {
        0..10 => ("request", {
            let mut all = life.settle_all(ResultStatus::Error, "interrupted, outcome unknown");
            all.extend(life.request());
            all
        }),
        10..18 => ("steer", life.steer()),
        18..40 => ("settle", life.settle()),
        40..72 => {
            let mut all = if is_open { life.settle_all(ResultStatus::Success, "done") } else { Vec::new() };
            let (more, sent) = life.step();
            all.extend(more);
            return ("step", all, sent);
        }
        72..76 => ("stop", life.stop()),
        76..80 => ("import", life.import()),
        _ if in_round && !any_time => ("settle", life.settle()),
        80..84 => ("compaction", life.cut()),
        84..87 => ("withdrawal", life.withdraw()),
        87..90 => ("configuration", life.reconfigure()),
        90..93 => ("insertion", life.insert()),
        // What is rewound to may be a round whose thinking has gone stale meanwhile: it is the current one again.
        93..96 if any_time => ("rewind", life.rewind()),
        _ => ("fading", life.fade()),
    };
    (event, changes, None)
}

/// Whether the newest tool round is one that nothing has closed for good: steering may go back.
fn ends_in_round(life: &Life) -> bool {
    let messages = &life.conversation.prompt().messages;
    let tail = || messages.iter().rev().take_while(|message| message.role != Role::Assistant);
    let is_request =
        |row: &RowId| life.rows.iter().any(|stored| stored.row.id == *row && stored.row.input().is_none());
    tail().any(|message| message.role == Role::Tool)
        && tail().all(|message| message.role != Role::User || !is_request(&message.row))
}

fn check(life: &Life, before: &Prompt, changes: &[Change], tally: &mut Tally, at: &str) {
    let now = life.conversation.prompt();
    let full = assemble(life.input());
    if *now != full {
        let (now, full) = (now.json_text(), full.json_text());
        let differs = now.bytes().zip(full.bytes()).take_while(|(a, b)| a == b).count();
        let from = now.floor_char_boundary(differs.saturating_sub(300));
        panic!("{at}: row by row\n…{}\nin one go\n…{}", &now[from..], &full[from.min(full.len())..]);
    }
    check_pairs(now, at);
    let edits: Vec<&'static str> =
        changes.iter().filter_map(|change| change.edit).map(|edit| edit.as_str()).collect();
    let promised = &before.messages[..before.stable_len];
    // The hash stands for the bytes; a note may be of another boundary and say the same.
    let stays = promised.last().is_none_or(|last| {
        now.messages.get(before.stable_len - 1).is_some_and(|message| message.hash == last.hash)
    });
    let extends = before.fingerprint == now.fingerprint && stays;
    if !extends && edits.is_empty() {
        tally.unexplained += 1;
        panic!("{at}: parts from what was promised, and no edit was told");
    }
    check_explained(before, now, edits.is_empty(), tally, at);
    for edit in edits {
        *tally.edits.entry(edit).or_default() += 1;
    }
}

/// The two prompts alone tell where they part and why; read back from JSON they tell the same.
fn check_explained(before: &Prompt, now: &Prompt, is_promised: bool, tally: &mut Tally, at: &str) {
    let found = explain(before, now, Provider::Anthropic, None);
    match found.cause {
        None => assert!(found.equal || found.longer.is_some(), "{at}: {found:?}"),
        Some(Cause::OpenTail) => {}
        Some(cause) => {
            assert!(!is_promised, "{at}: {cause} where no edit was told");
            assert_ne!(cause, Cause::Unexplained, "{at}: {found:?}");
            *tally.causes.entry(cause.as_str()).or_default() += 1;
        }
    }
    if tally.steps.is_multiple_of(20) {
        let read = |prompt: &Prompt| {
            PromptFile::read(&prompt.json_text()).unwrap_or_else(|error| panic!("{at}: {error}"))
        };
        assert_eq!(explain_files(&read(before), &read(now), Provider::Anthropic, None), found, "{at}");
    }
}

/// Every call has its result behind it, and every result its call before it.
fn check_pairs(prompt: &Prompt, at: &str) {
    let mut open: Vec<&str> = Vec::new();
    for message in &prompt.messages {
        if message.role != Role::Tool {
            assert!(open.is_empty(), "{at}: {open:?} have no result before {}", message.row);
        }
        for part in &message.parts {
            match &part.body {
                Body::ToolCall { id, .. } => open.push(id),
                Body::ToolResult { id, .. } => {
                    let call = open.iter().position(|call| call == id);
                    open.remove(call.unwrap_or_else(|| panic!("{at}: {id} is no call of this round")));
                }
                _ => {}
            }
        }
    }
    assert!(open.is_empty(), "{at}: {open:?} have no result");
}

fn count(sent: &Sent, tally: &mut Tally, at: &str) {
    tally.requests += 1;
    tally.accepted += sent.accepted;
    tally.foreign += sent.foreign;
    tally.dropped += sent.dropped;
    tally.refused += sent.refused.len();
    assert!(sent.refused.is_empty(), "{at}: the provider refuses {:?}", sent.refused);
}
