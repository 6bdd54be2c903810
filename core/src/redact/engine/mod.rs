//! The engine: a text in, spans out. Nothing here is public.
//!
//! One pass over the bytes finds the places that may hold a secret ([`places`]); at each of them the finder is asked
//! whose place it is. What finders read around a place is bounded, so that the whole costs a constant times the length
//! of the text. See `spec/redaction.md`, engine.
mod accept;
mod again;
mod assign;
mod base64;
mod budget;
mod bytes;
mod classes;
mod code;
mod commands;
mod dismissed;
mod exact;
mod finders;
mod headers;
mod heads;
mod ids;
mod keys;
mod lexicon;
mod logins;
mod marks;
mod masks;
mod memo;
mod names;
mod phrases;
mod placeholder;
mod places;
mod plain;
mod planes;
mod score;
mod shapes;
mod span;
mod tokens;
mod urls;
mod values;
mod window;
mod words;
mod work;

pub(super) use span::{Span, merge};
#[cfg(test)]
pub(super) use work::measure;

use super::{Confidence, rules::rules};
use alloc::{string::String, vec::Vec};
use marks::Masked;
use window::{Scan, Setup};

/// The engine, set up.
#[derive(Debug)]
pub(super) struct Engine(Setup);

impl Engine {
    /// An engine that reports findings of at least this confidence.
    pub(super) fn new(exact: &[String], least: Confidence) -> Self {
        let exact = exact.iter().flat_map(|value| exact::needles(value)).collect();
        Self(Setup { index: tokens::Index::new(rules()), exact, least, scalar: false })
    }

    /// Finds places by plain numbers from now on.
    pub(super) fn read_by_numbers(&mut self) {
        self.0.scalar = true;
    }

    /// The spans of a text: sorted, apart from each other, none of them empty.
    pub(super) fn scan(&self, text: &str) -> Vec<Span> {
        Scan::new(&self.0, text).spans()
    }

    /// What is secret in a string for the name it stands under: the whole, or the credentials of a header. Marks in
    /// the name say nothing.
    pub(super) fn named(&self, name: &str, value: &str) -> Vec<Span> {
        let (name, value_bytes) = (Masked::new(name.as_bytes()), Masked::new(value.as_bytes()));
        let (name, bytes) = (&*name.bytes, &*value_bytes.bytes);
        let mut spans = Vec::new();
        let header =
            headers::is_header(name) && headers::value(bytes, 0, &mut values::Stops::default(), &mut spans);
        if !header && let Some(strength) = names::strength(name) {
            let here = accept::Context { strength, name, colon: true, ..accept::Context::default() };
            let whole = values::Value { start: 0, end: bytes.len(), quoted: true, next: b',' };
            spans.extend(accept::judge(bytes, whole, &here));
        }
        merge(value, value_bytes.cut(spans), self.0.least)
    }
}

/// Whether a value stands for a secret rather than being one.
pub(super) fn placeholder(value: &str) -> bool {
    placeholder::placeholder(value.as_bytes())
}

#[cfg(test)]
mod tests;
