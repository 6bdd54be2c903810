//! The words of the tables as numbers, so that looking one up compares no strings.
use super::bytes::eight;
use crate::redact::rules::{
    names::{self, Strength},
    values,
};

/// The most bytes of a word that a number holds.
const MOST: usize = 16;

/// The sorted lists of `rules/values` and `rules/names`.
pub(super) const NO_VALUES: [u128; values::NO_VALUES.len()] = packed(values::NO_VALUES);
pub(super) const NEUTRAL: [u128; names::NEUTRAL.len()] = packed(names::NEUTRAL);
pub(super) const DENIED_LAST: [u128; names::DENIED_LAST.len()] = packed(names::DENIED_LAST);
pub(super) const DENIED_BEFORE: [u128; names::DENIED_BEFORE.len()] = packed(names::DENIED_BEFORE);
pub(super) const DENIED_STRONG: [u128; names::DENIED_STRONG.len()] = packed(names::DENIED_STRONG);
const WORDS: [u128; names::WORDS.len()] = {
    let mut numbers = [0; names::WORDS.len()];
    let (mut slots, mut words) = (numbers.as_mut_slice(), names::WORDS);
    while let ([slot, more @ ..], [(word, _), rest @ ..]) = (slots, words) {
        *slot = pack(word.as_bytes());
        (slots, words) = (more, rest);
    }
    numbers
};

/// Whether a word is one of a list, without regard to case.
pub(super) fn listed(list: &[u128], word: &[u8]) -> bool {
    word.len() <= MOST && list.binary_search(&number(word)).is_ok()
}

/// The strength of a word that is not looked for inside of others.
pub(super) fn whole(word: &[u8]) -> Option<Strength> {
    let n = WORDS.binary_search(&number(word)).ok().filter(|_| word.len() <= MOST)?;
    names::WORDS.get(n).map(|(_, strength)| *strength)
}

const fn packed<const N: usize>(mut list: &[&str]) -> [u128; N] {
    let mut numbers = [0; N];
    let mut slots = numbers.as_mut_slice();
    while let ([slot, more @ ..], [word, rest @ ..]) = (slots, list) {
        *slot = pack(word.as_bytes());
        (slots, list) = (more, rest);
    }
    numbers
}

/// The first bytes of a word in lower case as a number; numbers are in the order of their words.
const fn pack(mut word: &[u8]) -> u128 {
    let (mut number, mut shift) = (0u128, 128u32);
    while let [b, rest @ ..] = word {
        if shift == 0 {
            break;
        }
        shift = shift.saturating_sub(8);
        number |= (b.to_ascii_lowercase() as u128).wrapping_shl(shift);
        word = rest;
    }
    number
}

/// The same, many bytes at a time.
fn number(word: &[u8]) -> u128 {
    const ONE: u128 = u128::MAX / 0xff;
    const HIGH: u128 = ONE << 7;
    // What brings `A`, and what comes behind `Z`, to the highest bit.
    const TO_A: u128 = ONE.saturating_mul(0x80 - b'A' as u128);
    const TO_Z: u128 = ONE.saturating_mul(0x7f - b'Z' as u128);
    let (first, rest) = (eight(word), eight(word.get(8..).unwrap_or_default()));
    let number = (u128::from(first.swap_bytes()) << 64) | u128::from(rest.swap_bytes());
    let low = number & !HIGH;
    // The highest bit of each byte says that it is from `A` on, or behind `Z`; no byte reaches into the next.
    let from_a = low.wrapping_add(TO_A);
    let behind_z = low.wrapping_add(TO_Z);
    number | (((from_a ^ behind_z) & !number & HIGH) >> 2)
}

#[cfg(test)]
mod tests {
    use super::{
        DENIED_BEFORE, DENIED_LAST, DENIED_STRONG, MOST, NEUTRAL, NO_VALUES, WORDS, listed, names, values,
        whole,
    };

    #[test]
    fn numbers_are_those_of_the_tables() {
        for byte in 0..=u8::MAX {
            for length in 0..20 {
                let word = alloc::vec![byte; length];
                assert_eq!(super::number(&word), super::pack(&word), "{byte} {length}");
            }
        }
    }

    #[test]
    fn every_word_is_found() {
        for (numbers, list) in [
            (&NO_VALUES[..], values::NO_VALUES),
            (&NEUTRAL, names::NEUTRAL),
            (&DENIED_LAST, names::DENIED_LAST),
            (&DENIED_BEFORE, names::DENIED_BEFORE),
            (&DENIED_STRONG, names::DENIED_STRONG),
        ] {
            assert!(numbers.is_sorted());
            for word in list {
                assert!(word.len() <= MOST && listed(numbers, word.to_uppercase().as_bytes()), "{word}");
                assert!(!listed(numbers, [word, "~"].concat().as_bytes()), "{word}");
            }
        }
        assert!(WORDS.is_sorted());
        for (word, strength) in names::WORDS {
            assert_eq!(whole(word.as_bytes()), Some(*strength));
        }
    }
}
