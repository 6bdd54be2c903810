//! Values that were found in earlier records and are looked for in later ones: the 256 newest, 64 KB at most
//! (`spec/redaction.md`, engine).
use crate::redact::{
    engine::{self, Span},
    rules::Rule,
};
use alloc::{
    boxed::Box,
    collections::{BTreeMap, VecDeque},
    vec,
    vec::Vec,
};

/// How many values are kept, and how many bytes of them.
const NEWEST: usize = 256;
const BYTES: usize = 64 * 1024;
/// Bytes by which values are told apart at first sight.
const HEAD: usize = 8;
/// Values with the same head that are kept. They are few, unless someone makes them.
const ALIKE: usize = 8;

/// The values, by their first bytes and from the oldest on.
#[derive(Debug, Default)]
pub(in crate::redact) struct Known {
    by_head: BTreeMap<[u8; HEAD], Vec<Value>>,
    /// Heads from the oldest value on, with the lengths of the values.
    order: VecDeque<([u8; HEAD], usize)>,
    bytes: usize,
    /// A bit for each pair of bytes that a value starts with: most places are passed over by them.
    pairs: Vec<u64>,
    /// Values that went since the pairs were collected.
    gone: usize,
}

#[derive(Debug)]
struct Value {
    text: Box<[u8]>,
    rule: &'static Rule,
}

impl Known {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Keeps a value, if it is one that is looked for.
    pub(in crate::redact) fn add(&mut self, text: &[u8], rule: &'static Rule) {
        let Some(head) = text.first_chunk::<HEAD>() else { return };
        if !engine::worth(text, rule) {
            return;
        }
        let list = self.by_head.entry(*head).or_default();
        if list.len() >= ALIKE || list.iter().any(|known| *known.text == *text) {
            return;
        }
        list.push(Value { text: text.into(), rule });
        self.order.push_back((*head, text.len()));
        self.bytes = self.bytes.saturating_add(text.len());
        self.pair(head);
        while self.order.len() > NEWEST || self.bytes > BYTES {
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
            self.gone = 0;
            self.pairs.fill(0);
            let heads: Vec<_> = self.order.iter().map(|(head, _)| *head).collect();
            heads.iter().for_each(|head| self.pair(head));
        }
    }

    fn pair(&mut self, head: &[u8; HEAD]) {
        if self.pairs.is_empty() {
            self.pairs = vec![0; 1024];
        }
        let [a, b, ..] = head;
        let (word, bit) = slot(*a, *b);
        if let Some(word) = self.pairs.get_mut(word) {
            *word |= bit;
        }
    }

    /// The first place from `i` on, before `limit`, where a value starts.
    pub(super) fn first(&self, bytes: &[u8], mut i: usize, limit: usize) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        while i < limit {
            let window = bytes.get(i..limit.saturating_add(1).min(bytes.len()))?;
            let n = window.windows(2).position(|pair| match pair {
                [a, b] => {
                    let (word, bit) = slot(*a, *b);
                    self.pairs.get(word).is_some_and(|word| word & bit != 0)
                }
                _ => false,
            })?;
            i = i.saturating_add(n);
            if self.at(bytes, i).is_some() {
                return Some(i);
            }
            i = i.saturating_add(1);
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
        self.by_head.get(rest.first_chunk::<HEAD>()?)?.iter().find(|value| rest.starts_with(&value.text))
    }
}

/// Where the bit of a pair stands.
fn slot(a: u8, b: u8) -> (usize, u64) {
    let index = usize::from(u16::from_le_bytes([a, b]));
    (index.wrapping_shr(6), 1u64.wrapping_shl(u32::from(a)))
}
