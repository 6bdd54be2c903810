//! Whether the value of a name is its secret: the strength of the name decides, not the value's entropy alone.
use super::bytes::{at, contains_fold, ends_fold, judged, part};
use super::code::expression;
use super::ids::{hash, id, uuid};
use super::parts::Parts;
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
    /// One of the pairs of a connection string: `Server=db;User Id=app;Password=…`.
    pub connection: bool,
    /// A user stands before it: `{user: "app", pass: "…"}`.
    pub beside_user: bool,
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
            connection: false,
            beside_user: false,
        }
    }
}

/// The longest value under a name that is not strong.
const LONGEST: usize = 512;

/// The longest token under a name that may hold one.
const LONGEST_TOKEN: usize = 4096;

/// The span of a value that is a secret.
pub(super) fn judge(bytes: &[u8], value: Value, here: &Context<'_>) -> Option<Span> {
    let text = part(bytes, value.start, value.end);
    // A long value is no password, and tokens of that length are found by their shape.
    let token = || here.strength == Strength::Medium && text.len() <= LONGEST_TOKEN && score(text) >= 3;
    let long = text.len() > LONGEST && here.strength < Strength::Strong && !token();
    if long || judged(text) {
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
    if here.connection && here.strength == Strength::Strong {
        return literal(text).then_some(Place::Assignment);
    }
    let digits = here.strength >= Strength::Medium && long_number(text);
    let code = || {
        here.compared
            || operand(text, value, here)
            || value.next == b'('
            || (!digits && number(text))
            || expression(text)
            || statements(text)
    };
    if !value.quoted && code() {
        return None;
    }
    // JSON in a string under a strong name is the secret as a whole.
    let nested = value.quoted
        && (text.starts_with(b"{\\\"") || text.starts_with(b"{\""))
        && here.strength == Strength::Strong;
    let words = text.iter().any(u8::is_ascii_whitespace);
    if words && !nested && !passphrase(text, here) {
        return None;
    }
    if words && mnemonic(text) {
        return Some(Place::Assignment);
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

/// What code without blanks goes on with: `t.secret,e.name=t.name`, `a?b:c`.
fn statements(text: &[u8]) -> bool {
    let identifier = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'_' | b'$' | b'.');
    if let Some(comma) = memchr::memchr(b',', text) {
        let (first, rest) = (part(text, 0, comma), part(text, comma.saturating_add(1), text.len()));
        let member = first.len() <= 2 || first.contains(&b'.');
        let next = rest.iter().take_while(|b| identifier(b)).count();
        return member && first.iter().all(identifier) && next > 0 && matches!(at(rest, next), b'=' | b'(');
    }
    let parts = || text.split(|b| matches!(b, b'?' | b':'));
    text.contains(&b'?')
        && parts().count() == 3
        && parts().all(|p| (1..=3).contains(&p.len()) && p.iter().all(identifier))
}

/// `MASK = cpu_index_1 + 16`: an identifier before an operator.
fn operand(text: &[u8], value: Value, here: &Context<'_>) -> bool {
    here.spaced
        && !here.colon
        && matches!(value.next, b'+' | b'*' | b'%' | b'^')
        && text.contains(&b'_')
        && !at(text, 0).is_ascii_digit()
        && text.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
}

/// In a connection string every value is one but a template, or a filler.
fn literal(text: &[u8]) -> bool {
    static FILLERS: Parts = Parts::of(&["your", "redacted", "changeme", "example", "placeholder"]);
    let graphic = text.iter().all(|b| b.is_ascii_graphic() || !b.is_ascii());
    let same = text.iter().all(|b| text.first() == Some(b));
    let opens = matches!(at(text, 0), b'$' | b'{' | b'<' | b'%' | b'#' | b'[' | b'(' | b'@');
    let template = opens && !text.iter().any(u8::is_ascii_digit) || text.contains(&b'{');
    text.len() >= 3 && graphic && !same && !template && !FILLERS.stand_in(text)
}

/// More digits than a number has that counts or tells a time.
fn long_number(text: &[u8]) -> bool {
    text.len() >= 24 && text.iter().all(u8::is_ascii_digit)
}

/// Under a strong name every value is a secret but a word in code.
fn strong(text: &[u8], value: Value, here: &Context<'_>) -> bool {
    let digit = text.iter().any(u8::is_ascii_digit);
    let letters = text.iter().all(u8::is_ascii_alphabetic);
    if text.len() < 3 || (text.len() < 4 && !digit) || (text.len() < 5 && letters) {
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
    if uuid(text) || long_number(text) {
        return true;
    }
    if here.beside_user && (value.quoted || digit && letter) {
        return !wordy(text) || odd(text) >= 20 || !contains_fold(text, b"pass");
    }
    if value.quoted || here.query {
        return (digit && letter && text.len() >= 6 && !dated(text))
            || (odd(text) >= 34 && wordy(text) && !text.contains(&b'.'))
            || score(text) >= 2;
    }
    let least = if ends_fold(here.name, b"pass") { 6 } else { 8 };
    (digit && letter && text.len() >= least && !dated(text))
        || (odd(text) >= 45 && text.len() >= 6 && bare_word(text, value, here))
}

/// Under a weak name only what looks like a random token is a secret.
fn weak(text: &[u8], here: &Context<'_>) -> Option<Place> {
    let signs = |b: &u8| {
        matches!(
            b,
            b'_' | b'-' | b'+' | b'/' | b'=' | b'.' | b'!' | b'@' | b'#' | b'%' | b'^' | b'*' | b'~' | b'|'
        )
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
    let mixed = text.len() >= 20
        && text.iter().any(u8::is_ascii_uppercase)
        && text.iter().any(u8::is_ascii_lowercase)
        && odd(text) >= 45
        && various(text);
    if text.len() >= 16 && score >= 2 && (digits >= 2 || upper || mixed) {
        return Some(Place::NamedToken);
    }
    (text.len() >= 10 && score >= 1 && digits >= 1).then_some(Place::Generic)
}

/// Whether a value has ten different bytes or more.
fn various(text: &[u8]) -> bool {
    let mut seen = [0u64; 4];
    for b in text {
        if let Some(bits) = seen.get_mut(usize::from(b.wrapping_shr(6))) {
            *bits |= 1u64.wrapping_shl(u32::from(*b & 63));
        }
    }
    seen.iter().map(|bits| bits.count_ones()).sum::<u32>() >= 10
}

/// Whether a value is what its weak name means when that is no secret.
fn weak_name_speaks_against(text: &[u8], here: &Context<'_>) -> bool {
    static CHECKSUMS: Parts = Parts::of(&["license", "salt", "seed", "nonce", "code", "session", "sid"]);
    static SIGNERS: Parts = Parts::of(&["gpg", "pgp", "signed"]);
    let name = here.name;
    let hex = text.iter().all(u8::is_ascii_hexdigit);
    let constant = text.contains(&b'_') && !text.iter().any(u8::is_ascii_lowercase);
    let checksum = hex && CHECKSUMS.stand_in(name);
    // The fingerprint of a key that is public.
    let fingerprint = hex && SIGNERS.stand_in(name);
    // Codes of catalogs, of colours, of rates; those that let in are named so.
    let code = name.len() > 4 && ends_fold(name, b"code") && !here.query && !LETTING_IN.stand_in(name);
    // A bare `key` is a cache key as often as not.
    let cache_key = hex
        && contains_fold(name, b"key")
        && !name.iter().any(|b| matches!(b, b'_' | b'-' | b' ' | b'.'))
        && name.len() <= 10;
    // A signature may not be altered; in a query it lets in.
    let signature = contains_fold(name, b"sig") && (text.len() >= 64 || !here.query);
    // It is sent in the clear, and proves nothing.
    let handshake = ends_fold(name, b"websocket-key");
    constant || checksum || fingerprint || code || cache_key || signature || handshake || holds_pair(text)
}

/// What stands before `code` when it lets in.
static LETTING_IN: Parts =
    Parts::of(&["auth", "verif", "access", "secur", "backup", "recover", "otp", "pin", "session"]);

/// Whether a name and `=` stand in a value, as when it is an assignment of its own: `output=da39a3ee`.
fn holds_pair(text: &[u8]) -> bool {
    memchr::memchr(b'=', text).is_some_and(|n| {
        let (name, value) = (part(text, 0, n), part(text, n.saturating_add(1), text.len()));
        n >= 3 && name.iter().all(u8::is_ascii_lowercase) && value.iter().any(|b| *b != b'=')
    })
}

/// Whether a value names what holds the secret: `oauth_token = tumblr_oauth_token`, `"auth_token": "auth_token"`.
fn refers(text: &[u8], here: &Context<'_>) -> bool {
    static STEMS: Parts =
        Parts::of(&["passw", "secret", "token", "key", "cred", "auth", "pwd", "cookie", "login", "jwt"]);
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
    identifier && text.len() <= 48 && score(text) < 2 && STEMS.stand_in(text)
}

/// What the names of mnemonic phrases hold.
static MNEMONICS: Parts = Parts::of(&["mnemonic", "seed", "recovery", "phrase"]);

/// Twelve words and more of small letters, as those of a wallet.
fn mnemonic(text: &[u8]) -> bool {
    let words = text.split(|b| *b == b' ').filter(|w| !w.is_empty());
    let good = |w: &[u8]| (3..=8).contains(&w.len()) && w.iter().all(u8::is_ascii_lowercase);
    (12..=24).contains(&words.clone().count()) && words.clone().all(good)
}

/// Words that make up a passphrase: under a strong name, one of them no plain word.
fn passphrase(text: &[u8], here: &Context<'_>) -> bool {
    if mnemonic(text) && MNEMONICS.stand_in(here.name) {
        return true;
    }
    let words = text.split(|b| *b == b' ').filter(|w| !w.is_empty());
    let mixed = |w: &[u8]| {
        let digit = w.iter().any(u8::is_ascii_digit);
        let letter = w.iter().any(u8::is_ascii_alphabetic);
        let other = w.iter().any(u8::is_ascii_punctuation);
        w.len() >= 6 && digit && letter && (other || score(w) >= 1)
    };
    if here.strength < Strength::Strong {
        return false;
    }
    // Words of no language, or the one phrase that everyone knows.
    let plain = !text.iter().any(|b| b.is_ascii_uppercase() || matches!(b, b'`' | b'+' | b'{' | b'$' | b'='));
    let strange = plain && text.len() <= 64 && odd(text) >= 24 && text.len() >= 12;
    (words.clone().count() <= 3 && words.clone().any(mixed))
        || strange
        || WEAK_PASSWORDS.iter().any(|w| words.clone().flatten().eq(w.as_bytes()))
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
