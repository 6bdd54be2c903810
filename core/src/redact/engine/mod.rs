//! The engine: a text in, spans out. Nothing here is public.
//!
//! Each finder walks the text once and adds spans; what they look at around a place is bounded, so that the whole
//! costs a constant times the length of the text. See `spec/redaction.md`, engine.
mod accept;
mod again;
mod apart;
mod assign;
mod base64;
mod budget;
mod bytes;
mod code;
mod commands;
mod containers;
mod custom;
mod encoded;
mod exact;
mod headers;
mod ids;
mod keys;
mod lexicon;
mod logins;
mod marks;
mod names;
mod opaque;
mod open;
mod pairs;
mod personal;
mod phrases;
mod placeholder;
mod plain;
mod score;
mod shapes;
mod span;
mod tokens;
mod urls;
mod values;
mod views;
mod words;
mod work;
mod wrapped;

pub(super) use again::worth;
pub(super) use bytes::line_start;
pub(super) use custom::Custom;
pub(super) use keys::Block;
pub(super) use marks::Marks;
pub(super) use open::{HOLD, Open, Wraps};
pub(super) use span::{Span, merge};
#[cfg(test)]
pub(super) use work::measure;

use super::{Confidence, rules::rules};
use alloc::{string::String, vec::Vec};
use bytes::{line_end, part};
use marks::Masked;

/// How often lines with findings are looked at again, at most.
const SETTLES: usize = 4;
/// How far lines with findings may be from each other to be looked at together.
const NEAR: usize = 512;

/// What an engine is set up with.
#[derive(Debug)]
pub(super) struct Settings<'a> {
    /// Values that are secrets wherever they stand.
    pub exact: &'a [String],
    /// Findings below this are left out.
    pub least: Confidence,
    /// How many encodings are seen through.
    pub decode_depth: u8,
    /// Whether the rules for personal data are on.
    pub pii: bool,
    /// What the host added.
    pub custom: Custom,
    /// The marks that are recognised.
    pub marks: Marks,
}

/// The finders and what they were set up with.
#[derive(Debug)]
pub(super) struct Engine {
    index: tokens::Index,
    exact: Vec<Vec<u8>>,
    least: Confidence,
    custom: Custom,
    marks: Marks,
    wraps: Wraps,
    /// How many encodings are seen through.
    depth: u8,
    /// Whether personal data is looked for.
    pii: bool,
}

impl Engine {
    /// An engine with these settings.
    pub(super) fn new(settings: Settings<'_>) -> Self {
        let Settings { exact, least, decode_depth, pii, custom, marks } = settings;
        let exact = exact.iter().flat_map(|value| exact::needles(value)).collect();
        let index = tokens::Index::new(rules());
        let wraps = Wraps::new(rules());
        Self { index, exact, least, custom, marks, wraps, depth: decode_depth, pii }
    }

    /// The spans of a text: sorted, apart from each other, none of them empty.
    pub(super) fn scan(&self, text: &str) -> Vec<Span> {
        self.scan_with(text, Vec::new())
    }

    /// The spans of a text in which others are known already.
    pub(super) fn scan_with(&self, text: &str, known: Vec<Span>) -> Vec<Span> {
        let mut masked = Masked::new(&self.marks, text.as_bytes());
        masked.cover(opaque::find(text.as_bytes()));
        let mut found = self.find(&masked.bytes, self.depth);
        found.extend(known);
        let found = masked.cut(found);
        let mut spans = merge(text, found.clone(), self.least);
        if spans.is_empty() {
            return spans;
        }
        let first = spans.len();
        again::find(&masked.bytes, found, self.least, &mut spans);
        if spans.len() > first {
            spans = merge(text, masked.cut(spans), self.least);
        }
        self.settle(text, &mut masked, spans)
    }

