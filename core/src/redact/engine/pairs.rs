//! A set of pairs of bytes, by which most places of a text are passed over.
use super::work;
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

    /// The first place from `i` on at which a pair of the set stands.
    pub(super) fn next(&self, bytes: &[u8], i: usize) -> Option<usize> {
        let rest = bytes.get(i..)?;
        let place = rest.windows(2).position(|pair| match pair {
            [a, b] => {
                let (word, bit) = slot(*a, *b);
                self.0.get(word).is_some_and(|w| w & bit != 0)
            }
            _ => false,
        });
        work::count(place.unwrap_or(rest.len()));
        place.map(|n| i.saturating_add(n))
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
    fn pairs_are_found_where_they_stand() {
        let mut pairs = Pairs::default();
        pairs.add(b"ghp_");
        pairs.add(b"s");
        assert_eq!(pairs.next(b"g ghp_ gh", 0), Some(2));
        assert_eq!(pairs.next(b"g ghp_ gh", 3), Some(7));
        assert_eq!(pairs.next(b"g ghp_ gh", 8), None);
        assert_eq!(pairs.next(b"", 1), None);
    }
}
