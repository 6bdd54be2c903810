//! Looking for found values again: a secret that was known once by its name stands elsewhere without it.
//!
//! Certain values, and likely ones of 12 bytes and more that look random, are looked for in their own line up to
//! 8 KB before, and everywhere after while they are among the 256 newest. See `spec/redaction.md`, engine.
//!
//! Every fourth place is looked at, and a value is known by eight bytes from each of its first four places.
use super::bytes::{has, line_end};
use super::ids::uuid;
use super::score::score;
use super::span::Span;
use super::work;
use crate::redact::{Confidence, rules::Rule};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use core::ops::Range;

/// How far before its first place a value is looked for.
pub(super) const BEFORE: usize = 8 * 1024;
/// The fewest bytes of a value that is looked for.
const SHORTEST: usize = 12;
/// How many of the newest values are looked for.
const NEWEST: usize = 256;
/// Longest value that is looked for.
const LONGEST: usize = 512;
/// Places from which values are known, and how far apart places are that are looked at.
const STEP: usize = 4;
/// Values with the same eight bytes that are kept. They are few, unless someone makes them.
const ALIKE: usize = 8;

/// A value that was found.
#[derive(Debug)]
struct Value<'a> {
    text: &'a [u8],
    rule: &'static Rule,
    /// Where it was found first, in the whole text.
    first: usize,
    /// Its number among the values.
    number: usize,
}

/// The values to look for.
#[derive(Debug, Default)]
pub(super) struct Known<'a> {
    /// In the order in which they were found first; the oldest are given up.
    values: Vec<Value<'a>>,
    given_up: usize,
    /// By eight bytes: the value (its number) and where in it they stand.
    heads: BTreeMap<u64, Vec<(usize, usize)>>,
    /// A bit for each head, by its hash: most places are passed over by it.
    bits: Vec<u64>,
}

impl<'a> Known<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds a value that was found at `first`, if it is looked for; whether it is new.
    pub(super) fn add(&mut self, text: &'a [u8], rule: &'static Rule, first: usize) -> bool {
        let known = |k: &(usize, usize)| self.value(k.0).is_some_and(|value| value.text == text);
        if !worth(text, rule) || heads(text).any(|(head, _)| self.alike(head).iter().any(known)) {
            return false;
        }
        if heads(text).next().is_none_or(|(head, _)| self.alike(head).len() >= ALIKE) {
            return false;
        }
        let number = self.given_up.saturating_add(self.values.len());
        self.values.push(Value { text, rule, first, number });
        self.enter(number);
        if self.values.len() >= 2 * NEWEST {
            self.values.drain(..NEWEST);
            self.given_up = self.given_up.saturating_add(NEWEST);
            self.heads.clear();
            self.bits.clear();
            (self.given_up..=number).for_each(|number| self.enter(number));
        }
        true
    }

    fn value(&self, number: usize) -> Option<&Value<'a>> {
        self.values.get(number.checked_sub(self.given_up)?)
    }

    fn alike(&self, head: u64) -> &[(usize, usize)] {
        self.heads.get(&head).map_or(&[], Vec::as_slice)
    }

    fn enter(&mut self, number: usize) {
        let Some(text) = self.value(number).map(|value| value.text) else { return };
        if self.bits.is_empty() {
            self.bits = vec![0; 1024];
        }
        for (head, offset) in heads(text) {
            let list = self.heads.entry(head).or_default();
            if list.len() < ALIKE * STEP {
                list.push((number, offset));
            }
            let (word, bit) = slot(head);
            if let Some(word) = self.bits.get_mut(word) {
                *word |= bit;
            }
        }
    }

    /// Adds the places of the values that start in a part of `bytes`, which start at `base` of the whole text.
    pub(super) fn find(&self, bytes: &[u8], base: usize, part: Range<usize>, spans: &mut Vec<Span>) {
        let (mut past, mut line) = (part.start, 0);
        let from = part.start.next_multiple_of(STEP);
        let to = part.end.saturating_add(2 * STEP).min(bytes.len());
        let (words, _) = bytes.get(from..to).unwrap_or_default().as_chunks::<STEP>();
        work::count(to.saturating_sub(from));
        for (n, pair) in words.windows(2).enumerate() {
            let [low, high] = pair else { continue };
            let head = u64::from(u32::from_le_bytes(*low)) | (u64::from(u32::from_le_bytes(*high)) << 32);
            let (word, bit) = slot(head);
            if self.bits.get(word).is_none_or(|word| word & bit == 0) {
                continue;
            }
            let place = n.saturating_mul(STEP).saturating_add(from);
            for (number, offset) in self.alike(head) {
                let (Some(value), Some(start)) = (self.value(*number), place.checked_sub(*offset)) else {
                    continue;
                };
                if start < past || start >= part.end || !has(bytes, start, value.text) {
                    continue;
                }
                past = start.saturating_add(value.text.len());
                if self.reaches(bytes, base, start, value, &mut line) {
                    spans.push(Span { start, end: past, rule: value.rule });
                }
                break;
            }
        }
    }

    /// Whether a value is still, or already, looked for at `i`. The end of a line is looked up once, and kept.
    fn reaches(&self, bytes: &[u8], base: usize, i: usize, value: &Value<'_>, line: &mut usize) -> bool {
        let here = base.saturating_add(i);
        if here < value.first {
            if *line <= i {
                *line = line_end(bytes, i);
            }
            return value.first.saturating_sub(here) <= BEFORE && value.first <= base.saturating_add(*line);
        }
        let newest = self.values.partition_point(|v| v.first <= here).saturating_add(self.given_up);
        newest.saturating_sub(value.number) <= NEWEST
    }
}

/// Eight bytes of a value from each of its first places.
fn heads(text: &[u8]) -> impl Iterator<Item = (u64, usize)> {
    let head =
        |offset: usize| text.get(offset..)?.first_chunk().map(|head| (u64::from_le_bytes(*head), offset));
    (0..STEP).filter_map(head)
}

/// Where the bit of a head stands.
#[inline(always)]
fn slot(head: u64) -> (usize, u64) {
    let hash = head.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
    (usize::try_from(hash >> 6).unwrap_or(0), 1 << (hash & 63))
}

/// Whether a value is looked for: it is certain, or looks random and is no UUID, which is a secret under its name
/// only and an id elsewhere.
fn worth(text: &[u8], rule: &Rule) -> bool {
    let sure = || rule.confidence == Confidence::Certain;
    let random = || score(text) >= 2 && !uuid(text);
    (SHORTEST..=LONGEST).contains(&text.len()) && (sure() || random())
}
