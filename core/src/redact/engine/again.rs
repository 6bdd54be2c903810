//! Looking for found values again: a secret that was known once by its name stands elsewhere without it.
//!
//! Certain values, and likely ones of 12 bytes and more that look random, are looked for in their own line up to
//! 8 KB before, and everywhere after while they are among the 256 newest, and within 64 KB of them. A UUID is looked
//! for in its own line alone: elsewhere it is an id. See `spec/redaction.md`, engine.
use super::bytes::{at, blank, ends_fold, has, line_end, part, quote, run_back};
use super::ids::uuid;
use super::names;
use super::order;
use super::sampled::{ALIKE, NEWEST, NEWEST_BYTES, STEP, Sampled, heads};
use super::score::score;
use super::span::Span;
use super::work;
use crate::redact::{Confidence, rules::Rule};
use alloc::{collections::BTreeMap, vec::Vec};

/// How far before its first place a value is looked for.
const BEFORE: usize = 8 * 1024;
/// The fewest bytes of a value that is looked for.
const SHORTEST: usize = 12;
/// Longest value that is looked for.
const LONGEST: usize = 512;

/// A value that was found.
#[derive(Debug)]
struct Value<'a> {
    text: &'a [u8],
    rule: &'static Rule,
    /// Where it was found first.
    first: usize,
    /// The bytes of the values up to it, with its own.
    sum: usize,
    /// Whether it is looked for in the line alone in which it was found first.
    near: bool,
}

/// The values to look for.
#[derive(Debug, Default)]
struct Known<'a> {
    /// In the order in which they were found first.
    values: Vec<Value<'a>>,
    /// By eight bytes: the value (its number) and where in it they stand.
    heads: BTreeMap<u64, Vec<(usize, usize)>>,
    /// Where values may stand.
    sampled: Sampled<4096>,
}

/// Adds the other places of the values that were found, also of those that lie in a longer secret.
pub(super) fn find(bytes: &[u8], mut found: Vec<Span>, least: Confidence, spans: &mut Vec<Span>) {
    found.retain(|span| span.rule.confidence >= least);
    order::sort(&mut found, |one, other| one.start.cmp(&other.start));
    let mut known = Known::default();
    for span in &found {
        known.add(part(bytes, span.start, span.end), span.rule, span.start);
    }
    if !known.values.is_empty() {
        known.find(bytes, spans);
    }
}

impl<'a> Known<'a> {
    /// Adds a value that was found at `first`, if it is looked for.
    fn add(&mut self, text: &'a [u8], rule: &'static Rule, first: usize) {
        let near = uuid(text);
        let Some((head, _)) = heads(text).next().filter(|_| near || worth(text, rule)) else { return };
        let same = |(number, offset): &(usize, usize)| {
            *offset == 0 && self.values.get(*number).is_some_and(|value| value.text == text)
        };
        let alike = self.alike(head);
        if alike.iter().any(same) || alike.iter().filter(|(_, offset)| *offset == 0).count() >= ALIKE {
            return;
        }
        let sum = self.values.last().map_or(0, |value| value.sum).saturating_add(text.len());
        let number = self.values.len();
        self.values.push(Value { text, rule, first, sum, near });
        self.enter(number, text);
    }

    fn alike(&self, head: u64) -> &[(usize, usize)] {
        self.heads.get(&head).map_or(&[], Vec::as_slice)
    }

    fn enter(&mut self, number: usize, text: &[u8]) {
        self.sampled.add(text);
        for (head, offset) in heads(text) {
            let list = self.heads.entry(head).or_default();
            if list.len() < ALIKE * STEP {
                list.push((number, offset));
            }
        }
    }

    /// Adds the places of the values.
    fn find(&self, bytes: &[u8], spans: &mut Vec<Span>) {
        let (mut past, mut line) = (0, 0);
        work::count(bytes.len());
        let mut next = 0;
        while let Some((place, head)) = self.sampled.next(bytes, next) {
            next = place.saturating_add(STEP);
            for (number, offset) in self.alike(head) {
                let (Some(value), Some(start)) = (self.values.get(*number), place.checked_sub(*offset))
                else {
                    continue;
                };
                if start < past || !has(bytes, start, value.text) {
                    continue;
                }
                past = start.saturating_add(value.text.len());
                if self.reaches(bytes, start, *number, value, &mut line) {
                    spans.push(Span { start, end: past, rule: value.rule });
                }
                break;
            }
        }
    }

    /// Whether a value is still, or already, looked for at `i`. The end of a line is looked up once, and kept.
    fn reaches(&self, bytes: &[u8], i: usize, number: usize, value: &Value<'_>, line: &mut usize) -> bool {
        let (low, high) = (i.min(value.first), i.max(value.first));
        if value.near || i < value.first {
            if *line <= low {
                *line = line_end(bytes, low);
            }
            let close = high.saturating_sub(low) <= BEFORE && high <= *line;
            return close && !(value.near && under_id(bytes, i));
        }
        let newest = self.values.partition_point(|v| v.first <= i);
        let sum = newest.checked_sub(1).and_then(|n| self.values.get(n)).map_or(0, |v| v.sum);
        newest.saturating_sub(number) <= NEWEST && sum.saturating_sub(value.sum) <= NEWEST_BYTES
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
