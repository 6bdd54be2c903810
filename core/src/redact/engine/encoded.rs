//! Base64 and hexadecimal of a text: decoded and read, up to a depth; a blob that hides a secret goes whole.
use super::base64::{decode, six};
use super::bytes::{ALNUM, Set, at, back, in_escape, inc, long_run, part, run};
use super::late::Offsets;
use super::places::BLOB;
use super::span::Span;
use super::work;
use crate::redact::rules::Row;
use alloc::{string::String, vec::Vec};
use core::cell::Cell;
use core::cmp::Reverse;

/// The fewest bytes of a blob.
const LEAST: usize = BLOB;
/// The fewest bytes of a blob of hexadecimal digits.
const LEAST_HEX: usize = 32;
/// The most bytes of a blob.
const MOST: usize = 32 * 1024;
/// The decoded bytes by which most blobs are passed over: those of a text are printable.
const HEAD: usize = 12;

/// Finds the secrets of a decoded text, those that would be replaced in it.
type Scan<'a> = &'a dyn Fn(&str) -> Vec<Span>;

/// Adds the blobs of a text that hide a secret; `scan` looks through what they hold. Places are the last of the `LEAST`
/// first bytes of runs of base64. Gives back whether any of them held a text at all.
pub(super) fn find(bytes: &[u8], places: &Offsets, scan: Scan<'_>, spans: &mut Vec<Span>) -> bool {
    let (mut past, held) = (0, Cell::new(false));
    let scan: Scan<'_> = &|text| {
        held.set(true);
        scan(text)
    };
    for place in places.iter() {
        let start = place.saturating_sub(LEAST.saturating_sub(1));
        // Of a run that was hidden in part the rest starts elsewhere. No byte of a mark is ASCII.
        let hidden = || !part(bytes, start, inc(place)).is_ascii();
        if place < past || base64(back(bytes, start, 1)) || hidden() {
            continue;
        }
        let stop = long_run(bytes, place, &BASE64);
        let end = run(bytes, stop, stop.saturating_add(2), |b| b == b'=');
        past = end;
        let start = first(bytes, start);
        if end.saturating_sub(start) > MOST {
            continue;
        }
        if let Some(rule) = rule(part(bytes, start, end), scan) {
            spans.push(Span { start, end, rule });
        } else if let Some(piece) = last_piece(bytes, start, end)
            && let Some(rule) = rule(part(bytes, piece, end), scan)
        {
            spans.push(Span { start: piece, end, rule });
        }
    }
    held.get()
}

static BASE64: Set = Set::of(ALNUM).and(b"+/-_");

fn base64(b: u8) -> bool {
    BASE64.holds(b)
}

/// Where a blob starts in the run that starts at `start`. The letter of an escape and the signs of a diff belong to what
/// stands before it: no text starts with what they stand for.
fn first(bytes: &[u8], start: usize) -> usize {
    let escape = || back(bytes, start, 1) == b'\\' && matches!(at(bytes, start), b'n' | b'r' | b't');
    let start = if in_escape(bytes, start) || escape() { inc(start) } else { start };
    run(bytes, start, start.saturating_add(3), |b| matches!(b, b'+' | b'-' | b'_'))
}

/// Where the last part of a path starts, when it may be a blob by itself.
fn last_piece(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let text = part(bytes, start, end.min(start.saturating_add(512)));
    let slash = memchr::memrchr(b'/', text)?;
    let piece = start.saturating_add(slash).saturating_add(1);
    (end.saturating_sub(piece) >= LEAST).then_some(piece)
}

/// The rule of the secret in a blob.
fn rule(blob: &[u8], scan: Scan<'_>) -> Option<&'static Row> {
    let text = hexadecimal(blob).or_else(|| text_of(blob))?;
    // The map of a script holds the sources of it.
    if text.starts_with("{\"version\":3") {
        return None;
    }
    secret(&text, scan)
}

/// The rule of the surest secret in a decoded text.
fn secret(text: &str, scan: Scan<'_>) -> Option<&'static Row> {
    let best = scan(text)
        .into_iter()
        .max_by_key(|s| (s.rule.confidence, s.end.saturating_sub(s.start), Reverse(s.rule.id)))?;
    Some(best.rule)
}

/// What base64 stands for, if that is text.
fn text_of(blob: &[u8]) -> Option<String> {
    if !opens(blob) {
        return None;
    }
    let head = decode(blob, HEAD.saturating_mul(4).div_ceil(3));
    let wide = head.len() >= 8 && head.chunks_exact(2).all(|pair| at(pair, 1) == 0 && printable(at(pair, 0)));
    if !wide && !head.iter().take(HEAD).all(|b| printable(*b)) {
        return None;
    }
    let mut all = decode(blob, MOST);
    work::count(all.len());
    if wide {
        // UTF-16, as in encoded commands of PowerShell.
        all = all.chunks_exact(2).map(|pair| if at(pair, 1) == 0 { at(pair, 0) } else { b'?' }).collect();
    }
    readable(all)
}

/// Whether the first byte that base64 stands for is one of a text, and the second, which may be half of a letter: most
/// blobs are passed over by them.
fn opens(blob: &[u8]) -> bool {
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
    let bits = |n: usize| SIX.get(usize::from(at(blob, n))).copied().unwrap_or(0);
    let (first, second, third) = (bits(0), bits(1), bits(2));
    let next = second.wrapping_shl(4) | third.wrapping_shr(2);
    printable(first.wrapping_shl(2) | second.wrapping_shr(4)) && (printable(next) || next == 0)
}

/// What hexadecimal digits stand for, if that is text.
fn hexadecimal(blob: &[u8]) -> Option<String> {
    let digits = blob.strip_prefix(b"0x").unwrap_or(blob);
    let byte = |pair: &[u8]| {
        let digit = |b: u8| char::from(b).to_digit(16).and_then(|d| u8::try_from(d).ok());
        Some(digit(at(pair, 0))?.wrapping_mul(16).wrapping_add(digit(at(pair, 1))?))
    };
    let head = digits.chunks_exact(2).take(HEAD).map(byte);
    if digits.len() < LEAST_HEX
        || digits.len() % 2 == 1
        || !head.into_iter().all(|b| b.is_some_and(printable))
    {
        return None;
    }
    work::count(digits.len());
    readable(digits.chunks_exact(2).map(byte).collect::<Option<Vec<u8>>>()?)
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
