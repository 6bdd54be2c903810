//! The engine: a text in, spans out. Nothing here is public.
use super::{Confidence, rules::Rule};
use alloc::vec::Vec;

/// One secret in a text, in bytes; both ends are character boundaries.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub start: usize,
    pub end: usize,
    pub rule: &'static Rule,
}

/// Finds the spans of a text: sorted, without overlaps, at least of the given confidence.
pub(super) fn scan(_text: &str, _exact: &[&str], _least: Confidence) -> Vec<Span> {
    Vec::new()
}
