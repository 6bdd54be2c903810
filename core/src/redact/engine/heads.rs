//! A set of the first three bytes of keywords, by which most places of a text are passed over.
use alloc::{vec, vec::Vec};

/// The first three bytes of what is looked for, as bits by their hash: it says yes to all of them, and to few others.
#[derive(Debug)]
pub(super) struct Heads(Vec<u64>);

impl Default for Heads {
    fn default() -> Self {
        Self(vec![0; 1024])
    }
}

impl Heads {
    /// Adds what a keyword starts with; one of two bytes is followed by a byte that `goes_on`.
    pub(super) fn add(&mut self, keyword: &[u8], goes_on: impl Fn(u8) -> bool) {
        match keyword {
            [a, b, c, ..] => self.set([*a, *b, *c, 0]),
            [a, b] => (0..=u8::MAX).filter(|c| goes_on(*c)).for_each(|c| self.set([*a, *b, c, 0])),
            _ => {}
        }
    }

    fn set(&mut self, head: [u8; 4]) {
        let (word, bit) = slot(head);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }

    /// Whether a keyword may start with the first three of four bytes.
    #[inline(always)]
    pub(super) fn hold(&self, head: [u8; 4]) -> bool {
        let (word, bit) = slot(head);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// Where the bit of a head stands.
#[inline(always)]
fn slot(head: [u8; 4]) -> (usize, u64) {
    let three = u32::from_le_bytes(head) << 8;
    let hash = three.wrapping_mul(0x9e37_79b1) >> 16;
    (usize::try_from(hash >> 6).unwrap_or(0), 1 << (hash & 63))
}

#[cfg(test)]
mod tests {
    use super::Heads;

    #[test]
    fn keywords_are_held() {
        let mut heads = Heads::default();
        heads.add(b"ghp_", |_| false);
        heads.add(b"SK", |b| b.is_ascii_alphanumeric());
        assert!(
            heads.hold(*b"ghp_")
                && heads.hold(*b"ghpx")
                && heads.hold(*b"SKab")
                && heads.hold(*b"SK0-")
                && !heads.hold(*b"SK-0")
        );
        assert!(!heads.hold(*b"hghp") && !heads.hold(*b"gh_p"));
    }
}
