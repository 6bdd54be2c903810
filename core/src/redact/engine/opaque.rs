//! What may not be altered and is not scanned: signatures of thinking, redacted thinking and encrypted reasoning, in
//! raw JSON known by their key and by what they are: base64 of 64 bytes and more.
use super::bytes::{at, blank, ends, has, inc, quote, run, run_back};
use alloc::vec::Vec;

/// The fewest bytes of such a value.
const LEAST: usize = 64;
/// The most of one that its key stands behind.
const MOST: usize = 64 * 1024;
/// How the keys end, and how they start before that.
const KEYS: [(&[u8], &[&[u8]]); 2] = [
    (b"ignature", &[b"\"s", b"thought_s", b"thoughtS", b"thinking_s", b"thinkingS"]),
    (b"ncrypted_content", &[b"\"e", b"reasoning_e"]),
];
/// What stands beside the key `data`.
const REDACTED: &[u8] = b"redacted_thinking";

/// The places of these values.
pub(super) fn find(bytes: &[u8]) -> Vec<(usize, usize)> {
    memchr::memchr_iter(b'"', bytes).filter_map(|quote| value(bytes, inc(quote))).collect()
}

/// Whether a value under a name is one of these, in an object of a `type`.
pub(in crate::redact) fn is(name: &str, kind: Option<&str>, text: &str) -> bool {
    if text.len() < LEAST {
        return false;
    }
    let before = if kind == Some("redacted_thinking") { "\"type\":\"redacted_thinking\"," } else { "" };
    let member = [before, "\"", name, "\":\"", text, "\""].concat();
    value(member.as_bytes(), member.len().saturating_sub(text.len()).saturating_sub(1)).is_some()
}

/// The place of such a value, if one starts at `start`.
pub(super) fn value(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    let key = key_end(bytes, start)?;
    let named = |(tail, starts): &(&[u8], &[&[u8]])| {
        let word = key.saturating_sub(tail.len());
        ends(bytes, key, tail) && starts.iter().any(|start| ends(bytes, word, start))
    };
    let data = ends(bytes, key, b"data");
    if !data && !KEYS.iter().any(named) {
        return None;
    }
    let base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_');
    let stop = run(bytes, start, bytes.len(), base64);
    let end = run(bytes, stop, stop.saturating_add(2), |b| b == b'=');
    let closed =
        at(bytes, end) == b'"' || (at(bytes, end) == b'\\' && !at(bytes, inc(end)).is_ascii_alphanumeric());
    let whole = closed && end.saturating_sub(start) >= LEAST;
    (whole && (!data || redacted(bytes, key.saturating_sub(4), start, end))).then_some((start, end))
}

/// Where the key ends behind which the string stands that starts at `start`.
fn key_end(bytes: &[u8], start: usize) -> Option<usize> {
    let slash = |b: u8| b == b'\\';
    let open = start.checked_sub(1).filter(|open| at(bytes, *open) == b'"')?;
    let colon = run_back(bytes, open, 31, |b| blank(b) || slash(b)).checked_sub(1)?;
    let close = run_back(bytes, colon, 7, blank).checked_sub(1)?;
    (at(bytes, colon) == b':' && at(bytes, close) == b'"').then(|| run_back(bytes, close, 32, slash))
}

/// Whether `"type":"redacted_thinking","` stands before the key at `key`, or `","type":"redacted_thinking` behind its
/// value.
fn redacted(bytes: &[u8], key: usize, start: usize, end: usize) -> bool {
    let loose = |b: u8| blank(b) || quote(b) || matches!(b, b'\\' | b',');
    if ends(bytes, run_back(bytes, key, 64, loose), REDACTED) {
        return true;
    }
    let kind = run(bytes, end, end.saturating_add(64), loose);
    let colon = kind.saturating_add(4);
    let word = run(bytes, colon, colon.saturating_add(64), |b| loose(b) || b == b':');
    let behind = word.saturating_add(REDACTED.len());
    let other = run(bytes, behind, behind.saturating_add(64), loose);
    has(bytes, kind, b"type")
        && word > colon
        && has(bytes, word, REDACTED)
        // Then it is the other value's.
        && !has(bytes, other, b"data")
        && end.saturating_sub(start) <= MOST
}
