//! Values that were found in earlier records and are looked for in later ones: the 256 newest, 64 KB at most
//! (`spec/redaction.md`, engine).
use crate::redact::{
    engine::{
        self, Span,
        sampled::{ALIKE, NEWEST, NEWEST_BYTES, Sampled, head},
    },
    rules::Row,
};
use alloc::{
    boxed::Box,
    collections::{BTreeMap, VecDeque},
    vec::Vec,
};

/// How far apart places are that are looked at.
const STEP: usize = 8;
/// Bytes by which values are told apart at first sight.
const HEAD: usize = 8;

/// The values, by their first bytes and from the oldest on.
#[derive(Default)]
pub(in crate::redact) struct Known {
    by_head: BTreeMap<u64, Vec<Value>>,
    /// Heads from the oldest value on, with the lengths of the values.
    order: VecDeque<(u64, usize)>,
    bytes: usize,
    /// Where values may stand.
    sampled: Sampled<2048, STEP>,
    /// How many values ever came.
    added: usize,
    /// Values that went since the places were collected.
    gone: usize,
}

struct Value {
    text: Box<[u8]>,
    rule: &'static Row,
}

impl Known {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// How many values ever came.
    pub(super) fn added(&self) -> usize {
        self.added
    }

    /// Keeps a value, if it is one that is looked for.
    pub(in crate::redact) fn add(&mut self, text: &[u8], rule: &'static Row) {
        if !engine::worth(text, rule) {
            return;
        }
        let head = head(text, 0);
        let list = self.by_head.entry(head).or_default();
        if list.len() >= ALIKE || list.iter().any(|known| *known.text == *text) {
            return;
        }
        list.push(Value { text: text.into(), rule });
        self.order.push_back((head, text.len()));
        self.added = self.added.saturating_add(1);
        self.bytes = self.bytes.saturating_add(text.len());
        if !self.sampled.add(text) {
            self.collect();
        }
        while self.order.len() > NEWEST || self.bytes > NEWEST_BYTES {
            self.forget();
        }
    }

    /// Drops the oldest value.
    fn forget(&mut self) {
        let Some((head, length)) = self.order.pop_front() else { return };
        self.bytes = self.bytes.saturating_sub(length);
        if let Some(list) = self.by_head.get_mut(&head) {
            // The oldest of a head stands first.
            list.drain(..1.min(list.len()));
            if list.is_empty() {
                self.by_head.remove(&head);
            }
        }
        self.gone = self.gone.saturating_add(1);
        if self.gone >= NEWEST {
            self.collect();
        }
    }

    /// Collects the places of all values anew.
    fn collect(&mut self) {
        self.gone = 0;
        let values = || self.by_head.values().flatten().map(|value| &value.text);
        self.sampled.start(values().map(|text| text.len()).min().unwrap_or(0));
        for text in values() {
            self.sampled.add(text);
        }
    }

    /// The first place from `i` on, before `limit`, where a value starts.
    pub(super) fn first(&self, bytes: &[u8], i: usize, limit: usize) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        // Every eighth place is looked at, at which one of the first eight of a value stands.
        let end = limit.saturating_add(STEP).saturating_add(HEAD).min(bytes.len());
        let (window, mut next) = (bytes.get(i..end)?, 0usize);
        while let Some((place, _)) = self.sampled.next(window, next) {
            next = place.saturating_add(STEP);
            let place = place.saturating_add(i);
            let starts =
                (place.saturating_sub(STEP.saturating_sub(1))..=place).filter(|p| (i..limit).contains(p));
            for start in starts {
                if self.at(bytes, start).is_some() {
                    return Some(start);
                }
            }
        }
        None
    }

    /// The places of the values in a text.
    pub(in crate::redact) fn find(&self, bytes: &[u8]) -> Vec<Span> {
        let (mut spans, mut i) = (Vec::new(), 0);
        while let Some(start) = self.first(bytes, i, bytes.len()) {
            let Some(value) = self.at(bytes, start) else { break };
            i = start.saturating_add(value.text.len());
            spans.push(Span { start, end: i, rule: value.rule });
        }
        spans
    }

    fn at(&self, bytes: &[u8], i: usize) -> Option<&Value> {
        let rest = bytes.get(i..)?;
        self.by_head.get(&head(rest, 0))?.iter().find(|value| rest.starts_with(&value.text))
    }
}
