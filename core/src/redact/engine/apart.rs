//! Names and values that no delimiter stands between: `name="API_KEY" value="…"`, `env.JWT_SECRET || "…"`,
//! `#define PASSWORD "…"`, `ConvertTo-SecureString "…"`.
use super::accept::{self, Context};
use super::bytes::{at, blank, ends, inc, part, quote, run, run_back};
use super::late::Offsets;
use super::members::{self, Named};
use super::names;
use super::placeholder::placeholder;
use super::span::Span;
use super::values::{self, Stops, Value};
use super::yaml;
use crate::redact::rules::{Place, names::Strength, of};
use alloc::vec::Vec;

/// Adds the values that stand apart from their names: behind `value`, at the second bytes of operators, at the last
/// letters of `#define` and of `-SecureString`.
pub(super) fn find(bytes: &[u8], places: [&Offsets; 4], spans: &mut Vec<Span>) {
    let [values, operators, defines, secures] = places;
    let mut stops = Stops::default();
    values.iter().for_each(|end| member(bytes, end, &mut stops, spans));
    let mut stops = Stops::default();
    for second in operators.iter() {
        default(bytes, second.saturating_sub(1), inc(second), &mut stops, spans);
    }
    let mut stops = Stops::default();
    for end in defines.iter().map(inc).filter(|end| ends(bytes, *end, b"#define")) {
        defined(bytes, end, &mut stops, spans);
    }
    let mut stops = Stops::default();
    for end in secures.iter().map(inc) {
        if ends(bytes, end, b"-SecureString") || ends(bytes, end, b"-securestring") {
            secure_string(bytes, end, &mut stops, spans);
        }
    }
}

/// `{"name": "DB_PASSWORD", "value": "…"}`, `<add key="ApiKey" value="…"/>`, `<input name="password" value="…">`, and in
/// lines of YAML `name: DB_PASSWORD` before `value: …`.
fn member(bytes: &[u8], end: usize, stops: &mut Stops, spans: &mut Vec<Span>) {
    let close = run(bytes, end, end.saturating_add(8), |b| quote(b) || blank(b) || b == b'\\');
    if !matches!(at(bytes, close), b':' | b'=') || !ends(bytes, end, b"alue") {
        return;
    }
    let word = run_back(bytes, end, 28, |b| b.is_ascii_alphanumeric() || b == b'_');
    let Some(Named { name, strength, over }) = members::name_of(bytes, word) else { return };
    let from = run(bytes, inc(close), close.saturating_add(16), blank);
    let here = Context { strength, name, ..Context::default() };
    if over && close == end && at(bytes, close) == b':' {
        let here = Context { colon: true, spaced: true, first_on_line: true, ..here };
        let tagged = matches!(at(bytes, from), b'!' | b'&');
        let from = if tagged { yaml::content(bytes, from) } else { Some(from) };
        let value = from.and_then(|from| values::read(bytes, from, stops));
        spans.extend(value.and_then(|value| accept::judge(bytes, value, &here)));
    } else {
        judge(bytes, from, here, stops, spans);
    }
}

/// `process.env.JWT_SECRET || "…"`, `password <- "…"`.
fn default(bytes: &[u8], operator: usize, end: usize, stops: &mut Stops, spans: &mut Vec<Span>) {
    let start = run(bytes, end, end.saturating_add(8), blank);
    if !quote(at(bytes, start)) {
        return;
    }
    let Some(name) = names::before(bytes, operator) else { return };
    let name = part(bytes, name.start, name.end);
    if let Some(strength) = names::strength(name).filter(|s| *s >= Strength::Medium) {
        judge(bytes, start, Context { strength, name, ..Context::default() }, stops, spans);
    }
}

/// `#define PASSWORD "…"`, of which the blanks may be escaped.
fn defined(bytes: &[u8], i: usize, stops: &mut Stops, spans: &mut Vec<Span>) {
    let start = values::space(bytes, i);
    let end = names::end_of(bytes, start);
    let from = values::space(bytes, end);
    let name = part(bytes, start, end);
    if start == i || from == end {
        return;
    }
    if let Some(strength) = names::strength(name) {
        judge(bytes, from, Context { strength, name, ..Context::default() }, stops, spans);
    }
}

/// `ConvertTo-SecureString "…" -AsPlainText`, `ConvertTo-SecureString -String "…"`.
fn secure_string(bytes: &[u8], i: usize, stops: &mut Stops, spans: &mut Vec<Span>) {
    let mut start = run(bytes, i, i.saturating_add(8), blank);
    for _ in 0..3 {
        if at(bytes, start) != b'-' {
            break;
        }
        let end = run(bytes, inc(start), start.saturating_add(16), |b| b.is_ascii_alphabetic());
        start = run(bytes, end, end.saturating_add(8), |b| blank(b) || b == b':');
    }
    // The quote may be the end of a string that names the command.
    if start == i || (at(bytes, start) == b'"' && stops.inside(bytes, start)) {
        return;
    }
    let Some(value) = values::read(bytes, start, stops).filter(|v| v.quoted) else { return };
    let text = part(bytes, value.start, value.end);
    if text.len() >= 4 && at(text, 0) != b'$' && !placeholder(text) {
        spans.push(Span { start: value.start, end: value.end, rule: of(Place::Argument) });
    }
}

/// Adds the string at `i`, if it is a secret under its name.
fn judge(bytes: &[u8], i: usize, here: Context<'_>, stops: &mut Stops, spans: &mut Vec<Span>) {
    let slashes = run(bytes, i, i.saturating_add(64), |b| b == b'\\');
    if quote(at(bytes, slashes)) {
        let value = values::read(bytes, i, stops).filter(|value: &Value| value.quoted);
        spans.extend(value.and_then(|value| accept::judge(bytes, value, &here)));
    }
}
