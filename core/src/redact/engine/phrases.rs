//! Tokens after a name without a delimiter, as in prose and notes.
use super::bytes::{self, at, back, blank, ends, has, inc, part, run, run_back};
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

/// The most words that say whose a secret is.
const OWNER: usize = 6;
/// How many of a hundred pairs of letters are rare in what is no word, at least.
const ODD: usize = 40;

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

/// Where the value behind a name starts, over blanks, whose it is, a dash, a bar, and `is`.
fn behind(bytes: &[u8], space: usize) -> usize {
    const LINKS: [&[u8]; 10] =
        [b"- ", b"| ", "│ ".as_bytes(), b"is ", b"is: ", b"now ", b"generated ", b"was ", b"set ", b"to "];
    let start = run(bytes, space, space.saturating_add(40), blank);
    // Most are followed by the value itself.
    if !matches!(
        at(bytes, start),
        b'-' | b'|' | b'i' | b'n' | b'g' | b'w' | b's' | b't' | b'f' | b'o' | b'a' | 0xe2
    ) {
        return start;
    }
    let mut start = owner(bytes, start).unwrap_or(start);
    for link in LINKS {
        if has(bytes, start, link) {
            start = run(bytes, start.saturating_add(link.len()), start.saturating_add(40), blank);
        }
    }
    owner(bytes, start).unwrap_or(start)
}

/// Behind the words that say whose a secret is, at `is` or behind a colon: `for the staging db is …`, `for ann: …`.
fn owner(bytes: &[u8], i: usize) -> Option<usize> {
    if ![&b"for "[..], b"of ", b"on ", b"in ", b"at "].iter().any(|word| has(bytes, i, word)) {
        return None;
    }
    let letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'@' | b'\'' | b'`');
    let mut word = i;
    for _ in 0..OWNER {
        let end = run(bytes, word, word.saturating_add(32), letter);
        match at(bytes, end) {
            b' ' if end > word => word = inc(end),
            b':' if blank(at(bytes, inc(end))) => return Some(end.saturating_add(2)),
            _ => return None,
        }
        if has(bytes, word, b"is ") || has(bytes, word, b"is: ") || has(bytes, word, b"was ") {
            return Some(word);
        }
    }
    None
}

fn password(text: &[u8], value: Value) -> bool {
    let digit = text.iter().any(u8::is_ascii_digit);
    let blanks = text.iter().any(u8::is_ascii_whitespace);
    digit
        && !blanks
        && text.len() >= 6
        && (value.quoted || unlike_words(text))
        && !number(text)
        && !placeholder(text)
        && !has_call(text)
}

/// Whether a word without quotes is none of prose or code, such as `SHA256`, `PBKDF2WithHmac` or `v2.0.1`: letters follow
/// a digit, and it holds rare pairs, or digits in place of letters.
fn unlike_words(text: &[u8]) -> bool {
    let count = |kind: fn(&u8) -> bool| text.iter().filter(|b| kind(b)).count();
    let (capitals, small) = (count(u8::is_ascii_uppercase), count(u8::is_ascii_lowercase));
    let digits = count(u8::is_ascii_digit);
    let behind_digit = |kind: fn(&u8) -> bool| {
        text.windows(2).filter(|two| matches!(two, [a, b] if a.is_ascii_digit() && kind(b))).count()
    };
    let kinds = capitals > 0 && small > 0;
    let in_place = kinds
        && behind_digit(u8::is_ascii_lowercase) > 0
        && text.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()).count() >= 4;
    let random = (kinds || (digits >= 3 && capitals.saturating_add(small) >= 3))
        && score(text) >= 2
        && odd(text) >= ODD;
    let plain = |b: &u8| b.is_ascii_graphic() && !matches!(b, b'/' | b'\\' | b'(' | b'<' | b'{' | b'[');
    (8..=64).contains(&text.len())
        && behind_digit(u8::is_ascii_alphabetic) > 0
        && (in_place || random)
        && text.iter().all(plain)
        && !text.iter().all(u8::is_ascii_hexdigit)
        && !id(text)
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
