//! The first difference, and what it costs.
use super::{
    cause::{Cause, cause},
    file::PromptFile,
    section::{Provider, Section},
    side::Side,
};
use crate::prompt::Prompt;
use alloc::{borrow::Cow, string::String};
use core::ops::Range;
use serde::Serialize;

/// Bytes of canonical JSON that count as a token, where nobody has counted them.
const BYTES_PER_TOKEN: u64 = 4;
const MILLION: f64 = 1_000_000.0;

/// The first place at which two prompts differ, in the order of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// In which section.
    pub section: Section,
    /// The tool, system text or message, from 0; 0 for the others.
    pub index: usize,
    /// The first byte of its canonical JSON that differs, from 0.
    pub byte: usize,
}

/// Prices of a million input tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prices {
    /// Read from the cache.
    pub cached: f64,
    /// Read anew.
    pub uncached: f64,
}

/// Where two prompts part.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Explanation {
    /// Whether they are the same to the byte.
    pub equal: bool,
    /// The first difference; `None` when they are equal, or one only goes on from the other.
    pub first_difference: Option<Difference>,
    /// Why they differ there.
    pub cause: Option<Cause>,
    /// The longer one, `next` or `previous`, when it only goes on from the other.
    pub longer: Option<&'static str>,
    /// Tokens of the next prompt that stand before the difference: read from the cache.
    pub kept_tokens: u64,
    /// Tokens of the next prompt from the difference on: read anew.
    pub recomputed_tokens: u64,
    /// What the next prompt costs at the given prices.
    pub cost: Option<f64>,
}

/// Says where two prompts of a conversation part, which named edit did it, and what it costs
/// (`spec/prompt.md`, "Named edits"). Tokens are estimated at four bytes of canonical JSON each.
///
/// Prompts whose prefix is the same are compared by their chain, in a number of steps that grows with the
/// logarithm of their length.
///
/// ```
/// use throughline_core::prompt::{Input, Provider, assemble, explain};
/// let prompt = assemble(Input::default());
/// assert!(explain(&prompt, &prompt, Provider::Anthropic, None).equal);
/// ```
#[must_use]
pub fn explain(previous: &Prompt, next: &Prompt, provider: Provider, prices: Option<Prices>) -> Explanation {
    compare(previous, next, provider, prices)
}

/// As [`explain`], for prompts that were printed.
#[must_use]
pub fn explain_files(
    previous: &PromptFile,
    next: &PromptFile,
    provider: Provider,
    prices: Option<Prices>,
) -> Explanation {
    compare(previous, next, provider, prices)
}

fn compare(
    previous: &impl Side,
    next: &impl Side,
    provider: Provider,
    prices: Option<Prices>,
) -> Explanation {
    let mut first = None;
    let (mut kept, mut total, mut is_cached) = (0u64, 0u64, true);
    for section in provider.order() {
        let found = difference(previous, next, section);
        let length = length(next, section);
        let until = found.map_or(length, |found| found.index.min(length));
        total = total.saturating_add(tokens(next, section, 0..length));
        if is_cached {
            kept = kept.saturating_add(tokens(next, section, 0..until));
        }
        if found.is_some() {
            is_cached &= section == Section::Settings && previous.settings(false) == next.settings(false);
        }
        first = first.or(found);
    }
    let (before, now) = (previous.messages(), next.messages());
    let goes_on =
        first.is_some_and(|first| first.section == Section::Messages && first.index == before.min(now));
    let longer = match goes_on {
        true if now > before => Some("next"),
        // What was promised and is not there any more is an edit.
        true if now < previous.stable_len() => None,
        true => Some("previous"),
        false => None,
    };
    let first_difference = first.filter(|_| longer.is_none());
    let recomputed = total.saturating_sub(kept);
    let cost =
        prices.map(|prices| (as_f64(kept) * prices.cached + as_f64(recomputed) * prices.uncached) / MILLION);
    Explanation {
        equal: first.is_none(),
        first_difference,
        cause: first_difference.map(|found| cause(previous, next, found.section, found.index)),
        longer,
        kept_tokens: kept,
        recomputed_tokens: recomputed,
        cost,
    }
}

#[allow(clippy::cast_precision_loss, reason = "a cost of more than 2^53 tokens is none to the token")]
fn as_f64(tokens: u64) -> f64 {
    tokens as f64
}

fn length(side: &impl Side, section: Section) -> usize {
    match section {
        Section::Tools => side.tools(),
        Section::System => side.system(),
        Section::Messages => side.messages(),
        Section::Model | Section::Settings => 0,
    }
}

fn tokens(side: &impl Side, section: Section, items: Range<usize>) -> u64 {
    let size = |index: usize| match section {
        Section::Tools => side.tool(index).len(),
        Section::System => side.system_part(index).len(),
        Section::Messages => side.size(index),
        Section::Model | Section::Settings => 0,
    };
    items.map(|index| u64::try_from(size(index)).unwrap_or(u64::MAX).div_ceil(BYTES_PER_TOKEN)).sum()
}

/// The two forms of one item.
type Both<'a> = (Cow<'a, str>, Cow<'a, str>);

fn difference(previous: &impl Side, next: &impl Side, section: Section) -> Option<Difference> {
    match section {
        Section::Model => differs(section, 0, &(previous.model(), next.model())),
        Section::Settings => differs(section, 0, &(previous.settings(true), next.settings(true))),
        Section::Tools => {
            let item = |at| (previous.tool(at), next.tool(at));
            in_list(section, previous.tools(), next.tools(), item)
        }
        Section::System => {
            let item = |at| (previous.system_part(at), next.system_part(at));
            in_list(section, previous.system(), next.system(), item)
        }
        Section::Messages => {
            let (before, now) = (previous.messages(), next.messages());
            let same = same_messages(previous, next);
            if same < before.min(now) {
                return differs(section, same, &(previous.message(same), next.message(same)));
            }
            (before != now).then_some(Difference { section, index: same, byte: 0 })
        }
    }
}

fn differs(section: Section, index: usize, (a, b): &Both<'_>) -> Option<Difference> {
    let byte = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    (a != b).then_some(Difference { section, index, byte })
}

fn in_list<'a>(
    section: Section,
    before: usize,
    now: usize,
    item: impl Fn(usize) -> Both<'a>,
) -> Option<Difference> {
    let common = before.min(now);
    let end = || (before != now).then_some(Difference { section, index: common, byte: 0 });
    (0..common).find_map(|index| differs(section, index, &item(index))).or_else(end)
}

/// How many messages, from the first, are the same.
fn same_messages(previous: &impl Side, next: &impl Side) -> usize {
    let common = previous.messages().min(next.messages());
    let (Some((_, from)), Some((_, to))) = (previous.chain(0), next.chain(0)) else {
        return (0..common).take_while(|at| previous.message(*at) == next.message(*at)).count();
    };
    if from != to {
        return (0..common).take_while(|at| previous.message(*at) == next.message(*at)).count();
    }
    // A hash of the chain stands for everything before it.
    let is_same = |at: usize| previous.chain(at) == next.chain(at);
    let (mut same, mut unknown) = (0, common);
    while same < unknown {
        let middle = same.midpoint(unknown);
        match is_same(middle) {
            true => same = middle.saturating_add(1),
            false => unknown = middle,
        }
    }
    same
}

impl Explanation {
    /// The explanation as JSON text with sorted keys.
    #[must_use]
    pub fn json_text(&self) -> String {
        // A `serde_json::Value` keeps its keys sorted.
        serde_json::to_value(self).map(|value| alloc::format!("{value}")).unwrap_or_default()
    }
}
