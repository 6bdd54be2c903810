//! Marks in the input: they are hidden from the finders, so that none is read as a secret or part of one.
use super::bytes::{MARK, at, has, inc, part, run};
use super::span::Span;
use crate::redact::rules::is_kind;
use alloc::{borrow::Cow, vec::Vec};
use memchr::memmem;

const OPEN: &[u8] = b"[REDACTED:";

/// A text whose marks are overwritten, byte for byte.
pub(super) struct Masked<'a> {
    pub bytes: Cow<'a, [u8]>,
    marks: Vec<(usize, usize)>,
}

impl<'a> Masked<'a> {
    /// Borrows a text without marks, copies one with marks.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let marks: Vec<_> = memmem::find_iter(bytes, OPEN)
            .filter_map(|start| end(bytes, start).map(|end| (start, end)))
            .collect();
        let mut masked = Self { bytes: Cow::Borrowed(bytes), marks: Vec::new() };
        masked.overwrite(marks);
        masked
    }

    /// Hides what was found, as if a mark stood in its place.
    pub(super) fn hide(&mut self, spans: &[Span]) {
        self.overwrite(spans.iter().map(|s| (s.start, s.end)).collect());
    }

    /// Hides what is not to be scanned.
    pub(super) fn cover(&mut self, places: Vec<(usize, usize)>) {
        if !places.is_empty() {
            self.overwrite(places);
        }
    }

    fn overwrite(&mut self, places: Vec<(usize, usize)>) {
        for (start, end) in &places {
            if let Some(mark) = self.bytes.to_mut().get_mut(*start..*end) {
                mark.fill(MARK);
            }
        }
        self.marks.extend(places);
        self.marks.sort_unstable();
        self.marks.dedup();
    }

    /// Cuts the marks out of spans.
    pub(super) fn cut(&self, spans: Vec<Span>) -> Vec<Span> {
        if self.marks.is_empty() {
            return spans;
        }
        let mut apart = Vec::with_capacity(spans.len());
        for mut span in spans {
            let first = self.marks.partition_point(|(_, end)| *end <= span.start);
            for (start, end) in self.marks.get(first..).unwrap_or_default() {
                if *start >= span.end {
                    break;
                }
                if span.start < *start {
                    apart.push(Span { end: *start, ..span });
                }
                span.start = span.end.min(*end);
            }
            if span.start < span.end {
                apart.push(span);
            }
        }
        apart
    }
}

/// The end of a mark that starts at `i`: `[REDACTED:`, a kind, optionally `:` and 8 base32 characters, `]`.
fn end(bytes: &[u8], i: usize) -> Option<usize> {
    if !has(bytes, i, OPEN) {
        return None;
    }
    let kind = i.saturating_add(OPEN.len());
    let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let kind_end = run(bytes, kind, kind.saturating_add(40), letter);
    if !is_kind(part(bytes, kind, kind_end)) {
        return None;
    }
    let mut end = kind_end;
    if at(bytes, end) == b':' {
        let tag = inc(end);
        end = run(bytes, tag, tag.saturating_add(8), |b| b.is_ascii_lowercase() || matches!(b, b'2'..=b'7'));
        if end.saturating_sub(tag) != 8 {
            return None;
        }
    }
    (at(bytes, end) == b']').then(|| inc(end))
}
