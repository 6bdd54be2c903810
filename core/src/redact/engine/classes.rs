//! Classes of bytes as masks over two blocks, made of their planes.
#![allow(clippy::arithmetic_side_effects, reason = "shifts of lanes by constants")]
use super::planes::Planes;
use wide::u64x2;

/// A bit for each byte of two blocks.
pub(super) type Mask = u64x2;

/// The classes of bytes that places are found by.
#[derive(Debug, Clone, Copy)]
pub(super) struct Classes {
    /// By the lowest three bits.
    low: [Mask; 8],
    /// By the two bits above them, in each zone of 32 bytes: control characters, signs and digits, capitals, small
    /// letters; and letters without regard to case.
    zones: [[Mask; 4]; 4],
    letters: [Mask; 4],
    /// Letters, without regard to case, and digits.
    pub alnum: Mask,
    pub digit: Mask,
}

impl Classes {
    #[inline(always)]
    pub(super) fn of(first: Planes, second: Planes) -> Self {
        let mut planes = [Mask::ZERO; 8];
        for ((both, first), second) in planes.iter_mut().zip(first.0).zip(second.0) {
            *both = Mask::new([first, second]);
        }
        let [p0, p1, p2, p3, p4, p5, p6, p7] = planes;
        let [n0, n1, n2, n3, n4] = [!p0, !p1, !p2, !p3, !p4];
        let (a, b, c, d) = (n1 & n0, n1 & p0, p1 & n0, p1 & p0);
        let low = [n2 & a, n2 & b, n2 & c, n2 & d, p2 & a, p2 & b, p2 & c, p2 & d];
        let high = [n4 & n3, n4 & p3, p4 & n3, p4 & p3];
        let (lower, letters) = (!(p7 | p6), !p7 & p6);
        let (signs, small) = (lower & p5, letters & p5);
        let zones = [lower & !p5, signs, letters & !p5, small];
        // The last five bits: of letters 1 to 26, of digits 16 to 25.
        let from_27 = p4 & p3 & (p2 | d);
        let letter = letters & !from_27 & (p4 | p3 | p2 | p1 | p0);
        let digit = signs & p4 & !(p3 & (p2 | p1));
        Self {
            low,
            zones: zones.map(|zone| high.map(|high| zone & high)),
            letters: high.map(|high| letters & high),
            alnum: letter | digit,
            digit,
        }
    }

    /// The bytes of a zone whose last five bits are those of `b`.
    #[inline(always)]
    fn five(&self, zone: &[Mask; 4], b: u8) -> Mask {
        let high = zone.get(usize::from((b >> 3) & 3)).copied().unwrap_or(Mask::ZERO);
        let low = self.low.get(usize::from(b & 7)).copied().unwrap_or(Mask::ZERO);
        high & low
    }

    /// A letter, without regard to case.
    #[inline(always)]
    pub(super) fn letter(&self, b: u8) -> Mask {
        self.five(&self.letters, b)
    }

    /// A byte of ASCII.
    #[inline(always)]
    pub(super) fn byte(&self, b: u8) -> Mask {
        self.zones.get(usize::from(b >> 5)).map_or(Mask::ZERO, |zone| self.five(zone, b))
    }

    /// Any of some bytes of ASCII.
    #[inline(always)]
    pub(super) fn any<const N: usize>(&self, bytes: [u8; N]) -> Mask {
        bytes.into_iter().fold(Mask::ZERO, |all, b| all | self.byte(b))
    }

    /// Where a word ends, without regard to case: a bit at its last letter.
    #[inline(always)]
    pub(super) fn ends<const N: usize>(&self, word: [u8; N]) -> Mask {
        let mut letters = word.into_iter();
        let first = letters.next().map_or(Mask::ZERO, |b| self.letter(b));
        letters.fold(first, |all, b| (all << 1) & self.letter(b))
    }

    /// Where a text ends as it is written.
    #[inline(always)]
    pub(super) fn ends_as<const N: usize>(&self, text: [u8; N]) -> Mask {
        let mut bytes = text.into_iter();
        let first = bytes.next().map_or(Mask::ZERO, |b| self.byte(b));
        bytes.fold(first, |all, b| (all << 1) & self.byte(b))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::planes::Planes, Classes, Mask};

    fn of(block: [u8; 64]) -> Classes {
        let planes = Planes::of(&block, true);
        Classes::of(planes, planes)
    }

    #[test]
    fn classes_are_what_they_say() {
        for byte in 0..=u8::MAX {
            let classes = of([byte; 64]);
            let holds = |mask: Mask| {
                let [first, second] = mask.to_array();
                assert!(first == second && (first == 0 || first == u64::MAX));
                first != 0
            };
            assert_eq!(holds(classes.alnum), byte.is_ascii_alphanumeric(), "{byte}");
            assert_eq!(holds(classes.digit), byte.is_ascii_digit(), "{byte}");
            for wanted in 0..=127u8 {
                assert_eq!(holds(classes.byte(wanted)), byte == wanted, "{byte} {wanted}");
                if wanted.is_ascii_lowercase() {
                    let letter = byte.eq_ignore_ascii_case(&wanted);
                    assert_eq!(holds(classes.letter(wanted)), letter, "{byte} {wanted}");
                }
            }
        }
    }

    #[test]
    fn words_are_found_at_their_ends() {
        let mut block = [b' '; 64];
        block[10..14].copy_from_slice(b"PaSs");
        block[60..64].copy_from_slice(b"pass");
        assert_eq!(of(block).ends(*b"pass").to_array(), [(1 << 13) | (1 << 63); 2]);
    }
}
