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

/// A bit for each eight bytes from the first places of a value, by their hash: most places are passed over by them.
#[derive(Debug, Default)]
pub(in crate::redact) struct Sampled(Vec<u64>);

impl Sampled {
    /// Sets the bits of a value.
    pub(in crate::redact) fn add(&mut self, text: &[u8]) {
        if self.0.is_empty() {
            self.0 = vec![0; 1024];
        }
        for (head, _) in heads(text) {
            let (word, bit) = slot(head);
            if let Some(word) = self.0.get_mut(word) {
                *word |= bit;
            }
        }
    }

    /// Forgets all values.
    pub(in crate::redact) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The places at which one of the values may stand, each with its eight bytes: one of the first four of the value.
    #[inline(always)]
    pub(in crate::redact) fn places<'a>(
        &'a self,
        bytes: &'a [u8],
    ) -> impl Iterator<Item = (usize, u64)> + 'a {
        let (words, _) = bytes.as_chunks::<STEP>();
        words.windows(2).enumerate().filter_map(|(n, pair)| {
            let [low, high] = pair else { return None };
            let head = u64::from(u32::from_le_bytes(*low)) | (u64::from(u32::from_le_bytes(*high)) << 32);
            let (word, bit) = slot(head);
            let may = self.0.get(word).is_some_and(|word| word & bit != 0);
            may.then(|| (n.saturating_mul(STEP), head))
        })
    }
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
