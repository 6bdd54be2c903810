//! Looking for found values again: a secret that was known once by its name stands elsewhere without it.
//!
//! Certain values, and likely ones of 12 bytes and more that look random, are looked for in their own line up to
//! 8 KB before, and everywhere after while they are among the 256 newest. See `spec/redaction.md`, engine.
use super::Span;
use super::bytes::part;
use super::judge::uuid;
use super::score::score;
use crate::redact::{Confidence, rules::Rule};
use alloc::{collections::BTreeMap, vec, vec::Vec};

/// How far before its first place a value is looked for.
const BEFORE: usize = 8 * 1024;
/// How many of the newest values are looked for.
const NEWEST: usize = 256;
/// Longest value that is looked for.
const LONGEST: usize = 512;
/// Bytes by which values are told apart at first sight.
const HEAD: usize = 8;

struct Known<'a> {
    text: &'a [u8],
    rule: &'static Rule,
    /// Where it was found first, and its number among the values.
    first: usize,
    number: usize,
}

/// Adds the other places of the values of `spans`, which are sorted.
pub(super) fn find(bytes: &[u8], spans: &mut Vec<Span>) {
    let mut known: BTreeMap<[u8; HEAD], Vec<Known<'_>>> = BTreeMap::new();
    let mut pairs = vec![0u64; 1024];
    let mut number = 0usize;
    for span in spans.iter() {
        let text = part(bytes, span.start, span.end);
        let Some(head) = text.first_chunk::<HEAD>() else { continue };
        // A UUID is a secret under its name only; elsewhere it is an id.
        let random = text.len() >= 12 && score(text) >= 2 && !uuid(text);
        if text.len() > LONGEST
            || !(random || (span.rule.confidence == Confidence::Certain && text.len() >= 12))
        {
            continue;
        }
        let list = known.entry(*head).or_default();
        // Values with the same start are few, unless someone makes them.
        if list.len() >= 8 || list.iter().any(|k| k.text == text) {
            continue;
        }
        list.push(Known { text, rule: span.rule, first: span.start, number });
        number = number.saturating_add(1);
        if let Some(word) = pairs.get_mut(slot(head).0) {
            *word |= slot(head).1;
        }
    }
    if known.is_empty() {
        return;
    }
    let starts: Vec<usize> = known.values().flatten().map(|k| k.first).collect();
    let starts = sorted(starts);
    let mut i = 0;
    while let Some(head) = bytes.get(i..).and_then(|rest| rest.first_chunk::<HEAD>()) {
        let (word, bit) = slot(head);
        let mut next = i.saturating_add(1);
        if pairs.get(word).is_some_and(|w| w & bit != 0)
            && let Some(list) = known.get(head)
            && let Some(value) =
                list.iter().find(|k| part(bytes, i, i.saturating_add(k.text.len())) == k.text)
        {
            if reaches(bytes, i, value, &starts) {
                spans.push(Span { start: i, end: i.saturating_add(value.text.len()), rule: value.rule });
            }
            next = i.saturating_add(value.text.len());
        }
        i = next;
    }
}

fn sorted(mut list: Vec<usize>) -> Vec<usize> {
    list.sort_unstable();
    list
}

/// Whether a value is still, or already, looked for at `i`.
fn reaches(bytes: &[u8], i: usize, value: &Known<'_>, starts: &[usize]) -> bool {
    if i < value.first {
        let between = part(bytes, i, value.first);
        return between.len() <= BEFORE && memchr::memchr(b'\n', between).is_none();
    }
    let newest = starts.partition_point(|s| *s <= i);
    newest.saturating_sub(value.number) <= NEWEST
}

/// The bit of the first two bytes.
fn slot(head: &[u8; HEAD]) -> (usize, u64) {
    let [a, b, ..] = *head;
    let index = usize::from(u16::from_le_bytes([a, b]));
    let bit = u32::try_from(index & 63).unwrap_or(0);
    (index.wrapping_shr(6), 1u64.wrapping_shl(bit))
}
