//! Looking for found values again: a secret that was known once by its name stands elsewhere without it.
//!
//! Certain values, and likely ones of 12 bytes and more that look random, are looked for in their own record up to
//! 8 KB before, and everywhere after while they are among the 256 newest, and within 64 KB of them. A record is a line,
//! or a string of JSON or of a row with all of its lines. A UUID is looked for in its own line alone: elsewhere it is an id. See
//! `spec/redaction.md`, engine.
use super::bytes::{at, blank, ends_fold, has, inc, line_start, part, quote, run_back};
use super::encoded;
use super::ids::uuid;
use super::late::Late;
use super::names;
use super::order;
use super::sampled::{ALIKE, NEWEST, NEWEST_BYTES, Sampled, head};
use super::score::score;
use super::span::Span;
use super::views;
use super::work;
use crate::redact::{Confidence, rules::Row};
use alloc::{collections::BTreeMap, vec::Vec};
use memchr::memmem;

/// How far apart places are that many values are looked for at.
const STEP: usize = 4;
/// How far before its first place a value is looked for.
const BEFORE: usize = 8 * 1024;
/// The fewest bytes of a value that is looked for.
const SHORTEST: usize = 12;
/// The fewest hexadecimal digits that are taken for random.
const HEX: usize = 16;
/// Longest value that is looked for.
const LONGEST: usize = 512;

/// So many values are looked for one by one: more of them at once.
const FEW: usize = 3;
/// How often a value may begin in itself before it is looked for like many: one byte over and over.
const OVERLAPS: usize = 64;
/// By so many of its first bytes a value is looked for one by one: a search for more takes longer, and longer to set up.
const BEGIN: usize = 32;

/// A value that was found.
#[derive(Debug)]
struct Value<'a> {
    text: &'a [u8],
    rule: &'static Row,
    /// Where it was found first.
    first: usize,
    /// The bytes of the values up to it, with its own.
    sum: usize,
    /// Whether it is looked for in the line alone in which it was found first.
    near: bool,
}

/// How far a text was looked through.
#[derive(Debug, Default)]
struct Taken {
    /// Where the last value ends.
    past: usize,
    /// Where the line of the last place starts and ends, once it is looked up.
    line: Option<(usize, usize)>,
}

impl Taken {
    /// Where the line of `i` starts and ends. It is looked up once for all places in it, and they only go on: a text is
    /// looked through once.
    fn line(&mut self, bytes: &[u8], i: usize) -> (usize, usize) {
        if let Some(line) = self.line.filter(|(_, end)| i <= *end) {
            return line;
        }
        let past = self.line.map_or(0, |(_, end)| end);
        // In JSON the lines of a string are escaped.
        let ends = |n: &usize| at(bytes, *n) == b'\n' || at(bytes, inc(*n)) == b'n';
        let mut before =
            memchr::memrchr2_iter(b'\n', b'\\', part(bytes, past, i)).map(|n| past.saturating_add(n));
        let mut behind =
            memchr::memchr2_iter(b'\n', b'\\', part(bytes, i, bytes.len())).map(|n| i.saturating_add(n));
        let start = before.find(ends).map_or(past, inc);
        let end = behind.find(ends).unwrap_or(bytes.len());
        work::count(end.saturating_sub(past));
        self.line = Some((start, end));
        (start, end)
    }
}

/// The values to look for.
#[derive(Debug, Default)]
struct Known<'a> {
    /// In the order in which they were found first.
    values: Vec<Value<'a>>,
    /// By eight bytes: the value (its number) and where in it they stand. Empty while values are few.
    heads: BTreeMap<u64, Vec<(usize, usize)>>,
    /// Where values may stand.
    sampled: Sampled<64, STEP>,
    /// Whether all lines are one record.
    whole: bool,
}

/// Adds the other places of the values that were found, also of those that lie in a longer secret, and where texts that
/// are encoded at `late` hide one of them; `whole` says that all lines are one record.
pub(super) fn find(
    bytes: &[u8],
    mut found: Vec<Span>,
    least: Confidence,
    (whole, late): (bool, Option<&Late>),
    spans: &mut Vec<Span>,
) {
    found.retain(|span| span.rule.confidence >= least);
    order::sort(&mut found, |one, other| one.start.cmp(&other.start));
    let mut known = Known { whole, ..Known::default() };
    for span in &found {
        known.add(part(bytes, span.start, span.end), span.rule, span.start);
    }
    if !known.values.is_empty() {
        known.find(bytes, spans);
        if let Some(late) = late {
            known.find_encoded(bytes, late, spans);
        }
    }
}