    /// What stands in a text, and in what is encoded in it up to `depth` times.
    fn find(&self, bytes: &[u8], depth: u8) -> Vec<Span> {
        let mut spans = Vec::new();
        exact::find(bytes, &self.exact, &mut spans);
        keys::find(bytes, &mut spans);
        self.index.find(bytes, &mut spans);
        containers::find(bytes, &mut spans);
        shapes::find(bytes, &mut spans);
        urls::find(bytes, &mut spans);
        headers::find(bytes, &mut spans);
        assign::find(bytes, &mut spans);
        apart::find(bytes, &mut spans);
        commands::find(bytes, &mut spans);
        logins::find(bytes, &mut spans);
        phrases::find(bytes, &mut spans);
        self.custom.find(bytes, &mut spans);
        if self.pii {
            personal::find(bytes, &mut spans);
        }
        if let Some(depth) = depth.checked_sub(1) {
            let decoded = |text: &str| {
                let masked = Masked::new(&self.marks, text.as_bytes());
                merge(text, masked.cut(self.find(&masked.bytes, depth)), self.least)
            };
            encoded::find(bytes, &decoded, &mut spans);
            views::find(bytes, &|text| self.find(text, depth), &mut spans);
        }
        self.custom.allow.drop(bytes, &mut spans);
        spans
    }

    /// Looks again at the lines in which something was found, with that hidden: what a mark in its place would bring
    /// to light is found now, so that scrubbing twice changes nothing.
    fn settle(&self, text: &str, masked: &mut Masked<'_>, mut spans: Vec<Span>) -> Vec<Span> {
        // A key block goes over lines.
        let block = memchr::memmem::find(text.as_bytes(), b"-----BEGIN").is_some();
        for _ in 0..SETTLES {
            masked.hide(&spans);
            let bytes = &*masked.bytes;
            let mut more = Vec::new();
            let near = if block { Vec::from([(0, bytes.len())]) } else { lines(bytes, &spans) };
            for (start, end) in near {
                let found = self.find(part(bytes, start, end), self.depth).into_iter();
                let place = |n: usize| n.saturating_add(start);
                more.extend(found.map(|s| Span { start: place(s.start), end: place(s.end), ..s }));
            }
            let more = merge(text, masked.cut(more), self.least);
            if more.is_empty() {
                break;
            }
            spans.extend(more);
            spans = merge(text, spans, self.least);
        }
        spans
    }

    /// By what it is seen that a token may go on in the next line.
    pub(super) fn wraps(&self) -> &Wraps {
        &self.wraps
    }

    /// Whether the host says that values under these names stay.
    pub(super) fn allows(&self, path: &[&str]) -> bool {
        self.custom.allow.path(path)
    }

    /// What is secret in a string for the name it stands under: the whole, or the credentials of a header. Marks in
    /// the name say nothing.
    pub(super) fn named(&self, name: &str, value: &str) -> Vec<Span> {
        let (name, value_bytes) =
            (Masked::new(&self.marks, name.as_bytes()), Masked::new(&self.marks, value.as_bytes()));
        let (name, bytes) = (&*name.bytes, &*value_bytes.bytes);
        let mut spans = Vec::new();
        let header =
            headers::is_header(name) && headers::value(bytes, 0, &mut values::Stops::default(), &mut spans);
        if !header && let Some(strength) = self.custom.strength(name).or_else(|| names::strength(name)) {
            let here = accept::Context { strength, name, colon: true, ..accept::Context::default() };
            let whole = values::Value { start: 0, end: bytes.len(), quoted: true, next: b',' };
            spans.extend(accept::judge(bytes, whole, &here));
        }
        merge(value, value_bytes.cut(spans), self.least)
    }
}

/// The lines in which spans stand; lines that are near each other are read together, with those between them.
fn lines(bytes: &[u8], spans: &[Span]) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for span in spans {
        match all.last_mut() {
            Some((_, end)) if span.end <= *end => {}
            Some((_, end)) if span.start.saturating_sub(*end) <= NEAR => *end = line_end(bytes, span.end),
            _ => all.push((line_start(bytes, span.start), line_end(bytes, span.end))),
        }
    }
    all
}

/// Whether a value could be found by trying: short, or words and digits of which there are not too many.
pub(super) fn guessable(value: &[u8]) -> bool {
    value.len() < 12 || (value.len() < 64 && score::score(value) < 2)
}

/// Whether a value stands for a secret rather than being one.
pub(super) fn placeholder(value: &str) -> bool {
    placeholder::placeholder(value.as_bytes())
}
