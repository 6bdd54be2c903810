//! Base64 and hexadecimal of a text: decoded and read, up to a depth; a blob that hides a secret goes whole.
use super::blob::{self, MOST};
use super::bytes::{back, inc, long_run, part, run};
use super::folded;
use super::late::Offsets;
use super::places::BLOB;
use super::span::Span;
use crate::redact::rules::Row;
use alloc::vec::Vec;
use core::cell::Cell;
use core::cmp::Reverse;
use core::ops::Range;

/// The fewest bytes of a blob.
const LEAST: usize = BLOB;

/// Finds the secrets of a decoded text, those that would be replaced in it.
type Scan<'a> = &'a dyn Fn(&str) -> Vec<Span>;

/// What was seen of the texts that are encoded in another.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Where those start.
    pub texts: Vec<usize>,
    /// Blobs over lines in which nothing was found: their lines may be blobs of their own once one of them is hidden.
    pub folded: Vec<Range<usize>>,
}

/// Adds the blobs of a text that hide a secret; `scan` looks through what they hold. Places are the last of the `LEAST`
/// first bytes of runs of base64.
pub(super) fn find(bytes: &[u8], places: &Offsets, scan: Scan<'_>, spans: &mut Vec<Span>) -> Seen {
    let (mut past, mut folded, mut seen, held) = (0, 0, Seen::default(), Cell::new(false));
    let scan: Scan<'_> = &|text| {
        held.set(true);
        scan(text)
    };
    for place in places.iter() {
        let start = place.saturating_sub(LEAST.saturating_sub(1));
        // Of a run that was hidden in part the rest starts elsewhere. No byte of a mark is ASCII.
        let hidden = || !part(bytes, start, inc(place)).is_ascii();
        if place < past || blob::letter(back(bytes, start, 1)) || hidden() {
            continue;
        }
        let stop = long_run(bytes, place, &blob::LETTERS);
        let end = run(bytes, stop, stop.saturating_add(2), |b| b == b'=');
        past = end;
        let start = blob::first(bytes, start);
        if end.saturating_sub(start) > MOST {
            continue;
        }
        let lines = (start >= folded).then(|| folded::lines(bytes, start..stop)).flatten();
        folded = lines.as_ref().map_or(folded, |lines| lines.end);
        let text = lines.as_ref().and_then(|lines| lines.text.as_deref());
        if let Some(rule) = text.and_then(|text| secret(text, scan)) {
            past = folded;
            spans.extend(lines.as_ref().map(|lines| Span { start: lines.start, end: folded, rule }));
        } else if let Some(rule) = rule(part(bytes, start, end), scan) {
            spans.push(Span { start, end, rule });
        } else if let Some(piece) = last_piece(bytes, start, end)
            && let Some(rule) = rule(part(bytes, piece, end), scan)
        {
            spans.push(Span { start: piece, end, rule });
        }
        seen.folded.extend(lines.filter(|_| past < folded).map(|lines| start..lines.end));
        seen.texts.extend(held.take().then_some(start));
    }
    seen
}

/// Where the last part of a path starts, when it may be a blob by itself.
fn last_piece(bytes: &[u8], start: usize, end: usize) -> Option<usize> {
    let text = part(bytes, start, end.min(start.saturating_add(512)));
    let slash = memchr::memrchr(b'/', text)?;
    let piece = start.saturating_add(slash).saturating_add(1);
    (end.saturating_sub(piece) >= LEAST).then_some(piece)
}

/// The rule of the secret in a blob.
fn rule(blob: &[u8], scan: Scan<'_>) -> Option<&'static Row> {
    secret(&blob::text(blob)?, scan)
}

/// The rule of the surest secret in a decoded text.
fn secret(text: &str, scan: Scan<'_>) -> Option<&'static Row> {
    // The map of a script holds the sources of it.
    if text.starts_with("{\"version\":3") {
        return None;
    }
    let best = scan(text)
        .into_iter()
        .max_by_key(|s| (s.rule.confidence, s.end.saturating_sub(s.start), Reverse(s.rule.id)))?;
    Some(best.rule)
}
