//! Ids and hashes: no secrets, whatever name they stand under.
use crate::redact::rules::values::{HASH_PREFIXES, ID_PREFIXES};

/// Whether a value is 8-4-4-4-12 hexadecimal digits.
pub(super) fn uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value
            .iter()
            .enumerate()
            .all(|(i, b)| if matches!(i, 8 | 13 | 18 | 23) { *b == b'-' } else { b.is_ascii_hexdigit() })
}

/// Ids of messages, calls and requests.
pub(super) fn id(text: &[u8]) -> bool {
    ID_PREFIXES.iter().any(|p| text.starts_with(p.as_bytes()))
        && text.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

/// Hashes that say so.
pub(super) fn hash(text: &[u8]) -> bool {
    HASH_PREFIXES.iter().any(|p| text.starts_with(p.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::{hash, id, uuid};

    #[test]
    fn ids_and_hashes() {
        assert!(
            uuid(b"89d2c023-ea53-40a5-b20a-d84905c622d7") && !uuid(b"89d2c023-ea53-40a5-b20a-d84905c622d")
        );
        assert!(id(b"toolu_01A09q90qw90lq917835lq9") && !id(b"toolu_01A09q90 qw90lq917835lq9"));
        assert!(hash(b"sha512-v2kDEe57lecTulaDIuNTPy3Ry4") && !hash(b"v2kDEe57lecTulaDIuNTPy3Ry4"));
    }
}
