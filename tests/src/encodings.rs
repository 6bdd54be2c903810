//! Encodings as others write them, by other code than that which is tested.

/// Base64 with padding (RFC 4648, section 4).
#[must_use]
pub fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |group: &[u8]| {
        let all = group.iter().chain(&[0, 0]).take(3).fold(0, |all, b| all << 8 | usize::from(*b));
        let letters = [18, 12, 6, 0].map(|n| char::from(LETTERS[all >> n & 63]));
        let text: String = letters[..=group.len()].iter().collect();
        text + &"=".repeat(3 - group.len())
    };
    bytes.chunks(3).map(group).collect()
}
