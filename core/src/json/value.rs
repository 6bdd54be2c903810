//! Values and objects.
use super::Number;
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use serde::ser::{Serialize, SerializeMap, Serializer};

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

/// A JSON value.
///
/// Equality is equality of what was written: `1.0` differs from `1`, and objects with keys in another order
/// differ. Compare [`canonical`](super::canonical) forms to ask whether two values mean the same.
///
/// ```
/// let value = throughline_core::json::parse(r#"{"id": 12345678901234567890123, "ok": true}"#)?;
/// assert_eq!(value.get("ok").and_then(|ok| ok.as_bool()), Some(true));
/// # Ok::<(), throughline_core::json::JsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its literal.
    Number(Number),
    /// A string, its escapes resolved.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object with its keys in the order they were written.
    Object(Object),
}

impl Json {
    /// The value under `key` when this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Json> {
        self.as_object()?.get(key)
    }

    /// The text when this is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value when this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Json::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The items when this is an array.
    pub fn as_array(&self) -> Option<&[Json]> {
        match self {
            Json::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The object when this is one.
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Json::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The number when this is one.
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Json::Number(number) => Some(number),
            _ => None,
        }
    }

    /// The number when this is one that denotes a whole number of 64 bits; see [`Number::as_u64`].
    pub fn as_u64(&self) -> Option<u64> {
        self.as_number()?.as_u64()
    }

    /// The number when this is one that denotes a whole number of 64 bits; see [`Number::as_i64`].
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.as_i64()
    }

    /// What kind of value this is, as messages say it: `null`, `a truth value`, `a number`, `a string`, `an array`,
    /// `an object`.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Json::Null => "null",
            Json::Bool(_) => "a truth value",
            Json::Number(_) => "a number",
            Json::String(_) => "a string",
            Json::Array(_) => "an array",
            Json::Object(_) => "an object",
        }
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::String(text)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl From<u64> for Json {
    fn from(value: u64) -> Json {
        Json::Number(value.into())
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Json {
        Json::Number(value.into())
    }
}

impl From<Vec<Json>> for Json {
    fn from(items: Vec<Json>) -> Json {
        Json::Array(items)
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Json {
        Json::Object(object)
    }
}

/// Serde has no way to pass a literal on: a number goes as `u64` or `i64` when it is written as an integer
/// that fits, else as the nearest `f64`, else (beyond the range of `f64`) as a string that holds the literal.
/// Where literals must stay, write with [`text`](super::text()) or [`canonical`](super::canonical()).
impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Number(number) => number.serialize(serializer),
            Json::String(text) => serializer.serialize_str(text),
            Json::Array(items) => serializer.collect_seq(items),
            Json::Object(object) => object.serialize(serializer),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(number) = self.literal().parse::<u64>() {
            serializer.serialize_u64(number)
        } else if let Ok(number) = self.literal().parse::<i64>() {
            serializer.serialize_i64(number)
        } else if let Some(number) = self.as_f64() {
            serializer.serialize_f64(number)
        } else {
            serializer.serialize_str(self.literal())
        }
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.len()))?;
        for (key, value) in self.iter() {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}
