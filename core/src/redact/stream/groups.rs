//! Where a text may be cut: lines that belong together are judged together, and what is longer than a window in parts.
//!
//! Every place where a text is cut follows from the text alone, so that it does not matter in which pieces it comes.
use crate::redact::engine::{Engine, Open, Sight, blob_may_go_on, count, line_start};
use memchr::memmem;

/// The longest group that is judged whole.
pub(in crate::redact) const MOST: usize = 64 * 1024;
/// How much of it is read again for what comes after it, when it is longer.
pub(super) const BEHIND: usize = 8 * 1024;
/// How much is read beyond the part of a longer group that is judged.
const AHEAD: usize = 8 * 1024;
/// How far before the end of a part a good place for its end is looked for: no blob is longer.
const QUIET: usize = 32 * 1024;
/// A line of so many bytes is looked at for itself: if something is in it, it would be read twice.
const LONG: usize = 1024;

/// How a text goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// Nothing is final before there is more.
    More,
    /// A group up to here.
    Whole(usize),
    /// A part of a longer group up to `cut`, judged by what stands before `look`.
    Part {
        /// What starts before it is judged.
        cut: usize,
        /// Where reading ends.
        look: usize,
    },
}

/// How far the lines of the first group of a text were read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Lines {
    open: Open,
    /// Where the line starts that is read next.
    line: usize,
    /// Up to here it has no end.
    seen: usize,
    /// What may stand in the lines, and in that one.
    sight: Sight,
}

impl Lines {
    /// Whether nothing was read yet.
    pub(super) fn fresh(&self) -> bool {
        self.seen == 0
    }

    /// Whether a mark may stand in what was read.
    pub(super) fn marks(&self) -> bool {
        self.sight.marks
    }

    /// The first group of a text of which nothing more comes when `end` says so.
    pub(super) fn next(&mut self, engine: &Engine, text: &[u8], end: bool) -> Next {
        loop {
            let limit = text.len().min(MOST);
            // Two bytes may tell of which one was seen.
            let from = self.seen.saturating_sub(1).max(self.line);
            let rest = text.get(from..limit).unwrap_or_default();
            let stop = match engine.line_end(rest, &mut self.sight) {
                Some(n) => from.saturating_add(n),
                None => {
                    self.seen = limit;
                    return self.unfinished(engine, text, end);
                }
            };
            let begin = core::mem::take(&mut self.sight.begin);
            let Some(open) = self.open.line(engine.wraps(), text, self.line..stop, begin) else {
                return Next::Whole(self.line);
            };
            self.open = open;
            self.line = stop.saturating_add(1);
            self.seen = self.line;
            if !open.any() {
                return Next::Whole(self.line);
            }
        }
    }

    /// What is to be done with a group whose end is not there.
    fn unfinished(&self, engine: &Engine, text: &[u8], end: bool) -> Next {
        if text.len() >= MOST && (end || text.len() >= MOST.saturating_add(AHEAD)) {
            let look = boundary(text, text.len().min(MOST.saturating_add(AHEAD)));
            return Next::Part { cut: quiet(text), look };
        }
        if !end || text.is_empty() {
            return Next::More;
        }
        match self.open.line(engine.wraps(), text, self.line..text.len(), self.sight.begin) {
            None => Next::Whole(self.line),
            Some(_) => Next::Whole(text.len()),
        }
    }
}

/// How a text starts, when groups of short lines do.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Start {
    /// The end of the last group that ends in what was read. `None` where that does not say it, and for one line, which
    /// is not looked at twice.
    pub last: Option<usize>,
    /// How much was read.
    pub read: usize,
}

/// The groups of short lines that a text starts with: only the lines before the end of the last one are read closely.
pub(super) fn start(engine: &Engine, text: &[u8]) -> Start {
    let window = text.get(..text.len().min(MOST)).unwrap_or_default();
    let window = window.get(..short_lines(window)).unwrap_or_default();
    count(window.len());
    Start { last: last_end(engine, window), read: window.len() }
}

fn last_end(engine: &Engine, window: &[u8]) -> Option<usize> {
    // One line is one group.
    memchr::memchr(b'\n', window).filter(|newline| newline.saturating_add(1) < window.len())?;
    let key = [&b"-----BEGIN"[..], b"---- BEGIN SSH2"].iter().filter_map(|k| memmem::find(window, k)).min();
    let limit = key.map_or(window.len(), |key| line_start(window, key));
    // What was left open before these lines is closed so many bytes behind their start.
    let hold = engine.wraps().hold();
    let start = limit.saturating_sub(hold.saturating_mul(3));
    let (from, sure) = match start {
        0 => (0, 0),
        _ => {
            let newline = memchr::memchr(b'\n', window.get(start..limit)?)?;
            let from = start.saturating_add(newline).saturating_add(1);
            (from, from.saturating_add(hold))
        }
    };
    // But for blobs, which go on farther.
    let mut blob = from > 0;
    let (mut open, mut line, mut last) = (Open::default(), from, None);
    while let Some(n) = memchr::memchr(b'\n', window.get(line..limit)?) {
        let stop = line.saturating_add(n);
        open = open.line(engine.wraps(), window, line..stop, true)?;
        blob = blob && blob_may_go_on(window, line..stop);
        line = stop.saturating_add(1);
        if !open.any() && !blob && stop >= sure {
            last = Some(line);
        }
    }
    last
}

/// Where the first long line of a text starts.
fn short_lines(text: &[u8]) -> usize {
    let mut start = 0usize;
    loop {
        let rest = text.get(start..).unwrap_or_default();
        // All lines but the last that end here are short.
        match memchr::memrchr(b'\n', rest.get(..LONG).unwrap_or(rest)) {
            Some(newline) => start = start.saturating_add(newline).saturating_add(1),
            None if rest.len() >= LONG => return start,
            None => return text.len(),
        }
    }
}

/// A place near the end of a part at which no value is cut: behind a line end, an escaped one, a blank, or any byte
/// that is part of no token.
fn quiet(text: &[u8]) -> usize {
    let from = MOST.saturating_sub(QUIET);
    let tail = text.get(from..MOST.min(text.len())).unwrap_or_default();
    let behind = |n: usize, length: usize| from.saturating_add(n).saturating_add(length);
    let token = |b: &u8| {
        b.is_ascii_alphanumeric()
            || !b.is_ascii()
            || matches!(b, b'_' | b'-' | b'.' | b'=' | b'+' | b'/' | b'~' | b'%' | b'\\')
    };
    memchr::memrchr(b'\n', tail)
        .map(|n| behind(n, 1))
        .or_else(|| memmem::rfind(tail, b"\\n").map(|n| behind(n, 2)))
        .or_else(|| memchr::memrchr(b' ', tail).map(|n| behind(n, 1)))
        .or_else(|| tail.iter().rposition(|b| !token(b)).map(|n| behind(n, 1)))
        .unwrap_or_else(|| boundary(text, MOST.min(text.len())))
}

/// The last character boundary up to `i`.
pub(super) fn boundary(text: &[u8], i: usize) -> usize {
    let inside = |n: &usize| text.get(*n).is_some_and(|b| b & 0xc0 == 0x80);
    let back = (0..4usize).map(|n| i.saturating_sub(n)).find(|n| !inside(n));
    back.unwrap_or(i)
}
