//! JSON as it was written: number literals and the order of keys stay.
//!
//! [`Reader`] goes over bytes and can be lenient, as logs need it (`spec/lineage.md`, reading harness logs);
//! [`canonical`] writes the one form that is hashed (`spec/prompt.md`, fingerprint and chain). JSON crosses
//! every border of the core as text.
mod canonical;
mod error;
mod number;
mod object;
mod options;
mod read;
mod string;

pub use canonical::{canonical, text, write_canonical, write_string, write_text};
pub use error::{JsonError, Place, Problem};
pub use number::Number;
pub use object::Object;
pub use options::{Options, Repairs};
pub use read::{Reader, parse};

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// A JSON value.
///
/// Equality is equality of what was written: `1.0` differs from `1`, and objects with keys in another order
/// differ. Compare [`canonical`] forms to ask whether two values mean the same.
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
/// Where literals must stay, write with [`text()`] or [`canonical()`].
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

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
