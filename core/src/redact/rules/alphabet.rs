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
    /// Whether the alphabet holds a byte.
    pub(in crate::redact) fn holds(self, b: u8) -> bool {
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
