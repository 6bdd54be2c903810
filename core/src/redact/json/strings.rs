//! What is found in one string of a JSON value after the other.
use super::super::engine::{self, Kept, Span};
use super::super::stream::Known;
use super::super::{Confidence, Records, Redactor};
use alloc::{string::String, vec::Vec};

/// The way through the strings of a value.
pub(super) struct Strings<'r> {
    redactor: &'r Redactor,
    /// What was found in records before this value.
    earlier: &'r Known,
    /// What was found in other strings: each is a record.
    known: Known,
    /// What is kept from one string to the next.
    kept: &'r mut Kept,
    /// The names above, scrubbed, so that a value says the same when it is scrubbed again.
    path: Vec<String>,
}

impl<'r> Strings<'r> {
    /// Behind other records.
    pub(super) fn new(redactor: &'r Redactor, records: &'r mut Records) -> Self {
        let Records { known: earlier, kept } = records;
        Self { redactor, earlier, known: Known::default(), kept, path: Vec::new() }
    }

    /// Goes to the value under a name, which is scrubbed.
    pub(super) fn enter(&mut self, name: String) {
        self.path.push(name);
    }

    /// Leaves it.
    pub(super) fn leave(&mut self) -> String {
        self.path.pop().unwrap_or_default()
    }

    /// Whether the host says that values stay here.
    pub(super) fn allowed(&self) -> bool {
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        self.redactor.engine.allows(&path)
    }

    /// What is found in a key. What is no more than possible stays: keys are names more often than not.
    pub(super) fn key(&mut self, key: &str) -> Vec<Span> {
        let mut spans = self.record(key, Vec::new());
        spans.retain(|span| span.rule.confidence >= Confidence::Likely);
        self.keep(key, &spans);
        spans
    }

    /// What is found in a string that is a value, by the name it stands under as well.
    pub(super) fn value(&mut self, text: &str) -> Vec<Span> {
        let is_allowed = self.allowed();
        // What the name says is known before the string is read: it is looked for in it again, and hidden in what stands
        // beside it.
        let named = if is_allowed { Vec::new() } else { self.named(text, &[]) };
        let mut spans = self.record(text, named.clone());
        if is_allowed {
            spans.retain(|span| span.start > 0 || span.end < text.len());
        } else if !spans.is_empty() {
            spans.extend(named);
            spans = engine::merge(text, spans, Confidence::Possible);
            // What a mark in their place would bring to light.
            let more = self.named(text, &spans);
            if !more.is_empty() {
                spans.extend(more);
                spans = engine::merge(text, spans, Confidence::Possible);
            }
        }
        self.keep(text, &spans);
        spans
    }

    /// What is found in a string by the name it stands under, where `found` is hidden.
    fn named(&self, text: &str, found: &[Span]) -> Vec<Span> {
        let name = self.path.last();
        name.map_or_else(Vec::new, |name| self.redactor.engine.named(name, text, found))
    }

    /// What is found in a string in which `known` stands, and what was found in others before.
    fn record(&mut self, text: &str, mut known: Vec<Span>) -> Vec<Span> {
        let earlier = |text: &[u8]| [self.earlier.find(text), self.known.find(text)].concat();
        known.extend(earlier(text.as_bytes()));
        self.redactor.record(text, known, &earlier, self.kept)
    }

    fn keep(&mut self, text: &str, spans: &[Span]) {
        for span in spans {
            self.known.add(text.as_bytes().get(span.start..span.end).unwrap_or_default(), span.rule);
        }
    }
}
