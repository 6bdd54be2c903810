//! A search for many values at once: every fourth place of a text is looked at, and a value is known there by eight
//! bytes from one of its first four places.
use alloc::{vec, vec::Vec};

/// How far apart places are that are looked at.
pub(in crate::redact) const STEP: usize = 4;
/// Values with the same eight bytes that are kept. They are few, unless someone makes them.
pub(in crate::redact) const ALIKE: usize = 8;
/// How many of the newest values are looked for.
pub(in crate::redact) const NEWEST: usize = 256;
/// How many bytes of the newest values are looked for.
pub(in crate::redact) const NEWEST_BYTES: usize = 64 * 1024;

/// Words of bits by one hash.
const WORDS: usize = 1024;

/// A bit for each eight bytes from the first places of a value, by each of two hashes: most places are passed over by
/// the first of them, and nearly all others by the second.
#[derive(Debug, Default)]
pub(in crate::redact) struct Sampled(Vec<u64>);

impl Sampled {
    /// Sets the bits of a value.
    pub(in crate::redact) fn add(&mut self, text: &[u8]) {
        if self.0.is_empty() {
            self.0 = vec![0; 2 * WORDS];
        }
        for (head, _) in heads(text) {
            for (word, bit) in [slot(head), second(head)] {
                if let Some(word) = self.0.get_mut(word) {
                    *word |= bit;
                }
            }
        }
    }

    /// Forgets all values.
    pub(in crate::redact) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The first place from `i` on, a multiple of [`STEP`], at which one of the values may stand, with its eight bytes:
    /// one of the first four of the value.
    #[inline]
    pub(in crate::redact) fn next(&self, bytes: &[u8], mut i: usize) -> Option<(usize, u64)> {
        let holds = |(word, bit): (usize, u64)| self.0.get(word).is_some_and(|word| word & bit != 0);
        let may = |head: u64| holds(slot(head));
        // Four places at once, most of which are nothing.
        loop {
            if let Some(window) = bytes.get(i..).and_then(<[u8]>::first_chunk::<20>) {
                let [a, b, c, d] = [0, 4, 8, 12].map(|n| head(window, n));
                if !(may(a) | may(b) | may(c) | may(d)) {
                    i = i.saturating_add(4 * STEP);
                    continue;
                }
            }
            let head = u64::from_le_bytes(*bytes.get(i..)?.first_chunk()?);
            if may(head) && holds(second(head)) {
                return Some((i, head));
            }
            i = i.saturating_add(STEP);
        }
    }
}

/// The eight bytes at `n`.
#[inline(always)]
fn head(window: &[u8; 20], n: usize) -> u64 {
    window.get(n..).and_then(<[u8]>::first_chunk).map_or(0, |head| u64::from_le_bytes(*head))
}

/// Eight bytes of a value from each of its first places, with the place.
pub(in crate::redact) fn heads(text: &[u8]) -> impl Iterator<Item = (u64, usize)> {
    let head =
        |offset: usize| text.get(offset..)?.first_chunk().map(|head| (u64::from_le_bytes(*head), offset));
    (0..STEP).filter_map(head)
}

/// Where the bit of eight bytes stands.
#[inline(always)]
fn slot(head: u64) -> (usize, u64) {
    let hash = head.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48;
    (usize::try_from(hash >> 6).unwrap_or(0), 1 << (hash & 63))
}

/// Where the other bit of eight bytes stands.
fn second(head: u64) -> (usize, u64) {
    let hash = (head ^ (head >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 48;
    (WORDS.saturating_add(usize::try_from(hash >> 6).unwrap_or(0)), 1 << (hash & 63))
}
