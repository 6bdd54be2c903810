//! Tags: a short keyed digest in a mark, by which equal secrets can be followed without being known.
//!
//! A tag is 40 bits of HMAC-SHA-256 (RFC 2104) over the kind, a zero byte and the secret, in lower-case base32
//! (RFC 4648): `[REDACTED:<kind>:k7f3q2wd]`. See `spec/redaction.md`, engine.
use alloc::{string::String, vec::Vec};
use sha2::{Digest, Sha256};

/// The tag of values that could be guessed, all of which have the same one: a keyed tag would still confirm a guess.
pub(super) const GUESSABLE: &str = "aaaaaaaa";

/// Bytes of a block of SHA-256.
const BLOCK: usize = 64;

/// The tag of a secret.
pub(super) fn tag(key: &[u8], kind: &str, secret: &[u8]) -> String {
    let digest = hmac(key, &[kind.as_bytes(), &[0], secret]);
    let bits = digest.iter().take(5).fold(0u64, |bits, b| bits.wrapping_shl(8) | u64::from(*b));
    (0..8u32).map(|n| letter(bits.wrapping_shr(35u32.saturating_sub(n.saturating_mul(5))))).collect()
}

/// The letter of the last five bits.
fn letter(bits: u64) -> char {
    const LETTERS: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
    let index = usize::try_from(bits & 31).unwrap_or(0);
    char::from(LETTERS.get(index).copied().unwrap_or(b'a'))
}

/// HMAC-SHA-256 of a message in parts.
fn hmac(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut block = [0u8; BLOCK];
    let short = if key.len() > BLOCK { Sha256::digest(key).to_vec() } else { key.to_vec() };
    block.iter_mut().zip(&short).for_each(|(slot, b)| *slot = *b);
    let start = |pad: u8| Sha256::new_with_prefix(block.map(|b| b ^ pad));
    let inner = parts.iter().fold(start(0x36), |hash, part| hash.chain_update(part)).finalize();
    start(0x5c).chain_update(inner).finalize().to_vec()
}

#[cfg(test)]
mod tests {
    use super::{hmac, tag};
    use alloc::{format, string::String, vec::Vec};

    /// The test cases of RFC 4231: key, data, digest in hexadecimal. Of the fifth only 128 bits are given.
    #[test]
    fn rfc_4231() {
        let counting: Vec<u8> = (1..=25).collect();
        let cases: [(&[u8], &[u8], &str); 7] = [
            (&[0x0b; 20], b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                b"Jefe",
                b"what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (&[0xaa; 20], &[0xdd; 50], "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
            (&counting, &[0xcd; 50], "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
            (&[0x0c; 20], b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
            (
                &[0xaa; 131],
                b"Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
            (
                &[0xaa; 131],
                b"This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.",
                "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
            ),
        ];
        for (key, data, wanted) in cases {
            // However the message is parted.
            let (head, tail) = data.split_at(data.len() / 2);
            let found: String = hmac(key, &[head, tail]).iter().map(|b| format!("{b:02x}")).collect();
            assert!(found.starts_with(wanted), "{found} {wanted}");
        }
    }

    #[test]
    fn kinds_keys_and_secrets_tell_tags_apart() {
        let one = tag(b"0123456789abcdef", "bearer", b"Zf3D0LXCM3EIMbgJ");
        assert_eq!(one.len(), 8);
        assert!(one.bytes().all(|b| b.is_ascii_lowercase() || (b'2'..=b'7').contains(&b)));
        assert_ne!(one, tag(b"0123456789abcdef", "jwt", b"Zf3D0LXCM3EIMbgJ"));
        assert_ne!(one, tag(b"0123456789abcdeg", "bearer", b"Zf3D0LXCM3EIMbgJ"));
        assert_ne!(one, tag(b"0123456789abcdef", "bearer", b"Zf3D0LXCM3EIMbgK"));
    }
}
