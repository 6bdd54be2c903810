//! What names say, remembered: a log repeats its keys, and values under them.
use super::bytes::{SHORT, alike, edges, padded};
use super::dismissed::Dismissed;
use super::names;
use super::work;
use crate::redact::rules::names::Strength;
use alloc::{vec, vec::Vec};

/// Names that are remembered at a time, at first and in a text with many names.
const SLOTS: usize = 512;
const MANY: usize = 2048;
/// The longest name that is remembered.
const LONGEST: usize = SHORT;
/// Names that are looked at before any is remembered: a short text has few.
const FIRST: usize = 8;

/// Names with what they say.
#[derive(Debug, Default)]
pub(super) struct Memo {
    slots: Vec<Slot>,
    asked: usize,
    /// Names that took the place of others since then.
    lost: usize,
    pub(super) dismissed: Dismissed,
}

#[derive(Debug, Clone, Copy)]
struct Slot {
    name: [u8; SHORT],
    length: u8,
    strength: Option<Strength>,
}

const EMPTY: Slot = Slot { name: [0; SHORT], length: 0, strength: None };

impl Memo {
    /// What a name says about its value; as [`names::strength`].
    pub(super) fn strength(&mut self, name: &[u8]) -> Option<Strength> {
        if name.len() > LONGEST || name.is_empty() {
            return names::strength(name);
        }
        if self.slots.is_empty() {
            self.asked = self.asked.saturating_add(1);
            if self.asked <= FIRST {
                return names::strength(name);
            }
            self.slots = vec![EMPTY; SLOTS];
        }
        if self.lost >= SLOTS && self.slots.len() < MANY {
            self.slots = vec![EMPTY; MANY];
        }
        let slots = self.slots.len();
        work::count(name.len());
        let Some(slot) = self.slots.get_mut(place(name, slots)) else { return names::strength(name) };
        let own = slot.name.get(..usize::from(slot.length)).unwrap_or_default();
        if !alike(own, name) {
            let is_lost = slots < MANY && slot.length > 0;
            self.lost = if is_lost { self.lost.saturating_add(1) } else { self.lost };
            slot.strength = names::strength(name);
            slot.length = u8::try_from(name.len()).unwrap_or(0);
            slot.name = padded(name);
        }
        slot.strength
    }
}

/// Where a name is remembered among so many slots, a power of two.
fn place(name: &[u8], slots: usize) -> usize {
    let (first, last) = match (edges::<8>(name), edges::<4>(name)) {
        (Some((first, last)), _) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        (None, Some((first, last))) => {
            (u64::from(u32::from_le_bytes(*first)), u64::from(u32::from_le_bytes(*last)))
        }
        (None, None) => (name.iter().fold(0, |all, b| (all << 8) | u64::from(*b)), 0),
    };
    // Long names differ in their middle as well: `ephemeral_5m_input_tokens`.
    let middle = name.len().checked_sub(16).and_then(|rest| name.get(rest.div_ceil(2).saturating_add(4)..));
    let middle = middle.and_then(<[u8]>::first_chunk).map_or(0, |middle| u64::from_le_bytes(*middle));
    let hash = (first ^ last.rotate_left(29) ^ middle.rotate_left(13)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    usize::try_from(hash >> 48).unwrap_or(0) & slots.saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::{FIRST, LONGEST, Memo, SLOTS, names};
    use alloc::{format, string::String, vec::Vec};

    #[test]
    fn names_say_the_same_when_they_are_asked_again() {
        let ends = ["password", "token", "key", "id", "Key", "_secret", "count", "pw"];
        let long = "x".repeat(LONGEST);
        let all: Vec<String> = (0..4 * SLOTS)
            .map(|n| format!("{}{}{}", n, &long[..n % LONGEST], ends[n % ends.len()]))
            .chain(ends.map(String::from))
            .collect();
        let mut memo = Memo::default();
        for _ in 0..=FIRST {
            for name in &all {
                for _ in 0..2 {
                    assert_eq!(memo.strength(name.as_bytes()), names::strength(name.as_bytes()), "{name}");
                }
            }
        }
    }
}
