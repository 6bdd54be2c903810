//! Tokens after a name without a delimiter, as in prose and notes.
use super::bytes::{self, back, blank, ends, has, part, run, run_back};
use super::ids::{id, uuid};
use super::memo::Memo;
use super::names;
use super::placeholder::placeholder;
use super::plain::number;
use super::score::score;
use super::span::Span;
use super::values::{self, Stops, Value};
use crate::redact::rules::{Place, names::Strength, of};
use alloc::vec::Vec;

/// How names end behind which a token may stand.
#[rustfmt::skip] // A table.
const ENDS: [&[u8]; 12] = [
    b"token", b"TOKEN", b"Token", b"key", b"KEY", b"Key", b"ecret", b"ECRET", b"assword", b"ASSWORD",
    b"pass", b"PASS",
];

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
    let name = part(bytes, names::phrase_start(bytes, word), space);
    let Some(strength) = said.strength(name) else { return };
    let Some(value) = values::read(bytes, behind(bytes, space), stops) else { return };
    let text = part(bytes, value.start, value.end);
    let place = if matches!(last.to_ascii_lowercase(), b'd' | b's') {
        password(text, value).then_some(Place::Login)
    } else {
        random(text, strength).then_some(Place::NamedToken)
    };
    spans.extend(place.map(|place| Span { start: value.start, end: value.end, rule: of(place) }));
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
    value.quoted && digit && !blanks && text.len() >= 6 && !number(text) && !placeholder(text)
}

fn random(text: &[u8], strength: Strength) -> bool {
    let digits = text.iter().filter(|b| b.is_ascii_digit()).count();
    let plain =
        text.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'+' | b'=' | b'.'));
    let hex = text.iter().all(u8::is_ascii_hexdigit);
    // A commit is named after its key words as often as not, an id after its key.
    if (uuid(text) && strength < Strength::Strong) || (hex && text.len() == 40 && strength < Strength::Medium)
    {
        return false;
    }
    plain && text.len() >= 20 && digits >= 3 && score(text) >= 3 && !id(text) && !placeholder(text)
}
