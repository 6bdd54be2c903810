//! Secrets that are known by what stands around them: the partner of an AWS key id, password hashes of htpasswd and
//! shadow lines, the private members of a JSON Web Key. None of them reaches over a line.
use super::budget::Budget;
use super::bytes::{at, back, blank, has, inc, part, quote, run, run_back};
use super::late::Offsets;
use super::score::score;
use super::span::Span;
use crate::redact::rules::{Place, of};
use alloc::vec::Vec;

/// How far from a key id its secret may stand, in its line.
const PARTNER_NEAR: usize = 200;
/// Bytes of an AWS secret access key.
const AWS_SECRET: usize = 40;
/// How far from `kty` the members of a key may stand.
const KEY_NEAR: usize = 2048;

/// Adds the secrets of all these kinds, at the dollar signs of `:$` and the last letters of `kty`. The partners are
/// those of the key ids in `spans`.
pub(super) fn find(bytes: &[u8], dollars: &Offsets, types: &Offsets, spans: &mut Vec<Span>) {
    partners(bytes, spans);
    hashes(bytes, dollars, spans);
    keys(bytes, types, spans);
}

/// The 40 bytes of base64 near an AWS key id that look random.
fn partners(bytes: &[u8], spans: &mut Vec<Span>) {
    let mut found = Vec::new();
    let mut past = 0;
    let ids = |span: &&Span| matches!(span.rule.id, "aws-access-key-id" | "aws-session-key-id");
    for id in spans.iter().filter(ids) {
        let line = |b: u8| b != b'\n';
        let start = run_back(bytes, id.start, PARTNER_NEAR, line).max(past);
        let end = run(bytes, id.end, id.end.saturating_add(PARTNER_NEAR), line);
        past = past.max(end);
        let mut i = start;
        while i < end {
            let stop = run(bytes, i, end.saturating_add(AWS_SECRET), base64);
            if stop.saturating_sub(i) == AWS_SECRET
                && aws_secret(part(bytes, i, stop))
                && !base64(back(bytes, i, 1))
            {
                found.push(Span { start: i, end: stop, rule: of(Place::AwsSecret) });
            }
            i = inc(stop);
        }
    }
    spans.append(&mut found);
}

fn base64(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/')
}

/// Capitals, small letters and digits, mixed as by chance; no path.
fn aws_secret(text: &[u8]) -> bool {
    let upper = text.iter().filter(|b| b.is_ascii_uppercase()).count();
    let lower = text.iter().filter(|b| b.is_ascii_lowercase()).count();
    let digits = text.iter().filter(|b| b.is_ascii_digit()).count();
    upper >= 4 && lower >= 4 && digits >= 2 && score(text) >= 3
}

/// How password hashes start.
const SCHEMES: [&[u8]; 9] =
    [b"$apr1$", b"$2y$", b"$2a$", b"$2b$", b"$1$", b"$5$", b"$6$", b"$y$", b"$argon2"];

/// `user:$apr1$…` at the start of a line.
fn hashes(bytes: &[u8], dollars: &Offsets, spans: &mut Vec<Span>) {
    for start in dollars.iter() {
        let colon = start.saturating_sub(1);
        if !SCHEMES.iter().any(|scheme| has(bytes, start, scheme)) {
            continue;
        }
        let user = run_back(bytes, colon, 64, |b| {
            b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'@')
        });
        let before = back(bytes, user, 1);
        let opens = user == 0 || matches!(before, b'\n' | b'\r' | b' ' | b'\t') || quote(before);
        let escaped = before == b'n' && back(bytes, user, 2) == b'\\';
        let end = run(bytes, start, start.saturating_add(256), |b| {
            b.is_ascii_alphanumeric() || matches!(b, b'$' | b'.' | b'/' | b'+' | b'=' | b',' | b'-')
        });
        if user < colon && (opens || escaped) && end.saturating_sub(start) >= 26 {
            spans.push(Span { start, end, rule: of(Place::PasswordHash) });
        }
    }
}

/// The private members of a JSON Web Key.
const MEMBERS: [&[u8]; 7] = [b"d", b"p", b"q", b"dp", b"dq", b"qi", b"k"];

/// The private members near each `kty`, in its line.
fn keys(bytes: &[u8], types: &Offsets, spans: &mut Vec<Span>) {
    let mut read = Budget::default();
    for found in types.iter().map(|i| i.saturating_sub(2)).filter(|i| has(bytes, *i, b"kty")) {
        let close = run(bytes, found.saturating_add(3), found.saturating_add(12), |b| {
            quote(b) || blank(b) || b == b'\\'
        });
        if at(bytes, close) != b':' || read.spent(found) {
            continue;
        }
        let inside = |b: u8| !matches!(b, b'\n' | b'{' | b'}');
        let start = run_back(bytes, found, KEY_NEAR, inside);
        let end = run(bytes, found, found.saturating_add(KEY_NEAR), inside);
        read.spend(start, end);
        for colon in memchr::memchr_iter(b':', part(bytes, start, end)) {
            spans.extend(member(bytes, start.saturating_add(colon)));
        }
    }
}

/// The value behind a colon, if the name before it is that of a private member.
fn member(bytes: &[u8], colon: usize) -> Option<Span> {
    let loose = |b: u8| quote(b) || blank(b) || b == b'\\';
    let name_end = run_back(bytes, colon, 12, loose);
    let name_start = run_back(bytes, name_end, 8, |b| b.is_ascii_alphanumeric() || b == b'_');
    if !MEMBERS.contains(&part(bytes, name_start, name_end)) {
        return None;
    }
    let start = run(bytes, inc(colon), colon.saturating_add(16), loose);
    let end = run(bytes, start, start.saturating_add(1024), |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'=')
    });
    let good = end.saturating_sub(start) >= 22 && score(part(bytes, start, end)) >= 2;
    good.then(|| Span { start, end, rule: of(Place::KeyMember) })
}
