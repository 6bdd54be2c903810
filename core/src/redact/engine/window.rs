//! A text is looked through in windows, so that what is held beside it does not grow with it.
//!
//! Places are looked at in the window alone; what is read around them lies within a bounded stretch on both sides, the
//! *view*. Only a view in which a mark stands or a secret was found is copied, to hide them.
use super::bytes::part;
use super::finders::{Finders, Past};
use super::marks::Masked;
use super::memo::Memo;
use super::places::{Reader, STEP};
use super::values::Stops;
use super::{
    again::Known,
    exact,
    span::{Span, merge},
    tokens::Index,
};
use crate::redact::Confidence;
use alloc::vec::Vec;
use core::ops::Range;

/// Bytes of a window: whole blocks, 64 KB.
pub(super) const WINDOW: usize = 1170 * STEP;
/// Bytes of the view before the window.
const BACK: usize = 16 * 1024;
/// Bytes of the view behind the window; more for key blocks that go on.
const AHEAD: usize = 32 * 1024;
/// How often what stands near new findings is looked at again, at most.
const SETTLES: usize = 4;
/// How far before a finding something may be judged otherwise once it is hidden.
const LEFT: usize = 640;
/// How far behind it.
const RIGHT: usize = 256;

/// The finders' tables, and what they were set up with.
#[derive(Debug)]
pub(super) struct Setup {
    pub index: Index,
    pub exact: Vec<Vec<u8>>,
    pub least: Confidence,
    /// Whether places are found by plain numbers even where there are vectors.
    pub scalar: bool,
}

/// A text that is looked through.
pub(super) struct Scan<'t> {
    setup: &'t Setup,
    text: &'t str,
    known: Known<'t>,
    past: Past,
    names: Memo,
    /// Whether the next window starts inside of a string of its line.
    inside: bool,
    spans: Vec<Span>,
}

/// A part of the text with what is known about it.
struct View<'t> {
    text: &'t str,
    start: usize,
    masked: Masked<'t>,
    /// The window, in the view.
    window: Range<usize>,
    /// For each block of the window, whether it starts inside of a string of its line.
    strings: Vec<bool>,
}

impl<'t> Scan<'t> {
    pub(super) fn new(setup: &'t Setup, text: &'t str) -> Self {
        Self {
            setup,
            text,
            known: Known::default(),
            past: Past::default(),
            names: Memo::default(),
            inside: false,
            spans: Vec::new(),
        }
    }

    /// The spans of the text: sorted, apart from each other, none of them empty.
    pub(super) fn spans(mut self) -> Vec<Span> {
        let mut start = 0usize;
        while start < self.text.len() {
            let end = start.saturating_add(WINDOW).min(self.text.len());
            self.window(start, end);
            start = end;
        }
        self.spans
    }

    /// Adds spans of a view that starts at `base`, as one with those that they meet.
    fn keep(&mut self, spans: &[Span], base: usize) {
        let place = |n: usize| n.saturating_add(base);
        let Some(first) = spans.first().map(|span| place(span.start)) else { return };
        let apart = self.spans.iter().rposition(|span| span.end <= first).map_or(0, |n| n.saturating_add(1));
        let mut met = self.spans.split_off(apart);
        met.extend(spans.iter().map(|s| Span { start: place(s.start), end: place(s.end), ..*s }));
        if apart == self.spans.len() && met.len() == spans.len() {
            self.spans.append(&mut met);
        } else {
            self.spans.extend(merge(self.text, met, self.setup.least));
        }
    }

    fn window(&mut self, start: usize, end: usize) {
        let mut ahead = AHEAD;
        let (mut view, spans, past) = loop {
            let mut view = View::new(self.text, start, end, ahead);
            let (spans, past) = self.first(&mut view);
            let cut = end.saturating_add(ahead) < self.text.len();
            if !cut || !spans.iter().any(|span| span.end >= view.text.len()) {
                break (view, spans, past);
            }
            ahead = ahead.saturating_mul(2);
        };
        self.past = past;
        let mut spans = merge(view.text, view.masked.cut(spans), self.setup.least);
        if !spans.is_empty() || !self.known.is_empty() {
            self.again(&view, &mut spans);
            self.setup.settle(&mut view, &mut spans, &mut self.names);
        }
        self.keep(&spans, view.start);
        if let Some(inside) = view.strings.pop() {
            self.inside = inside;
        }
    }

