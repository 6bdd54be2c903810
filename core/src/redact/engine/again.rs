//! Looking for found values again: a secret that was known once by its name stands elsewhere without it.
//!
//! Certain values, and likely ones of 12 bytes and more that look random, are looked for in their own line up to
//! 8 KB before, and everywhere after while they are among the 256 newest, and within 64 KB of them. A UUID is looked
//! for in its own line alone: elsewhere it is an id. See `spec/redaction.md`, engine.
use super::bytes::{at, blank, ends_fold, has, inc, line_end, part, quote, run_back};
use super::ids::uuid;
use super::names;
use super::pairs::Pairs;
use super::score::score;
use super::span::Span;
use crate::redact::{Confidence, rules::Rule};
use alloc::{collections::BTreeMap, vec::Vec};

/// How far before its first place a value is looked for.
const BEFORE: usize = 8 * 1024;
/// The fewest bytes of a value that is looked for.
const SHORTEST: usize = 12;
/// How many of the newest values are looked for.
const NEWEST: usize = 256;
/// How many bytes of the newest values are looked for.
const NEWEST_BYTES: usize = 64 * 1024;
/// Longest value that is looked for.
const LONGEST: usize = 512;
/// Bytes by which values are told apart at first sight.
const HEAD: usize = 8;
/// Values with the same head that are kept. They are few, unless someone makes them.
const ALIKE: usize = 8;

/// Adds the other places of the values that were found, also of those that lie in a longer secret.
pub(super) fn find(bytes: &[u8], mut found: Vec<Span>, least: Confidence, spans: &mut Vec<Span>) {
    found.retain(|span| span.rule.confidence >= least);
    found.sort_by_key(|span| span.start);
    let known = Known::of(bytes, &found);
    if known.starts.is_empty() {
        return;
    }
    let (mut i, mut line) = (0, 0);
    while let Some(start) = known.pairs.next(bytes, i) {
        i = match known.at(bytes, start) {
            Some(value) => {
                let end = start.saturating_add(value.text.len());
                if known.reaches(bytes, start, value, &mut line) {
                    spans.push(Span { start, end, rule: value.rule });
                }
                end
            }
            None => inc(start),
        }
    }
}

/// A value that was found.
struct Value<'a> {
    text: &'a [u8],
    rule: &'static Rule,
    /// Where it was found first, and its number among the values.
    first: usize,
    number: usize,
    /// Whether it is looked for in the line alone in which it was found first.
    near: bool,
}

/// The values to look for.
struct Known<'a> {
    by_head: BTreeMap<[u8; HEAD], Vec<Value<'a>>>,
    /// The pairs of bytes with which values start: most places are passed over by them.
    pairs: Pairs,
    /// Where the values were found first, in order.
    starts: Vec<usize>,
    /// The bytes of the values up to each of them.
    sums: Vec<usize>,
}

impl<'a> Known<'a> {
    fn of(bytes: &'a [u8], spans: &[Span]) -> Self {
        let mut known =
            Self { by_head: BTreeMap::new(), pairs: Pairs::default(), starts: Vec::new(), sums: Vec::new() };
        for span in spans {
            let text = part(bytes, span.start, span.end);
            let looked_for = worth(text, span.rule) || uuid(text);
            let Some(head) = text.first_chunk::<HEAD>().filter(|_| looked_for) else { continue };
            let list = known.by_head.entry(*head).or_default();
            if list.len() >= ALIKE || list.iter().any(|k| k.text == text) {
                continue;
            }
            let number = known.starts.len();
            list.push(Value { text, rule: span.rule, first: span.start, number, near: uuid(text) });
            known.starts.push(span.start);
            known.sums.push(known.sums.last().map_or(0, |sum| *sum).saturating_add(text.len()));
            known.pairs.add(head);
        }
        known
    }

    /// The value that stands at `i`.
    fn at(&self, bytes: &[u8], i: usize) -> Option<&Value<'a>> {
        let list = self.by_head.get(bytes.get(i..)?.first_chunk::<HEAD>()?)?;
        list.iter().find(|k| has(bytes, i, k.text))
    }

    /// Whether a value is still, or already, looked for at `i`. The end of a line is looked up once, and kept.
    fn reaches(&self, bytes: &[u8], i: usize, value: &Value<'_>, line: &mut usize) -> bool {
        let (low, high) = (i.min(value.first), i.max(value.first));
        if value.near || i < value.first {
            if *line <= low {
                *line = line_end(bytes, low);
            }
            let close = high.saturating_sub(low) <= BEFORE && high <= *line;
            return close && !(value.near && under_id(bytes, i));
        }
        let newest = self.starts.partition_point(|s| *s <= i);
        let sum = |n: usize| self.sums.get(n).copied().unwrap_or(0);
        newest.saturating_sub(value.number) <= NEWEST
            && sum(newest.saturating_sub(1)).saturating_sub(sum(value.number)) <= NEWEST_BYTES
    }
}

/// Whether the name before `i` is one of an id: `"request_id": "`.
fn under_id(bytes: &[u8], i: usize) -> bool {
    let value = run_back(bytes, i, 16, |b| quote(b) || blank(b) || b == b'\\');
    let delimiter = value.saturating_sub(1);
    matches!(at(bytes, delimiter), b':' | b'=')
        && names::before(bytes, delimiter)
            .is_some_and(|name| ends_fold(part(bytes, name.start, name.end), b"id"))
}

/// Whether a value is looked for everywhere: it is certain, or looks random and is no UUID, which is an id elsewhere.
pub(in crate::redact) fn worth(text: &[u8], rule: &Rule) -> bool {
    let sure = || rule.confidence == Confidence::Certain;
    let random = || score(text) >= 2 && !uuid(text);
    (SHORTEST..=LONGEST).contains(&text.len()) && (sure() || random())
}
