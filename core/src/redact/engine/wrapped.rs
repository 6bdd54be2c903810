//! Tokens that a terminal wrapped: a certain rule with a fixed length or a checksum, whose run ends at a line end, goes
//! on at the start of the next lines. The line ends stay.
use super::bytes::{at, inc, part, run};
use super::score::score;
use super::span::Span;
use crate::redact::{
    Confidence,
    rules::{Needs, Row, Shape},
};
use alloc::vec::Vec;

/// How many lines a token goes on over.
const LINES: usize = 3;
/// The fewest bytes of a token in its first line.
const FIRST: usize = 12;
/// Bytes of a token of GitHub behind its keyword, the last of them its checksum.
const CHECKED: usize = 36;
const CHECKSUM: usize = 6;

/// The pieces of the token whose keyword stands at `i`, a span for each line; `fixed` says that its rule has one length.
pub(super) fn pieces(
    bytes: &[u8],
    i: usize,
    keyword: &[u8],
    rule: &'static Row,
    fixed: bool,
) -> Option<Vec<Span>> {
    let Shape::Token { alphabet, min, max, needs } = rule.shape else { return None };
    let checked = rule.kind == "github-token" && needs == Needs::Any;
    if rule.confidence < Confidence::Certain || needs == Needs::Url || !(fixed || checked) {
        return None;
    }
    let (min, max) = if checked { (CHECKED, CHECKED) } else { (min, max) };
    let letters = alphabet.bytes();
    let (mut start, mut from) = (i, i.saturating_add(keyword.len()));
    let (mut body, mut spans) = (Vec::new(), Vec::new());
    for line in 0..=LINES {
        let most = max.saturating_sub(body.len()).saturating_add(1);
        let end = run(bytes, from, from.saturating_add(most), |b| letters.hold(b));
        body.extend_from_slice(part(bytes, from, end));
        if end == from || (line == 0 && end.saturating_sub(start) < FIRST) || body.len() > max {
            return None;
        }
        spans.push(Span { start, end, rule });
        if body.len() >= min {
            let sure = if checked { checks(&body) } else { random(&body, needs) };
            return (line > 0 && sure && !at(bytes, end).is_ascii_alphanumeric()).then_some(spans);
        }
        let line_end = if at(bytes, end) == b'\r' { inc(end) } else { end };
        if at(bytes, line_end) != b'\n' {
            return None;
        }
        (start, from) = (inc(line_end), inc(line_end));
    }
    None
}

/// Whether a body put together of lines looks like one: words of prose may stand at their starts.
fn random(body: &[u8], needs: Needs) -> bool {
    let digits = body.iter().filter(|b| b.is_ascii_digit()).count();
    digits >= 3 && (needs == Needs::Digit || score(body) >= 3)
}

/// Whether the end of a body is the checksum of the rest: CRC-32 in base 62.
fn checks(body: &[u8]) -> bool {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let (text, sum) = body.split_at(body.len().saturating_sub(CHECKSUM));
    let number = sum.iter().try_fold(0u64, |n, b| {
        let digit = DIGITS.iter().position(|d| d == b).and_then(|d| u64::try_from(d).ok())?;
        Some(n.wrapping_mul(62).wrapping_add(digit))
    });
    number == Some(u64::from(crc32(text)))
}

fn crc32(text: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc.wrapping_shr(1) ^ 0xedb8_8320 } else { crc.wrapping_shr(1) };
    let byte = |crc: u32, b: &u8| (0..8).fold(crc ^ u32::from(*b), |crc, _| step(crc));
    !text.iter().fold(u32::MAX, byte)
}

#[cfg(test)]
mod tests {
    use super::{checks, crc32};

    #[test]
    fn checksums() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        // 0xcbf43926 in base 62, behind its text.
        assert!(checks(b"1234567893jZRME") && !checks(b"1234567893jZRM0"));
    }
}
