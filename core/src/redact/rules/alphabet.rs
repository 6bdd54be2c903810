//! The bytes that tokens consist of.

/// The bytes that a token consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::redact) enum Alphabet {
    /// Letters and digits.
    Alnum,
    /// Upper-case letters and digits.
    Upper,
    /// Hexadecimal digits.
    Hex,
    /// Hexadecimal digits and `-`.
    Dashed,
    /// Letters, digits, `_`, `-`.
    Word,
    /// [`Alphabet::Word`] and `.`, `~`.
    Dotted,
    /// [`Alphabet::Word`] and `=`, `.`.
    Padded,
    /// [`Alphabet::Word`] and `:`.
    Colon,
    /// Base64 of both kinds, with its padding.
    Base64,
    /// [`Alphabet::Base64`] and `,`: a list.
    List,
    /// [`Alphabet::Base64`] and `%`, `.`: percent-encoded.
    Cookie,
    /// [`Alphabet::Dotted`] and `!`.
    Session,
    /// The path of a URL.
    Path,
    /// The path and query of a URL.
    Query,
}

impl Alphabet {
    /// The bytes that it holds, to ask for many of them.
    pub(in crate::redact) fn bytes(self) -> Bytes {
        static ALL: [Bytes; Alphabet::Query as usize + 1] = {
            let mut all = [Bytes([0; 4]); Alphabet::Query as usize + 1];
            let mut rest = all.as_mut_slice();
            let mut list = Alphabet::ALL;
            while let ([slot, more @ ..], [alphabet, others @ ..]) = (rest, list) {
                *slot = Bytes::of(*alphabet);
                (rest, list) = (more, others);
            }
            all
        };
        ALL.get(self as usize).copied().unwrap_or(Bytes([0; 4]))
    }

    /// All of them, in their order.
    const ALL: &[Self] = &[
        Self::Alnum,
        Self::Upper,
        Self::Hex,
        Self::Dashed,
        Self::Word,
        Self::Dotted,
        Self::Padded,
        Self::Colon,
        Self::Base64,
        Self::List,
        Self::Cookie,
        Self::Session,
        Self::Path,
        Self::Query,
    ];

    /// Whether the alphabet holds a byte.
    pub(in crate::redact) const fn holds(self, b: u8) -> bool {
        let word = b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        match self {
            Self::Alnum => b.is_ascii_alphanumeric(),
            Self::Upper => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Self::Hex => b.is_ascii_hexdigit(),
            Self::Dashed => b.is_ascii_hexdigit() || b == b'-',
            Self::Word => word,
            Self::Dotted => word || matches!(b, b'.' | b'~'),
            Self::Padded => word || matches!(b, b'=' | b'.'),
            Self::Colon => word || b == b':',
            Self::Base64 => word || matches!(b, b'+' | b'/' | b'='),
            Self::List => word || matches!(b, b'+' | b'/' | b'=' | b','),
            Self::Cookie => word || matches!(b, b'+' | b'/' | b'=' | b'%' | b'.'),
            Self::Session => word || matches!(b, b'.' | b'~' | b'!'),
            Self::Path => word || matches!(b, b'/' | b'.' | b'%' | b'@' | b'~'),
            Self::Query => word || matches!(b, b'/' | b'.' | b'%' | b'@' | b'~' | b'?' | b'=' | b'&'),
        }
    }
}

/// Bytes of ASCII, a bit for each.
#[derive(Debug, Clone, Copy)]
pub(in crate::redact) struct Bytes([u32; 4]);

impl Bytes {
    const fn of(alphabet: Alphabet) -> Self {
        let (mut bits, mut b) = ([0u32; 4], 0u8);
        while b < 128 {
            if let (_, [word, ..]) = bits.split_at_mut((b >> 5) as usize) {
                *word |= (alphabet.holds(b) as u32) << (b & 31);
            }
            b = b.saturating_add(1);
        }
        Self(bits)
    }

    /// Whether a byte is one of them.
    #[inline(always)]
    pub(in crate::redact) fn hold(self, b: u8) -> bool {
        self.0.get(usize::from(b >> 5)).is_some_and(|word| word.wrapping_shr(u32::from(b & 31)) & 1 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::Alphabet;

    #[test]
    fn bytes_are_those_that_are_held() {
        assert_eq!(Alphabet::ALL.len(), Alphabet::Query as usize + 1, "the last one is `Query`");
        for (n, alphabet) in Alphabet::ALL.iter().enumerate() {
            assert_eq!(*alphabet as usize, n);
            let bytes = alphabet.bytes();
            assert!((0..=u8::MAX).all(|b| bytes.hold(b) == alphabet.holds(b)), "{alphabet:?}");
        }
    }
}
