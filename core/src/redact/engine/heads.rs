//! Sets of the first bytes of keywords, by which most places of a text are passed over.
use alloc::{boxed::Box, vec::Vec};

/// As many words as hold a bit for each hash of 16 bits.
const WORDS: usize = 1024;
type Bits = [u64; WORDS];

/// The first bytes of what is looked for, as bits by their hash: it says yes to all of them, and to few others.
#[derive(Debug)]
pub(super) struct Heads {
    /// By the first three bytes.
    three: Box<Bits>,
    /// By the first four of those of three to five bytes, of a keyword of three with all that may follow it.
    four: Box<Bits>,
    /// By the first six of longer ones.
    six: Box<Bits>,
    /// The keywords of two bytes.
    two: Vec<[u8; 2]>,
}

impl Default for Heads {
    fn default() -> Self {
        let none = || Box::new([0; WORDS]);
        Self { three: none(), four: none(), six: none(), two: Vec::new() }
    }
}

impl Heads {
    /// Adds what a keyword starts with; a short one is followed by a byte that `goes_on`.
    pub(super) fn add(&mut self, keyword: &[u8], goes_on: impl Fn(u8) -> bool) {
        let next = || (0..=u8::MAX).filter(|c| goes_on(*c));
        match keyword {
            [a, b, c, d, e, f, ..] => {
                set(&mut self.three, three([*a, *b, *c, 0]));
                set(&mut self.six, six([*a, *b, *c, *d, *e, *f]));
            }
            [a, b, c, d, ..] => {
                set(&mut self.three, three([*a, *b, *c, 0]));
                set(&mut self.four, u32::from_le_bytes([*a, *b, *c, *d]));
            }
            [a, b, c] => {
                set(&mut self.three, three([*a, *b, *c, 0]));
                next().for_each(|d| set(&mut self.four, u32::from_le_bytes([*a, *b, *c, d])));
            }
            [a, b] => {
                next().for_each(|c| set(&mut self.three, three([*a, *b, c, 0])));
                self.two.push([*a, *b]);
            }
            _ => {}
        }
    }

    /// Those bits of a mask for which a keyword may start with the three bytes that stand so far in a window.
    #[inline(always)]
    pub(super) fn held(&self, window: &[u8; 64 + 4], mut mask: u64) -> u64 {
        let mut held = 0;
        while mask != 0 {
            let bit = usize::try_from(mask.trailing_zeros()).unwrap_or(0);
            let rest = mask & mask.wrapping_sub(1);
            let head = window.get(bit..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
            // No branch: which of them are held follows no pattern.
            held |= (mask ^ rest) & 0u64.wrapping_sub(u64::from(self.hold_three(head)));
            mask = rest;
        }
        held
    }

    /// Whether a keyword may start with the first three of four bytes.
    #[inline(always)]
    pub(super) fn hold_three(&self, head: [u8; 4]) -> bool {
        holds(&self.three, three(head))
    }

    /// Whether one may start with the first bytes of a text.
    pub(super) fn hold_more(&self, text: &[u8]) -> bool {
        let Some([a, b, c, d]) = text.first_chunk::<4>().copied() else { return false };
        let longer = || text.first_chunk().is_some_and(|head| holds(&self.six, six(*head)));
        holds(&self.four, u32::from_le_bytes([a, b, c, d])) || longer() || self.two.contains(&[a, b])
    }
}

/// Six bytes as a number; others may have the same.
#[inline(always)]
fn six([a, b, c, d, e, f]: [u8; 6]) -> u32 {
    u32::from_le_bytes([a, b, c, d]).rotate_left(7) ^ u32::from(u16::from_le_bytes([e, f]))
}

/// The first three of four bytes.
#[inline(always)]
fn three(head: [u8; 4]) -> u32 {
    u32::from_le_bytes(head) << 8
}

/// Where the bit of a head stands.
#[inline(always)]
fn slot(head: u32) -> (usize, u64) {
    let hash = head.wrapping_mul(0x9e37_79b1) >> 16;
    (usize::try_from(hash >> 6).unwrap_or(0), 1 << (hash & 63))
}

#[inline(always)]
fn holds(bits: &Bits, head: u32) -> bool {
    let (word, bit) = slot(head);
    bits.get(word).is_some_and(|word| word & bit != 0)
}

fn set(bits: &mut Bits, head: u32) {
    let (word, bit) = slot(head);
    if let Some(word) = bits.get_mut(word) {
        *word |= bit;
    }
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
            heads.hold_three(*b"ghp_")
                && heads.hold_three(*b"ghpx")
                && heads.hold_three(*b"SKab")
                && heads.hold_three(*b"SK0-")
                && !heads.hold_three(*b"SK-0")
        );
        assert!(!heads.hold_three(*b"hghp") && !heads.hold_three(*b"gh_p"));
        heads.add(b"sk-", |b| b.is_ascii_alphanumeric());
        heads.add(b"hooks.slack.com", |_| false);
        let all = [&b"ghp_"[..], b"SKab", b"sk-a", b"sk-9", b"hooks.", b"hooks.x"];
        assert!(
            all.iter().all(|head| heads.hold_more(head) && heads.hold_three(*head.first_chunk().unwrap()))
        );
        assert!(
            [&b"ghpx"[..], b"sk--", b"hooks", b"hookss.", b"gh"].iter().all(|head| !heads.hold_more(head))
        );
    }
}
