//! Classes of bytes as masks over a block, made of its planes.
use super::planes::Planes;

/// The classes of bytes that places are found by: a bit for each byte of the block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Classes {
    low: [u64; 8],
    high: [u64; 4],
    control: u64,
    signs: u64,
    letters: u64,
    upper: u64,
    /// Letters, without regard to case, and digits.
    pub alnum: u64,
    pub digit: u64,
}

impl Classes {
    #[inline(always)]
    pub(super) fn of(planes: Planes) -> Self {
        let Planes([p0, p1, p2, p3, p4, p5, p6, p7]) = planes;
        let (a, b, c, d) = (!p1 & !p0, !p1 & p0, p1 & !p0, p1 & p0);
        let low = [!p2 & a, !p2 & b, !p2 & c, !p2 & d, p2 & a, p2 & b, p2 & c, p2 & d];
        let high = [!p4 & !p3, !p4 & p3, p4 & !p3, p4 & p3];
        let (small, letters) = (!p7 & !p6, !p7 & p6);
        let (control, signs) = (small & !p5, small & p5);
        // The last five bits: of letters 1 to 26, of digits 16 to 25.
        let from_27 = p4 & p3 & (p2 | (p1 & p0));
        let letter = letters & !from_27 & (p4 | p3 | p2 | p1 | p0);
        let digit = signs & p4 & !(p3 & (p2 | p1));
        Self { low, high, control, signs, letters, upper: letters & !p5, alnum: letter | digit, digit }
    }

    /// The bytes whose last five bits are those of `b`.
    #[inline(always)]
    fn five(&self, b: u8) -> u64 {
        let high = self.high.get(usize::from((b >> 3) & 3)).copied().unwrap_or(0);
        let low = self.low.get(usize::from(b & 7)).copied().unwrap_or(0);
        high & low
    }

    /// A letter, without regard to case.
    #[inline(always)]
    pub(super) fn letter(&self, b: u8) -> u64 {
        self.letters & self.five(b)
    }

    /// A byte of ASCII.
    #[inline(always)]
    pub(super) fn byte(&self, b: u8) -> u64 {
        let zone = match b >> 5 {
            0 => self.control,
            1 => self.signs,
            2 => self.upper,
            3 => self.letters & !self.upper,
            _ => 0,
        };
        zone & self.five(b)
    }

    /// Any of some bytes of ASCII.
    #[inline(always)]
    pub(super) fn any<const N: usize>(&self, bytes: [u8; N]) -> u64 {
        bytes.into_iter().fold(0, |all, b| all | self.byte(b))
    }

    /// Where a word ends, without regard to case: a bit at its last letter.
    #[inline(always)]
    pub(super) fn ends<const N: usize>(&self, word: [u8; N]) -> u64 {
        word.into_iter().fold(u64::MAX, |all, b| (all << 1) & self.letter(b))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::planes::Planes, Classes};

    #[test]
    fn classes_are_what_they_say() {
        for byte in 0..=u8::MAX {
            let classes = Classes::of(Planes::of(&[byte; 64], true));
            let holds = |mask: u64| {
                assert!(mask == 0 || mask == u64::MAX);
                mask != 0
            };
            assert_eq!(holds(classes.alnum), byte.is_ascii_alphanumeric(), "{byte}");
            assert_eq!(holds(classes.digit), byte.is_ascii_digit(), "{byte}");
            for wanted in 0..=127u8 {
                assert_eq!(holds(classes.byte(wanted)), byte == wanted, "{byte} {wanted}");
                if wanted.is_ascii_lowercase() {
                    assert_eq!(
                        holds(classes.letter(wanted)),
                        byte.eq_ignore_ascii_case(&wanted),
                        "{byte} {wanted}"
                    );
                }
            }
        }
    }

    #[test]
    fn words_are_found_at_their_ends() {
        let mut block = [b' '; 64];
        block[10..14].copy_from_slice(b"PaSs");
        block[60..64].copy_from_slice(b"pass");
        let classes = Classes::of(Planes::of(&block, true));
        assert_eq!(classes.ends(*b"pass"), (1 << 13) | (1 << 63));
    }
}
