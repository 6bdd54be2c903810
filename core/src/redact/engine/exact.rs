//! Values that the host named, in the encodings in which they travel.
use super::base64::encode;
use super::bytes::part;
use super::span::Span;
use crate::redact::rules::{Place, of};
use alloc::{string::String, vec::Vec};
use core::{fmt::Write, ops::Range};
use memchr::memmem;

/// A value as it is, escaped for JSON, percent-encoded, in hexadecimal and in base64.
pub(super) fn needles(value: &str) -> Vec<Vec<u8>> {
    let json = value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
        .replace('\r', "\\r");
    let (mut percent, mut lower, mut upper) = (String::new(), String::new(), String::new());
    for b in value.bytes() {
        // Writing to a string does not fail.
        if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~') {
            percent.push(char::from(b));
        } else {
            let _ = write!(percent, "%{b:02X}");
        }
        let _ = write!(lower, "{b:02x}");
        let _ = write!(upper, "{b:02X}");
    }
    let texts = [value.into(), json, percent, lower, upper].map(String::into_bytes);
    let mut all = Vec::from(texts);
    all.extend([b"+/", b"-_"].map(|last| encode(value.as_bytes(), *last)));
    all.sort();
    all.dedup();
    all
}

/// Adds the places in a window at which the values stand.
pub(super) fn find(bytes: &[u8], window: &Range<usize>, needles: &[Vec<u8>], spans: &mut Vec<Span>) {
    for needle in needles {
        let end = window.end.saturating_add(needle.len()).saturating_sub(1).min(bytes.len());
        for place in memmem::find_iter(part(bytes, window.start, end), needle) {
            let start = window.start.saturating_add(place);
            spans.push(Span { start, end: start.saturating_add(needle.len()), rule: of(Place::Exact) });
        }
    }
}