impl<'a> Known<'a> {
    /// Adds a value that was found at `first`, if it is looked for.
    fn add(&mut self, text: &'a [u8], rule: &'static Row, first: usize) {
        let near = uuid(text);
        if !near && !worth(text, rule) {
            return;
        }
        let same = |(number, offset): &(usize, usize)| {
            *offset == 0 && self.values.get(*number).is_some_and(|value| value.text == text)
        };
        let alike = self.alike(head(text, 0));
        let known = if self.values.len() <= FEW {
            self.values.iter().any(|value| value.text == text)
        } else {
            alike.iter().any(same) || alike.iter().filter(|(_, offset)| *offset == 0).count() >= ALIKE
        };
        if known {
            return;
        }
        let sum = self.values.last().map_or(0, |value| value.sum).saturating_add(text.len());
        let number = self.values.len();
        self.values.push(Value { text, rule, first, sum, near });
        match self.values.len().checked_sub(FEW) {
            None | Some(0) => {}
            Some(1) => self.enter_all(),
            Some(_) => self.enter(number, text),
        }
    }

    fn enter_all(&mut self) {
        let texts: Vec<&[u8]> = self.values.iter().map(|value| value.text).collect();
        texts.into_iter().enumerate().for_each(|(number, text)| self.enter(number, text));
    }

    fn alike(&self, head: u64) -> &[(usize, usize)] {
        self.heads.get(&head).map_or(&[], Vec::as_slice)
    }

    fn enter(&mut self, number: usize, text: &[u8]) {
        self.sampled.add(text);
        for offset in 0..STEP {
            let list = self.heads.entry(head(text, offset)).or_default();
            if list.len() < ALIKE * STEP {
                list.push((number, offset));
            }
        }
    }

    /// Adds the places of the values.
    fn find(&mut self, bytes: &[u8], spans: &mut Vec<Span>) {
        if self.values.len() <= FEW {
            if let Some(places) = self.one_by_one(bytes) {
                let (mut taken, mut last) = (Taken::default(), None);
                for (place, number, offset) in places {
                    // One value for each place.
                    if last != Some(place) && self.take(bytes, place, (number, offset), &mut taken, spans) {
                        last = Some(place);
                    }
                }
                return;
            }
            self.enter_all();
        }
        self.find_many(bytes, spans);
    }

    fn find_many(&self, bytes: &[u8], spans: &mut Vec<Span>) {
        work::count(bytes.len());
        let (mut taken, mut next) = (Taken::default(), 0);
        while let Some((place, head)) = self.sampled.next(bytes, next) {
            next = place.saturating_add(STEP);
            for found in self.alike(head) {
                if self.take(bytes, place, *found, &mut taken, spans) {
                    break;
                }
            }
        }
    }

    /// All places of a few values as the search for many finds them: the first multiple of [`STEP`] in each, its number,
    /// and how far behind its start that is; in that order. `None` when one overlaps itself often.
    fn one_by_one(&self, bytes: &[u8]) -> Option<Vec<(usize, usize, usize)>> {
        let mut places = Vec::new();
        for (number, value) in self.values.iter().enumerate() {
            let (begin, rest) = value.text.split_at(value.text.len().min(BEGIN));
            let finder = memmem::Finder::new(begin);
            let (mut next, mut past, mut overlaps) = (0usize, 0usize, 0usize);
            work::count(bytes.len());
            while let Some(n) = finder.find(bytes.get(next..)?) {
                let start = next.saturating_add(n);
                overlaps = overlaps.saturating_add(usize::from(start < past));
                if overlaps > OVERLAPS {
                    return None;
                }
                if has(bytes, start.saturating_add(begin.len()), rest) {
                    let offset = start.wrapping_neg() & STEP.saturating_sub(1);
                    places.push((start.saturating_add(offset), number, offset));
                }
                (next, past) = (start.saturating_add(1), start.saturating_add(value.text.len()));
            }
        }
        order::sort(&mut places, Ord::cmp);
        Some(places)
    }

