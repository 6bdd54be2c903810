//! Values that anyone may read: words and numbers.
use super::bytes::Set;
use crate::redact::rules::values::NUMBER_TYPES;

/// Letters and what joins words: a word, an identifier, a constant, a path.
pub(super) fn wordy(value: &[u8]) -> bool {
    static WORDY: Set = Set::range(b'a', b'z').and(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ_-. /:,");
    value.iter().all(|b| WORDY.holds(*b))
}

/// A number, a version, a date, a size, a duration, with the type that programs write behind it.
pub(super) fn number(value: &[u8]) -> bool {
    let part = |b: &u8| {
        b.is_ascii_digit()
            || matches!(b, b'.' | b',' | b'-' | b'+' | b'_' | b':' | b'/' | b'x' | b'e' | b'E' | b'%' | b' ')
    };
    // Most values start otherwise.
    if !value.first().is_some_and(part) || !value.iter().any(u8::is_ascii_digit) {
        return false;
    }
    let value = NUMBER_TYPES.iter().find_map(|s| value.strip_suffix(s.as_bytes())).unwrap_or(value);
    let hexadecimal = value.strip_prefix(b"0x").or_else(|| value.strip_prefix(b"0X"));
    if let Some(digits) = hexadecimal {
        return digits.iter().all(|b| b.is_ascii_hexdigit() || *b == b'_');
    }
    value.iter().any(u8::is_ascii_digit) && value.iter().all(part)
}

#[cfg(test)]
mod tests {
    use super::{number, wordy};

    #[test]
    fn words_and_numbers() {
        assert!(wordy(b"brain-sync/wrong_branch") && !wordy(b"hunter2"));
        assert!(number(b"12.5") && number(b"0x7A03_u32") && !number(b"abc"));
    }
}
