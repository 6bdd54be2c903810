//! Tokens whose shape is more than a prefix: JSON Web Tokens and a few providers'.
use super::base64::decode;
use super::bytes::{at, back, ends, has, in_escape, inc, part, run, run_back, starts_token};
use super::span::Span;
use crate::redact::rules::{Place, of};
use alloc::vec::Vec;
use memchr::memmem;

/// Where the tokens end that were looked at last.
#[derive(Debug, Default)]
pub(super) struct Past {
    pub web_token: usize,
    pub discord: usize,
}

fn word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')
}

fn add(spans: &mut Vec<Span>, place: Place, start: usize, end: usize) {
    spans.push(Span { start, end, rule: of(place) });
}

/// `eyJ…`, a dot, and two parts more (four when encrypted).
pub(super) fn web_token(bytes: &[u8], start: usize, past: &mut Past, spans: &mut Vec<Span>) {
    if start < past.web_token || !has(bytes, start, b"eyJ") || !starts_token(bytes, start) {
        return;
    }
    let header_end = run(bytes, start, bytes.len(), base64);
    past.web_token = header_end;
    if at(bytes, header_end) != b'.' {
        return;
    }
    let (mut end, mut parts, mut second) = (header_end, 1usize, 0usize);
    while parts < 5 && at(bytes, end) == b'.' {
        let from = inc(end);
        let to = run(bytes, from, bytes.len(), base64);
        if to == from && parts != 1 && parts != 2 {
            break;
        }
        if parts == 1 {
            second = to.saturating_sub(from);
        }
        end = to;
        parts = inc(parts);
    }
    let header = part(bytes, start, header_end);
    let long = header.len() >= 17;
    let payload = parts >= 3 && part(bytes, inc(header_end), end).starts_with(b"eyJ");
    if parts >= 3 && names_algorithm(header) {
        add(spans, Place::Jwt, start, end);
    } else if long && (payload || (second >= 10 && decodes_to_object(header))) {
        add(spans, Place::JwtLike, start, end);
    } else {
        return;
    }
    past.web_token = end;
}

fn base64(b: u8) -> bool {
    word(b) || b == b'='
}

/// Whether the header, decoded, names an algorithm or says of what kind it is.
fn names_algorithm(header: &[u8]) -> bool {
    let text = decode(header, 2048);
    [&b"\"alg\""[..], b"\"enc\"", b"\"typ\"", b"\"kid\""].iter().any(|k| memmem::find(&text, k).is_some())
}

fn decodes_to_object(header: &[u8]) -> bool {
    let text = decode(header, 2048);
    text.starts_with(b"{\"") && text.iter().take(16).all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace())
}

/// The start of a token of so many bytes that ends before `end`; an escape before it is not part of it.
fn start_of(
    bytes: &[u8],
    end: usize,
    lengths: core::ops::RangeInclusive<usize>,
    holds: fn(u8) -> bool,
) -> Option<usize> {
    let most = end.saturating_sub(run_back(bytes, end, lengths.end().saturating_add(1), holds));
    lengths
        .rev()
        .filter(|n| *n <= most)
        .map(|n| end.saturating_sub(n))
        .find(|start| starts_token(bytes, *start) && !in_escape(bytes, *start))
}

/// `<8 to 10 digits>:AA<33 bytes>`, also as part of a path: `/bot110201543:AA…`.
pub(super) fn telegram(bytes: &[u8], colon: usize, spans: &mut Vec<Span>) {
    if !has(bytes, colon, b":AA") {
        return;
    }
    let digit = |b: u8| b.is_ascii_digit();
    let end = run(bytes, inc(colon), colon.saturating_add(40), word);
    let digits = run_back(bytes, colon, 10, digit);
    let in_path = ends(bytes, digits, b"bot").then_some(digits);
    if end.saturating_sub(colon) == 36
        && let Some(start) = in_path.or_else(|| start_of(bytes, colon, 8..=10, digit))
    {
        add(spans, Place::Telegram, start, end);
    }
}

/// Three parts: an id in base64, a time, a signature.
pub(super) fn discord(bytes: &[u8], dot: usize, past: &mut Past, spans: &mut Vec<Span>) {
    let second = run(bytes, inc(dot), dot.saturating_add(9), word);
    if dot < past.discord || second.saturating_sub(dot) != 7 || at(bytes, second) != b'.' {
        return;
    }
    let end = run(bytes, inc(second), second.saturating_add(60), word);
    // The first part is a number in base64.
    let number = |start: &usize| {
        let id = decode(part(bytes, *start, dot), 40);
        starts_token(bytes, *start) && id.len() >= 16 && id.iter().all(u8::is_ascii_digit)
    };
    let letters = dot.saturating_sub(run_back(bytes, dot, 28, word));
    let start = (23..=letters).map(|n| dot.saturating_sub(n)).find(number);
    if let Some(start) = start.filter(|_| (28..=46).contains(&end.saturating_sub(second))) {
        add(spans, Place::Discord, start, end);
        past.discord = end;
    }
}

/// 32 hexadecimal digits and a data centre.
pub(super) fn mailchimp(bytes: &[u8], dash: usize, spans: &mut Vec<Span>) {
    if !has(bytes, dash, b"-us") {
        return;
    }
    let digits = dash.saturating_add(3);
    let end = run(bytes, digits, digits.saturating_add(3), |b| b.is_ascii_digit());
    let start = start_of(bytes, dash, 32..=32, |b| b.is_ascii_hexdigit());
    let zone = (1..=2).contains(&end.saturating_sub(digits)) && !at(bytes, end).is_ascii_alphabetic();
    if let Some(start) = start.filter(|_| zone) {
        add(spans, Place::Mailchimp, start, end);
    }
}

/// 14 letters and digits, `.atlasv1.`, 58 bytes and more.
pub(super) fn terraform(bytes: &[u8], middle: usize, spans: &mut Vec<Span>) {
    if !has(bytes, middle, b".atlasv1.") {
        return;
    }
    let from = middle.saturating_add(9);
    let end = run(bytes, from, from.saturating_add(90), |b| word(b) || b == b'=');
    let start = start_of(bytes, middle, 14..=14, |b| b.is_ascii_alphanumeric());
    if let Some(start) = start.filter(|_| end.saturating_sub(from) >= 58) {
        add(spans, Place::Terraform, start, end);
    }
}

/// Three bytes and a digit, `Q~`, 31 to 34 bytes.
pub(super) fn entra(bytes: &[u8], middle: usize, spans: &mut Vec<Span>) {
    if !has(bytes, middle, b"Q~") {
        return;
    }
    let tilde = |b: u8| word(b) || matches!(b, b'.' | b'~');
    let from = middle.saturating_add(2);
    let stop = run(bytes, from, from.saturating_add(40), tilde);
    let end = if back(bytes, stop, 1) == b'.' { stop.saturating_sub(1) } else { stop };
    let start = middle.saturating_sub(4);
    let head = part(bytes, start, middle);
    let fits = head.len() == 4 && head.iter().all(|b| tilde(*b)) && back(bytes, middle, 1).is_ascii_digit();
    if fits && (31..=34).contains(&end.saturating_sub(from)) {
        add(spans, Place::Entra, start, end);
    }
}
