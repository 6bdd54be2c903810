//! Tokens after a name without a delimiter, as in prose and notes.
use super::bytes::{self, back, blank, ends, has, part, run, run_back};
use super::code::{expression, has_call};
use super::ids::{id, uuid};
use super::memo::Memo;
use super::names;
use super::placeholder::placeholder;
use super::plain::{number, wordy};
use super::score::{odd, score};
use super::span::Span;
use super::values::{self, Stops, Value};
use crate::redact::rules::{Place, names::Strength, of};
use alloc::vec::Vec;

/// How names end behind which a token may stand.
#[rustfmt::skip] // A table.
const ENDS: [&[u8]; 20] = [
    b"token", b"TOKEN", b"Token", b"key", b"KEY", b"Key", b"ecret", b"ECRET", b"assword", b"ASSWORD",
    b"pass", b"PASS", b"ACCESS", b"PRIVATE", b"pwd", b"PWD",
    b"requirepass", b"masterauth", b"bindpw", b"rootpw",
];

/// What makes the word behind it the name of a setting, and the rest of the line its value.
const SETTERS: [&[u8]; 6] = [b"set", b"SET", b"ENV", b"setenv", b"setx", b"SetEnv"];

/// The fewest bytes of a token that is known by looking random.
const LEAST: usize = 16;

/// Directives of servers whose value is a password.
const DIRECTIVES: [&[u8]; 4] = [b"requirepass", b"masterauth", b"bindpw", b"rootpw"];

/// Adds the random token after the name that the blank at `space` ends: `deepl KEY Zf3D…`,
/// `razorpay token - 'rzp…'`; after `password`, strings that are no words.
pub(super) fn find(bytes: &[u8], space: usize, stops: &mut Stops, said: &mut Memo, spans: &mut Vec<Span>) {
    let last = back(bytes, space, 1);
    if !ENDS.iter().any(|e| e.last() == Some(&last) && ends(bytes, space, e)) {
        return;
    }
    let word = run_back(bytes, space, 40, bytes::name);
    if names::after_mark(bytes, word) {
        return;
    }
    let start = names::phrase_start(bytes, word);
    let Some(strength) = strength(part(bytes, word, space), part(bytes, start, space), said) else { return };
    let Some(value) = values::read(bytes, behind(bytes, space), stops) else { return };
    let text = part(bytes, value.start, value.end).trim_ascii();
    let end = value.start.saturating_add(text.len());
    let directive = DIRECTIVES.contains(&part(bytes, word, space));
    let setter = directive || start < word && SETTERS.contains(&part(bytes, start, word.saturating_sub(1)));
    let place = match last.to_ascii_lowercase() {
        _ if setter && setting(text, value, strength) => Some(Place::Assignment),
        b'd' | b's' if !ends(bytes, space, b"ACCESS") => password(text, value).then_some(Place::Login),
        _ => random(text, value, strength).then_some(Place::NamedToken),
    };
    spans.extend(place.map(|place| Span { start: value.start, end, rule: of(place) }));
}

/// What a name says, with the word before it where that makes it clearer. `ACCESS` and `PRIVATE` say something when
/// they are written like this alone.
fn strength(word: &[u8], phrase: &[u8], said: &mut Memo) -> Option<Strength> {
    let loud = word.ends_with(b"ACCESS") || word.ends_with(b"PRIVATE");
    said.strength(phrase).or_else(|| said.strength(word)).or(loud.then_some(Strength::Medium))
}

/// `ENV DB_PASSWORD secret`, `set API_TOKEN secret`, to the line's end.
fn setting(text: &[u8], value: Value, strength: Strength) -> bool {
    let whole = matches!(value.next, 0 | b'\n' | b'\r');
    let digit = text.iter().any(u8::is_ascii_digit);
    let strong = strength == Strength::Strong && (!wordy(text) || odd(text) >= 30);
    whole
        && text.len() >= 4
        && (strong || (digit && text.len() >= 8))
        && !placeholder(text)
        && !expression(text)
}

/// Where the value behind a name starts, over blanks, a dash and `is`.
fn behind(bytes: &[u8], space: usize) -> usize {
    let mut start = run(bytes, space, space.saturating_add(8), blank);
    for link in [&b"- "[..], b"is "] {
        if has(bytes, start, link) {
            start = start.saturating_add(link.len());
        }
    }
    start
}

fn password(text: &[u8], value: Value) -> bool {
    let digit = text.iter().any(u8::is_ascii_digit);
    let blanks = text.iter().any(u8::is_ascii_whitespace);
    value.quoted
        && digit
        && !blanks
        && text.len() >= 6
        && !number(text)
        && !placeholder(text)
        && !has_call(text)
}

fn random(text: &[u8], value: Value, strength: Strength) -> bool {
    if text.len() < LEAST {
        return false;
    }
    let digits = text.iter().filter(|b| b.is_ascii_digit()).count();
    let letters = text.iter().filter(|b| b.is_ascii_alphabetic()).count();
    let solid = text.iter().all(u8::is_ascii_alphanumeric);
    let plain = solid
        || text.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'+' | b'=' | b'.'));
    let hex = text.iter().all(u8::is_ascii_hexdigit);
    let telling = strength >= Strength::Medium;
    if uuid(text) {
        return strength == Strength::Strong || (telling && value.quoted);
    }
    // A commit is named after its key words as often as not, an id after its key.
    if (hex && text.len() == 40 && !telling) || id(text) || placeholder(text) {
        return false;
    }
    let score = score(text);
    (plain && text.len() >= 20 && digits >= 3 && score >= 3)
        || (telling && value.quoted && score >= 2 && text.iter().all(u8::is_ascii_graphic))
        || (telling && solid && text.len() >= 20 && digits >= 3 && letters >= 3)
        || (strength == Strength::Strong && solid && odd(text) >= 45)
}
