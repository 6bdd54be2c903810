//! A search for many values at once: places of a text that stand some steps apart are looked at, and a value is known
//! there by the bytes from one of its first places, of which there are as many as bytes in a step.
use super::bytes::eight;
use alloc::{boxed::Box, vec, vec::Vec};

/// Values with the same eight bytes that are kept. They are few, unless someone makes them.
pub(in crate::redact) const ALIKE: usize = 8;
/// How many of the newest values are looked for.
pub(in crate::redact) const NEWEST: usize = 256;
/// How many bytes of the newest values are looked for.
pub(in crate::redact) const NEWEST_BYTES: usize = 64 * 1024;

/// Places that are looked at together, and the bytes that this takes at most.
const TOGETHER: usize = 8;
type Window = [u8; 64];

/// A bit for the bytes from each of the first places of a value, by each of two hashes, in so many words, a power of
/// two: most places are passed over by the first of them, and nearly all others by the second.
///
/// Values have three bytes more than a step, or more. At first four of them are looked at, then eight, or fewer where
/// values are too short for that.
#[derive(Debug, Default)]
pub(in crate::redact) struct Sampled<const WORDS: usize, const STEP: usize> {
    first: Option<Box<[u64; WORDS]>>,
    second: Vec<u64>,
    /// The bits of eight bytes that are not looked at.
    cut: u64,
}

impl<const WORDS: usize, const STEP: usize> Sampled<WORDS, STEP> {
    const BITS: u32 = WORDS.trailing_zeros();

    /// Forgets all values; none that follow is to be shorter than this.
    pub(in crate::redact) fn start(&mut self, shortest: usize) {
        self.first = vec![0; WORDS].into_boxed_slice().try_into().ok();
        self.second = vec![0; WORDS];
        self.cut = Self::cut(shortest);
    }

    /// The bits that are not looked at where values have so many bytes.
    fn cut(length: usize) -> u64 {
        let bytes = length.saturating_sub(STEP.saturating_sub(1)).min(8);
        u64::MAX.unbounded_shl(u32::try_from(bytes.saturating_mul(8)).unwrap_or(u32::MAX))
    }

    /// Sets the bits of a value; says no when it is shorter than those before.
    pub(in crate::redact) fn add(&mut self, text: &[u8]) -> bool {
        if self.first.is_none() {
            self.start(text.len());
        }
        if Self::cut(text.len()) & !self.cut != 0 {
            return false;
        }
        for head in (0..STEP).map(|n| head(text, n) & !self.cut) {
            let (word, bit) = Self::begin(head);
            if let Some(word) = self.first.as_mut().and_then(|marks| marks.get_mut(word)) {
                *word |= 1u64.wrapping_shl(bit);
            }
            let (word, bit) = Self::other(head);
            if let Some(word) = self.second.get_mut(word) {
                *word |= bit;
            }
        }
        true
    }

    /// The first place from `i` on, so many steps behind it, at which one of the values may stand, with its eight bytes:
    /// one of the first places of the value.
    #[inline]
    pub(in crate::redact) fn next(&self, bytes: &[u8], mut i: usize) -> Option<(usize, u64)> {
        // Many places with one look at where the text ends, and one at what they say.
        while let Some(window) = bytes.get(i..).and_then(<[u8]>::first_chunk::<{ size_of::<Window>() }>) {
            if Self::heads(window).fold(0, |any, (_, head)| any | self.bit(head)) != 0
                && let Some((n, head)) = self.among(window)
            {
                return Some((i.saturating_add(n), head));
            }
            i = i.saturating_add(TOGETHER.saturating_mul(STEP));
        }
        while i < bytes.len() {
            let head = head(bytes, i);
            if self.may(head) {
                return Some((i, head));
            }
            i = i.saturating_add(STEP);
        }
        None
    }

    /// The places of a window, with their eight bytes.
    #[inline(always)]
    fn heads(window: &Window) -> impl Iterator<Item = (usize, u64)> {
        (0..TOGETHER).map(|n| n.saturating_mul(STEP)).map(|n| {
            let head = window.get(n..).and_then(<[u8]>::first_chunk);
            (n, head.map_or(0, |head| u64::from_le_bytes(*head)))
        })
    }

    /// The first place of a window at which one of the values may stand. In most windows there is none: what is read
    /// here is not kept from there.
    #[inline(never)]
    fn among(&self, window: &Window) -> Option<(usize, u64)> {
        Self::heads(window).find(|(_, head)| self.may(*head))
    }

    fn may(&self, head: u64) -> bool {
        self.bit(head) != 0 && self.surely(head & !self.cut)
    }

    /// The first bit of these bytes.
    #[inline(always)]
    fn bit(&self, head: u64) -> u64 {
        let (word, bit) = Self::begin(head);
        let word = self.first.as_deref().and_then(|marks| marks.get(word));
        word.copied().unwrap_or(0).wrapping_shr(bit) & 1
    }

    /// Whether the second bit of these bytes is set.
    #[inline(never)]
    fn surely(&self, head: u64) -> bool {
        let (word, bit) = Self::other(head);
        self.second.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Where the bit of these bytes stands: the word, and its place there.
    #[inline(always)]
    fn place(head: u64) -> (usize, u32) {
        let hash = head.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_shr(58u32.saturating_sub(Self::BITS));
        (usize::try_from(hash >> 6).unwrap_or(0), u32::try_from(hash & 63).unwrap_or(0))
    }

    /// The same of the first four of them.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation, reason = "the first four of eight bytes")]
    fn begin(head: u64) -> (usize, u32) {
        let hash = (head as u32).wrapping_mul(0x9e37_79b1).wrapping_shr(26u32.saturating_sub(Self::BITS));
        (usize::try_from(hash >> 6).unwrap_or(0), hash & 63)
    }

    /// The same by their other hash, as a mask.
    fn other(head: u64) -> (usize, u64) {
        let (word, bit) = Self::place((head ^ (head >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93));
        (word, 1u64.wrapping_shl(bit))
    }
}

/// The eight bytes at `i` as a number; zeros where a text ends before that.
pub(in crate::redact) fn head(text: &[u8], i: usize) -> u64 {
    eight(text.get(i..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::Sampled;
    use alloc::{string::String, vec::Vec};
    use proptest::prelude::*;

    /// Whether each value is found at one of its first places, wherever it stands.
    fn found<const STEP: usize>(text: &str, values: &[String]) -> Result<(), TestCaseError> {
        let mut sampled = Sampled::<4, STEP>::default();
        if !values.iter().all(|value| sampled.add(value.as_bytes())) {
            sampled.start(values.iter().map(String::len).min().unwrap_or(0));
            prop_assert!(values.iter().all(|value| sampled.add(value.as_bytes())));
        }
        let (mut places, mut next) = (Vec::new(), 0);
        while let Some((place, _)) = sampled.next(text.as_bytes(), next) {
            places.push(place);
            next = place + STEP;
        }
        for value in values {
            for (start, _) in text.match_indices(value.as_str()) {
                prop_assert!(places.contains(&start.next_multiple_of(STEP)), "{start}: {places:?}");
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn every_place_of_a_value_is_among_those_that_are_found(
            bits in prop::collection::vec("[a-d]{0,20}", 0..20), values in prop::collection::vec("[a-d]{12,16}", 1..4),
        ) {
            let text: String = bits.iter().zip(values.iter().cycle()).flat_map(|(bit, value)| [bit, value]).cloned().collect();
            found::<4>(&text, &values)?;
            found::<8>(&text, &values)?;
        }
    }
}
