//! What may not be altered and is not scanned: signatures of thinking, redacted thinking and encrypted reasoning, in
//! raw JSON known by their key and by what they are: base64 of 64 bytes and more.
use super::bytes::{at, blank, ends, inc, quote, run, run_back};
use alloc::vec::Vec;
use memchr::memmem;

/// The fewest bytes of such a value.
const LEAST: usize = 64;
/// How the keys end, and how they start before that.
const KEYS: [(&[u8], &[&[u8]]); 3] = [
    (b"ignature", &[b"\"s", b"thought_s", b"thoughtS", b"thinking_s", b"thinkingS"]),
    (b"ncrypted_content", &[b"\"e", b"reasoning_e"]),
    (b"redacted_thinking", &[]),
];

/// The places of these values.
pub(in crate::redact) fn find(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (tail, starts) in KEYS {
        for found in memmem::find_iter(bytes, tail) {
            let end = found.saturating_add(tail.len());
            if starts.is_empty() {
                places.extend(data(bytes, found, end));
            } else if starts.iter().any(|start| ends(bytes, found, start)) {
                places.extend(value(bytes, end));
            }
        }
    }
    places
}

/// Whether a value under a name is one of these, in an object of a `type`.
pub(in crate::redact) fn is(name: &str, kind: Option<&str>, value: &str) -> bool {
    if value.len() < LEAST {
        return false;
    }
    let member = |head: &str| [head, "\"", name, "\":\"", value, "\""].concat();
    let tail = |(tail, starts): &(&[u8], &[_])| !starts.is_empty() && name.as_bytes().ends_with(tail);
    if KEYS.iter().any(tail) {
        return !find(member("").as_bytes()).is_empty();
    }
    let redacted = kind == Some("redacted_thinking") && name == "data";
    redacted && !find(member("\"type\":\"redacted_thinking\",").as_bytes()).is_empty()
}

/// The value behind a key that ends at `i`.
fn value(bytes: &[u8], i: usize) -> Option<(usize, usize)> {
    let slash = |b: u8| b == b'\\';
    let close = run(bytes, i, i.saturating_add(32), slash);
    let colon = run(bytes, inc(close), close.saturating_add(8), blank);
    if at(bytes, close) != b'"' || at(bytes, colon) != b':' {
        return None;
    }
    let open = run(bytes, inc(colon), colon.saturating_add(32), |b| blank(b) || slash(b));
    let start = inc(open);
    if at(bytes, open) != b'"' {
        return None;
    }
    let base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_');
    let stop = run(bytes, start, bytes.len(), base64);
    let end = run(bytes, stop, stop.saturating_add(2), |b| b == b'=');
    let closed =
        at(bytes, end) == b'"' || (slash(at(bytes, end)) && !at(bytes, inc(end)).is_ascii_alphanumeric());
    (closed && end.saturating_sub(start) >= LEAST).then_some((start, end))
}

/// `"type":"redacted_thinking","data":"…"`, and the other way round.
fn data(bytes: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    let loose = |b: u8| blank(b) || quote(b) || matches!(b, b'\\' | b',');
    let key = run(bytes, end, end.saturating_add(64), loose);
    let name = key.saturating_add(4);
    if bytes.get(key..name) == Some(b"data") {
        return value(bytes, name);
    }
    // Behind the value: its end is before `,"type":"`.
    let kind = run_back(bytes, start, 64, |b| loose(b) || b == b':');
    let comma = run_back(bytes, kind.saturating_sub(4), 64, loose);
    // What stands between also ends the walk back from the next place, so that no two walks read the same.
    if kind == start || !ends(bytes, kind, b"type") {
        return None;
    }
    let first = run_back(bytes, comma, 64 * 1024, |b| !loose(b) && b != b':');
    let colon = run_back(bytes, first, 64, loose);
    let name = run_back(bytes, colon.saturating_sub(1), 64, loose);
    ends(bytes, name, b"data").then(|| value(bytes, name)).flatten()
}
