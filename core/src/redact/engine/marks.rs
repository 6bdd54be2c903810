//! Marks in the input: they are hidden from the finders, so that none is read as a secret or part of one.
use super::bytes::{MARK, at, has, inc, part, run};
use super::order;
use super::span::Span;
use crate::redact::rules::is_kind;
use alloc::{borrow::Cow, string::String, vec::Vec};
use memchr::memmem;

const OPEN: &[u8] = b"[REDACTED:";

/// Room that is kept for the copy of a text.
const ROOM: usize = 16 * 1024;

/// The marks that are recognised beside those of the tables.
#[derive(Debug, Clone)]
pub(in crate::redact) struct Marks {
    /// Kinds of the host's rules.
    pub kinds: Vec<String>,
    /// The host's own mark: what stands before the kind, or the whole; and what stands behind the kind.
    pub own: Option<(String, Option<String>)>,
    /// How the usual ones are found.
    pub usual: memmem::Finder<'static>,
}

impl Default for Marks {
    fn default() -> Self {
        Self { kinds: Vec::new(), own: None, usual: memmem::Finder::new(OPEN) }
    }
}

impl Marks {
    fn find(&self, bytes: &[u8]) -> Vec<(usize, usize)> {
        let usual = self.usual.find_iter(bytes);
        let usual = usual.filter_map(|start| self.end(bytes, start).map(|end| (start, end)));
        let mut marks: Vec<_> = usual.collect();
        if let Some((before, after)) = &self.own {
            let own = memmem::find_iter(bytes, before.as_bytes());
            marks.extend(own.filter_map(|start| {
                self.own_end(bytes, start.saturating_add(before.len()), after.as_deref())
                    .map(|end| (start, end))
            }));
        }
        marks
    }

    fn own_end(&self, bytes: &[u8], from: usize, after: Option<&str>) -> Option<usize> {
        let Some(after) = after else { return Some(from) };
        let kind = self.kind_end(bytes, from)?;
        has(bytes, kind, after.as_bytes()).then(|| kind.saturating_add(after.len()))
    }

    /// The end of a kind that starts at `i`.
    fn kind_end(&self, bytes: &[u8], i: usize) -> Option<usize> {
        let letter = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        let end = run(bytes, i, i.saturating_add(40), letter);
        let kind = part(bytes, i, end);
        (is_kind(kind) || self.kinds.iter().any(|k| k.as_bytes() == kind)).then_some(end)
    }

    /// The end of a mark that starts at `i`: `[REDACTED:`, a kind, optionally `:` and 8 base32 characters, `]`.
    fn end(&self, bytes: &[u8], i: usize) -> Option<usize> {
        let mut end = self.kind_end(bytes, i.saturating_add(OPEN.len()))?;
        if at(bytes, end) == b':' {
            let tag = inc(end);
            end = run(bytes, tag, tag.saturating_add(8), |b| {
                b.is_ascii_lowercase() || matches!(b, b'2'..=b'7')
            });
            if end.saturating_sub(tag) != 8 {
                return None;
            }
        }
        (at(bytes, end) == b']').then(|| inc(end))
    }
}

/// A text whose marks are overwritten, byte for byte.
pub(super) struct Masked<'a> {
    pub bytes: Cow<'a, [u8]>,
    marks: Vec<(usize, usize)>,
}

impl<'a> Masked<'a> {
    /// Borrows a text without marks, copies one with marks.
    pub(super) fn new(known: &Marks, bytes: &'a [u8]) -> Self {
        let mut masked = Self::bare(bytes);
        masked.cover(known.find(bytes));
        masked
    }

    /// A text without marks.
    pub(super) fn bare(bytes: &'a [u8]) -> Self {
        Self { bytes: Cow::Borrowed(bytes), marks: Vec::new() }
    }

    /// Whether nothing is hidden.
    pub(super) fn is_whole(&self) -> bool {
        self.marks.is_empty()
    }

    /// Copies the text to where there is room for it, unless it is copied already.
    pub(super) fn copy_to(&mut self, mut room: Vec<u8>) {
        if let Cow::Borrowed(bytes) = self.bytes {
            room.clear();
            room.reserve_exact(bytes.len());
            room.extend_from_slice(bytes);
            self.bytes = Cow::Owned(room);
        }
    }

    /// The room that a copy of the text took, where it is no more than is kept from text to text.
    pub(super) fn room(&mut self) -> Vec<u8> {
        match core::mem::take(&mut self.bytes) {
            Cow::Owned(room) if room.capacity() <= ROOM => room,
            _ => Vec::new(),
        }
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
        order::sort(&mut self.marks, Ord::cmp);
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
