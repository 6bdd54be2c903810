//! Passwords and tokens in the user info of URLs.
use super::Span;
use super::bytes::{at, back, part, run_back};
use super::judge::placeholder;
use super::score::score;
use crate::redact::rules::{Place, of};
use alloc::vec::Vec;
use memchr::memmem;

/// The longest password with a `/` in it that is looked for.
const MOST: usize = 256;

/// Adds the secrets in the URLs of a text.
pub(super) fn find(bytes: &[u8], spans: &mut Vec<Span>) {
    for separator in [&b"://"[..], b":\\/\\/"] {
        let mut far = Far::default();
        for colon in memmem::find_iter(bytes, separator) {
            let scheme =
                run_back(bytes, colon, 24, |b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
            if scheme < colon {
                url(bytes, colon.saturating_add(separator.len()), &mut far, spans);
            }
        }
    }
}

fn url(bytes: &[u8], start: usize, far: &mut Far, spans: &mut Vec<Span>) {
    let end = start.saturating_add(
        part(bytes, start, bytes.len()).iter().take(2048).position(|b| ends_authority(*b)).unwrap_or(2048),
    );
    let end = end.min(bytes.len());
    let authority = part(bytes, start, end);
    let Some(colon) = memchr::memchr(b':', authority) else {
        user_alone(start, authority, spans);
        return;
    };
    let password = start.saturating_add(colon).saturating_add(1);
    let password_end = match memchr::memrchr(b'@', authority) {
        Some(host) => start.saturating_add(host),
        None => {
            let tail = part(bytes, password, end);
            // A port, an IPv6 address, or the end of the text.
            if tail.iter().all(u8::is_ascii_digit) || authority.starts_with(b"[") || at(bytes, end) != b'/' {
                return;
            }
            match far.last_at(bytes, password) {
                Some(host) if host.saturating_sub(password) <= MOST => host,
                _ => return,
            }
        }
    };
    if password_end < password {
        return;
    }
    let value = part(bytes, password, password_end);
    let user = part(bytes, start, password.saturating_sub(1));
    if value.is_empty() || value == b"x-oauth-basic" || value == b"x-token-auth" {
        if user.len() >= 16 && !placeholder(user) {
            spans.push(Span { start, end: password.saturating_sub(1), rule: of(Place::UrlToken) });
        }
        return;
    }
    let code = matches!(at(value, 0), b'%') && value.len() <= 3
        || at(value, 0) == b'$' && back(bytes, password_end, 1) == b'}';
    if value.len() < 2
        || code
        || (placeholder(value) && value != b"root" && value != b"admin")
        || value.contains(&super::bytes::MARK)
    {
        return;
    }
    spans.push(Span { start: password, end: password_end, rule: of(Place::UrlPassword) });
}

/// `https://<token>@host`: a user name that looks random.
fn user_alone(start: usize, authority: &[u8], spans: &mut Vec<Span>) {
    let Some(host) = memchr::memrchr(b'@', authority) else { return };
    let user = part(authority, 0, host);
    // A public key of an error service is 32 hexadecimal digits, and made to be seen.
    let public = user.len() == 32 && user.iter().all(u8::is_ascii_hexdigit);
    if user.len() >= 20 && !public && score(user) >= 2 {
        spans.push(Span { start, end: start.saturating_add(host), rule: of(Place::UrlToken) });
    }
}

fn ends_authority(b: u8) -> bool {
    b <= b' ' || matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'\\' | b'<' | b'>' | 127)
}

/// The last `@` before the next `?`, `#`, quote or blank, remembered for all URLs of the stretch.
#[derive(Default)]
struct Far {
    stop: usize,
    last: Option<usize>,
}

impl Far {
    fn last_at(&mut self, bytes: &[u8], i: usize) -> Option<usize> {
        if self.stop <= i {
            let rest = part(bytes, i, bytes.len());
            let length = rest.iter().position(|b| *b != b'/' && ends_authority(*b)).unwrap_or(rest.len());
            self.stop = i.saturating_add(length);
            self.last = memchr::memrchr(b'@', part(bytes, i, self.stop)).map(|n| i.saturating_add(n));
        }
        self.last.filter(|n| *n > i)
    }
}

/// Whether the byte before `i` belongs to a URL's query: `?`, `&`.
pub(super) fn in_query(bytes: &[u8], i: usize) -> bool {
    matches!(back(bytes, i, 1), b'?' | b'&')
        || (back(bytes, i, 1) == b';' && super::bytes::ends(bytes, i, b"&amp;"))
}
