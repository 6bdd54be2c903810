//! Whether the value of a name is its secret: the strength of the name decides, not the value's entropy alone.
use super::bytes::{MARK, at, contains_fold, part};
use super::code::expression;
use super::ids::{hash, id, uuid};
use super::placeholder::{constant, placeholder};
use super::plain::{number, wordy};
use super::score::{odd, score};
use super::span::Span;
use super::values::Value;
use crate::redact::rules::{Place, names::Strength, of, values::WEAK_PASSWORDS};

/// What stands around a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is one thing seen beside the value")]
pub(super) struct Context<'a> {
    pub strength: Strength,
    pub name: &'a [u8],
    /// The delimiter is `:`.
    pub colon: bool,
    /// Blanks stand beside the delimiter.
    pub spaced: bool,
    /// `==`, `!=`.
    pub compared: bool,
    pub first_on_line: bool,
    /// In the query of a URL.
    pub query: bool,
    /// `-passin pass:…`.
    pub password_source: bool,
}

impl Default for Context<'_> {
    fn default() -> Self {
        Self {
            strength: Strength::Weak,
            name: &[],
            colon: false,
            spaced: false,
            compared: false,
            first_on_line: false,
            query: false,
            password_source: false,
        }
    }
}

/// The longest value under a name that is not strong.
const LONGEST: usize = 512;

/// The span of a value that is a secret.
pub(super) fn judge(bytes: &[u8], value: Value, here: &Context<'_>) -> Option<Span> {
    let text = part(bytes, value.start, value.end);
    // A value with a mark in it was judged when it was whole; a long one is no password, and tokens of that length
    // are found by their shape.
    let long = text.len() > LONGEST && here.strength < Strength::Strong;
    if long || text.contains(&MARK) {
        return None;
    }
    let lead = text.len().saturating_sub(text.trim_ascii_start().len());
    let text = text.trim_ascii();
    let start = value.start.saturating_add(lead);
    let end = start.saturating_add(text.len());
    let place = verdict(text, value, here)?;
    Some(Span { start, end, rule: of(place) })
}

/// The rule that takes a value, if one does.
fn verdict(text: &[u8], value: Value, here: &Context<'_>) -> Option<Place> {
    if here.password_source {
        return (text.len() >= 4 && !placeholder(text)).then_some(Place::Assignment);
    }
    let code = || here.compared || value.next == b'(' || number(text) || expression(text);
    if !value.quoted && code() {
        return None;
    }
    // JSON in a string under a strong name is the secret as a whole.
    let nested = value.quoted
        && (text.starts_with(b"{\\\"") || text.starts_with(b"{\""))
        && here.strength == Strength::Strong;
    if text.iter().any(u8::is_ascii_whitespace) && !nested && !passphrase(text, here) {
        return None;
    }
    let place = match here.strength {
        Strength::Strong => strong(text, value, here).then_some(Place::Assignment),
        Strength::Medium => medium(text, value, here).then_some(Place::Assignment),
        Strength::Weak => weak(text, here),
    }?;
    // What costs most comes last.
    let no_secret =
        id(text) || hash(text) || label(text) || refers(text, here) || (!nested && placeholder(text));
    (!no_secret).then_some(place)
}

/// Under a strong name every value is a secret but a word in code.
fn strong(text: &[u8], value: Value, here: &Context<'_>) -> bool {
    let digit = text.iter().any(u8::is_ascii_digit);
    if text.len() < 3 || (text.len() < 4 && !digit) {
        return false;
    }
    if value.quoted || !wordy(text) {
        return true;
    }
    bare_word(text, value, here)
}

/// A word without quotes: a value in settings, an identifier in code.
fn bare_word(text: &[u8], value: Value, here: &Context<'_>) -> bool {
    if WEAK_PASSWORDS.iter().any(|w| text.eq_ignore_ascii_case(w.as_bytes())) {
        return true;
    }
    let ends_line = matches!(value.next, 0 | b'\n' | b'\r' | b'#' | b'\\');
    let odd = odd(text) >= 30 && text.len() >= 5;
    if here.colon {
        // Types are written in capitals: `password: PasswordInput`.
        let capital = at(text, 0).is_ascii_uppercase() && text.iter().skip(1).any(u8::is_ascii_lowercase);
        return (ends_line && here.first_on_line && !capital)
            || (odd && value.next != b',' && value.next != b')');
    }
    if here.spaced {
        return odd && ends_line;
    }
    !matches!(value.next, b',' | b')' | b']')
        && (ends_line
            || here.query
            || here.first_on_line
            || matches!(value.next, b';' | b'&' | b' ' | b'-' | b'"' | b'\'')
            || odd)
}

