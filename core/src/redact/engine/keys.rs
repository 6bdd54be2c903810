//! Private key blocks: BEGIN, then lines of base64, headers or blanks, ended by END or before the first line that
//! is none of these. A line ends at a line end of the text or an escaped one, at any depth.
use super::bytes::{
    ALNUM, MARK, Set, at, back, blank, ends, has, inc, part, quote, run, run_back, same, seek,
};
use super::span::Span;
use crate::redact::rules::{Place, of};
use alloc::vec::Vec;
use core::ops::Range;

/// Base64 characters without which a block is prose.
const LEAST: usize = 16;
/// Bytes that may stand before the base64 of a line: quotes, comment signs, a time, a name.
const LEAD: usize = 48;
/// How blocks of SSH2 begin.
const SSH2: &[u8] = b"---- BEGIN SSH2";

/// Looks at key blocks one after the other.
#[derive(Debug, Default)]
pub(super) struct Finder {
    /// Where the last block ended.
    past: usize,
    /// Whether anything reads like the beginning of a block.
    begun: bool,
    /// From where on dashes were looked for, and where they stand: each byte is searched once.
    dashes: Option<(usize, usize)>,
}

impl Finder {
    /// Whether anything that was looked at reads like the beginning of a block.
    pub(super) fn begun(&self) -> bool {
        self.begun
    }

    /// Adds the key block that begins at `start`, if that is not in the one before.
    pub(super) fn find(&mut self, bytes: &[u8], start: usize, spans: &mut Vec<Span>) {
        let begins = has(bytes, start, b"-----BEGIN") || has(bytes, start, SSH2);
        self.begun |= begins;
        if start < self.past || !begins {
            return;
        }
        let label = start.saturating_add(10);
        let end = label_end(bytes, label);
        let name = part(bytes, label, end);
        if !private(name) || at(bytes, end) != b'-' {
            return;
        }
        let body = dashes_end(bytes, end);
        let dashes = self.next_dashes(bytes, body);
        if let Some(end) = block_end(bytes, body, dashes) {
            spans.push(Span { start, end, rule: of(Place::PrivateKey) });
            self.past = end;
        }
    }

    /// Where the next dashes start from `i` on: those of END, or of another block.
    fn next_dashes(&mut self, bytes: &[u8], i: usize) -> usize {
        match self.dashes {
            Some((from, dashes)) if (from..=dashes).contains(&i) => dashes,
            _ => {
                let dashes = next_dashes(bytes, i);
                self.dashes = Some((i, dashes));
                dashes
            }
        }
    }
}

/// Whether a label is one of a private key.
fn private(label: &[u8]) -> bool {
    [&b"PRIVATE KEY"[..], b"SSH2 ENCRYPTED"].iter().any(|k| label.windows(k.len()).any(|w| same(w, k)))
}

/// The end of the label that starts at `i`: `RSA PRIVATE KEY`.
fn label_end(bytes: &[u8], i: usize) -> usize {
    run(bytes, i, i.saturating_add(64), |b| b.is_ascii_alphanumeric() || b == b' ')
}

/// The end of the dashes behind a label.
fn dashes_end(bytes: &[u8], i: usize) -> usize {
    run(bytes, i, i.saturating_add(5), |b| b == b'-')
}

/// The end of what belongs to the END before `i`: a label and its dashes. Where they are missing it is words of capitals
/// that are no part of something longer, which may be a secret of its own.
fn closing(bytes: &[u8], i: usize) -> usize {
    let label = label_end(bytes, i);
    let dashes = dashes_end(bytes, label);
    if dashes.saturating_sub(label) >= 4 {
        return dashes;
    }
    let mut end = i;
    while end < label {
        let word = run(bytes, end, label, |b| b == b' ');
        let stop = run(bytes, word, label, |b| b.is_ascii_uppercase() || b.is_ascii_digit());
        let past = dashes_end(bytes, stop);
        let next = at(bytes, past);
        if stop == word || base64(next) || matches!(next, b'-' | b'.' | b'~') {
            break;
        }
        end = past;
        if past > stop {
            break;
        }
    }
    end
}

