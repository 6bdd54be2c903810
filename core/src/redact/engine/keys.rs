//! Private key blocks: BEGIN, then lines of base64, headers or blanks, ended by END or before the first line that
//! is none of these. A line ends at a line end of the text or an escaped one, at any depth.
use super::Span;
use super::bytes::{MARK, at, back, blank, has, part, quote, run};
use crate::redact::rules::{Place, of};
use alloc::vec::Vec;
use memchr::memmem;

/// Base64 characters without which a block is prose.
const LEAST: usize = 16;
/// Bytes that may stand before the base64 of a line: quotes, comment signs, a time, a name.
const LEAD: usize = 48;

/// Adds the key blocks of a text.
pub(super) fn find(bytes: &[u8], spans: &mut Vec<Span>) {
    let mut past = 0;
    for start in memmem::find_iter(bytes, b"-----BEGIN").chain(memmem::find_iter(bytes, b"---- BEGIN SSH2")) {
        if start < past && spans.last().is_some_and(|s| s.start <= start) {
            continue;
        }
        let label = start.saturating_add(10);
        let label_end =
            run(bytes, label, label.saturating_add(64), |b| b.is_ascii_alphanumeric() || b == b' ');
        let name = part(bytes, label, label_end);
        let private =
            memmem::find(name, b"PRIVATE KEY").is_some() || memmem::find(name, b"SSH2 ENCRYPTED").is_some();
        if !private || at(bytes, label_end) != b'-' {
            continue;
        }
        let body = run(bytes, label_end, label_end.saturating_add(5), |b| b == b'-');
        if let Some(end) = block_end(bytes, body) {
            spans.push(Span { start, end, rule: of(Place::PrivateKey) });
            past = end;
        }
    }
}

/// The end of the block whose body starts at `i`.
fn block_end(bytes: &[u8], mut i: usize) -> Option<usize> {
    // The body goes to the next dashes at most: those of END, or of another block.
    let dashes =
        memmem::find(part(bytes, i, bytes.len()), b"-----").map_or(bytes.len(), |n| i.saturating_add(n));
    let closed = has(bytes, dashes, b"-----END");
    let (mut seen, mut end, mut first, mut whole) = (0usize, i, true, true);
    // A string that ends behind BEGIN goes on in the next one or not at all.
    let close = run(bytes, i, i.saturating_add(64), |b| b == b'\\');
    if quote(at(bytes, close)) {
        i = joined(bytes, close.saturating_add(1))?;
    }
    while i < dashes {
        let line_end = line_end(bytes, i, dashes);
        let line = part(bytes, i, line_end);
        match read_line(line, closed) {
            Line::Blank => {}
            Line::Header if seen == 0 => end = line_end,
            Line::Body { length, end: stop } => {
                seen = seen.saturating_add(length);
                end = i.saturating_add(stop);
            }
            Line::Other if (first || line_end == dashes) && line.len() <= LEAD => {}
            Line::Other | Line::Header => {
                whole = false;
                break;
            }
        }
        first = false;
        match next_line(bytes, line_end) {
            Some(next) => i = next,
            None => {
                whole = line_end >= dashes;
                break;
            }
        }
    }
    if closed && whole {
        let label = dashes.saturating_add(8);
        let label_end =
            run(bytes, label, label.saturating_add(64), |b| b.is_ascii_alphanumeric() || b == b' ');
        end = run(bytes, label_end, label_end.saturating_add(5), |b| b == b'-');
    }
    (seen >= LEAST).then_some(end)
}

enum Line {
    Blank,
    Header,
    /// Base64 characters, and where they end in the line.
    Body {
        length: usize,
        end: usize,
    },
    Other,
}

