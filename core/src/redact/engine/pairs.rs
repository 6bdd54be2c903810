//! A set of pairs of bytes, by which most places of a text are passed over.
use alloc::{vec, vec::Vec};

/// The first two bytes of what is looked for.
#[derive(Debug)]
pub(super) struct Pairs(Vec<u64>);

impl Default for Pairs {
    fn default() -> Self {
        Self(vec![0; 1024])
    }
}

impl Pairs {
    /// Adds the pair that a text starts with.
    pub(super) fn add(&mut self, text: &[u8]) {
        let [a, b, ..] = text else { return };
        let (word, bit) = slot(*a, *b);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    /// Whether a pair is one of the set.
    pub(super) fn holds(&self, [a, b]: &[u8; 2]) -> bool {
        let (word, bit) = slot(*a, *b);
        self.0.get(word).is_some_and(|w| w & bit != 0)
    }
}

/// Where the bit of a pair stands.
fn slot(a: u8, b: u8) -> (usize, u64) {
    let index = usize::from(u16::from_le_bytes([a, b]));
    (index.wrapping_shr(6), 1u64.wrapping_shl(u32::from(a)))
}

#[cfg(test)]
mod tests {
    use super::Pairs;

    #[test]
    fn pairs_of_the_set_are_held() {
        let mut pairs = Pairs::default();
        pairs.add(b"ghp_");
        pairs.add(b"s");
        assert!(pairs.holds(b"gh") && !pairs.holds(b"hg") && !pairs.holds(b"s "));
    }
}
