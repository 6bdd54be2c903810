//! The text of an element of XML whose name says what it is.
use super::accept::{self, Context};
use super::bytes::{self, MARK, at, back, ends, inc, part, quote, run, run_back};
use super::members;
use super::memo::Memo;
use super::names;
use super::span::Span;
use super::values::Value;
use crate::redact::rules::{Place, names::Strength, of};
use alloc::vec::Vec;
use memchr::memmem;

/// `<password>value</password>`, `<key>password</key><string>value</string>`; whether the name tells.
pub(super) fn element(bytes: &[u8], close: usize, said: &mut Memo, spans: &mut Vec<Span>) -> bool {
    let start = run_back(bytes, close, 64, |b| bytes::name(b) || b == b':');
    if let Some(name) = names::of_property(bytes, close) {
        let named = said.strength(name).filter(|strength| *strength >= Strength::Medium);
        let string = run(bytes, inc(close), close.saturating_add(64), |b| b.is_ascii_whitespace());
        if let Some(strength) = named.filter(|_| bytes::has(bytes, string, b"<string>")) {
            text(bytes, string.saturating_add(7), name, strength, spans);
        }
        return named.is_some();
    }
    let named = if start < close && back(bytes, start, 1) == b'<' {
        let name = part(bytes, start, close);
        said.strength(name).map(|strength| (name, strength))
    } else {
        // `<property name="password">value</property>`
        quote(back(bytes, close, 1)).then(|| members::named(bytes, close)).flatten()
    };
    if let Some((name, strength)) = named {
        text(bytes, close, name, strength, spans);
    }
    named.is_some()
}

/// Adds the text of an element whose name tells.
fn text(bytes: &[u8], close: usize, name: &[u8], strength: Strength, spans: &mut Vec<Span>) {
    // `<code>` and `<key>` are elements of texts about anything.
    if strength == Strength::Weak && name.iter().all(u8::is_ascii_alphabetic) && name.len() <= 9 {
        return;
    }
    const RAW: &[u8] = b"<![CDATA[";
    let from = run(bytes, inc(close), close.saturating_add(128), |b| b.is_ascii_whitespace());
    let raw = bytes::has(bytes, from, RAW);
    let from = if raw { from.saturating_add(RAW.len()) } else { from };
    let end = run(bytes, from, from.saturating_add(512), |b| {
        !matches!(b, b'<' | b'"' | b'\\' | b'\n' | b'\r' | MARK)
    });
    let end = if raw && ends(bytes, end, b"]]>") { end.saturating_sub(3) } else { end };
    let stop = if raw { end.saturating_add(3) } else { end };
    let tag = run(bytes, stop, stop.saturating_add(128), |b| b.is_ascii_whitespace());
    if at(bytes, tag) != b'<' || at(bytes, inc(tag)) != b'/' {
        return;
    }
    let value = Value { start: from, end, quoted: true, next: b'<' };
    // Jenkins keeps credentials in braces, encrypted with a key that stands beside them.
    let sealed = at(bytes, from) == b'{' && back(bytes, end, 1) == b'}' && end.saturating_sub(from) >= 24;
    if sealed && strength == Strength::Strong && memmem::find(part(bytes, from, end), b"AQAAABAAA").is_some()
    {
        spans.push(Span { start: from, end, rule: of(Place::Assignment) });
        return;
    }
    let here = Context { strength, name, ..Context::default() };
    spans.extend(accept::judge(bytes, value, &here));
}
