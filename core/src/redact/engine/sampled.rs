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

/// A mark for each eight bytes from the first places of a value, by each of two hashes of so many bits: most places are
/// passed over by the first of them, and nearly all others by the second.
#[derive(Debug, Default)]
pub(in crate::redact) struct Sampled<const BITS: u32> {
    first: Vec<u8>,
    second: Vec<u64>,
}

impl<const BITS: u32> Sampled<BITS> {
    /// Sets the marks of a value.
    pub(in crate::redact) fn add(&mut self, text: &[u8]) {
        if self.first.is_empty() {
            let size = 1usize.wrapping_shl(BITS);
            (self.first, self.second) = (vec![0; size], vec![0; size.div_ceil(64)]);
        }
        for (head, _) in heads(text) {
            if let Some(mark) = self.first.get_mut(place::<BITS>(head)) {
                *mark = 1;
            }
            let (word, bit) = other::<BITS>(head);
            if let Some(word) = self.second.get_mut(word) {
                *word |= bit;
            }
        }
    }

    /// Forgets all values.
    pub(in crate::redact) fn clear(&mut self) {
        self.first.fill(0);
        self.second.fill(0);
    }

    /// The first place from `i` on, a multiple of [`STEP`], at which one of the values may stand, with its eight bytes:
    /// one of the first four of the value.
    #[inline]
    pub(in crate::redact) fn next(&self, bytes: &[u8], mut i: usize) -> Option<(usize, u64)> {
        let may = |head: u64| self.first.get(place::<BITS>(head)).copied().unwrap_or(0);
        let surely = |head: u64| {
            let (word, bit) = other::<BITS>(head);
            self.second.get(word).is_some_and(|word| word & bit != 0)
        };
        // Four places at once, most of which are nothing.
        loop {
            if let Some(window) = bytes.get(i..).and_then(<[u8]>::first_chunk::<20>) {
                let [a, b, c, d] = [0, 4, 8, 12].map(|n| head(window, n));
                if may(a) | may(b) | may(c) | may(d) == 0 {
                    i = i.saturating_add(4 * STEP);
                    continue;
                }
            }
            let head = u64::from_le_bytes(*bytes.get(i..)?.first_chunk()?);
            if may(head) != 0 && surely(head) {
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

/// Where the mark of eight bytes stands.
#[inline(always)]
fn place<const BITS: u32>(head: u64) -> usize {
    let hash = head.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_shr(64u32.saturating_sub(BITS));
    usize::try_from(hash).unwrap_or(0)
}

/// Where the bit of their other hash stands.
fn other<const BITS: u32>(head: u64) -> (usize, u64) {
    let place = place::<BITS>((head ^ (head >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93));
    (place >> 6, 1 << (place & 63))
}
