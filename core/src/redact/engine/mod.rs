//! The engine: a text in, spans out. Nothing here is public.
//!
//! Each finder walks the text once and adds spans; what they look at around a place is bounded, so that the whole
//! costs a constant times the length of the text. See `spec/redaction.md`, engine.
mod accept;
mod again;
mod apart;
mod assign;
mod base64;
mod budget;
mod bytes;
mod code;
mod commands;
mod containers;
mod encoded;
mod exact;
mod headers;
mod ids;
mod keys;
mod lexicon;
mod logins;
mod marks;
mod names;
mod opaque;
mod pairs;
mod personal;
mod phrases;
mod placeholder;
mod plain;
mod score;
mod shapes;
mod span;
mod tokens;
mod urls;
mod values;
mod views;
mod words;
mod work;
mod wrapped;

pub(super) use span::{Span, merge};
#[cfg(test)]
pub(super) use work::measure;

use super::{Confidence, rules::rules};
use alloc::{string::String, vec::Vec};
use bytes::{line_end, line_start, part};
use marks::Masked;

/// How often what is encoded is looked through.
const DEPTH: u8 = 2;
/// How often lines with findings are looked at again, at most.
const SETTLES: usize = 4;
/// How far lines with findings may be from each other to be looked at together.
const NEAR: usize = 512;

/// The finders and what they were set up with.
#[derive(Debug)]
pub(super) struct Engine {
    index: tokens::Index,
    exact: Vec<Vec<u8>>,
    least: Confidence,
    /// Whether personal data is looked for.
    pii: bool,
}

impl Engine {
    /// An engine that reports findings of at least this confidence.
    pub(super) fn new(exact: &[String], least: Confidence) -> Self {
        let exact = exact.iter().flat_map(|value| exact::needles(value)).collect();
        Self { index: tokens::Index::new(rules()), exact, least, pii: false }
    }

    /// The engine with the set of personal data switched on or off.
    #[cfg_attr(not(test), allow(dead_code, reason = "the option that calls it comes with the other options"))]
    pub(super) fn with_pii(self, pii: bool) -> Self {
        Self { pii, ..self }
    }

    /// The spans of a text: sorted, apart from each other, none of them empty.
    pub(super) fn scan(&self, text: &str) -> Vec<Span> {
        let mut masked = Masked::new(text.as_bytes());
        masked.cover(opaque::find(text.as_bytes()));
        let mut spans = merge(text, masked.cut(self.find(&masked.bytes, DEPTH)), self.least);
        if spans.is_empty() {
            return spans;
        }
        let first = spans.len();
        again::find(&masked.bytes, &mut spans);
        if spans.len() > first {
            spans = merge(text, masked.cut(spans), self.least);
        }
        self.settle(text, &mut masked, spans)
    }

    /// What stands in a text, and in what is encoded in it up to `depth` times.
    fn find(&self, bytes: &[u8], depth: u8) -> Vec<Span> {
        let mut spans = Vec::new();
        exact::find(bytes, &self.exact, &mut spans);
        keys::find(bytes, &mut spans);
        self.index.find(bytes, &mut spans);
        containers::find(bytes, &mut spans);
        shapes::find(bytes, &mut spans);
        urls::find(bytes, &mut spans);
        headers::find(bytes, &mut spans);
        assign::find(bytes, &mut spans);
        apart::find(bytes, &mut spans);
        commands::find(bytes, &mut spans);
        logins::find(bytes, &mut spans);
        phrases::find(bytes, &mut spans);
        if self.pii {
            personal::find(bytes, &mut spans);
        }
        if let Some(depth) = depth.checked_sub(1) {
            let scan = |text: &[u8]| self.find(text, depth);
            encoded::find(bytes, self.least, &scan, &mut spans);
            views::find(bytes, &scan, &mut spans);
        }
        spans
    }

    /// Looks again at the lines in which something was found, with that hidden: what a mark in its place would bring
    /// to light is found now, so that scrubbing twice changes nothing.
    fn settle(&self, text: &str, masked: &mut Masked<'_>, mut spans: Vec<Span>) -> Vec<Span> {
        for _ in 0..SETTLES {
            masked.hide(&spans);
            let bytes = &*masked.bytes;
            let mut more = Vec::new();
            for (start, end) in lines(bytes, &spans) {
                let found = self.find(part(bytes, start, end), DEPTH).into_iter();
                let place = |n: usize| n.saturating_add(start);
                more.extend(found.map(|s| Span { start: place(s.start), end: place(s.end), ..s }));
            }
            let more = merge(text, masked.cut(more), self.least);
            if more.is_empty() {
                break;
            }
            spans.extend(more);
            spans = merge(text, spans, self.least);
        }
        spans
    }

    /// What is secret in a string for the name it stands under: the whole, or the credentials of a header. Marks in
    /// the name say nothing.
    pub(super) fn named(&self, name: &str, value: &str) -> Vec<Span> {
        let (name, value_bytes) = (Masked::new(name.as_bytes()), Masked::new(value.as_bytes()));
        let (name, bytes) = (&*name.bytes, &*value_bytes.bytes);
        let mut spans = Vec::new();
        let header =
            headers::is_header(name) && headers::value(bytes, 0, &mut values::Stops::default(), &mut spans);
        if !header && let Some(strength) = names::strength(name) {
            let here = accept::Context { strength, name, colon: true, ..accept::Context::default() };
            let whole = values::Value { start: 0, end: bytes.len(), quoted: true, next: b',' };
            spans.extend(accept::judge(bytes, whole, &here));
        }
        merge(value, value_bytes.cut(spans), self.least)
    }
}

/// The lines in which spans stand; lines that are near each other are read together, with those between them.
fn lines(bytes: &[u8], spans: &[Span]) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for span in spans {
        match all.last_mut() {
            Some((_, end)) if span.end <= *end => {}
            Some((_, end)) if span.start.saturating_sub(*end) <= NEAR => *end = line_end(bytes, span.end),
            _ => all.push((line_start(bytes, span.start), line_end(bytes, span.end))),
        }
    }
    all
}

/// Whether a value stands for a secret rather than being one.
pub(super) fn placeholder(value: &str) -> bool {
    placeholder::placeholder(value.as_bytes())
}
