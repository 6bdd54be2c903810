//! The one way through a text, for whole texts and streams alike.
use super::groups::{self, BEHIND, Lines, MOST, Next, boundary};
use super::known::Known;
use crate::redact::{
    engine::{Block, Engine, First, Kept, Reading, Span},
    rules::{Place, Row, Shape},
};
use alloc::vec::Vec;
use memchr::memmem;

/// A secret, or a part of a key block that is longer than what is read at once.
#[derive(Debug, Clone, Copy)]
pub(in crate::redact) struct Piece {
    pub start: usize,
    pub end: usize,
    pub rule: &'static Row,
    /// It goes on where the last one ended.
    pub continues: bool,
    /// The next one goes on where it ends.
    pub goes_on: bool,
}

impl From<Span> for Piece {
    fn from(Span { start, end, rule }: Span) -> Self {
        Self { start, end, rule, continues: false, goes_on: false }
    }
}

/// A group, or a part of one.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// What starts from here on is judged,
    at: usize,
    /// and before this.
    cut: usize,
    /// Where reading ends.
    look: usize,
    /// Whether a mark may stand in it.
    marks: bool,
}

/// What is carried from one part of a text to the next.
#[derive(Default)]
pub(in crate::redact) struct Walk {
    known: Known,
    /// What is kept from one group to the next.
    kept: Kept,
    /// How far the group was read that comes next.
    lines: Lines,
    /// Bytes whose groups are judged each for itself: to look at many at once was in vain.
    alone: usize,
    /// Bytes before what comes next that belong to the same group.
    behind: usize,
    /// The rule of the key block that is open.
    key: Option<&'static Row>,
}

impl Walk {
    /// The walk through a text that goes on inside of a key block, or behind so many bytes of its line.
    pub(super) fn going_on(inside_key: bool, behind: usize) -> Self {
        let key = inside_key.then(|| crate::redact::rules::of(Place::PrivateKey));
        Self { key, behind, ..Self::default() }
    }

    /// Whether a key block is open.
    pub(in crate::redact) fn is_inside_key(&self) -> bool {
        self.key.is_some()
    }

    /// Bytes before what comes next that are read again.
    pub(super) fn behind(&self) -> usize {
        self.behind
    }

    /// Adds what is found in a text from `at` on, and gives back up to where that is final; `at` itself when nothing
    /// is before there is more. `end` says that nothing more comes.
    pub(in crate::redact) fn advance(
        &mut self,
        engine: &Engine,
        text: &str,
        at: usize,
        end: bool,
        out: &mut Vec<Piece>,
    ) -> usize {
        let rest = text.as_bytes().get(at..).unwrap_or_default();
        if let Some(rule) = self.key {
            return self.key_rest(rule, rest, at, end, out);
        }
        if self.behind == 0 && self.lines.fresh() && self.alone == 0 {
            let start = groups::start(engine, rest);
            // Reading is worth it when it brings the way forward by a good part of what was read.
            let least = start.read.checked_div(4).unwrap_or(0);
            self.alone = if start.last.unwrap_or(0) < least { least } else { 0 };
            if let Some(length) = start.last {
                let stop = at.saturating_add(length);
                self.groups(engine, text, at, stop, out);
                return stop;
            }
        }
        let stop = match self.lines.next(engine, rest, end) {
            Next::More => return at,
            Next::Whole(length) => {
                let stop = at.saturating_add(length);
                let marks = self.behind > 0 || self.lines.marks();
                self.group(engine, text, Group { at, cut: stop, look: stop, marks }, out);
                self.behind = 0;
                stop
            }
            Next::Part { cut, look } => {
                let (cut, look) = (at.saturating_add(cut), at.saturating_add(look));
                let stop = self.group(engine, text, Group { at, cut, look, marks: true }, out);
                let back = self.behind.saturating_add(stop.saturating_sub(at)).min(BEHIND);
                self.behind = stop.saturating_sub(boundary(text.as_bytes(), stop.saturating_sub(back)));
                self.stay_in_key(text, stop, out)
            }
        };
        self.lines = Lines::default();
        self.alone = self.alone.saturating_sub(stop.saturating_sub(at));
        stop
    }

    /// Many groups at once. They are scanned together first, and those in which something is found each for itself.
    fn groups(&mut self, engine: &Engine, text: &str, at: usize, stop: usize, out: &mut Vec<Piece>) {
        let window = text.get(at..stop).unwrap_or_default();
        let before = self.known.added();
        let First { spans, encoded } = engine.places(window, &|text| self.known.find(text), &mut self.kept);
        let mut found =
            spans.iter().map(|s| (at.saturating_add(s.start), at.saturating_add(s.end))).peekable();
        let mut encoded = encoded.iter().map(|place| at.saturating_add(*place)).peekable();
        let bytes = text.as_bytes();
        let mut start = at;
        loop {
            while found.next_if(|(_, end)| *end <= start).is_some() {}
            while encoded.next_if(|place| *place < start).is_some() {}
            // What was found since may be what is encoded.
            let hidden = encoded.peek().filter(|_| self.known.added() > before);
            let next =
                found.peek().map(|(place, _)| start.max(*place)).into_iter().chain(hidden.copied()).min();
            let known = self.known.first(bytes, start, next.unwrap_or(stop));
            let Some(place) = known.or(next) else { return };
            // The group in which it stands.
            loop {
                let rest = bytes.get(start..stop).unwrap_or_default();
                let mut lines = Lines::default();
                let length = match lines.next(engine, rest, true) {
                    Next::Whole(length) if length > 0 => length,
                    _ => rest.len(),
                };
                let end = start.saturating_add(length);
                if place < end || end >= stop {
                    let group = Group { at: start, cut: end, look: end, marks: lines.marks() };
                    self.group(engine, text, group, out);
                    start = end;
                    break;
                }
                start = end;
            }
        }
    }

