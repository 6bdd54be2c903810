//! Objects with their keys in the order they were written.
use super::Json;
use alloc::string::String;
use alloc::vec::Vec;

/// Below this many pairs, comparing all keys with each other beats sorting them.
const FEW: usize = 8;

/// A JSON object: each key once, in the order of first insertion. Look-ups walk the pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    pairs: Vec<(String, Json)>,
}

impl Object {
    /// An object without keys.
    pub fn new() -> Object {
        Object::default()
    }

    /// The value under `key`.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The value under `key`, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Json> {
        self.pairs.iter_mut().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// Puts `value` under `key`, in the place of a value that was there, which comes back; else at the end.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<Json>) -> Option<Json> {
        let (key, value) = (key.into(), value.into());
        if let Some(place) = self.get_mut(&key) {
            return Some(core::mem::replace(place, value));
        }
        self.pairs.push((key, value));
        None
    }

    /// Takes `key` and its value out; the others keep their order.
    pub fn remove(&mut self, key: &str) -> Option<Json> {
        let index = self.pairs.iter().position(|(name, _)| name == key)?;
        Some(self.pairs.remove(index).1)
    }

    /// The pairs in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Json)> {
        self.pairs.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// An object of pairs in which a key may stand more than once: its last value takes the place of the
    /// first. Also says how many pairs were dropped that way. O(n log n).
    pub(super) fn from_pairs(mut pairs: Vec<(String, Json)>) -> (Object, u32) {
        if !has_duplicate(&pairs) {
            return (Object { pairs }, 0);
        }
        let mut order: Vec<usize> = (0..pairs.len()).collect();
        // Stable, so the places of one key stay in order.
        order.sort_by(|a, b| key_at(&pairs, *a).cmp(&key_at(&pairs, *b)));
        let (mut moves, mut dropped) = (Vec::new(), Vec::new());
        for group in order.chunk_by(|a, b| key_at(&pairs, *a) == key_at(&pairs, *b)) {
            if let [first, .., last] = group {
                moves.push((*first, *last));
                dropped.extend(group.iter().skip(1).copied());
            }
        }
        for (first, last) in moves {
            let value = pairs.get_mut(last).map(|(_, value)| core::mem::replace(value, Json::Null));
            if let (Some(value), Some((_, place))) = (value, pairs.get_mut(first)) {
                *place = value;
            }
        }
        dropped.sort_unstable();
        let mut next_dropped = dropped.iter().peekable();
        let mut index = 0usize;
        pairs.retain(|_| {
            let drop = next_dropped.next_if(|dropped| **dropped == index).is_some();
            index = index.saturating_add(1);
            !drop
        });
        (Object { pairs }, u32::try_from(dropped.len()).unwrap_or(u32::MAX))
    }
}

fn key_at(pairs: &[(String, Json)], index: usize) -> Option<&str> {
    pairs.get(index).map(|(key, _)| key.as_str())
}

fn has_duplicate(pairs: &[(String, Json)]) -> bool {
    if pairs.len() <= FEW {
        let mut rest = pairs;
        while let Some(((key, _), more)) = rest.split_first() {
            if more.iter().any(|(other, _)| other == key) {
                return true;
            }
            rest = more;
        }
        return false;
    }
    let mut keys: Vec<&str> = pairs.iter().map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys.windows(2).any(|pair| matches!(pair, [a, b] if a == b))
}

impl FromIterator<(String, Json)> for Object {
    /// The last value of a key that comes more than once takes the place of the first.
    fn from_iter<I: IntoIterator<Item = (String, Json)>>(pairs: I) -> Object {
        Object::from_pairs(pairs.into_iter().collect()).0
    }
}
