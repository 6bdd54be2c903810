//! Passwords in netrc lines and SQL statements.
use super::bytes::{at, blank, ends, in_escape, judged, part, run, run_back, run_back_shown};
use super::placeholder::placeholder;
use super::plain::wordy;
use super::score::odd;
use super::span::Span;
use super::values::{self, Stops};
use crate::redact::rules::{Place, of};
use alloc::vec::Vec;

/// What a password stands behind, and whether it is a statement's by that alone.
const TAILS: [(&[u8], bool); 6] = [
    (b"assword", false),
    (b"ASSWORD", true),
    (b"DENTIFIED BY", true),
    (b"dentified by", true),
    (b"ssword BY", true),
    (b"ssword AS", true),
];

/// Adds the password behind the blank at `end`: of `login app password secret`, `IDENTIFIED BY 'secret'`,
/// `PASSWORD 'secret'`.
pub(super) fn find(bytes: &[u8], end: usize, stops: &mut Stops, spans: &mut Vec<Span>) {
    let Some((tail, sql)) = TAILS.iter().find(|(tail, _)| ends(bytes, end, tail)) else { return };
    let found = end.saturating_sub(tail.len());
    let start = run(bytes, end, end.saturating_add(8), blank);
    let string = match at(bytes, run(bytes, start, start.saturating_add(16), |b| b == b'\\')) {
        b'\'' => *sql || ends(bytes, found, b"WITH p") || ends(bytes, found, b"with p"),
        // It may be the end of a string that the statement stands in.
        b'"' => tail.ends_with(b"BY") && (at(bytes, start) == b'\\' || !stops.inside(bytes, start)),
        _ => false,
    };
    if !string && !after_login(bytes, found.saturating_sub(1)) {
        return;
    }
    let Some(value) = values::read(bytes, start, stops) else { return };
    let text = part(bytes, value.start, value.end);
    // In lower case the statement may be prose.
    let word = (!string || *tail == b"dentified by") && wordy(text) && odd(text) < 30;
    let blanks = text.iter().any(u8::is_ascii_whitespace);
    if text.len() >= 3 && !judged(text) && !word && !placeholder(text) && !blanks {
        spans.push(Span { start: value.start, end: value.end, rule: of(Place::Login) });
    }
}

/// Whether `login <name>` ends before `i`.
fn after_login(bytes: &[u8], i: usize) -> bool {
    let space = |b: u8| b.is_ascii_whitespace();
    let mut name_end = run_back(bytes, i, 32, space);
    // An escaped line end or tab.
    if in_escape(bytes, name_end.saturating_sub(1)) {
        name_end = run_back(bytes, name_end.saturating_sub(1), 32, |b| b == b'\\');
    }
    let name = run_back_shown(bytes, name_end, 64, |b| b > b' ');
    let word_end = run_back(bytes, name, 32, space);
    name_end < i && name < name_end && word_end < name && ends(bytes, word_end, b"login")
}
