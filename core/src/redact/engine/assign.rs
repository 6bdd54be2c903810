//! Assignments: a name that holds a secret, a delimiter, a value.
use super::accept::{self, Context};
use super::bytes::{self, MARK, at, back, blank, ends, inc, part, quote, run, run_back};
use super::headers;
use super::names::{self, Name};
use super::score::score;
use super::span::Span;
use super::urls::in_query;
use super::values::{self, Stops, Value};
use crate::redact::rules::names::Strength;
use alloc::vec::Vec;

/// Adds the values of the assignments in a text.
pub(super) fn find(bytes: &[u8], spans: &mut Vec<Span>) {
    let mut stops = Stops::default();
    let mut past = 0;
    let delimiters = bytes.iter().enumerate().filter(|(_, b)| matches!(b, b':' | b'=' | b'>' | b','));
    for (delimiter, _) in delimiters {
        if delimiter < past {
            continue;
        }
        let before = spans.len();
        match at(bytes, delimiter) {
            b'>' => element(bytes, delimiter, spans),
            b',' => pair(bytes, delimiter, &mut stops, spans),
            _ => assignment(bytes, delimiter, &mut stops, spans),
        }
        if let Some(span) = spans.get(before..).and_then(<[Span]>::last) {
            past = span.end;
        }
    }
}

/// `setProperty("API_TOKEN", "…")`: a quoted name, a comma, a quoted value that looks random.
fn pair(bytes: &[u8], comma: usize, stops: &mut Stops, spans: &mut Vec<Span>) {
    if !quote(back(bytes, run_back(bytes, comma, 4, blank), 1)) {
        return;
    }
    let Some(name) = names::before(bytes, comma) else { return };
    let word = part(bytes, name.start, name.end);
    let Some(strength) = names::strength(word) else { return };
    let start = run(bytes, inc(comma), comma.saturating_add(16), blank);
    let Some(value) = values::read(bytes, start, stops) else { return };
    let text = part(bytes, value.start, value.end);
    if !value.quoted || !text.iter().any(u8::is_ascii_digit) || score(text) < 1 {
        return;
    }
    let here = Context { strength, name: word, ..Context::default() };
    spans.extend(accept::judge(bytes, value, &here));
}

/// A name, a delimiter (`:` or `=`, also as the start of `:=`, `=>`, `?=` and the like), a value.
fn assignment(bytes: &[u8], delimiter: usize, stops: &mut Stops, spans: &mut Vec<Span>) {
    let byte = at(bytes, delimiter);
    if !delimits(bytes, delimiter) {
        return;
    }
    let operator = if byte == b'=' {
        run_back(bytes, delimiter, 2, |b| matches!(b, b'?' | b'+' | b'.' | b'|' | b'!' | b'*'))
    } else {
        delimiter
    };
    let Some(name) = names::before(bytes, operator) else { return };
    let Some((strength, name)) = telling_name(bytes, name, byte) else { return };
    let word = part(bytes, name.start, name.end);
    let after =
        run(bytes, inc(delimiter), delimiter.saturating_add(6), |b| matches!(b, b':' | b'=' | b'>' | b'~'));
    let start = run(bytes, after, after.saturating_add(64), blank);
    if headers::is_header(word) && headers::value(bytes, start, stops, spans) {
        return;
    }
    let here = Context {
        strength,
        name: word,
        colon: byte == b':',
        spaced: name.spaced || start > after,
        compared: byte == b'=' && (at(bytes, inc(delimiter)) == b'=' || back(bytes, delimiter, 1) == b'!'),
        first_on_line: first_on_line(bytes, name.start),
        query: in_query(bytes, name.start),
        password_source: ends(bytes, name.end, b"-passin pass") || ends(bytes, name.end, b"-passout pass"),
    };
    if at(bytes, start) == b'[' {
        elements(bytes, start, &here, stops, spans);
        return;
    }
    let Some(value) = values::read(bytes, start, stops) else { return };
    let value = if is_type(bytes, value, byte) { after_type(bytes, value, stops) } else { Some(value) };
    spans.extend(value.and_then(|value| accept::judge(bytes, value, &here)));
}

/// Whether a `:` or `=` may stand between a name and its value.
fn delimits(bytes: &[u8], delimiter: usize) -> bool {
    let (next, second) = (at(bytes, inc(delimiter)), at(bytes, delimiter.saturating_add(2)));
    // The second half of `::`, `:=` and `==`.
    if matches!(back(bytes, delimiter, 1), b':' | b'=') {
        return false;
    }
    match (at(bytes, delimiter), next) {
        // `://`
        (b':', b'/') => second != b'/',
        // A path of names: `Foo::Bar`.
        (b':', b':') => !bytes::name(second),
        // A match against a pattern.
        (b'=', b'~') => false,
        _ => true,
    }
}

