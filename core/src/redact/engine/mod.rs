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
mod names;
mod shapes;
mod tokens;
mod urls;
mod values;

use super::{
    Confidence,
    rules::{Rule, rules},
};
use alloc::vec::Vec;
use memchr::memmem;

/// One secret in a text, in bytes; both ends are character boundaries.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    pub rule: &'static Rule,
}

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
        let bytes = text.as_bytes();
        let mut spans = Vec::new();
        exact::find(bytes, &self.exact, &mut spans);
        keys::find(bytes, &mut spans);
        self.index.find(bytes, &mut spans);
        shapes::find(bytes, &mut spans);
        urls::find(bytes, &mut spans);
        headers::find(bytes, &mut spans);
        assign::find(bytes, &mut spans);
        commands::find(bytes, &mut spans);
        let mut spans = merge(text, without_marks(spans, bytes), self.least);
        let first = spans.len();
        again::find(bytes, &mut spans);
        if spans.len() > first { merge(text, without_marks(spans, bytes), self.least) } else { spans }
    }

    /// What is secret in a string for the name it stands under: the whole, or the credentials of a header.
    pub(super) fn named(&self, name: &str, value: &str) -> Vec<Span> {
        let (name, bytes) = (name.as_bytes(), value.as_bytes());
        let mut spans = Vec::new();
        if headers::is_header(name) && headers::value(bytes, 0, &mut values::Stops::default(), &mut spans) {
            return spans;
        }
        if let Some(strength) = names::judge(name) {
            let place = accept::Place { strength, name, colon: true, ..accept::Place::default() };
            let whole = values::Value { start: 0, end: bytes.len(), quoted: true, next: b',' };
            spans.extend(accept::judge(bytes, whole, &place));
        }
        spans.retain(|span| span.rule.confidence >= self.least);
        without_marks(spans, bytes)
    }
}

/// Whether a value stands for a secret rather than being one.
pub(super) fn placeholder(value: &str) -> bool {
    judge::placeholder(value.as_bytes())
}

/// Cuts the marks out of spans: a mark is never part of a secret.
fn without_marks(mut spans: Vec<Span>, bytes: &[u8]) -> Vec<Span> {
    let marks =
        memmem::find_iter(bytes, b"[REDACTED:").filter_map(|i| bytes::mark(bytes, i).map(|end| (i, end)));
    let marks: Vec<_> = marks.collect();
    if marks.is_empty() {
        return spans;
    }
    let mut cut = Vec::with_capacity(spans.len());
    for mut span in spans.drain(..) {
        let first = marks.partition_point(|(_, end)| *end <= span.start);
        for (start, end) in marks.get(first..).unwrap_or_default() {
            if *start >= span.end {
                break;
            }
            if span.start < *start {
                cut.push(Span { end: *start, ..span });
            }
            span.start = span.end.min(*end);
        }
        if span.start < span.end {
            cut.push(span);
        }
    }
    cut
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
