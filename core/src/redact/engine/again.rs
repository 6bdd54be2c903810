//! Looking for found values again: a secret that was known once by its name stands elsewhere without it.
//!
//! Certain values, and likely ones of 12 bytes and more that look random, are looked for in their own line up to
//! 8 KB before, and everywhere after while they are among the 256 newest. See `spec/redaction.md`, engine.
use super::bytes::{has, inc, part};
use super::ids::uuid;
use super::score::score;
use super::span::Span;
use crate::redact::{Confidence, rules::Rule};
use alloc::{collections::BTreeMap, vec, vec::Vec};

/// How far before its first place a value is looked for.
const BEFORE: usize = 8 * 1024;
/// The fewest bytes of a value that is looked for.
const SHORTEST: usize = 12;
/// How many of the newest values are looked for.
const NEWEST: usize = 256;
/// Longest value that is looked for.
const LONGEST: usize = 512;
/// Bytes by which values are told apart at first sight.
const HEAD: usize = 8;
/// Values with the same head that are kept. They are few, unless someone makes them.
const ALIKE: usize = 8;

/// Adds the other places of the values of `spans`, which are sorted.
pub(super) fn find(bytes: &[u8], spans: &mut Vec<Span>) {
    let known = Known::of(bytes, spans);
    if known.starts.is_empty() {
        return;
    }
    let mut i = 0;
    while let Some(head) = bytes.get(i..).and_then(|rest| rest.first_chunk::<HEAD>()) {
        i = match known.at(bytes, i, head) {
            Some(value) => {
                let end = i.saturating_add(value.text.len());
                if known.reaches(bytes, i, value) {
                    spans.push(Span { start: i, end, rule: value.rule });
                }
                end
            }
            None => inc(i),
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
}

/// The values to look for.
struct Known<'a> {
    by_head: BTreeMap<[u8; HEAD], Vec<Value<'a>>>,
    /// A bit for each pair of bytes with which a value starts: most places are passed over by it.
    pairs: Vec<u64>,
    /// Where the values were found first, in order.
    starts: Vec<usize>,
}

impl<'a> Known<'a> {
    fn of(bytes: &'a [u8], spans: &[Span]) -> Self {
        let mut known = Self { by_head: BTreeMap::new(), pairs: vec![0; 1024], starts: Vec::new() };
        for span in spans {
            let text = part(bytes, span.start, span.end);
            let Some(head) = text.first_chunk::<HEAD>().filter(|_| worth(text, span.rule)) else { continue };
            let list = known.by_head.entry(*head).or_default();
            if list.len() >= ALIKE || list.iter().any(|k| k.text == text) {
                continue;
            }
            let number = known.starts.len();
            list.push(Value { text, rule: span.rule, first: span.start, number });
            known.starts.push(span.start);
            let (word, bit) = slot(head);
            if let Some(word) = known.pairs.get_mut(word) {
                *word |= bit;
            }
        }
        known
    }

    /// The value that stands at `i`.
    fn at(&self, bytes: &[u8], i: usize, head: &[u8; HEAD]) -> Option<&Value<'a>> {
        let (word, bit) = slot(head);
        if self.pairs.get(word).is_none_or(|w| w & bit == 0) {
            return None;
        }
        let list = self.by_head.get(head)?;
        list.iter().find(|k| has(bytes, i, k.text))
    }

    /// Whether a value is still, or already, looked for at `i`.
    fn reaches(&self, bytes: &[u8], i: usize, value: &Value<'_>) -> bool {
        if i < value.first {
            let near = value.first.saturating_sub(i) <= BEFORE;
            return near && memchr::memchr(b'\n', part(bytes, i, value.first)).is_none();
        }
        let newest = self.starts.partition_point(|s| *s <= i);
        newest.saturating_sub(value.number) <= NEWEST
    }
}

/// Whether a value is looked for: it is certain, or looks random and is no UUID, which is a secret under its name
/// only and an id elsewhere.
fn worth(text: &[u8], rule: &Rule) -> bool {
    let sure = || rule.confidence == Confidence::Certain;
    let random = || score(text) >= 2 && !uuid(text);
    (SHORTEST..=LONGEST).contains(&text.len()) && (sure() || random())
}

/// Where the bit of the first two bytes stands.
fn slot(head: &[u8; HEAD]) -> (usize, u64) {
    let [a, b, ..] = *head;
    let index = usize::from(u16::from_le_bytes([a, b]));
    let bit = u32::try_from(index & 63).unwrap_or(0);
    (index.wrapping_shr(6), 1u64.wrapping_shl(bit))
}
