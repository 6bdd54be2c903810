//! A search for many values at once: every fourth place of a text is looked at, and a value is known there by eight
//! bytes from one of its first four places.
use alloc::{boxed::Box, vec, vec::Vec};

/// How far apart places are that are looked at.
pub(in crate::redact) const STEP: usize = 4;
/// Values with the same eight bytes that are kept. They are few, unless someone makes them.
pub(in crate::redact) const ALIKE: usize = 8;
/// How many of the newest values are looked for.
pub(in crate::redact) const NEWEST: usize = 256;
/// How many bytes of the newest values are looked for.
pub(in crate::redact) const NEWEST_BYTES: usize = 64 * 1024;

/// Places that are looked at together, and the bytes that this takes.
const PLACES: [usize; 8] = [0, 4, 8, 12, 16, 20, 24, 28];
type Window = [u8; 36];

/// A bit for each eight bytes from the first places of a value, by each of two hashes, in so many words, a power of
/// two: most places are passed over by the first of them, and nearly all others by the second.
#[derive(Debug, Default)]
pub(in crate::redact) struct Sampled<const WORDS: usize> {
    first: Option<Box<[u64; WORDS]>>,
    second: Vec<u64>,
}

impl<const WORDS: usize> Sampled<WORDS> {
    const BITS: u32 = WORDS.trailing_zeros();

    /// Sets the bits of a value.
    pub(in crate::redact) fn add(&mut self, text: &[u8]) {
        if self.first.is_none() {
            self.first = vec![0; WORDS].into_boxed_slice().try_into().ok();
            self.second = vec![0; WORDS];
        }
        for (head, _) in heads(text) {
            let (word, bit) = Self::place(head);
            if let Some(word) = self.first.as_mut().and_then(|marks| marks.get_mut(word)) {
                *word |= 1u64.wrapping_shl(bit);
            }
            let (word, bit) = Self::other(head);
            if let Some(word) = self.second.get_mut(word) {
                *word |= bit;
            }
        }
    }

    /// Forgets all values.
    pub(in crate::redact) fn clear(&mut self) {
        self.first = None;
    }

    /// The first place from `i` on, a multiple of [`STEP`], at which one of the values may stand, with its eight bytes:
    /// one of the first four of the value.
    #[inline]
    pub(in crate::redact) fn next(&self, bytes: &[u8], mut i: usize) -> Option<(usize, u64)> {
        let marks = self.first.as_deref()?;
        let may = |head: u64| {
            let (word, bit) = Self::place(head);
            marks.get(word).copied().unwrap_or(0).wrapping_shr(bit) & 1 != 0 && self.surely(head)
        };
        // Many places without a look at where the text ends.
        while let Some(window) = bytes.get(i..).and_then(<[u8]>::first_chunk) {
            for n in PLACES {
                let head = head(window, n);
                if may(head) {
                    return Some((i.saturating_add(n), head));
                }
            }
            i = i.saturating_add(PLACES.len().saturating_mul(STEP));
        }
        loop {
            let head = u64::from_le_bytes(*bytes.get(i..)?.first_chunk()?);
            if may(head) {
                return Some((i, head));
            }
            i = i.saturating_add(STEP);
        }
    }

    /// Whether the second bit of eight bytes is set.
    #[inline(never)]
    fn surely(&self, head: u64) -> bool {
        let (word, bit) = Self::other(head);
        self.second.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Where the bit of eight bytes stands: the word, and its place there.
    #[inline(always)]
    fn place(head: u64) -> (usize, u32) {
        let hash = head.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_shr(58u32.saturating_sub(Self::BITS));
        (usize::try_from(hash >> 6).unwrap_or(0), u32::try_from(hash & 63).unwrap_or(0))
    }

    /// The same by their other hash, as a mask.
    fn other(head: u64) -> (usize, u64) {
        let (word, bit) = Self::place((head ^ (head >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93));
        (word, 1u64.wrapping_shl(bit))
    }
}

/// The eight bytes at `n`.
#[inline(always)]
fn head(window: &Window, n: usize) -> u64 {
    window.get(n..).and_then(<[u8]>::first_chunk).map_or(0, |head| u64::from_le_bytes(*head))
}

/// Eight bytes of a value from each of its first places, with the place.
pub(in crate::redact) fn heads(text: &[u8]) -> impl Iterator<Item = (u64, usize)> {
    let head =
        |offset: usize| text.get(offset..)?.first_chunk().map(|head| (u64::from_le_bytes(*head), offset));
    (0..STEP).filter_map(head)
}

#[cfg(test)]
mod tests {
    use super::{STEP, Sampled, heads};
    use alloc::vec::Vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_place_of_a_value_is_among_those_that_are_found(
            text in "[a-d]{0,200}", values in prop::collection::vec("[a-d]{12,16}", 0..4),
        ) {
            let mut sampled = Sampled::<4>::default();
            values.iter().for_each(|value| sampled.add(value.as_bytes()));
            let bytes = text.as_bytes();
            let (mut found, mut next) = (Vec::new(), 0);
            while let Some((place, head)) = sampled.next(bytes, next) {
                found.push((place, head));
                next = place + STEP;
            }
            let stands = |place: usize| {
                let head = bytes.get(place..)?.first_chunk().map(|head| u64::from_le_bytes(*head))?;
                let known = values.iter().any(|value| heads(value.as_bytes()).any(|(own, _)| own == head));
                known.then_some((place, head))
            };
            for place in (0..bytes.len()).step_by(STEP).filter_map(stands) {
                prop_assert!(found.contains(&place));
            }
        }
    }
}