    /// What starts in a group, or a part of one. Gives back where that ends.
    fn group(&mut self, engine: &Engine, text: &str, group: Group, out: &mut Vec<Piece>) -> usize {
        let Group { at, cut, look, marks } = group;
        let from = at.saturating_sub(self.behind);
        let group = text.get(from..look).unwrap_or_default();
        let known = self.known.find(group.as_bytes());
        let mut stop = cut;
        let reading = Reading { text: group, marks, whole: false, earlier: &|text| self.known.find(text) };
        for Span { start, end, rule } in engine.scan(reading, known, &mut self.kept) {
            let (start, end) = (from.saturating_add(start).max(at), from.saturating_add(end));
            if end <= at || start >= cut {
                continue;
            }
            self.known.add(text.as_bytes().get(start..end).unwrap_or_default(), rule);
            stop = stop.max(end);
            out.push(Span { start, end, rule }.into());
        }
        stop
    }

    /// Whether the part that ended at `stop` left a key block open; where the rest of that starts.
    fn stay_in_key(&mut self, text: &str, stop: usize, out: &mut [Piece]) -> usize {
        let Some(last) = out.last_mut() else { return stop };
        let bytes = text.as_bytes();
        let between = bytes.get(last.end..stop);
        let loose = |b: &u8| b.is_ascii_whitespace() || *b == b'\\' || *b == b'n' || *b == b'r';
        let near = between.is_some_and(|between| between.iter().all(loose));
        let ended = bytes.get(..last.end).is_some_and(|head| head.ends_with(b"-"));
        if last.rule.shape != Shape::Place(Place::PrivateKey) || !near || ended {
            return stop;
        }
        // A line that reading cut is read whole with the rest.
        if bytes.get(last.end).is_some_and(|b| !matches!(b, b'\n' | b'\r' | b'\\' | b'"'))
            && let Some(block) = bytes.get(last.start..last.end)
            && let Some(n) = memchr::memrchr(b'\n', block).max(memmem::rfind(block, b"\\n"))
        {
            last.end = last.start.saturating_add(n);
        }
        last.goes_on = true;
        self.key = Some(last.rule);
        self.behind = 0;
        last.end
    }

    /// The rest of a key block: whole lines that may be its, each with the line end before it.
    fn key_rest(
        &mut self,
        rule: &'static Row,
        rest: &[u8],
        at: usize,
        end: bool,
        out: &mut Vec<Piece>,
    ) -> usize {
        let (mut stop, mut i) = (0usize, 0usize);
        let closed = loop {
            i = line_from(rest, i);
            // A backslash may be half of a line end.
            if !end && i.saturating_add(1) >= rest.len() {
                break i.saturating_sub(stop) > MOST;
            }
            let window = rest.get(i..rest.len().min(i.saturating_add(MOST))).unwrap_or_default();
            let length = window.iter().position(|b| matches!(b, b'\n' | b'\\' | b'"'));
            let Some(length) = length.or_else(|| (end || window.len() >= MOST).then_some(window.len()))
            else {
                break false;
            };
            let line = window.get(..length).unwrap_or_default();
            let line_end = i.saturating_add(length);
            if let Some(last) = Block::end(line).map(|end| end.end) {
                stop = i.saturating_add(last);
                break true;
            }
            if line.is_empty() || !Block::goes_on(line) {
                break end || !line.is_empty() || i < rest.len();
            }
            if !line.trim_ascii().is_empty() {
                stop = line_end;
            }
            i = line_end;
        };
        let (start, stop) = (at, at.saturating_add(stop));
        if closed {
            self.key = None;
        }
        if closed || stop > start {
            out.push(Piece { start, end: stop, rule, continues: true, goes_on: !closed });
        }
        if closed && stop == start { at } else { stop }
    }
}

/// Behind the line ends from `i` on, escaped ones as well, and the blanks between them.
fn line_from(rest: &[u8], mut i: usize) -> usize {
    loop {
        let next = |n: usize| rest.get(i.saturating_add(n)).copied().unwrap_or(0);
        i = match (next(0), next(1)) {
            (b'\n' | b'\r' | b' ' | b'\t', _) => i.saturating_add(1),
            (b'\\', b'n' | b'r' | b'\\') => i.saturating_add(2),
            _ => return i,
        };
    }
}
