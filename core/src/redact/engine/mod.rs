//! The engine: a text in, spans out. Nothing here is public.
//!
//! One pass over the bytes finds the places that may hold a secret ([`places`]); at each of them the finder is asked
//! whose place it is. What finders read around a place is bounded, so that the whole costs a constant times the length
//! of the text. See `spec/redaction.md`, engine.
mod accept;
mod again;
mod apart;
mod assign;
mod base64;
mod blob;
mod budget;
mod bytes;
mod calls;
mod classes;
mod code;
mod commands;
mod containers;
mod custom;
mod dismissed;
mod encoded;
pub(super) mod exact;
mod finders;
mod folded;
mod headers;
mod heads;
mod ids;
mod keys;
mod late;
mod lexicon;
mod line;
mod logins;
mod marks;
mod markup;
mod masks;
mod members;
mod memo;
mod names;
pub(super) mod opaque;
mod open;
mod order;
mod pairs;
mod parts;
mod personal;
mod phrases;
mod placeholder;
mod places;
mod plain;
mod planes;
pub(super) mod sampled;
mod scan;
mod score;
mod seen;
mod sequences;
mod shapes;
mod span;
mod tokens;
mod urls;
mod values;
mod views;
mod words;
mod work;
mod wrapped;
mod yaml;

pub(super) use again::worth;
pub(super) use bytes::line_start;
pub(super) use custom::Custom;
pub(super) use folded::may_go_on as blob_may_go_on;
pub(super) use keys::Block;
pub(super) use line::Sight;
pub(super) use marks::Marks;
pub(super) use open::{Open, Wraps};
pub(super) use scan::{Earlier, First, Reading};
pub(super) use seen::Kept;
pub(super) use span::{Span, merge};
pub(super) use work::count;
#[cfg(test)]
pub(super) use work::measure;

use super::{Confidence, rules::rows};
use alloc::{string::String, vec::Vec};
use fearless_simd::Level;
use marks::Masked;

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
    exact: exact::Exact,
    least: Confidence,
    custom: Custom,
    marks: Marks,
    wraps: Wraps,
    /// How many encodings are seen through.
    depth: u8,
    /// Whether personal data is looked for.
    pii: bool,
    /// The vectors of this machine.
    level: Level,
    /// Whether places are found by plain numbers even where there are vectors.
    scalar: bool,
}

impl Engine {
    /// An engine with these settings.
    pub(super) fn new(settings: Settings<'_>) -> Self {
        let Settings { exact, least, decode_depth, pii, custom, marks } = settings;
        let (exact, lines) = exact::Exact::new(exact);
        let index = tokens::Index::new(rows());
        let wraps = Wraps::new(rows(), lines);
        let level = Level::try_detect().unwrap_or(Level::baseline());
        Self { index, exact, least, custom, marks, wraps, depth: decode_depth, pii, level, scalar: false }
    }

    /// Finds places by plain numbers from now on.
    pub(super) fn read_by_numbers(&mut self) {
        (self.scalar, self.level) = (true, Level::baseline());
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
    /// the name say nothing. Those in the string are not read, nor is what was `found` in it already.
    pub(super) fn named(&self, name: &str, value: &str, found: &[Span]) -> Vec<Span> {
        let (name, mut value_bytes) =
            (Masked::new(&self.marks, name.as_bytes()), Masked::new(&self.marks, value.as_bytes()));
        value_bytes.hide(found);
        let (name, bytes) = (&*name.bytes, &*value_bytes.bytes);
        let mut spans = Vec::new();
        let header =
            headers::is_header(name) && headers::value(bytes, 0, &mut values::Stops::default(), &mut spans);
        if !header && let Some(strength) = self.custom.strength(name).or_else(|| names::strength(name)) {
            let here = accept::Context { strength, name, colon: true, ..accept::Context::default() };
            let whole = values::Value { start: 0, end: bytes.len(), quoted: true, next: b',' };
            spans.extend(accept::judge(bytes, whole, &here));
        }
        self.custom.allow.drop(bytes, &mut spans);
        merge(value, value_bytes.cut(spans), self.least)
    }
}

/// Whether a value could be found by trying: short, or words and digits of which there are not too many.
pub(super) fn guessable(value: &[u8]) -> bool {
    value.len() < 12 || (value.len() < 64 && score::score(value) < 2)
}

/// Whether a value stands for a secret rather than being one.
pub(super) fn placeholder(value: &str) -> bool {
    placeholder::placeholder(value.as_bytes())
}

#[cfg(test)]
mod tests;
