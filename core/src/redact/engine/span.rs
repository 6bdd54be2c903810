//! What the finders find.
use super::order;
use crate::redact::{Confidence, rules::Row};
use alloc::vec::Vec;
use core::cmp::Reverse;

/// One secret in a text, in bytes; both ends are character boundaries once [`merge`] has seen it.
#[derive(Debug, Clone, Copy)]
pub(in crate::redact) struct Span {
    pub start: usize,
    pub end: usize,
    pub rule: &'static Row,
}

impl Span {
    /// Whether the span is a part of a text, not empty, and as sure as `least`.
    pub(super) fn counts(&self, text: &str, least: Confidence) -> bool {
        self.rule.confidence >= least && self.start < self.end && text.get(self.start..self.end).is_some()
    }
}

/// Drops spans that are less sure than `least`, empty or no part of the text; sorts the others and makes overlapping
/// ones one: of the higher confidence, then the longer, then the lower rule id.
pub(in crate::redact) fn merge(text: &str, mut spans: Vec<Span>, least: Confidence) -> Vec<Span> {
    spans.retain(|span| span.counts(text, least));
    order::sort(&mut spans, |one, other| (one.start, one.end).cmp(&(other.start, other.end)));
    // Each with the length of the span that gave it its rule.
    let mut merged: Vec<(Span, usize)> = Vec::with_capacity(spans.len());
    for span in spans {
        let length = span.end.saturating_sub(span.start);
        match merged.last_mut() {
            Some((last, best)) if span.start < last.end => {
                let rank = |s: &Span, n: usize| (s.rule.confidence, n, Reverse(s.rule.id));
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
