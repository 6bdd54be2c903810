//! Credentials in headers: `Authorization` in every scheme, cookies, and bearer tokens wherever they stand.
use super::base64::decode;
use super::bytes::{ALNUM, MARK, Set, at, blank, ends_fold, has, inc, part, quote, run, starts_token};
use super::parts::Parts;
use super::placeholder::placeholder;
use super::plain::wordy;
use super::score::{odd, score};
use super::span::Span;
use super::values::Stops;
use crate::redact::rules::{Place, of, values::PLAIN_COOKIES};
use alloc::vec::Vec;

/// The longest token that is read.
const TOKEN_MOST: usize = 4096;
/// The longest token in which another one is looked for.
const TOKEN_READ: usize = 128;

/// Whether a name is that of a header with a scheme or of cookies.
pub(super) fn is_header(name: &[u8]) -> bool {
    // Most names end otherwise.
    matches!(name.last(), Some(b'n' | b'N' | b'e' | b'E' | b's' | b'S'))
        && (ends_fold(name, b"authorization") || is_cookie(name))
}

fn is_cookie(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"cookie")
        || ends_fold(name, b"set-cookie")
        || ends_fold(name, b" cookie")
        || ends_fold(name, b"cookies")
}

/// Adds what the value of a header at `i` holds; whether it was one with a scheme or cookies.
pub(super) fn value(bytes: &[u8], i: usize, stops: &mut Stops, spans: &mut Vec<Span>) -> bool {
    let open = run(bytes, i, i.saturating_add(64), |b| b == b'\\' || quote(b));
    let scheme_end = run(bytes, open, open.saturating_add(24), |b| b.is_ascii_alphanumeric() || b == b'-');
    let token = run(bytes, scheme_end, scheme_end.saturating_add(4), |b| blank(b) || b == b'+');
    let line = stops.line(bytes, open);
    if scheme_end > open && token > scheme_end {
        let scheme = part(bytes, open, scheme_end);
        return credentials(bytes, scheme, token, stops, spans);
    }
    let pair = run(bytes, open, open.saturating_add(80), cookie_name);
    if pair > open && at(bytes, pair) == b'=' {
        // Cookies of cookies were read with them.
        if open < stops.cookies {
            return true;
        }
        cookies(bytes, open, line, stops, spans);
        return true;
    }
    false
}

/// Adds what follows a scheme; whether there is nothing else to look for in the header.
fn credentials(bytes: &[u8], scheme: &[u8], start: usize, stops: &mut Stops, spans: &mut Vec<Span>) -> bool {
    let end = token_end(bytes, start);
    stops.read.spend(start, end);
    if at(bytes, end) == MARK {
        return true;
    }
    let text = part(bytes, start, end);
    let place = match scheme {
        s if s.eq_ignore_ascii_case(b"bearer") => Place::Bearer,
        s if s.eq_ignore_ascii_case(b"basic") => Place::Basic,
        _ => Place::Header,
    };
    // Parameters (`Digest username="…"`, `OAuth oauth_token="…"`) are assignments of their own.
    let equals = memchr::memchr(b'=', text).map(|n| at(text, inc(n)));
    let one = text.ends_with(b"=") && !text.ends_with(b"==") && score(text) < 1;
    let parameters = equals.is_some_and(|b| b != b'=' && b != 0)
        || (one && matches!(at(bytes, end), b'"' | b'\\' | b'\'' | MARK));
    if parameters || !names_scheme(scheme) || text.len() < 4 || dismissed(text) || template(bytes, end) {
        return false;
    }
    let word = wordy(text) && odd(text) < 34 && text.len() < 40;
    if word && (place == Place::Header || score(text) < 1) {
        return false;
    }
    spans.push(Span { start, end, rule: of(place) });
    true
}

/// Whether a word is one by which schemes are named: `Token`, `Api-Key`, `OAuth2`, `v1`.
fn names_scheme(word: &[u8]) -> bool {
    let digits = word.iter().filter(|b| b.is_ascii_digit()).count();
    at(word, 0).is_ascii_alphabetic() && digits <= 3
}

/// Whether what follows a scheme stands for a credential, or names one.
fn dismissed(text: &[u8]) -> bool {
    static STEMS: Parts = Parts::of(&["token", "passw", "secret", "key", "cred"]);
    placeholder(text) || (wordy(text) && STEMS.stand_in(text))
}

