//! Tokens whose shape is more than a prefix: JSON Web Tokens and a few providers'.
use super::bytes::{at, back, part, run, run_back, starts_token};
use super::{Span, inc};
use crate::redact::rules::{Place, of};
use alloc::vec::Vec;
use memchr::memmem;

/// Adds all of them.
pub(super) fn find(bytes: &[u8], spans: &mut Vec<Span>) {
    web_tokens(bytes, spans);
    telegram(bytes, spans);
    discord(bytes, spans);
    mailchimp(bytes, spans);
    middles(bytes, spans);
}

fn word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')
}

fn add(spans: &mut Vec<Span>, place: Place, start: usize, end: usize) {
    spans.push(Span { start, end, rule: of(place) });
}

/// `eyJ…`, a dot, and two parts more (four when encrypted).
fn web_tokens(bytes: &[u8], spans: &mut Vec<Span>) {
    let mut past = 0;
    for start in memmem::find_iter(bytes, b"eyJ") {
        if start < past || !(starts_token(bytes, start)) {
            continue;
        }
        let header_end = run(bytes, start, bytes.len(), base64);
        past = header_end;
        if at(bytes, header_end) != b'.' {
            continue;
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
        past = end.max(past);
        let header = part(bytes, start, header_end);
        let long = header.len() >= 17;
        let payload = parts >= 3 && part(bytes, inc(header_end), end).starts_with(b"eyJ");
        if parts >= 3 && names_algorithm(header) {
            add(spans, Place::Jwt, start, end);
        } else if long && (payload || (second >= 10 && decodes_to_object(header))) {
            add(spans, Place::JwtLike, start, end);
        } else {
            past = header_end;
        }
    }
}

fn base64(b: u8) -> bool {
    word(b) || b == b'='
}

/// Whether the header, decoded, holds `"alg"` or `"enc"`.
fn names_algorithm(header: &[u8]) -> bool {
    let text = decode(header, 2048);
    [&b"\"alg\""[..], b"\"enc\"", b"\"typ\"", b"\"kid\""].iter().any(|k| memmem::find(&text, k).is_some())
}

fn decodes_to_object(header: &[u8]) -> bool {
    let text = decode(header, 2048);
    text.starts_with(b"{\"") && text.iter().take(16).all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace())
}

/// Base64 of either alphabet; what is none is skipped.
pub(super) fn decode(text: &[u8], most: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut bits, mut count) = (0u32, 0u32);
    for b in text.iter().take(most) {
        let six = match b {
            b'A'..=b'Z' => b.wrapping_sub(b'A'),
            b'a'..=b'z' => b.wrapping_sub(b'a').wrapping_add(26),
            b'0'..=b'9' => b.wrapping_sub(b'0').wrapping_add(52),
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => continue,
        };
        bits = bits.wrapping_shl(6) | u32::from(six);
        count = count.wrapping_add(6);
        if count >= 8 {
            count = count.wrapping_sub(8);
            out.push(bits.wrapping_shr(count).to_le_bytes()[0]);
        }
    }
    out
}

/// `<8 to 10 digits>:AA<33 bytes>`.
fn telegram(bytes: &[u8], spans: &mut Vec<Span>) {
    for colon in memmem::find_iter(bytes, b":AA") {
        let start = run_back(bytes, colon, 11, |b| b.is_ascii_digit());
        let end = run(bytes, inc(colon), colon.saturating_add(40), word);
        let digits = colon.saturating_sub(start);
        // Glued to letters only where it is part of a path: `/bot110201543:AA…`.
        let left = !back(bytes, start, 1).is_ascii_alphabetic()
            || super::bytes::ends(bytes, start, b"bot")
            || starts_token(bytes, start);
        if (8..=10).contains(&digits) && end.saturating_sub(inc(colon)) == 35 && left {
            add(spans, Place::Telegram, start, end);
        }
    }
}

/// Three parts: an id in base64, a time, a signature.
fn discord(bytes: &[u8], spans: &mut Vec<Span>) {
    let mut past = 0;
    for dot in memchr::memchr_iter(b'.', bytes) {
        let second = run(bytes, inc(dot), dot.saturating_add(9), word);
        if dot < past || second.saturating_sub(dot) != 7 || at(bytes, second) != b'.' {
            continue;
        }
        let start = run_back(bytes, dot, 30, word);
        let end = run(bytes, inc(second), second.saturating_add(60), word);
        let head = dot.saturating_sub(start);
        let tail = end.saturating_sub(inc(second));
        if !(23..=28).contains(&head)
            || !(27..=45).contains(&tail)
            || !matches!(at(bytes, start), b'M' | b'N' | b'O')
        {
            continue;
        }
        // The first part is a number in base64.
        let id = decode(part(bytes, start, dot), 40);
        if id.len() >= 16 && id.iter().all(u8::is_ascii_digit) {
            add(spans, Place::Discord, start, end);
            past = end;
        }
    }
}

/// 32 hexadecimal digits and a data centre.
fn mailchimp(bytes: &[u8], spans: &mut Vec<Span>) {
    for dash in memmem::find_iter(bytes, b"-us") {
        let start = run_back(bytes, dash, 33, |b| b.is_ascii_hexdigit());
        let digits = dash.saturating_add(3);
        let end = run(bytes, digits, digits.saturating_add(3), |b| b.is_ascii_digit());
        if dash.saturating_sub(start) == 32
            && end > digits
            && end.saturating_sub(digits) < 3
            && !at(bytes, end).is_ascii_alphabetic()
            && starts_token(bytes, start)
        {
            add(spans, Place::Mailchimp, start, end);
        }
    }
}

/// Tokens with a fixed middle.
fn middles(bytes: &[u8], spans: &mut Vec<Span>) {
    for at_middle in memmem::find_iter(bytes, b".atlasv1.") {
        let start = run_back(bytes, at_middle, 15, |b| b.is_ascii_alphanumeric());
        let from = at_middle.saturating_add(9);
        let end = run(bytes, from, from.saturating_add(90), |b| word(b) || b == b'=');
        if at_middle.saturating_sub(start) >= 14 && end.saturating_sub(from) >= 58 {
            add(spans, Place::Terraform, start, end);
        }
    }
    for at_middle in memmem::find_iter(bytes, b"Q~") {
        let start = at_middle.saturating_sub(4);
        let from = at_middle.saturating_add(2);
        let tilde = |b: u8| word(b) || matches!(b, b'.' | b'~');
        let end = run(bytes, from, from.saturating_add(40), tilde);
        let head = part(bytes, start, at_middle);
        let length = end.saturating_sub(from);
        if head.len() == 4
            && head.iter().all(|b| tilde(*b))
            && back(bytes, at_middle, 1).is_ascii_digit()
            && (31..=34).contains(&length)
        {
            add(spans, Place::Entra, start, end);
        }
    }
}