/// Under a medium name a value with letters and digits is a secret, or one that is no word.
fn medium(text: &[u8], value: Value, here: &Context<'_>) -> bool {
    let digit = text.iter().any(u8::is_ascii_digit);
    let letter = text.iter().any(u8::is_ascii_alphabetic);
    let plain = text.iter().all(|b| b.is_ascii_graphic());
    if !plain || text.len() < 5 {
        return false;
    }
    if uuid(text) {
        return true;
    }
    if value.quoted || here.query {
        return (digit && letter && text.len() >= 6 && !dated(text))
            || (odd(text) >= 34 && wordy(text) && !text.contains(&b'.'))
            || score(text) >= 2;
    }
    (digit && letter && text.len() >= 8 && !dated(text))
        || (odd(text) >= 45 && text.len() >= 6 && bare_word(text, value, here))
}

/// Under a weak name only what looks like a random token is a secret.
fn weak(text: &[u8], here: &Context<'_>) -> Option<Place> {
    let signs = |b: &u8| {
        matches!(b, b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'!' | b'@' | b'#' | b'%' | b'^' | b'*' | b'~')
    };
    let letters = text.iter().any(u8::is_ascii_alphabetic);
    let plain = text.iter().all(|b| b.is_ascii_alphanumeric() || signs(b));
    if !plain || !letters || weak_name_speaks_against(text, here) || pathlike(text) {
        return None;
    }
    if uuid(text) {
        return here.query.then_some(Place::NamedToken);
    }
    let digits = text.iter().filter(|b| b.is_ascii_digit()).count();
    let score = score(text);
    let upper = text.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    if text.len() >= 16 && score >= 2 && (digits >= 2 || upper) {
        return Some(Place::NamedToken);
    }
    (text.len() >= 10 && score >= 1 && digits >= 1).then_some(Place::Generic)
}

/// Whether a value is what its weak name means when that is no secret.
fn weak_name_speaks_against(text: &[u8], here: &Context<'_>) -> bool {
    const CHECKSUMS: [&[u8]; 7] = [b"license", b"salt", b"seed", b"nonce", b"code", b"session", b"sid"];
    let name = here.name;
    let hex = text.iter().all(u8::is_ascii_hexdigit);
    let constant = text.contains(&b'_') && !text.iter().any(u8::is_ascii_lowercase);
    let checksum = hex && CHECKSUMS.iter().any(|w| contains_fold(name, w));
    // A bare `key` is a cache key as often as not.
    let cache_key = hex
        && contains_fold(name, b"key")
        && !name.iter().any(|b| matches!(b, b'_' | b'-' | b' ' | b'.'))
        && name.len() <= 10;
    // A signature may not be altered; in a query it lets in.
    let signature = contains_fold(name, b"sig") && (text.len() >= 64 || !here.query);
    constant || checksum || cache_key || signature
}

/// Whether a value names what holds the secret: `oauth_token = tumblr_oauth_token`, `"auth_token": "auth_token"`.
fn refers(text: &[u8], here: &Context<'_>) -> bool {
    const STEMS: [&[u8]; 9] =
        [b"passw", b"secret", b"token", b"key", b"cred", b"auth", b"pwd", b"cookie", b"login"];
    let same = |a: &[u8], b: &[u8]| {
        let plain = |s: &&u8| s.is_ascii_alphanumeric();
        a.iter()
            .filter(plain)
            .map(u8::to_ascii_lowercase)
            .eq(b.iter().filter(plain).map(u8::to_ascii_lowercase))
    };
    if same(text, here.name) || (text.len() >= 6 && contains_fold(here.name, text)) {
        return true;
    }
    let identifier =
        wordy(text) || text.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'));
    identifier && text.len() <= 48 && score(text) < 2 && STEMS.iter().any(|s| contains_fold(text, s))
}

/// Words that make up a passphrase: under a strong name, one of them no plain word.
fn passphrase(text: &[u8], here: &Context<'_>) -> bool {
    let words = text.split(|b| *b == b' ').filter(|w| !w.is_empty());
    let mixed = |w: &[u8]| {
        let digit = w.iter().any(u8::is_ascii_digit);
        let letter = w.iter().any(u8::is_ascii_alphabetic);
        let other = w.iter().any(u8::is_ascii_punctuation);
        w.len() >= 6 && digit && letter && (other || score(w) >= 1)
    };
    here.strength == Strength::Strong && words.clone().count() <= 3 && words.clone().any(mixed)
}

/// What people read: letters of other scripts and no digit.
fn label(text: &[u8]) -> bool {
    !text.is_ascii() && !text.iter().any(u8::is_ascii_digit)
}

/// Dates, versions and sizes (digits at the start, hardly a letter), and constants.
fn dated(text: &[u8]) -> bool {
    let letters = text.iter().filter(|b| b.is_ascii_alphabetic()).count();
    (at(text, 0).is_ascii_digit() && letters <= 2 && text.len() < 32) || constant(text)
}

/// Slashes between words.
fn pathlike(text: &[u8]) -> bool {
    text.contains(&b'/')
        && text.split(|b| *b == b'/').filter(|w| !w.is_empty()).all(|w| score(w) < 2 || w.contains(&b'.'))
}