/// Where the next five dashes start, or the next block with four.
fn next_dashes(bytes: &[u8], mut i: usize) -> usize {
    loop {
        let start = seek(bytes, i, bytes.len(), |rest| memchr::memchr(b'-', rest));
        i = dashes_end(bytes, start);
        match i.saturating_sub(start) {
            1..4 => {}
            4 if !has(bytes, start, SSH2) => {}
            // None at the end of the text.
            _ => return start,
        }
    }
}

/// The end of the block whose body starts at `i`, and goes to the next `dashes` at most.
fn block_end(bytes: &[u8], mut i: usize, dashes: usize) -> Option<usize> {
    let closed = has(bytes, dashes, b"-----END");
    let (mut seen, mut end, mut first, mut lead) = (0usize, i, true, None);
    // What was read before the first string of a list on one line: it goes on in the next one if all of it is a block.
    let mut alone = None;
    // A string that ends behind BEGIN goes on in the next one or not at all.
    let close = backslashes_end(bytes, i);
    if quote(at(bytes, close)) {
        let (next, listed) = joined(bytes, inc(close))?;
        alone = listed.then_some((seen, end));
        i = next;
    }
    let whole = loop {
        if i >= dashes {
            break true;
        }
        let line_end = line_end(bytes, i, dashes);
        let line = part(bytes, i, line_end);
        match read_line(line, closed) {
            Line::Blank => {}
            Line::Header if seen == 0 => end = line_end,
            // The last line of a log with the same text before it.
            Line::Other if closed && seen > 0 && lead.is_some() && tail(line) == lead => end = line_end,
            Line::Body { length, end: stop } => {
                lead = tail(line);
                seen = seen.saturating_add(length);
                end = i.saturating_add(stop);
            }
            // What stands behind BEGIN or before END on their lines.
            Line::Other if (first || line_end == dashes) && shown(line) <= LEAD => {}
            Line::Other | Line::Header => break false,
        }
        first = false;
        match next_line(bytes, line_end) {
            Some((next, listed)) => {
                alone = alone.or_else(|| listed.then_some((seen, end)));
                i = next;
            }
            None => break line_end >= dashes,
        }
    };
    if closed && whole {
        end = closing(bytes, dashes.saturating_add(8));
    } else if let Some(alone) = alone {
        (seen, end) = alone;
    }
    (seen >= LEAST).then_some(end)
}

/// Lines of a block that is longer than what is read at once.
pub(in crate::redact) struct Block;

impl Block {
    /// Whether a line may be one of a block that began before it: base64, a header, a blank.
    pub(in crate::redact) fn goes_on(line: &[u8]) -> bool {
        !matches!(read_line(line, false), Line::Other)
    }

    /// Whether a line of the text may be one of a block, as far as that can be said before its END is seen. It may be a
    /// string of a source text, with escaped line ends.
    pub(in crate::redact) fn may_go_on(line: &[u8]) -> bool {
        // What stands beside the base64 may be secrets, and then does not count.
        let (first, last) = longest_run(line);
        if last.saturating_sub(first) >= LEAST {
            return true;
        }
        let mut from = 0;
        while from <= line.len() {
            let end = run(line, from, line.len(), |b| !matches!(b, b'\\' | b'"'));
            if matches!(read_line(part(line, from, end), true), Line::Other) {
                return false;
            }
            let slashes = backslashes_end(line, end);
            let escape = slashes > end && matches!(at(line, slashes), b'n' | b'r' | b't' | b'"');
            from = if escape || slashes == end { inc(slashes) } else { slashes };
        }
        true
    }