fn read_line(line: &[u8], closed: bool) -> Line {
    let decoration = |b: &u8| {
        b.is_ascii_whitespace()
            || quote(*b)
            || matches!(
                b,
                b'\\' | b'+' | b'*' | b'#' | b'/' | b'>' | b'|' | b',' | b'.' | b';' | b'(' | b')' | b'-'
            )
    };
    if line.iter().all(decoration) {
        return Line::Blank;
    }
    // The longest run of base64 in the line.
    let (mut best, mut i) = ((0usize, 0usize), 0usize);
    while i < line.len() {
        let end = run(line, i, line.len(), base64);
        if end.saturating_sub(i) > best.1.saturating_sub(best.0) {
            best = (i, end);
        }
        i = end.max(i).saturating_add(1);
    }
    let length = best.1.saturating_sub(best.0);
    // Marks do not count: what they stand for may be longer or shorter.
    let text = |from: usize, to: usize| part(line, from, to).iter().filter(|b| **b != MARK).count();
    let (lead, rest) = (text(0, best.0), text(best.1, line.len()));
    let colon = memchr::memchr(b':', line).unwrap_or(0);
    let name = part(line, 0, colon)
        .trim_ascii()
        .iter()
        .filter(|b| !matches!(b, b'*' | b' ' | b'#'))
        .all(|b| b.is_ascii_alphanumeric() || *b == b'-');
    let stamped = part(line, 0, colon).iter().any(u8::is_ascii_digit);
    if length < LEAST
        && colon > 2
        && colon < 24
        && name
        && !stamped
        && blank(at(line, colon.saturating_add(1)))
    {
        return Line::Header;
    }
    if length >= LEAST && lead <= LEAD && rest <= LEAD {
        return Line::Body { length, end: best.1 };
    }
    if closed && length >= LEAST && line.iter().all(|b| base64(*b) || decoration(b)) {
        let length = line.iter().filter(|b| base64(**b)).count();
        return Line::Body { length, end: line.len() };
    }
    // The short last line of a key: base64 and nothing else, and no word.
    let alone =
        part(line, 0, best.0).iter().all(decoration) && part(line, best.1, line.len()).iter().all(decoration);
    let text = part(line, best.0, best.1);
    let word = text.iter().all(u8::is_ascii_alphabetic);
    if alone && length > 0 && (!word || text.len().checked_rem(4) == Some(0)) {
        return Line::Body { length, end: best.1 };
    }
    if text.starts_with(b"=") && length == 5 {
        return Line::Body { length, end: best.1 };
    }
    Line::Other
}

fn base64(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'_')
}

/// The end of the line that starts at `i`: a line end of the text, an escaped one, or the quote that ends the string.
fn line_end(bytes: &[u8], i: usize, limit: usize) -> usize {
    let mut at_byte = i;
    while at_byte < limit {
        let found = memchr::memchr3(b'\n', b'\\', b'"', part(bytes, at_byte, limit));
        let Some(found) = found else { return limit };
        let here = at_byte.saturating_add(found);
        match at(bytes, here) {
            b'\n' => return here,
            b'"' => {
                // A quote may open a line of a source text; any other one ends the string.
                let opens = matches!(back(bytes, i, 1), b'\n') || at(bytes, i) == b'"';
                if !opens || part(bytes, i, here).iter().any(|b| base64(*b) && *b != b'+' && *b != b'/') {
                    return here;
                }
            }
            _ => {
                let slashes = run(bytes, here, here.saturating_add(64), |b| b == b'\\');
                if matches!(at(bytes, slashes), b'n' | b'r') {
                    return here;
                }
                at_byte = slashes;
                continue;
            }
        }
        at_byte = here.saturating_add(1);
    }
    limit
}

/// Where the line after the one that ended at `i` starts, if the block goes on. After a quote that ended a string it
/// does only in the next string: over a line end of the text or a `+`.
fn next_line(bytes: &[u8], i: usize) -> Option<usize> {
    match at(bytes, i) {
        b'\n' => Some(i.saturating_add(1)),
        b'\\' => {
            let slashes = run(bytes, i, i.saturating_add(64), |b| b == b'\\');
            let next = slashes.saturating_add(1);
            let close = run(bytes, next, next.saturating_add(64), |b| b == b'\\' || blank(b));
            if quote(at(bytes, close)) { joined(bytes, close.saturating_add(1)) } else { Some(next) }
        }
        b'"' => joined(bytes, i.saturating_add(1)),
        _ => None,
    }
}

/// The line after a string that ended before `i`.
fn joined(bytes: &[u8], i: usize) -> Option<usize> {
    let loose = |b: u8| blank(b) || matches!(b, b'+' | b',' | b'\\' | b'\r' | b'.' | b')');
    let end = run(bytes, i, i.saturating_add(LEAD), loose);
    if at(bytes, end) == b'\n' {
        return Some(end.saturating_add(1));
    }
    (part(bytes, i, end).contains(&b'+') && quote(at(bytes, end))).then_some(end)
}
