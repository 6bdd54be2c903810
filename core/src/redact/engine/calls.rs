//! Secrets in brackets: `.withPassword("…")`, `basic_auth("ann", "…")`, `auth=("ann", "…")`, `password: Some("…")`.
use super::accept::{self, Context};
use super::bytes::{at, blank, ends_fold, has, inc, part, quote, run, starts_fold};
use super::memo::Memo;
use super::names;
use super::score::score;
use super::span::Span;
use super::values::{self, Stops, Value};
use crate::redact::rules::names::Strength;
use alloc::vec::Vec;

/// What stands before a value that is one of several settings.
const DEFAULT: &[u8] = b"default=";

/// Adds the string that is all that a function is given whose name says that it is a secret, or the second one where
/// the function takes a user and a password; whether there may be one by what stands before the bracket at `open`.
pub(super) fn find(
    bytes: &[u8],
    open: usize,
    stops: &mut Stops,
    said: &mut Memo,
    spans: &mut Vec<Span>,
) -> bool {
    // Most calls are given something else.
    if string_start(bytes, inc(open)).is_none() {
        return false;
    }
    let Some(name) = names::before(bytes, open) else { return false };
    let word = part(bytes, name.start, name.end);
    if takes_user(word) {
        spans.extend(second(bytes, open, word, stops));
        return true;
    }
    let strength = said.strength(word).filter(|strength| *strength >= Strength::Medium && !looks_up(word));
    let Some(strength) = strength else { return false };
    let alone = |value: &Value| value.next == b')' && telling(bytes, value);
    let value = string(bytes, inc(open), stops).filter(alone);
    let here = Context { strength, name: word, ..Context::default() };
    spans.extend(value.and_then(|value| accept::judge(bytes, value, &here)));
    true
}

/// The string in what makes a value of it at `i`: `Some("…")`, `String::from("…")`, `SecretStr("…")`,
/// `Field(default="…")`.
pub(super) fn wrapped(bytes: &[u8], i: usize, stops: &mut Stops) -> Option<Value> {
    #[rustfmt::skip] // A table.
    const WRAPPERS: [&[u8]; 16] = [
        b"Some", b"Ok", b"Just", b"String::from", b"SecretString::from", b"SecretString::new", b"SecretStr", b"SecretBytes",
        b"Secret", b"Secret::new", b"Optional.of", b"Field", b"String", b"str", b"bytes", b"aws.String",
    ];
    if !matches!(at(bytes, i), b'S' | b'O' | b'J' | b'F' | b's' | b'b' | b'a') {
        return None;
    }
    let end =
        run(bytes, i, i.saturating_add(24), |b| b.is_ascii_alphanumeric() || matches!(b, b':' | b'.' | b'_'));
    if at(bytes, end) != b'(' || !WRAPPERS.contains(&part(bytes, i, end)) {
        return None;
    }
    let default = inc(end).saturating_add(DEFAULT.len());
    let from = if part(bytes, inc(end), default) == DEFAULT { default } else { inc(end) };
    string(bytes, from, stops).filter(|value| telling(bytes, value))
}

/// What comes behind `->` where a value changed: `password = "…" -> "…"`.
pub(super) fn changed(bytes: &[u8], value: Value, stops: &mut Stops) -> Option<Value> {
    let end = run(bytes, value.end, value.end.saturating_add(16), |b| quote(b) || blank(b) || b == b'\\');
    has(bytes, end, b"-> ").then(|| string(bytes, end.saturating_add(3), stops)).flatten()
}

/// Whether a name is one of what takes a user and a password.
pub(super) fn takes_user(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"auth")
        || [&b"basicauth"[..], b"basic_auth", b"credentials"].iter().any(|end| ends_fold(name, end))
}

/// Whether a function is one that takes the name of a secret: `getSecret("prod/db")`.
fn looks_up(name: &[u8]) -> bool {
    #[rustfmt::skip] // A table.
    const VERBS: [&[u8]; 11] = [
        b"get", b"fetch", b"read", b"load", b"find", b"lookup", b"resolve", b"delete", b"has", b"is", b"describe",
    ];
    let word = name.rsplit(|b| matches!(b, b'.' | b'$')).next().unwrap_or_default();
    VERBS.iter().any(|verb| starts_fold(word, verb))
}

/// The second of the two strings behind the bracket at `open`, under this name.
pub(super) fn second(bytes: &[u8], open: usize, name: &[u8], stops: &mut Stops) -> Option<Span> {
    let user = string(bytes, inc(open), stops).filter(|user| user.next == b',')?;
    let comma = run(bytes, user.end, user.end.saturating_add(16), |b| b != b',');
    let value = string(bytes, inc(comma), stops).filter(|value| telling(bytes, value))?;
    accept::judge(bytes, value, &Context { strength: Strength::Strong, name, ..Context::default() })
}

/// The string behind the blanks at `i`.
fn string(bytes: &[u8], i: usize, stops: &mut Stops) -> Option<Value> {
    values::read(bytes, string_start(bytes, i)?, stops).filter(|value| value.quoted)
}

/// Where a string starts behind the blanks at `i`, with the backslashes before its quote.
fn string_start(bytes: &[u8], i: usize) -> Option<usize> {
    let start = run(bytes, i, i.saturating_add(16), blank);
    let slashes = run(bytes, start, start.saturating_add(16), |b| b == b'\\');
    quote(at(bytes, slashes)).then_some(start)
}

/// Whether a value is more than a word.
fn telling(bytes: &[u8], value: &Value) -> bool {
    let text = part(bytes, value.start, value.end);
    text.iter().any(u8::is_ascii_digit) && score(text) >= 1
}