    /// END on a line, with its dashes and label.
    pub(in crate::redact) fn end(line: &[u8]) -> Option<Range<usize>> {
        let mut start = None;
        // By its last letter, which the other words of such lines do not have.
        let ended = memchr::memchr_iter(b'D', line).filter_map(|last| last.checked_sub(2));
        for found in ended.filter(|found| has(line, *found, b"END")) {
            if ends(line, found, b"-----") {
                start = Some(found.saturating_sub(5));
                break;
            }
            start = start.or(Some(found.saturating_sub(5)).filter(|_| ends(line, found, b"---- ")));
        }
        let start = start?;
        Some(start..closing(line, start.saturating_add(8)))
    }

    /// The end of END on a line, where that is sure to end a block: it stands first on its line, or has its dashes and
    /// stands apart, or behind base64. Any other may go with another secret.
    pub(in crate::redact) fn closes(line: &[u8]) -> Option<usize> {
        let Range { start, end } = Self::end(line)?;
        let first = || part(line, 0, start).iter().all(|b| decoration(*b));
        let before = back(line, start, 1);
        let escape = || back(line, start, 2) == b'\\' && matches!(before, b'n' | b'r');
        let body = || start.saturating_sub(run_back(line, start, LEAST, base64)) >= LEAST;
        let apart = || blank(before) || quote(before) || escape() || body();
        (first() || (ends(line, end, b"----") && apart())).then_some(end)
    }

