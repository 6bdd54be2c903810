//! Classes of bytes as masks over some blocks, made of their planes.
#![allow(clippy::arithmetic_side_effects, reason = "shifts of lanes by constants")]
use super::planes::Planes;
use fearless_simd::{Simd, SimdBase};

/// A bit for each byte of some blocks: as many as a vector of the machine holds.
pub(super) type Mask<S> = <S as Simd>::u64s;
/// The most blocks of a mask.
pub(super) const BLOCKS: usize = 8;

/// The classes of bytes that places are found by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Classes<S: Simd> {
    /// No byte.
    pub none: Mask<S>,
    /// By the lowest three bits.
    low: [Mask<S>; 8],
    /// By the two bits above them, in each zone of 32 bytes: control characters, signs and digits, capitals, small
    /// letters; and letters without regard to case.
    zones: [[Mask<S>; 4]; 4],
    letters: [Mask<S>; 4],
    /// The upper half of ASCII: letters, and the signs among them.
    pub upper_half: Mask<S>,
    /// Small letters.
    pub small: Mask<S>,
    /// Letters, without regard to case, and digits.
    pub alnum: Mask<S>,
    pub digit: Mask<S>,
}

impl<S: Simd> Classes<S> {
    #[inline(always)]
    pub(super) fn of(simd: S, planes: [Mask<S>; 8]) -> Self {
        let [p0, p1, p2, p3, p4, p5, p6, p7] = planes;
        let [n0, n1, n2, n3, n4] = [!p0, !p1, !p2, !p3, !p4];
        let (a, b, c, d) = (n1 & n0, n1 & p0, p1 & n0, p1 & p0);
        let low = [n2 & a, n2 & b, n2 & c, n2 & d, p2 & a, p2 & b, p2 & c, p2 & d];
        let high = [n4 & n3, n4 & p3, p4 & n3, p4 & p3];
        let (lower, letters) = (!(p7 | p6), !p7 & p6);
        let signs = lower & p5;
        // The last five bits: of letters 1 to 26, of digits 16 to 25.
        let from_27 = p4 & p3 & (p2 | d);
        let letter = letters & !from_27 & (p4 | p3 | p2 | p1 | p0);
        let digit = signs & p4 & !(p3 & (p2 | p1));
        Self {
            none: Mask::<S>::splat(simd, 0),
            low,
            zones: [
                within::<S>(lower & !p5, high),
                within::<S>(signs, high),
                within::<S>(letters & !p5, high),
                within::<S>(letters & p5, high),
            ],
            letters: within::<S>(letters, high),
            upper_half: letters,
            small: letter & p5,
            alnum: letter | digit,
            digit,
        }
    }

    /// The bytes of a zone whose last five bits are those of `b`.
    #[inline(always)]
    fn five(&self, zone: &[Mask<S>; 4], b: u8) -> Mask<S> {
        let high = zone.get(usize::from((b >> 3) & 3)).copied().unwrap_or(self.none);
        let low = self.low.get(usize::from(b & 7)).copied().unwrap_or(self.none);
        high & low
    }

    /// A letter, without regard to case.
    #[inline(always)]
    pub(super) fn letter(&self, b: u8) -> Mask<S> {
        self.five(&self.letters, b)
    }

    /// A byte of ASCII.
    #[inline(always)]
    pub(super) fn byte(&self, b: u8) -> Mask<S> {
        self.zones.get(usize::from(b >> 5)).map_or(self.none, |zone| self.five(zone, b))
    }

    /// The eight bytes of ASCII that have all but their lowest three bits in common with `b`.
    #[inline(always)]
    pub(super) fn eight(&self, b: u8) -> Mask<S> {
        let zone = self.zones.get(usize::from(b >> 5));
        zone.and_then(|zone| zone.get(usize::from((b >> 3) & 3))).copied().unwrap_or(self.none)
    }