    /// What the finders find in a window at first.
    fn first(&mut self, view: &mut View<'t>) -> (Vec<Span>, Past) {
        let names = core::mem::take(&mut self.names);
        let (mut spans, mut finders) = (Vec::new(), Finders::after(self.past.before(view.start), names));
        let (bytes, strings) = (&*view.masked.bytes, &mut view.strings);
        exact::find(bytes, &view.window, &self.setup.exact, &mut spans);
        self.setup
            .find(bytes, &view.window, self.inside, &mut finders, &mut spans, |inside| strings.push(inside));
        let past = finders.past().behind(view.start);
        self.names = finders.names();
        (spans, past)
    }

    /// Looks for the values that are known and that were found in this window.
    fn again(&mut self, view: &View<'t>, spans: &mut Vec<Span>) {
        let mut from = view.window.start;
        for span in &*spans {
            let value = view.text.as_bytes().get(span.start..span.end).unwrap_or_default();
            if self.known.add(value, span.rule, view.start.saturating_add(span.start)) {
                from = from.min(span.start.saturating_sub(super::again::BEFORE));
            }
        }
        let first = spans.len();
        if !self.known.is_empty() {
            self.known.find(&view.masked.bytes, view.start, from..view.window.end, spans);
        }
        if spans.len() > first {
            *spans = merge(view.text, view.masked.cut(core::mem::take(spans)), self.setup.least);
        }
    }
}

impl<'t> View<'t> {
    fn new(text: &'t str, start: usize, end: usize, ahead: usize) -> Self {
        let from = text.floor_char_boundary(start.saturating_sub(BACK));
        let to = text.ceil_char_boundary(end.saturating_add(ahead).min(text.len()));
        let text = text.get(from..to).unwrap_or_default();
        let window = start.saturating_sub(from)..end.saturating_sub(from);
        Self { text, start: from, masked: Masked::new(text.as_bytes()), window, strings: Vec::new() }
    }

    /// A place at most a block before `i` from which on places can be read, and whether it is inside of a string.
    fn from(&self, i: usize) -> (usize, bool) {
        if let Some(n) = i.checked_sub(self.window.start).and_then(|n| n.checked_div(STEP))
            && let Some(inside) = self.strings.get(n)
        {
            return (n.saturating_mul(STEP).saturating_add(self.window.start), *inside);
        }
        if i < STEP {
            return (0, false);
        }
        let mut stops = Stops::default();
        let line = memchr::memrchr(b'\n', part(&self.masked.bytes, 0, i));
        match (line, self.strings.first()) {
            (None, Some(inside)) => stops.note(self.window.start, *inside),
            _ => stops.note(line.unwrap_or(0), false),
        }
        (i, stops.inside(&self.masked.bytes, i))
    }
}

impl Setup {
    /// Asks the finders at the places of a window; `strings` is told of every block whether it starts inside of a
    /// string of its line, and of where the window ends.
    fn find(
        &self,
        bytes: &[u8],
        window: &Range<usize>,
        inside: bool,
        finders: &mut Finders,
        spans: &mut Vec<Span>,
        mut strings: impl FnMut(bool),
    ) {
        let mut reader = Reader::new(bytes, window.start, inside, self.scalar);
        let mut start = window.start;
        while start < window.end {
            for places in reader.read(bytes, start, window.end) {
                strings(places.inside);
                finders.find(bytes, &places, &self.index, spans);
                start = start.saturating_add(STEP);
            }
        }
        strings(reader.inside());
    }

    /// Looks again at what stands near findings, with those hidden: what a mark in their place would bring to light is
    /// found now, so that scrubbing twice changes nothing.
    fn settle(&self, view: &mut View<'_>, spans: &mut Vec<Span>, names: &mut Memo) {
        let mut fresh = spans.clone();
        for _ in 0..SETTLES {
            view.masked.hide(&fresh);
            let mut more = Vec::new();
            for near in near(view, &fresh) {
                let (start, inside) = view.from(near.start);
                let mut finders = Finders::after(Past::default(), core::mem::take(names));
                self.find(&view.masked.bytes, &(start..near.end), inside, &mut finders, &mut more, |_| ());
                *names = finders.names();
            }
            fresh = merge(view.text, view.masked.cut(more), self.least);
            if fresh.is_empty() {
                break;
            }
            spans.extend(&fresh);
        }
        *spans = merge(view.text, core::mem::take(spans), self.least);
    }
}

/// What stands near spans; where that meets it is one. Behind a quote that was hidden strings are other strings.
fn near(view: &View<'_>, spans: &[Span]) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for span in spans {
        let quotes = view.text.as_bytes().get(span.start..span.end).is_some_and(|text| text.contains(&b'"'));
        let behind = if quotes { view.window.end.max(span.end) } else { span.end };
        let (start, end) =
            (span.start.saturating_sub(LEFT), behind.saturating_add(RIGHT).min(view.text.len()));
        match all.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => all.push(start..end),
        }
    }
    all
}