    /// Adds what hides one of the values in an encoding, from where the first of them is looked for.
    fn find_encoded(&mut self, bytes: &[u8], late: &Late, spans: &mut Vec<Span>) {
        let everywhere = self.values.iter().filter(|value| !value.near);
        let Some(first) = everywhere.map(|value| value.first).min() else { return };
        if self.heads.is_empty() {
            self.enter_all();
        }
        let from = if self.whole { first.saturating_sub(BEFORE) } else { line_start(bytes, first) };
        let mut hidden = Vec::new();
        encoded::find(bytes, &late.blobs, &|text| self.within(text.as_bytes()), &mut hidden);
        views::find(bytes, late.escapes(), &|text| self.within(text), &mut hidden);
        spans.extend(hidden.into_iter().filter(|span| span.start >= from));
    }

    /// The values in a text that was encoded.
    fn within(&self, text: &[u8]) -> Vec<Span> {
        let (mut spans, mut next, mut past) = (Vec::new(), 0, 0);
        while let Some((place, head)) = self.sampled.next(text, next) {
            next = place.saturating_add(STEP);
            for (number, offset) in self.alike(head) {
                let value = self.values.get(*number).filter(|value| !value.near);
                let (Some(value), Some(start)) = (value, place.checked_sub(*offset)) else { continue };
                if start >= past && has(text, start, value.text) {
                    past = start.saturating_add(value.text.len());
                    spans.push(Span { start, end: past, rule: value.rule });
                }
            }
        }
        spans
    }

    /// Whether a value stands around `place` behind what was taken; takes it, and adds it where it is looked for.
    fn take(
        &self,
        bytes: &[u8],
        place: usize,
        (number, offset): (usize, usize),
        taken: &mut Taken,
        spans: &mut Vec<Span>,
    ) -> bool {
        let (Some(value), Some(start)) = (self.values.get(number), place.checked_sub(offset)) else {
            return false;
        };
        if start < taken.past || !has(bytes, start, value.text) {
            return false;
        }
        taken.past = start.saturating_add(value.text.len());
        if self.reaches(bytes, start, number, value, taken) {
            spans.push(Span { start, end: taken.past, rule: value.rule });
        }
        true
    }

    /// Whether a value is still, or already, looked for at `i`; `i` never goes back while `taken` is the same.
    fn reaches(&self, bytes: &[u8], i: usize, number: usize, value: &Value<'_>, taken: &mut Taken) -> bool {
        if value.near || i < value.first {
            if i.abs_diff(value.first) > BEFORE {
                return false;
            }
            if self.whole && !value.near {
                return true;
            }
            let (start, end) = taken.line(bytes, i);
            return (start..=end).contains(&value.first) && !(value.near && under_id(bytes, i));
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
pub(in crate::redact) fn worth(text: &[u8], rule: &Row) -> bool {
    let sure = || rule.confidence == Confidence::Certain;
    let random = || (score(text) >= 2 || hexadecimal(text)) && !uuid(text);
    (SHORTEST..=LONGEST).contains(&text.len()) && (sure() || random())
}

/// Whether a value is made of hexadecimal digits: that its runs are long at times makes it no word.
fn hexadecimal(text: &[u8]) -> bool {
    let digits = text.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = text.len().saturating_sub(digits);
    text.len() >= HEX && digits >= 4 && letters >= 2 && text.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use super::{FEW, Known};
    use crate::redact::rules::{Place, of};
    use alloc::{string::String, vec::Vec};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn few_values_are_found_where_many_are(
            values in prop::collection::vec("[ab]{0,3}aabaabaaabaa[ab]{0,3}", 1..=FEW),
            between in prop::collection::vec("[ab\n]{0,3}", 0..12),
            order in prop::collection::vec(0..FEW, 12),
        ) {
            let text: String = between
                .iter()
                .zip(&order)
                .flat_map(|(bit, n)| [bit.as_str(), values.get(*n).map_or("aabaab", String::as_str)])
                .collect();
            let rule = of(Place::Bearer);
            let found = |many: bool| {
                let mut known = Known::default();
                for (n, value) in values.iter().enumerate() {
                    if known.values.iter().all(|known| known.text != value.as_bytes()) {
                        let (first, sum) = (n * 7, (n + 1) * 20);
                        known.values.push(super::Value { text: value.as_bytes(), rule, first, sum, near: n == 1 });
                    }
                }
                let mut spans = Vec::new();
                if many {
                    known.enter_all();
                    known.find_many(text.as_bytes(), &mut spans);
                } else {
                    known.find(text.as_bytes(), &mut spans);
                }
                spans.into_iter().map(|span| (span.start, span.end)).collect::<Vec<_>>()
            };
            prop_assert_eq!(found(false), found(true));
        }
    }
}