    /// Any of some bytes of ASCII that have all but their lowest three bits in common.
    #[inline(always)]
    pub(super) fn row<const N: usize>(&self, bytes: [u8; N]) -> Mask<S> {
        let [first, ..] = bytes.as_slice() else { return self.none };
        let low = |b: u8| self.low.get(usize::from(b & 7)).copied().unwrap_or(self.none);
        let lows = bytes.iter().fold(self.none, |all, b| all | low(*b));
        self.eight(*first) & lows
    }

    /// A letter behind what ends before it.
    #[inline(always)]
    pub(super) fn then(&self, before: Mask<S>, letter: u8) -> Mask<S> {
        (before << 1_u32) & self.letter(letter)
    }

    /// Where a word ends, without regard to case: a bit at its last letter.
    #[inline(always)]
    pub(super) fn ends<const N: usize>(&self, word: [u8; N]) -> Mask<S> {
        let mut letters = word.into_iter();
        let first = letters.next().map_or(self.none, |b| self.letter(b));
        letters.fold(first, |all, b| (all << 1_u32) & self.letter(b))
    }
}

/// The bytes of a zone by their two bits.
#[inline(always)]
fn within<S: Simd>(zone: Mask<S>, [a, b, c, d]: [Mask<S>; 4]) -> [Mask<S>; 4] {
    [zone & a, zone & b, zone & c, zone & d]
}

/// The planes of all blocks, that of the lowest bit first.
#[inline(always)]
pub(super) fn planes<S: Simd>(simd: S, blocks: &[Planes; BLOCKS]) -> [Mask<S>; 8] {
    core::array::from_fn(|plane| {
        Mask::<S>::from_fn(simd, |block| {
            blocks.get(block).and_then(|block| block.0.get(plane)).copied().unwrap_or(0)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{super::planes::Planes, BLOCKS, Classes, Mask, planes};
    use alloc::vec::Vec;
    use fearless_simd::{Level, Simd, SimdBase, dispatch};

    fn of<S: Simd>(simd: S, block: [u8; 64]) -> Classes<S> {
        Classes::of(simd, planes(simd, &[Planes::of(simd, &block, true); BLOCKS]))
    }

    fn holds<S: Simd>(mask: Mask<S>) -> bool {
        let blocks = mask.as_slice();
        assert!(blocks.iter().all(|block| *block == 0) || blocks.iter().all(|block| *block == u64::MAX));
        blocks.first() != Some(&0)
    }

    fn check<S: Simd>(simd: S) {
        for byte in 0..=u8::MAX {
            let classes = of(simd, [byte; 64]);
            assert_eq!(holds::<S>(classes.alnum), byte.is_ascii_alphanumeric(), "{byte}");
            assert_eq!(holds::<S>(classes.digit), byte.is_ascii_digit(), "{byte}");
            for wanted in 0..=127u8 {
                assert_eq!(holds::<S>(classes.byte(wanted)), byte == wanted, "{byte} {wanted}");
                if wanted.is_ascii_lowercase() {
                    let letter = byte.eq_ignore_ascii_case(&wanted);
                    assert_eq!(holds::<S>(classes.letter(wanted)), letter, "{byte} {wanted}");
                }
            }
        }
    }

    #[test]
    fn classes_are_what_they_say() {
        for level in [Level::try_detect().unwrap_or(Level::baseline()), Level::baseline()] {
            dispatch!(level, simd => check(simd));
        }
    }

    #[test]
    fn words_are_found_at_their_ends() {
        let mut block = [b' '; 64];
        block[10..14].copy_from_slice(b"PaSs");
        block[60..64].copy_from_slice(b"pass");
        let found = dispatch!(Level::baseline(), simd => of(simd, block).ends(*b"pass").as_slice().to_vec());
        assert_eq!(found, found.iter().map(|_| (1 << 13) | (1 << 63)).collect::<Vec<u64>>());
    }
}
