//! Blobs that go on over lines, as `base64`, `openssl`, `xxd -p` and mail write them: each line has as many letters as the
//! first, and starts in the same column or behind blanks alone; the last one may have fewer. Line ends may be escaped.
use super::blob::{self, MOST};
use super::bytes::{MARK, at, back, blank, inc, part, quote, run, run_back};
use alloc::{string::String, vec::Vec};
use core::ops::Range;

/// The fewest letters of a line that is not the last, and the most.
const FEWEST: usize = 40;
const WIDEST: usize = 256;
/// The most bytes before the letters of each line: blanks, the sign of a diff, a time, a name.
const LEAD: usize = 48;
/// The most backslashes of an escaped line end.
const BACKSLASHES: usize = 16;

/// A blob that more lines may follow.
#[derive(Debug, Clone, Copy)]
pub(in crate::redact) struct Folded {
    start: usize,
    /// Where its first line ends.
    end: usize,
    /// Letters of each line.
    width: usize,
    /// Where these stand in their lines, if that may be elsewhere than behind blanks.
    column: Option<usize>,
}

/// A blob with more than one line.
#[derive(Debug)]
pub(super) struct Lines {
    pub start: usize,
    pub end: usize,
    /// What it stands for, if that is text.
    pub text: Option<String>,
}

/// The blob of more than one line that starts in this run of letters, and starts as a text. It goes on for [`MOST`] bytes at
/// most; what comes then is another one.
pub(super) fn lines(bytes: &[u8], run: Range<usize>) -> Option<Lines> {
    let next = next_line(bytes, run.end)?;
    begins(bytes, run).find(|folded| folded.goes_on(bytes, next)).map(|folded| folded.lines(bytes))
}

/// The blobs of more than one line that may start in a run of letters, the longest first: a part of what they are glued to
/// may be a secret, and what is left is read again.
fn begins(bytes: &[u8], run: Range<usize>) -> impl Iterator<Item = Folded> {
    let Range { start, end } = run;
    let most = if next_line(bytes, end).is_some() { end.saturating_sub(start) } else { 0 };
    let widths = (FEWEST / 4..=most.min(WIDEST).wrapping_shr(2)).rev().map(|fours| fours.saturating_mul(4));
    widths.filter_map(move |width| Folded::of(bytes, end.saturating_sub(width)..end))
}

impl Folded {
    /// A blob whose first line has these letters, if they start as a text.
    fn of(bytes: &[u8], letters: Range<usize>) -> Option<Self> {
        let Range { start, end } = letters;
        if !blob::begins_text(part(bytes, start, end)) {
            return None;
        }
        let line = run_back(bytes, start, LEAD.saturating_add(1), |b| b != b'\n' && b != MARK);
        let column = start.saturating_sub(line);
        let stands = line == 0 || back(bytes, line, 1) == b'\n';
        let column = (column <= LEAD && stands).then_some(column);
        Some(Self { start, end, width: end.saturating_sub(start), column })
    }

    /// Whether the line that starts at `next` belongs to it.
    fn goes_on(&self, bytes: &[u8], next: usize) -> bool {
        self.full(bytes, next).is_some() || self.shorter(bytes, next).next().is_some()
    }

    /// Its lines, of which there are more than one.
    fn lines(&self, bytes: &[u8]) -> Lines {
        let Self { start, mut end, .. } = *self;
        let mut letters: Vec<u8> = part(bytes, start, end).into();
        while let Some(line) = next_line(bytes, end).and_then(|next| self.full(bytes, next)) {
            letters.extend_from_slice(part(bytes, line.start, line.end));
            end = line.end;
        }
        let last = next_line(bytes, end).and_then(|next| {
            self.shorter(bytes, next).find_map(|line| {
                let text = blob::text(&[&letters, part(bytes, line.start, line.end)].concat());
                text.is_some().then_some(Lines { start, end: line.end, text })
            })
        });
        // The short line may be a word of what comes next.
        last.unwrap_or_else(|| Lines { start, end, text: blob::text(&letters) })
    }

    /// The letters of the line that starts at `next`, if there are as many as in each but the last.
    fn full(&self, bytes: &[u8], next: usize) -> Option<Range<usize>> {
        let near = |line: &Range<usize>| line.end.saturating_sub(self.start) <= MOST;
        self.letters(bytes, next)
            .find(|line| line.len() == self.width && closed(bytes, line.end))
            .filter(near)
    }

