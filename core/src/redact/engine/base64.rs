//! Base64, as far as tokens and exact values need it.
use alloc::vec::Vec;

/// Base64 of whole groups of three bytes, with these last two letters of the alphabet, and the letters for what is left
/// of the value; the last of these depends on what follows it.
pub(super) fn encode(value: &[u8], last: [u8; 2]) -> (Vec<u8>, Vec<u8>) {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let [plus, slash] = last;
    let letter = |six: u32| match six & 63 {
        62 => plus,
        63 => slash,
        n => usize::try_from(n).ok().and_then(|n| LETTERS.get(n)).copied().unwrap_or(plus),
    };
    let letters = |[a, b, c]: [u8; 3]| {
        let bits = u32::from_be_bytes([0, a, b, c]);
        [18, 12, 6, 0].map(|n| letter(bits.wrapping_shr(n)))
    };
    let (groups, rest) = value.as_chunks::<3>();
    let rest = match rest {
        [a, b] => letters([*a, *b, 0]).into_iter().take(3).collect(),
        [a] => letters([*a, 0, 0]).into_iter().take(2).collect(),
        _ => Vec::new(),
    };
    (groups.iter().copied().flat_map(letters).collect(), rest)
}

/// The six bits that a letter of either alphabet stands for.
pub(super) const fn six(letter: u8) -> Option<u8> {
    match letter {
        b'A'..=b'Z' => Some(letter.wrapping_sub(b'A')),
        b'a'..=b'z' => Some(letter.wrapping_sub(b'a').wrapping_add(26)),
        b'0'..=b'9' => Some(letter.wrapping_sub(b'0').wrapping_add(52)),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    }
}

/// What the first `most` bytes of base64 of either alphabet stand for; bytes that are none are skipped.
pub(super) fn decode(text: &[u8], most: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len().min(most).div_ceil(4).saturating_mul(3));
    let (mut bits, mut count) = (0u32, 0u32);
    for b in text.iter().take(most) {
        let Some(six) = six(*b) else { continue };
        bits = bits.wrapping_shl(6) | u32::from(six);
        count = count.wrapping_add(6);
        if count >= 8 {
            count = count.wrapping_sub(8);
            out.push(bits.wrapping_shr(count).to_le_bytes()[0]);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{decode, encode};

    #[test]
    fn both_ways() {
        let value = [0xfb, 0xff, 0xbe, b'a', b'b'];
        assert_eq!(encode(&value, *b"+/"), (b"+/++".into(), b"YWI".into()));
        assert_eq!(encode(&value[..4], *b"-_"), (b"-_--".into(), b"YQ".into()));
        assert_eq!(decode(b"+/++-_--", 64), [0xfb, 0xff, 0xbe, 0xfb, 0xff, 0xbe]);
        assert_eq!(decode(b"YW\nJj", 64), b"abc");
    }
}
