//! Values that the host named, in the encodings in which they travel.
use super::Span;
use crate::redact::rules::{Place, of};
use alloc::{string::String, vec::Vec};
use core::fmt::Write;
use memchr::memmem;

/// A value as it is, escaped for JSON, percent-encoded, in base64 and in hexadecimal.
pub(in crate::redact) fn needles(value: &str) -> Vec<Vec<u8>> {
    let json = value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
        .replace('\r', "\\r");
    let (mut percent, mut lower, mut upper) = (String::new(), String::new(), String::new());
    for b in value.bytes() {
        if b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'~') {
            percent.push(char::from(b));
        } else {
            let _ = write!(percent, "%{b:02X}");
        }
        let _ = write!(lower, "{b:02x}");
        let _ = write!(upper, "{b:02X}");
    }
    let mut all: Vec<Vec<u8>> = Vec::new();
    for text in [value.as_bytes(), json.as_bytes(), percent.as_bytes(), lower.as_bytes(), upper.as_bytes()] {
        all.push(text.into());
    }
    for alphabet in [b"+/", b"-_"] {
        all.push(base64(value.as_bytes(), *alphabet));
    }
    all.sort();
    all.dedup();
    all
}

/// Base64 of whole groups of three bytes; what is left of the value would depend on what follows it.
fn base64(value: &[u8], last: [u8; 2]) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let [plus, slash] = last;
    let letter = |six: u32| match six & 63 {
        62 => plus,
        63 => slash,
        n => usize::try_from(n).ok().and_then(|n| LETTERS.get(n)).copied().unwrap_or(plus),
    };
    let mut out = Vec::new();
    for group in value.chunks_exact(3) {
        if let [a, b, c] = group {
            let bits = u32::from_be_bytes([0, *a, *b, *c]);
            out.extend([18, 12, 6, 0].map(|n| letter(bits.wrapping_shr(n))));
        }
    }
    out
}

/// Adds the places where the values stand.
pub(super) fn find(bytes: &[u8], needles: &[Vec<u8>], spans: &mut Vec<Span>) {
    for needle in needles {
        for start in memmem::find_iter(bytes, needle) {
            spans.push(Span { start, end: start.saturating_add(needle.len()), rule: of(Place::Exact) });
        }
    }
}