/// The end of a token: of the alphabet of tokens (`token68`), percent escapes, and pairs such as `id:secret`; without
/// the punctuation of the sentence behind it.
fn token_end(bytes: &[u8], start: usize) -> usize {
    let letter =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~' | b'+' | b'/' | b'=');
    let limit = start.saturating_add(TOKEN_MOST);
    let mut end = run(bytes, start, limit, letter);
    while end > start && end < limit {
        let next = match at(bytes, end) {
            b':' => inc(end),
            b'%' if (1..=2).all(|n| at(bytes, end.saturating_add(n)).is_ascii_hexdigit()) => inc(end),
            _ => break,
        };
        let more = run(bytes, next, limit, letter);
        if more == next {
            break;
        }
        end = more;
    }
    end.saturating_sub(part(bytes, start, end).iter().rev().take_while(|b| **b == b'.').count())
}

/// Whether what stands behind a token makes it one that is put together later: `sk-${KEY}`, `abc{token}`, `ab***`.
fn template(bytes: &[u8], end: usize) -> bool {
    at(bytes, end) == b'{'
        || [&b"${"[..], b"$(", b"#{", b"%s", b"%(", b"***"].iter().any(|t| has(bytes, end, t))
}

fn cookie_name(b: u8) -> bool {
    static NAME: Set = Set::of(ALNUM).and(b"_-.");
    NAME.holds(b)
}

/// `name=value; name=value`: every value that is no plain setting.
fn cookies(bytes: &[u8], start: usize, line: usize, stops: &mut Stops, spans: &mut Vec<Span>) {
    let mut i = start;
    for _ in 0..64 {
        let name_end = run(bytes, i, i.saturating_add(80), cookie_name);
        if name_end == i || at(bytes, name_end) != b'=' || name_end >= line {
            break;
        }
        let from = inc(name_end);
        let end = run(bytes, from, line.min(from.saturating_add(TOKEN_MOST)), |b| {
            b > b' ' && b < 127 && !matches!(b, b';' | b',' | b'"' | b'\'' | b'`' | b'\\' | b'<' | b'[')
        });
        stops.read.spend(i, end);
        if at(bytes, end) != MARK && session(part(bytes, i, name_end), part(bytes, from, end)) {
            spans.push(Span { start: from, end, rule: of(Place::Cookie) });
        }
        i = run(bytes, end, end.saturating_add(8), |b| b == b';' || blank(b));
        if i == end {
            break;
        }
    }
    stops.cookies = i;
}

/// Whether a cookie lets in whoever has it.
fn session(name: &[u8], value: &[u8]) -> bool {
    static NAMES: Parts =
        Parts::of(&["sess", "sid", "auth", "token", "jwt", "csrf", "xsrf", "login", "remember"]);
    if value.len() < 4 {
        return false;
    }
    let plain = PLAIN_COOKIES.iter().any(|c| name.eq_ignore_ascii_case(c.as_bytes()));
    let named = NAMES.stand_in(name);
    let digit = value.iter().any(u8::is_ascii_digit);
    !plain && !placeholder(value) && (named || (value.len() >= 12 && digit && score(value) >= 1))
}

/// Adds the token after `Bearer` or `Basic`, whose second letter stands at `tail`, outside of a header of
/// which the name is known; what was looked at ends at `past`.
pub(super) fn find(bytes: &[u8], tail: usize, past: &mut usize, spans: &mut Vec<Span>) {
    const TAILS: [(&[u8], Place); 3] =
        [(b"earer", Place::Bearer), (b"EARER", Place::Bearer), (b"asic", Place::Basic)];
    let Some((text, place)) = TAILS.iter().find(|(text, _)| has(bytes, tail, text)) else { return };
    let word = tail.saturating_sub(1);
    let end = tail.saturating_add(text.len());
    let start = run(bytes, end, end.saturating_add(8), |b| blank(b) || b == b':');
    if start == end || word < *past || !starts_token(bytes, word) {
        return;
    }
    let stop = token_end(bytes, start);
    let text = part(bytes, start, stop);
    if text.len() > TOKEN_READ {
        *past = stop;
    }
    let good = if *place == Place::Bearer { bearer(text) } else { basic(text) };
    if good && at(bytes, stop) != MARK && !dismissed(text) && !template(bytes, stop) {
        spans.push(Span { start, end: stop, rule: of(*place) });
    }
}

fn bearer(text: &[u8]) -> bool {
    let digit = text.iter().any(u8::is_ascii_digit);
    let letter = text.iter().any(u8::is_ascii_alphabetic);
    (digit && letter && text.len() >= 8) || score(text) >= 2
}

/// Base64 of `user:password`.
fn basic(text: &[u8]) -> bool {
    if text.len() < 8 {
        return false;
    }
    let decoded = decode(text, 512);
    decoded.contains(&b':')
        && decoded.iter().all(|b| !b.is_ascii_control())
        && core::str::from_utf8(&decoded).is_ok()
}
