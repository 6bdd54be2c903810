//! The engine: a text in, spans out. Nothing here is public, and nothing but [`Engine`] and [`Span`] is used outside.
//!
//! Each finder walks the text once and adds spans; what they look at around a place is bounded, so that the whole
//! costs a constant times the length of the text. See `spec/redaction.md`, engine.
mod accept;
mod again;
mod assign;
mod bytes;
mod commands;
mod exact;
mod headers;
mod judge;
mod keys;
mod marks;
mod names;
mod score;
mod shapes;
mod tokens;
mod urls;
mod values;

use super::{
    Confidence,
    rules::{Rule, rules},
};
use alloc::vec::Vec;
use marks::Masked;

/// One secret in a text, in bytes; both ends are character boundaries.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    pub rule: &'static Rule,
}

/// How often lines with findings are looked at again, at most.
const SETTLES: usize = 4;

/// The finders and what they were set up with.
#[derive(Debug)]
pub(super) struct Engine {
    index: tokens::Index,
    exact: Vec<Vec<u8>>,
    least: Confidence,
}

impl Engine {
    /// An engine that reports findings of at least this confidence.
    pub(super) fn new(exact: &[alloc::string::String], least: Confidence) -> Self {
        let exact = exact.iter().flat_map(|value| exact::needles(value)).collect();
        Self { index: tokens::Index::new(rules()), exact, least }
    }

    /// The spans of a text: sorted, apart from each other, none of them empty.
    pub(super) fn scan(&self, text: &str) -> Vec<Span> {
        let mut masked = Masked::new(text.as_bytes());
        let mut spans = merge(text, masked.cut(self.find(&masked.bytes)), self.least);
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

    fn find(&self, bytes: &[u8]) -> Vec<Span> {
        let mut spans = Vec::new();
        exact::find(bytes, &self.exact, &mut spans);
        keys::find(bytes, &mut spans);
        self.index.find(bytes, &mut spans);
        shapes::find(bytes, &mut spans);
        urls::find(bytes, &mut spans);
        headers::find(bytes, &mut spans);
        assign::find(bytes, &mut spans);
        commands::find(bytes, &mut spans);
        spans
    }

    /// Looks again at the lines in which something was found, with that hidden: what a mark in its place would bring
    /// to light is found now, so that scrubbing twice changes nothing.
    fn settle(&self, text: &str, masked: &mut Masked<'_>, mut spans: Vec<Span>) -> Vec<Span> {
        for _ in 0..SETTLES {
            masked.hide(&spans);
            let bytes = &*masked.bytes;
            let (mut more, mut past) = (Vec::new(), 0);
            for span in &spans {
                if span.start < past {
                    continue;
                }
                let start = memchr::memrchr(b'\n', bytes::part(bytes, 0, span.start)).map_or(0, inc);
                let rest = bytes::part(bytes, span.end, bytes.len());
                let end = span.end.saturating_add(memchr::memchr(b'\n', rest).unwrap_or(rest.len()));
                past = end;
                let found = self.find(bytes::part(bytes, start, end)).into_iter();
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

    /// What is secret in a string for the name it stands under: the whole, or the credentials of a header.
    pub(super) fn named(&self, name: &str, value: &str) -> Vec<Span> {
        let masked = Masked::new(value.as_bytes());
        let (name, bytes) = (name.as_bytes(), &*masked.bytes);
        let mut spans = Vec::new();
        let header =
            headers::is_header(name) && headers::value(bytes, 0, &mut values::Stops::default(), &mut spans);
        if !header && let Some(strength) = names::judge(name) {
            let place = accept::Place { strength, name, colon: true, ..accept::Place::default() };
            let whole = values::Value { start: 0, end: bytes.len(), quoted: true, next: b',' };
            spans.extend(accept::judge(bytes, whole, &place));
        }
        merge(value, masked.cut(spans), self.least)
    }
}

/// Whether a value stands for a secret rather than being one.
pub(super) fn placeholder(value: &str) -> bool {
    judge::placeholder(value.as_bytes())
}

/// Sorts spans and makes overlapping ones one: of the higher confidence, then the longer, then the lower rule id.
pub(super) fn merge(text: &str, mut spans: Vec<Span>, least: Confidence) -> Vec<Span> {
    spans.retain(|s| s.rule.confidence >= least && s.start < s.end && text.get(s.start..s.end).is_some());
    spans.sort_by_key(|s| (s.start, s.end));
    let mut merged: Vec<(Span, usize)> = Vec::with_capacity(spans.len());
    for span in spans {
        let length = span.end.saturating_sub(span.start);
        match merged.last_mut() {
            Some((last, best)) if span.start < last.end => {
                let rank = |s: &Span, n: usize| (s.rule.confidence, n, core::cmp::Reverse(s.rule.id));
                if rank(&span, length) > rank(last, *best) {
                    last.rule = span.rule;
                    *best = length;
                }
                last.end = last.end.max(span.end);
            }
            _ => merged.push((span, length)),
        }
    }
    merged.into_iter().map(|(span, _)| span).collect()
}

/// One more.
fn inc(i: usize) -> usize {
    i.saturating_add(1)
}
