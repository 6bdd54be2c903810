//! Passwords and tokens in the user info of URLs.
use super::bytes::{at, back, ends, inc, judged, part, run_back, seek};
use super::placeholder::placeholder;
use super::score::score;
use super::span::Span;
use crate::redact::rules::{Place, of};
use alloc::vec::Vec;

/// The longest user info that is read.
const MOST: usize = 2048;
/// The longest password with a `/` in it that is looked for.
const MOST_FAR: usize = 256;

/// Looks at URLs one after the other.
#[derive(Debug, Default)]
pub(super) struct Finder {
    plain: Far,
    escaped: Far,
}

impl Finder {
    /// Adds the secret in the URL the last slash of whose `://` stands at `slash`.
    pub(super) fn find(&mut self, bytes: &[u8], slash: usize, spans: &mut Vec<Span>) {
        let (far, length) =
            if back(bytes, slash, 1) == b'/' { (&mut self.plain, 2) } else { (&mut self.escaped, 4) };
        let colon = slash.saturating_sub(length);
        let scheme =
            run_back(bytes, colon, 24, |b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
        if scheme < colon {
            url(bytes, inc(slash), far, spans);
        }
    }
}

/// The URL whose authority starts at `start`.
fn url(bytes: &[u8], start: usize, far: &mut Far, spans: &mut Vec<Span>) {
    let end =
        seek(bytes, start, start.saturating_add(MOST), |rest| rest.iter().position(|b| ends_authority(*b)));
    let authority = part(bytes, start, end);
    let Some(colon) = memchr::memchr(b':', authority).map(|n| start.saturating_add(n)) else {
        user_alone(start, authority, spans);
        return;
    };
    let password = inc(colon);
    let at_sign = match memchr::memrchr(b'@', authority) {
        Some(n) => Some(start.saturating_add(n)),
        None => password_with_slash(bytes, password, end, authority, far),
    };
    let Some(at_sign) = at_sign.filter(|n| password <= *n) else { return };
    let value = part(bytes, password, at_sign);
    let user = part(bytes, start, colon);
    if value.is_empty() || value == b"x-oauth-basic" || value == b"x-token-auth" {
        if user.len() >= 16 && !placeholder(user) && !judged(user) {
            spans.push(Span { start, end: colon, rule: of(Place::UrlToken) });
        }
        return;
    }
    let code = (at(value, 0) == b'%' && value.len() <= 3) || (at(value, 0) == b'$' && value.ends_with(b"}"));
    let stand_in = placeholder(value) && value != b"root" && value != b"admin";
    if value.len() >= 2 && !code && !stand_in && !judged(value) {
        spans.push(Span { start: password, end: at_sign, rule: of(Place::UrlPassword) });
    }
}

/// The `@` behind a password in which a `/` ended the authority at `end`.
fn password_with_slash(
    bytes: &[u8],
    password: usize,
    end: usize,
    authority: &[u8],
    far: &mut Far,
) -> Option<usize> {
    // A port, an IPv6 address, or the end of the text.
    let port = part(bytes, password, end).iter().all(u8::is_ascii_digit);
    if port || authority.starts_with(b"[") || at(bytes, end) != b'/' {
        return None;
    }
    far.last_at(bytes, password).filter(|host| host.saturating_sub(password) <= MOST_FAR)
}

/// `https://<token>@host`: a user name that looks random.
fn user_alone(start: usize, authority: &[u8], spans: &mut Vec<Span>) {
    let Some(host) = memchr::memrchr(b'@', authority) else { return };
    let user = part(authority, 0, host);
    // A public key of an error service is 32 hexadecimal digits, and made to be seen.
    let public = user.len() == 32 && user.iter().all(u8::is_ascii_hexdigit);
    // With a mark in it, it is as long as the mark.
    if user.len() >= 20 && !public && score(user) >= 2 && !judged(user) {
        spans.push(Span { start, end: start.saturating_add(host), rule: of(Place::UrlToken) });
    }
}

fn ends_authority(b: u8) -> bool {
    b <= b' ' || matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'\\' | b'<' | b'>' | 127)
}

/// The last `@` before the next `?`, `#`, quote or blank, remembered for all URLs of the stretch.
#[derive(Debug, Default)]
struct Far {
    stop: usize,
    last: Option<usize>,
}

impl Far {
    fn last_at(&mut self, bytes: &[u8], i: usize) -> Option<usize> {
        if self.stop <= i {
            let stops = |b: &u8| *b != b'/' && ends_authority(*b);
            self.stop = seek(bytes, i, bytes.len(), |rest| rest.iter().position(stops));
            self.last = memchr::memrchr(b'@', part(bytes, i, self.stop)).map(|n| i.saturating_add(n));
        }
        self.last.filter(|n| *n > i)
    }
}

/// Whether `?` or `&` stands before `i`, as in a URL's query.
pub(super) fn in_query(bytes: &[u8], i: usize) -> bool {
    matches!(back(bytes, i, 1), b'?' | b'&') || (back(bytes, i, 1) == b';' && ends(bytes, i, b"&amp;"))
}