    /// Whether a block begins on a line and does not end on it.
    pub(in crate::redact) fn begins(line: &[u8]) -> bool {
        let mut begins = memchr::memchr_iter(b'B', line).filter_map(|found| {
            let start = found.checked_sub(5)?;
            let dashes = ends(line, found, b"-----") && has(line, found, b"BEGIN");
            (dashes || has(line, start, SSH2)).then_some(start)
        });
        let Some(start) = begins.next_back() else { return false };
        let label = start.saturating_add(10);
        let name = part(line, label, label_end(line, label));
        private(name) && Self::closes(part(line, start, line.len())).is_none()
    }
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

/// What a line of a block is; `closed` says that an END follows.
fn read_line(line: &[u8], closed: bool) -> Line {
    if line.iter().all(|b| decoration(*b)) {
        return Line::Blank;
    }
    let (start, end) = longest_run(line);
    let length = end.saturating_sub(start);
    if length < LEAST && is_header(line) {
        return Line::Header;
    }
    let beside = [part(line, 0, start), part(line, end, line.len())];
    if length >= LEAST && beside.iter().all(|text| shown(text) <= LEAD) {
        return Line::Body { length, end };
    }
    if closed && length >= LEAST && line.iter().all(|b| base64(*b) || decoration(*b)) {
        let length = line.iter().filter(|b| base64(**b)).count();
        return Line::Body { length, end: line.len() };
    }
    if last_line(line, start, end) {
        return Line::Body { length, end };
    }
    Line::Other
}

/// How many bytes of a text are not hidden: what a mark stands for may be longer or shorter.
fn shown(text: &[u8]) -> usize {
    text.iter().filter(|b| **b != MARK).count()
}

/// Where the base64 starts that a line ends with, behind a blank.
fn tail(line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii_end();
    let start = run_back(line, line.len(), line.len(), base64);
    (start > 0 && start < line.len() && blank(back(line, start, 1))).then_some(start)
}

/// Where the longest run of base64 in a line stands.
fn longest_run(line: &[u8]) -> (usize, usize) {
    let (mut best, mut i) = ((0usize, 0usize), 0usize);
    while i < line.len() {
        let end = run(line, i, line.len(), base64);
        if end.saturating_sub(i) > best.1.saturating_sub(best.0) {
            best = (i, end);
        }
        i = inc(end.max(i));
    }
    best
}

/// Whether a line is a header of a block: `Proc-Type: 4,ENCRYPTED`.
fn is_header(line: &[u8]) -> bool {
    let colon = memchr::memchr(b':', line).unwrap_or(0);
    let before = part(line, 0, colon);
    let name = before
        .trim_ascii()
        .iter()
        .filter(|b| !matches!(b, b'*' | b' ' | b'#'))
        .all(|b| b.is_ascii_alphanumeric() || *b == b'-');
    // With digits it is the time of a log line.
    let stamped = before.iter().any(u8::is_ascii_digit);
    colon > 2 && colon < 24 && name && !stamped && blank(at(line, inc(colon)))
}

/// Whether the run of base64 from `start` to `end` is the short last line of a key: base64 and nothing else, and no
/// word; or a checksum.
fn last_line(line: &[u8], start: usize, end: usize) -> bool {
    let alone = part(line, 0, start).iter().chain(part(line, end, line.len())).all(|b| decoration(*b));
    let text = part(line, start, end);
    let word = text.iter().all(u8::is_ascii_alphabetic);
    let last = alone && !text.is_empty() && (!word || text.len().is_multiple_of(4));
    last || (text.starts_with(b"=") && text.len() == 5)
}

/// What may stand around the base64 of a line: quotes, escapes, comment signs.
fn decoration(b: u8) -> bool {
    b.is_ascii_whitespace()
        || quote(b)
        || matches!(
            b,
            b'\\' | b'+' | b'*' | b'#' | b'/' | b'>' | b'|' | b',' | b'.' | b';' | b'(' | b')' | b'-'
        )
}

fn base64(b: u8) -> bool {
    static BASE64: Set = Set::of(ALNUM).and(b"+/=_");
    BASE64.holds(b)
}

/// The end of the line that starts at `i`: a line end of the text, an escaped one, or the quote that ends the string.
fn line_end(bytes: &[u8], start: usize, limit: usize) -> usize {
    // Up to `clear` no base64 was seen: a flood of quotes is read once.
    let (mut i, mut clear) = (start, start);
    while i < limit {
        let here = seek(bytes, i, limit, |rest| memchr::memchr3(b'\n', b'\\', b'"', rest));
        match at(bytes, here) {
            _ if here == limit => return limit,
            b'"' => {
                // A quote may open a line of a source text; any other one ends the string.
                let opens = back(bytes, start, 1) == b'\n' || at(bytes, start) == b'"';
                if !opens || part(bytes, clear, here).iter().any(|b| base64(*b) && *b != b'+' && *b != b'/') {
                    return here;
                }
                (i, clear) = (inc(here), here);
            }
            b'\\' => {
                let slashes = backslashes_end(bytes, here);
                if matches!(at(bytes, slashes), b'n' | b'r') {
                    return here;
                }
                i = slashes;
            }
            _ => return here,
        }
    }
    limit
}

/// Where the line after the one that ended at `i` starts, if the block goes on. After a quote that ended a string it
/// does only in the next string: over a line end of the text, a `+`, or what stands between the strings of a list on one
/// line, which is told as well.
fn next_line(bytes: &[u8], i: usize) -> Option<(usize, bool)> {
    match at(bytes, i) {
        b'\n' => Some((inc(i), false)),
        b'\\' => {
            let next = inc(backslashes_end(bytes, i));
            let close = run(bytes, next, next.saturating_add(64), |b| b == b'\\' || blank(b));
            if quote(at(bytes, close)) { joined(bytes, inc(close)) } else { Some((next, false)) }
        }
        b'"' => joined(bytes, inc(i)),
        _ => None,
    }
}

fn backslashes_end(bytes: &[u8], i: usize) -> usize {
    run(bytes, i, i.saturating_add(64), |b| b == b'\\')
}

/// The line after a string that ended before `i`, and whether it is the next string of a list on the same line.
fn joined(bytes: &[u8], i: usize) -> Option<(usize, bool)> {
    let loose = |b: u8| blank(b) || matches!(b, b'+' | b',' | b'\\' | b'\r' | b'.' | b')');
    let end = run(bytes, i, i.saturating_add(LEAD), loose);
    if at(bytes, end) == b'\n' {
        return Some((inc(end), false));
    }
    quote(at(bytes, end)).then(|| (end, !part(bytes, i, end).contains(&b'+')))
}
