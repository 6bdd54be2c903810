//! Sequences by which a terminal colours text and moves in it, as they are and written out: `\x1b[0m`. A line is read a
//! second time without them, and what is found is mapped back.
use super::bytes::{ESCAPE, at, ends, has, inc, line_end, line_start, part, run, run_back, seek};
use super::late::Offsets;
use super::span::Span;
use alloc::vec::Vec;

/// How it is written behind backslashes.
const WRITTEN: [&[u8]; 7] = [b"u001b", b"u001B", b"x1b", b"x1B", b"033", b"e", b"E"];
/// The most backslashes of one that is written.
const BACKSLASHES: usize = 16;

/// Adds what the lines of a text hold without their sequences; `scan` looks through each. What was found with sequences at its ends
/// loses them. Places are the escapes, and the brackets behind those that are written. Gives back where such lines start.
pub(super) fn find(
    bytes: &[u8],
    places: &Offsets,
    scan: &dyn Fn(&[u8]) -> Vec<Span>,
    spans: &mut Vec<Span>,
) -> Vec<usize> {
    for span in &mut *spans {
        if places.before(span.end).is_some_and(|place| place >= span.start) {
            trim(bytes, span);
        }
    }
    let (mut past, mut starts) = (0, Vec::new());
    for place in places.iter().filter(|i| start(bytes, *i).is_some_and(|i| sequence(bytes, i).is_some())) {
        if place >= past {
            let (start, end) = (line_start(bytes, place), line_end(bytes, place));
            let line = Line::new(bytes, start, end);
            spans.extend(scan(&line.text).into_iter().filter_map(|span| line.back(span)));
            starts.push(start);
            past = end;
        }
    }
    starts
}

/// A line without its sequences.
struct Line<'a> {
    bytes: &'a [u8],
    text: Vec<u8>,
    /// Where the line goes on behind each sequence, first in `text` and then in `bytes`.
    parts: Vec<(usize, usize)>,
}

impl<'a> Line<'a> {
    fn new(bytes: &'a [u8], start: usize, end: usize) -> Self {
        let text = Vec::with_capacity(end.saturating_sub(start));
        let mut line = Self { bytes, text, parts: alloc::vec![(0, start)] };
        let mut i = start;
        while i < end {
            let next = seek(bytes, i, end, |rest| memchr::memchr2(ESCAPE, b'\\', rest));
            line.text.extend_from_slice(part(bytes, i, next));
            i = next;
            if let Some((read, stop)) = sequence(bytes, i) {
                line.text.extend(read);
                line.parts.push((line.text.len(), stop));
                i = stop;
            } else if i < end {
                line.text.push(at(bytes, i));
                i = inc(i);
            }
        }
        line
    }

    /// The place of a byte of the text.
    fn place(&self, i: usize) -> Option<usize> {
        let behind = self.parts.partition_point(|(here, _)| *here <= i);
        let (here, there) = self.parts.get(behind.checked_sub(1)?)?;
        Some(i.saturating_sub(*here).saturating_add(*there))
    }

    /// A span of the text in the line with its sequences.
    fn back(&self, span: Span) -> Option<Span> {
        let (start, last) = (self.place(span.start)?, self.place(span.end.checked_sub(1)?)?);
        let end = sequence(self.bytes, last).map_or(inc(last), |(_, end)| end);
        Some(Span { start, end, ..span })
    }
}

/// Leaves out the sequences at both ends.
fn trim(bytes: &[u8], span: &mut Span) {
    while let Some((_, end)) = sequence(bytes, span.start).filter(|(_, end)| *end <= span.end) {
        span.start = end;
    }
    let (mut i, mut end) = (span.start, span.start);
    while i < span.end {
        match sequence(bytes, i) {
            Some((_, next)) => i = next,
            None => {
                i = inc(i);
                end = i;
            }
        }
    }
    span.end = end;
}

/// Where the sequence starts whose place this is.
fn start(bytes: &[u8], place: usize) -> Option<usize> {
    if at(bytes, place) == ESCAPE {
        return Some(place);
    }
    let written = WRITTEN.iter().find(|written| ends(bytes, place, written))?;
    let letter = place.saturating_sub(written.len());
    let start = run_back(bytes, letter, BACKSLASHES, |b| b == b'\\');
    (start < letter).then_some(start)
}

/// The sequence that starts at `i`: what is read in its place, if anything, and where it ends.
fn sequence(bytes: &[u8], i: usize) -> Option<(Option<u8>, usize)> {
    let kind = escape(bytes, i)?;
    let next = inc(kind);
    match at(bytes, kind) {
        b'[' => control(bytes, next),
        b']' => title(bytes, next).map(|end| (None, end)),
        // A set of characters.
        b'(' | b')' if matches!(at(bytes, next), b'A' | b'B' | b'0' | b'1' | b'2') => Some((None, inc(next))),
        b'7' | b'8' | b'=' | b'>' if at(bytes, i) == ESCAPE => Some((None, next)),
        _ => None,
    }
}

/// The end of an escape.
fn escape(bytes: &[u8], i: usize) -> Option<usize> {
    match at(bytes, i) {
        ESCAPE => Some(inc(i)),
        b'\\' => {
            let letter = run(bytes, i, i.saturating_add(BACKSLASHES), |b| b == b'\\');
            let written = WRITTEN.iter().find(|written| has(bytes, letter, written))?;
            Some(letter.saturating_add(written.len()))
        }
        _ => None,
    }
}

/// What stands behind `\x1b[`: numbers, and the letter that says what they do. Where it goes to another place, the text
/// does not go on.
fn control(bytes: &[u8], i: usize) -> Option<(Option<u8>, usize)> {
    let numbers = run(bytes, i, i.saturating_add(32), |b| matches!(b, b'0'..=b'?'));
    let letter = run(bytes, numbers, inc(numbers), |b| matches!(b, b' ' | b'!' | b'$'));
    let read = match at(bytes, letter) {
        b'p' | b'q' => None,
        _ if letter > numbers => return None,
        b'A' | b'B' | b'E' | b'F' | b'H' | b'J' | b'd' | b'f' => Some(b'\n'),
        b'C' | b'D' | b'G' => Some(b' '),
        b'@'..=b'Z' | b'a'..=b'z' | b'`' => None,
        _ => return None,
    };
    Some((read, inc(letter)))
}

/// The end of a title or of a link that starts at `i`: a bell, or an escape with a backslash.
fn title(bytes: &[u8], i: usize) -> Option<usize> {
    let close = run(bytes, i, bytes.len(), |b| b >= b' ' && b != b'\\');
    match at(bytes, close) {
        b'\x07' => Some(inc(close)),
        ESCAPE => (at(bytes, inc(close)) == b'\\').then(|| close.saturating_add(2)),
        b'\\' => {
            let letter = run(bytes, close, close.saturating_add(BACKSLASHES), |b| b == b'\\');
            let bell =
                [&b"u0007"[..], b"x07", b"007", b"a"].into_iter().find(|bell| has(bytes, letter, bell));
            if let Some(bell) = bell {
                return Some(letter.saturating_add(bell.len()));
            }
            // The backslash is written with as many again.
            let (slash, length) = (escape(bytes, close)?, letter.saturating_sub(close).saturating_mul(2));
            let end = run(bytes, slash, slash.saturating_add(length), |b| b == b'\\');
            (end > slash).then_some(end)
        }
        _ => None,
    }
}