    /// The letters that may be those of a shorter line, which starts at `next`, and what fills them up.
    fn shorter(&self, bytes: &[u8], next: usize) -> impl Iterator<Item = Range<usize>> {
        self.letters(bytes, next).filter_map(|line| {
            let end = run(bytes, line.end, line.end.saturating_add(2), |b| b == b'=');
            let shorter = (2..self.width).contains(&line.len()) && line.len() % 4 != 1;
            (shorter && closed(bytes, end)).then_some(line.start..end)
        })
    }

    /// The runs of letters that may go on in the line that starts at `next`.
    fn letters(&self, bytes: &[u8], next: usize) -> impl Iterator<Item = Range<usize>> {
        let blanks = Some(run(bytes, next, next.saturating_add(LEAD), blank));
        let column = self.column.map(|column| next.saturating_add(column));
        let hidden = |start: usize| part(bytes, next, start).iter().any(|b| matches!(*b, b'\n' | MARK));
        let column = column.filter(|start| !self.amid(bytes, *start) && !hidden(*start));
        let most = self.width.saturating_add(1);
        let starts = [blanks, column].into_iter().flatten();
        starts.map(move |start| start..run(bytes, start, start.saturating_add(most), blob::letter))
    }

    /// Whether letters stand before those that start at `i`, other than the sign of a diff as before the first ones.
    fn amid(&self, bytes: &[u8], i: usize) -> bool {
        let before = back(bytes, i, 1);
        blob::letter(before) && (before.is_ascii_alphanumeric() || before != back(bytes, self.start, 1))
    }
}

/// Whether nothing but the end of its line or string follows a line.
fn closed(bytes: &[u8], end: usize) -> bool {
    end >= bytes.len() || quote(at(bytes, end)) || matches!(at(bytes, end), b'\n' | b'\r' | b'\\' | b'<')
}

/// Where the line starts behind one that ends at `i`.
fn next_line(bytes: &[u8], i: usize) -> Option<usize> {
    let escaped = |i: usize, letter: u8| {
        let slashes = run(bytes, i, i.saturating_add(BACKSLASHES), |b| b == b'\\');
        (slashes > i && at(bytes, slashes) == letter).then(|| inc(slashes))
    };
    let feed = if at(bytes, i) == b'\r' { inc(i) } else { escaped(i, b'r').unwrap_or(i) };
    if at(bytes, feed) == b'\n' { Some(inc(feed)) } else { escaped(feed, b'n') }
}

/// What may go on behind a line of a text: see [`super::open`].
#[derive(Debug, Clone, Copy)]
pub(in crate::redact) enum Begun {
    /// Blobs whose first line ends in letters from here to there.
    First(usize, usize),
    /// A blob of some lines.
    Lines(Folded),
}

impl Begun {
    /// What may go on behind a line, and before it.
    pub(super) fn behind(before: Option<Self>, bytes: &[u8], line: Range<usize>) -> Option<Self> {
        let goes_on = |folded: &Folded| folded.full(bytes, line.start).is_some();
        let same = match before {
            Some(Self::First(start, end)) => begins(bytes, start..end).find(goes_on),
            Some(Self::Lines(folded)) => Some(folded).filter(goes_on),
            None => None,
        };
        same.map(Self::Lines).or_else(|| {
            let Range { start, end } = last_letters(bytes, line)?;
            begins(bytes, start..end).next().map(|_| Self::First(start, end))
        })
    }
}

/// Whether a blob may go on behind a line, whatever stands before it.
pub(in crate::redact) fn may_go_on(bytes: &[u8], line: Range<usize>) -> bool {
    last_letters(bytes, line).is_some()
}

/// The letters that a line ends with, if a blob may go on behind so many.
fn last_letters(bytes: &[u8], line: Range<usize>) -> Option<Range<usize>> {
    let end = if back(bytes, line.end, 1) == b'\r' { line.end.saturating_sub(1) } else { line.end };
    let start = run_back(bytes, end, end.saturating_sub(line.start).min(WIDEST), blob::letter);
    (end.saturating_sub(start) >= FEWEST).then_some(start..end)
}
