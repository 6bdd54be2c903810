//! Whether the value of a name is its secret: the strength of the name decides, not the value's entropy alone.
use super::Span;
use super::bytes::{MARK, at, part};
use super::judge::{constant, contains_fold, expression, number, placeholder, uuid, wordy};
use super::score::{odd, score};
use super::values::Value;
use crate::redact::rules::names::Strength;
use crate::redact::rules::{Place as Row, of};

/// What stands around a value.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::struct_excessive_bools, reason = "each is one thing seen beside the value")]
pub(super) struct Place<'a> {
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

impl Default for Place<'_> {
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
pub(super) fn judge(bytes: &[u8], value: Value, here: &Place<'_>) -> Option<Span> {
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
    let row = verdict(text, value, here)?;
    Some(Span { start, end, rule: of(row) })
}

fn verdict(text: &[u8], value: Value, here: &Place<'_>) -> Option<Row> {
    let nested = value.quoted
        && (text.starts_with(b"{\\\"") || text.starts_with(b"{\""))
        && here.strength == Strength::Strong;
    if here.password_source {
        return (text.len() >= 4 && !placeholder(text)).then_some(Row::Assignment);
    }
    if here.compared && !value.quoted {
        return None;
    }
    if !value.quoted && (number(text) || expression(text) || matches!(value.next, b'(')) {
        return None;
    }
    if text.iter().any(u8::is_ascii_whitespace) && !nested && !passphrase(text, here) {
        return None;
    }
    let row = match here.strength {
        Strength::Strong => strong(text, value, here).then_some(Row::Assignment),
        Strength::Medium => medium(text, value, here).then_some(Row::Assignment),
        Strength::Weak => weak(text, here),
    }?;
    // What costs most comes last.
    let stands_in =
        id(text) || hash(text) || label(text) || refers(text, here) || (!nested && placeholder(text));
    (!stands_in).then_some(row)
}

fn strong(text: &[u8], value: Value, here: &Place<'_>) -> bool {
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
fn bare_word(text: &[u8], value: Value, here: &Place<'_>) -> bool {
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

fn medium(text: &[u8], value: Value, here: &Place<'_>) -> bool {
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

fn weak(text: &[u8], here: &Place<'_>) -> Option<Row> {
    let digits = text.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = text.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let plain = text.iter().all(|b| {
        b.is_ascii_alphanumeric()
            || matches!(
                b,
                b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'!' | b'@' | b'#' | b'%' | b'^' | b'*' | b'~'
            )
    });
    if !plain || (uuid(text) && !here.query) || letters == 0 {
        return None;
    }
    let name = here.name;
    let alone = contains_fold(name, b"key")
        && !name.iter().any(|b| matches!(b, b'_' | b'-' | b' ' | b'.'))
        && name.len() <= 10;
    let hex = text.iter().all(u8::is_ascii_hexdigit);
    let constant = text.contains(&b'_') && !text.iter().any(u8::is_ascii_lowercase);
    let checksum = hex
        && [&b"license"[..], b"salt", b"seed", b"nonce", b"code", b"session", b"sid"]
            .iter()
            .any(|w| contains_fold(name, w));
    if constant || checksum {
        return None;
    }
    // A bare `key` is a cache key as often as not, a signature may not be altered.
    let signature = contains_fold(name, b"signature") || contains_fold(name, b"sig");
    if (signature && (text.len() >= 64 || !here.query)) || (alone && hex) || pathlike(text) {
        return None;
    }
    if uuid(text) {
        return Some(Row::NamedToken);
    }
    let score = score(text);
    let upper = text.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    if text.len() >= 16 && score >= 2 && (digits >= 2 || upper) {
        return Some(Row::NamedToken);
    }
    (text.len() >= 10 && score >= 1 && digits >= 1).then_some(Row::Generic)
}

/// Whether a value names what holds the secret: `oauth_token = tumblr_oauth_token`, `"auth_token": "auth_token"`.
fn refers(text: &[u8], here: &Place<'_>) -> bool {
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
fn passphrase(text: &[u8], here: &Place<'_>) -> bool {
    let words = text.split(|b| *b == b' ').filter(|w| !w.is_empty());
    let mixed = |w: &[u8]| {
        let digit = w.iter().any(u8::is_ascii_digit);
        let letter = w.iter().any(u8::is_ascii_alphabetic);
        let other = w.iter().any(u8::is_ascii_punctuation);
        w.len() >= 6 && digit && letter && (other || score(w) >= 1)
    };
    here.strength == Strength::Strong && words.clone().count() <= 3 && words.clone().any(mixed)
}

/// Ids of messages, calls and requests, whatever name they stand under.
pub(super) fn id(text: &[u8]) -> bool {
    const PREFIXES: [&[u8]; 22] = [
        b"toolu_",
        b"srvtoolu_",
        b"call_",
        b"msg_",
        b"req_",
        b"resp_",
        b"rs_",
        b"fc_",
        b"run_",
        b"chatcmpl-",
        b"thread_",
        b"asst_",
        b"file-",
        b"file_",
        b"batch_",
        b"item_",
        b"event_",
        b"evt_",
        b"step_",
        b"conv_",
        b"session_",
        b"gen-",
    ];
    PREFIXES.iter().any(|p| text.starts_with(p))
        && text.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

/// What people read: letters of other scripts and no digit.
fn label(text: &[u8]) -> bool {
    !text.is_ascii() && !text.iter().any(u8::is_ascii_digit)
}

/// Hashes that say so: `sha512-…`, `sha256:…`, `h1:…`, password hashes.
fn hash(text: &[u8]) -> bool {
    [
        &b"sha1-"[..],
        b"sha256-",
        b"sha384-",
        b"sha512-",
        b"sha1:",
        b"sha256:",
        b"sha512:",
        b"md5:",
        b"h1:",
        b"W/",
        b"$2a$",
        b"$2b$",
        b"$2y$",
        b"$argon2",
        b"$6$",
        b"$5$",
        b"$1$",
    ]
    .iter()
    .any(|p| text.starts_with(p))
}

/// Dates, versions and sizes: digits at the start, hardly a letter.
fn dated(text: &[u8]) -> bool {
    let letters = text.iter().filter(|b| b.is_ascii_alphabetic()).count();
    at(text, 0).is_ascii_digit() && letters <= 2 && text.len() < 32 || constant(text)
}

/// Slashes between words.
fn pathlike(text: &[u8]) -> bool {
    text.contains(&b'/')
        && text.split(|b| *b == b'/').filter(|w| !w.is_empty()).all(|w| score(w) < 2 || w.contains(&b'.'))
}
