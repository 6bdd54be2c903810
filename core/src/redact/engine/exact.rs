//! Values that the host named, in the encodings in which they travel.
use super::base64::encode;
use super::span::Span;
use crate::redact::rules::{Place, of};
use alloc::{format, string::String, vec::Vec};
use memchr::memmem;

/// A value as it is, escaped for JSON, percent-encoded, in hexadecimal and in base64.
pub(super) fn needles(value: &str) -> Vec<Vec<u8>> {
    let json = value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
        .replace('\r', "\\r");
    let mut all = Vec::from([value.into(), json].map(String::into_bytes));
    for lower in [true, false] {
        let (mut percent, mut hex) = (String::new(), String::new());
        for b in value.bytes() {
            let digits = if lower { format!("{b:02x}") } else { format!("{b:02X}") };
            if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~') {
                percent.push(char::from(b));
            } else {
                percent.push('%');
                percent.push_str(&digits);
            }
            hex.push_str(&digits);
        }
        all.extend([percent, hex].map(String::into_bytes));
    }
    all.extend([b"+/", b"-_"].map(|last| encode(value.as_bytes(), *last)));
    all.sort();
    all.dedup();
    all
}

/// Adds the places where the values stand.
pub(super) fn find(bytes: &[u8], needles: &[Vec<u8>], spans: &mut Vec<Span>) {
    for needle in needles {
        for start in memmem::find_iter(bytes, needle) {
            spans.push(Span { start, end: start.saturating_add(needle.len()), rule: of(Place::Exact) });
        }
    }
}