/// What the name says, with the word before it where that makes it clearer; over a type to the name before it.
fn telling_name(bytes: &[u8], name: Name, byte: u8) -> Option<(Strength, Name)> {
    const TYPES: [&[u8]; 6] = [b"string", b"String", b"str", b"text", b"varchar", b"char"];
    let word = part(bytes, name.start, name.end);
    if byte == b'=' && TYPES.contains(&word) && blank(back(bytes, name.start, 1)) {
        let before = names::before(bytes, name.start)?;
        let strength = names::strength(part(bytes, before.start, before.end))?;
        return Some((strength, before));
    }
    let own = names::strength(word);
    if own == Some(Strength::Strong) {
        return Some((Strength::Strong, name));
    }
    if names::after_mark(bytes, name.start) {
        return None;
    }
    if name.quoted {
        return own.map(|strength| (strength, name));
    }
    let start = names::phrase_start(bytes, name.start);
    let strength = names::strength(part(bytes, start, name.end))?;
    Some((strength, Name { start, ..name }))
}

/// `token: String = "…"`: what reads like a value is the type.
fn is_type(bytes: &[u8], value: Value, byte: u8) -> bool {
    let letter =
        |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'&' | b'[' | b']' | b'?' | b'.' | b'*');
    byte == b':'
        && !value.quoted
        && value.next == b'='
        && part(bytes, value.start, value.end).iter().all(letter)
}

fn after_type(bytes: &[u8], value: Value, stops: &mut Stops) -> Option<Value> {
    let equals = run(bytes, value.end, value.end.saturating_add(80), blank);
    let start = run(bytes, inc(equals), equals.saturating_add(64), blank);
    (at(bytes, inc(equals)) != b'=').then(|| values::read(bytes, start, stops)).flatten()
}

/// The strings of a list.
fn elements(bytes: &[u8], open: usize, here: &Context<'_>, stops: &mut Stops, spans: &mut Vec<Span>) {
    let mut i = inc(open);
    for _ in 0..64 {
        i = run(bytes, i, i.saturating_add(64), |b| b.is_ascii_whitespace() || b == b',');
        let string = run(bytes, i, i.saturating_add(16), |b| b == b'\\');
        if !quote(at(bytes, string)) {
            return;
        }
        let Some(value) = values::read(bytes, i, stops) else { return };
        let before = spans.len();
        if headers::is_header(here.name) {
            headers::value(bytes, value.start, stops, spans);
        }
        if before == spans.len() {
            spans.extend(accept::judge(bytes, value, here));
        }
        let slashes = run(bytes, value.end, value.end.saturating_add(64), |b| b == b'\\');
        i = inc(slashes);
    }
}

/// `<password>value</password>`.
fn element(bytes: &[u8], close: usize, spans: &mut Vec<Span>) {
    let start = run_back(bytes, close, 64, |b| bytes::name(b) || b == b':');
    if start == close || back(bytes, start, 1) != b'<' {
        return;
    }
    let name = part(bytes, start, close);
    let Some(strength) = names::strength(name) else { return };
    // `<code>` and `<key>` are elements of texts about anything.
    if strength == Strength::Weak && name.iter().all(u8::is_ascii_alphabetic) && name.len() <= 9 {
        return;
    }
    let from = run(bytes, inc(close), close.saturating_add(128), |b| b.is_ascii_whitespace());
    let end = run(bytes, from, from.saturating_add(512), |b| {
        !matches!(b, b'<' | b'"' | b'\\' | b'\n' | b'\r' | MARK)
    });
    let tag = run(bytes, end, end.saturating_add(128), |b| b.is_ascii_whitespace());
    if at(bytes, tag) != b'<' || at(bytes, inc(tag)) != b'/' {
        return;
    }
    let value = Value { start: from, end, quoted: true, next: b'<' };
    let here = Context { strength, name, ..Context::default() };
    spans.extend(accept::judge(bytes, value, &here));
}

/// Whether nothing but indentation, a list dash, a comment sign or `export` stands before a name.
fn first_on_line(bytes: &[u8], start: usize) -> bool {
    let mut i = run_back(bytes, start, 64, |b| blank(b) || matches!(b, b'-' | b'#' | b'/' | b'*'));
    for word in [&b"export"[..], b"set", b"ENV", b"-e", b"--env"] {
        if ends(bytes, i, word) {
            i = run_back(bytes, i.saturating_sub(word.len()), 64, blank);
        }
    }
    i == 0
        || matches!(back(bytes, i, 1), b'\n' | b'\r')
        || (back(bytes, i, 1) == b'n' && back(bytes, i, 2) == b'\\')
}
