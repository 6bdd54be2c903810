//! Blobs of base64 and hexadecimal: where one starts in a run of letters, and the text that it stands for.
use super::base64::{decode, six};
use super::bytes::{ALNUM, Set, at, back, in_escape, inc, run};
use super::work;
use alloc::{string::String, vec::Vec};

/// The fewest bytes of a blob of hexadecimal digits.
const LEAST_HEX: usize = 32;
/// The most bytes of a blob.
pub(super) const MOST: usize = 32 * 1024;
/// The decoded bytes by which most blobs are passed over: those of a text are printable.
const HEAD: usize = 12;

/// The letters of blobs.
pub(super) static LETTERS: Set = Set::of(ALNUM).and(b"+/-_");

/// Whether a byte is one of them.
pub(super) fn letter(b: u8) -> bool {
    LETTERS.holds(b)
}

/// Where a blob starts in the run that starts at `start`. The letter of an escape and the signs of a diff belong to what
/// stands before it: no text starts with what they stand for.
pub(super) fn first(bytes: &[u8], start: usize) -> usize {
    let escape = || back(bytes, start, 1) == b'\\' && matches!(at(bytes, start), b'n' | b'r' | b't');
    let start = if in_escape(bytes, start) || escape() { inc(start) } else { start };
    run(bytes, start, start.saturating_add(3), |b| matches!(b, b'+' | b'-' | b'_'))
}

/// What a blob stands for, if that is text.
pub(super) fn text(blob: &[u8]) -> Option<String> {
    hexadecimal(blob).or_else(|| base64(blob))
}

/// Whether a blob starts as one that stands for text.
pub(super) fn begins_text(blob: &[u8]) -> bool {
    begins_hexadecimal(blob) || base64_width(blob).is_some()
}

/// What base64 stands for, if that is text.
fn base64(blob: &[u8]) -> Option<String> {
    let width = base64_width(blob)?;
    let mut all = decode(blob, MOST);
    work::count(all.len());
    if width == 2 {
        // UTF-16, as in encoded commands of PowerShell.
        all = all.chunks_exact(2).map(|pair| if at(pair, 1) == 0 { at(pair, 0) } else { b'?' }).collect();
    }
    readable(all)
}

/// How many bytes each letter has at the start of the text that base64 stands for, if that is one.
fn base64_width(blob: &[u8]) -> Option<usize> {
    if !opens(three(blob)) {
        return None;
    }
    let mut head = [0; HEAD];
    for (letters, group) in blob.chunks_exact(4).zip(head.as_chunks_mut().0) {
        *group = three(letters);
    }
    let wide = || head.chunks_exact(2).all(|pair| at(pair, 1) == 0 && printable(at(pair, 0)));
    if begins(&head) { Some(1) } else { wide().then_some(2) }
}

/// The bytes that four letters of base64 stand for.
fn three(letters: &[u8]) -> [u8; 3] {
    static SIX: [u8; 128] = {
        let mut all = [0u8; 128];
        let (mut n, mut rest) = (0u8, all.as_mut_slice());
        while let [value, more @ ..] = rest {
            if let Some(bits) = six(n) {
                *value = bits;
            }
            n = n.wrapping_add(1);
            rest = more;
        }
        all
    };
    let bits = |n: usize| SIX.get(usize::from(at(letters, n))).copied().map_or(0, u32::from);
    let all = bits(0).wrapping_shl(18) | bits(1).wrapping_shl(12) | bits(2).wrapping_shl(6) | bits(3);
    let [_, first, second, third] = all.to_be_bytes();
    [first, second, third]
}

/// Whether a text may start with three bytes: most blobs are passed over by them.
fn opens([first, second, third]: [u8; 3]) -> bool {
    let one = |b: u8| printable(b) || starts_letter(b);
    let more = |b: u8| matches!(b, 0x80..=0xbf);
    match (first, second) {
        // UTF-16.
        (_, 0) => printable(first),
        _ if starts_letter(first) => more(second) && (one(third) || more(third)),
        _ if starts_letter(second) => printable(first) && more(third),
        _ => printable(first) && printable(second) && one(third),
    }
}

/// What hexadecimal digits stand for, if that is text.
fn hexadecimal(blob: &[u8]) -> Option<String> {
    let digits = digits(blob);
    if !begins_hexadecimal(blob) || digits.len() % 2 == 1 {
        return None;
    }
    work::count(digits.len());
    readable(digits.chunks_exact(2).map(byte).collect::<Option<Vec<u8>>>()?)
}

fn begins_hexadecimal(blob: &[u8]) -> bool {
    let digits = digits(blob);
    let mut head = [0; HEAD];
    for (pair, to) in digits.chunks_exact(2).zip(&mut head) {
        match byte(pair) {
            Some(b) if printable(b) || !b.is_ascii() => *to = b,
            _ => return false,
        }
    }
    digits.len() >= LEAST_HEX && begins(&head)
}

fn digits(blob: &[u8]) -> &[u8] {
    blob.strip_prefix(b"0x").unwrap_or(blob)
}

/// The byte that two digits stand for.
fn byte(pair: &[u8]) -> Option<u8> {
    let digit = |b: u8| char::from(b).to_digit(16).and_then(|d| u8::try_from(d).ok());
    Some(digit(at(pair, 0))?.wrapping_mul(16).wrapping_add(digit(at(pair, 1))?))
}

/// Whether bytes are the start of a text without control characters.
fn begins(head: &[u8]) -> bool {
    let torn = |error: core::str::Utf8Error| error.error_len().is_none();
    head.iter().all(|b| printable(*b) || !b.is_ascii())
        && core::str::from_utf8(head).map_or_else(torn, |_| true)
}

/// Whether a letter of more than one byte starts with this one.
fn starts_letter(b: u8) -> bool {
    matches!(b, 0xc2..=0xf4)
}

/// A text without control characters; a character that is cut off at its end is left out.
fn readable(mut bytes: Vec<u8>) -> Option<String> {
    if let Err(error) = core::str::from_utf8(&bytes) {
        if error.error_len().is_some() {
            return None;
        }
        bytes.truncate(error.valid_up_to());
    }
    let control = |b: &u8| !printable(*b) && *b < 0x80 && *b != 0x1b;
    if bytes.iter().any(control) {
        return None;
    }
    String::from_utf8(bytes).ok()
}

fn printable(b: u8) -> bool {
    matches!(b, b' '..=b'~' | b'\t' | b'\n' | b'\r')
}
