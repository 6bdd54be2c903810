//! Arguments as JavaScript gives them, checked by name.
//!
//! Every refusal is `argument_invalid` with a path such as `session.key` or `limit`; `undefined` and
//! `null` count as absent where an argument may be absent.

use crate::{
    fault::{Fault, Thrown},
    value::{json_text, kind},
};
use js_sys::{Array, Date, Reflect};
use serde::de::DeserializeOwned;
use std::ops::RangeInclusive;
use throughline_core::{
    id::{IdError, SessionId},
    model::Trigger,
    time::Timestamp,
};
use wasm_bindgen::prelude::{JsCast, JsValue};

/// The refusal of an argument that is of another type.
#[must_use]
pub fn refused(value: &JsValue, path: &str, accepted: &str) -> Fault {
    let message = format!("`{path}` is {}, but must be {accepted}", kind(value));
    Fault::new("argument_invalid", message).at(path)
}

/// Whether a value is `undefined` or `null`.
#[must_use]
pub fn absent(value: &JsValue) -> bool {
    value.is_undefined() || value.is_null()
}

/// A string.
///
/// # Errors
/// `argument_invalid` for anything else.
pub fn text(value: &JsValue, path: &str) -> Result<String, Fault> {
    value.as_string().ok_or_else(|| refused(value, path, "a string"))
}

/// An array of strings.
///
/// # Errors
/// `argument_invalid` for anything else, with the place of the entry.
pub fn texts(value: &JsValue, path: &str) -> Result<Vec<String>, Fault> {
    if !Array::is_array(value) {
        return Err(refused(value, path, "an array of strings"));
    }
    let entries = value.unchecked_ref::<Array>().iter().enumerate();
    entries.map(|(index, entry)| text(&entry, &format!("{path}[{index}]"))).collect()
}

/// A boolean.
///
/// # Errors
/// `argument_invalid` for anything else.
pub fn flag(value: &JsValue, path: &str) -> Result<bool, Fault> {
    value.as_bool().ok_or_else(|| refused(value, path, "a boolean"))
}

/// A whole number within a range.
///
/// # Errors
/// `argument_invalid` for anything else.
pub fn whole(value: &JsValue, path: &str, range: RangeInclusive<u32>) -> Result<u32, Fault> {
    let accepted = format!("a whole number from {} to {}", range.start(), range.end());
    let Some(number) = value.as_f64() else { return Err(refused(value, path, &accepted)) };
    // A cast from a float saturates; a number that is changed by it was not whole or too large.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let cast = number as u32;
    if range.contains(&cast) && f64::from(cast) == number {
        return Ok(cast);
    }
    Err(Fault::new("argument_invalid", format!("`{path}` is {number}, but must be {accepted}")).at(path))
}

/// An instant: milliseconds since 1970, text as in RFC 3339, or a `Date`.
///
/// # Errors
/// `argument_invalid` for another type, `timestamp_invalid` for a value that is no instant.
pub fn instant(value: &JsValue, path: &str) -> Result<Timestamp, Fault> {
    let fault = |error: throughline_core::time::TimestampError| {
        Fault::new(error.code(), format!("`{path}`: {error}")).at(path)
    };
    if let Some(text) = value.as_string() {
        return Timestamp::parse(&text).map_err(fault);
    }
    let millis = value.as_f64().or_else(|| value.dyn_ref::<Date>().map(Date::get_time));
    let Some(millis) = millis else {
        return Err(refused(value, path, "a number of milliseconds, a text as in RFC 3339 or a Date"));
    };
    if !millis.is_finite() {
        let message = format!("`{path}` is {millis}, but must be a number of milliseconds since 1970");
        return Err(Fault::new("timestamp_invalid", message).at(path));
    }
    // Fractions of a millisecond are dropped; what is too large saturates, and is refused by its range.
    #[allow(clippy::cast_possible_truncation)]
    Timestamp::from_unix_millis(millis.floor() as i64).map_err(fault)
}

/// A name out of a list.
///
/// # Errors
/// `argument_invalid`, naming what is accepted.
pub fn one_of<T: Copy>(value: &JsValue, path: &str, known: &[(&str, T)]) -> Result<T, Fault> {
    let accepted = || known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let name = value.as_string().ok_or_else(|| refused(value, path, &format!("one of {}", accepted())))?;
    known.iter().find(|(known, _)| *known == name).map(|(_, found)| *found).ok_or_else(|| {
        let message = format!("`{path}` is `{}`, but must be one of {}", clipped(&name), accepted());
        Fault::new("argument_invalid", message).at(path)
    })
}

/// A trigger of checkpoints, by its stored name.
///
/// # Errors
/// `argument_invalid`, naming what is accepted.
pub fn trigger(value: &JsValue, path: &str) -> Result<Trigger, Fault> {
    one_of(value, path, &Trigger::ALL.map(|trigger| (trigger.as_str(), trigger)))
}

/// A session: `{harness, agent?, key}`.
///
/// # Errors
/// `argument_invalid` for another shape; `identifier_invalid` with path `session.key` or a neighbour.
pub fn session(value: &JsValue, path: &str) -> Result<SessionId, Fault> {
    if !value.is_object() {
        return Err(refused(value, path, "an object with harness, key and maybe agent"));
    }
    let options = Options::of(value, path, &["harness", "agent", "key"])?.inside(path);
    let harness = options.required("harness", text)?;
    let agent = options.optional("agent", text)?.unwrap_or_default();
    let key = options.required("key", text)?;
    SessionId::new(harness, agent, key).map_err(|error| identifier(&error, &format!("{path}.")))
}

/// An identifier that was refused; `prefix` leads to its field, such as `session.`.
#[must_use]
pub fn identifier(error: &IdError, prefix: &str) -> Fault {
    let field = error.field().replace(' ', "_");
    Fault::new(error.code(), error.to_string()).at(format!("{prefix}{field}"))
}

/// A value of a type of the core, from a plain object or from JSON text.
///
/// # Errors
/// `argument_invalid` when it has another shape; the message names the field.
pub fn parsed<T: DeserializeOwned>(value: &JsValue, path: &str, accepted: &str) -> Result<T, Fault> {
    let text = json_text(value)
        .map_err(|found| Fault::new("argument_invalid", format!("`{path}` is {found}")).at(path))?;
    serde_json::from_str(&text).map_err(|error| {
        let message = format!("`{path}` does not read as {accepted}: {error}");
        Fault::new("argument_invalid", message).at(path)
    })
}

fn clipped(text: &str) -> std::borrow::Cow<'_, str> {
    throughline_core::text::clip(text, 60)
}

/// The options of a call: an object whose every key is known.
#[derive(Clone, Debug)]
pub struct Options {
    value: JsValue,
    prefix: String,
}

impl Options {
    /// Takes an object, or nothing at all.
    ///
    /// # Errors
    /// `argument_invalid`, with the path of a key that is not known.
    pub fn of(value: &JsValue, path: &str, known: &[&str]) -> Result<Self, Fault> {
        if absent(value) {
            return Ok(Self { value: JsValue::UNDEFINED, prefix: String::new() });
        }
        if !value.is_object() {
            return Err(refused(value, path, &format!("an object with {}", known.join(", "))));
        }
        let keys = Reflect::own_keys(value).map_err(|error| unreadable(path, error))?;
        for key in keys.iter().filter_map(|key| key.as_string()) {
            if !known.contains(&key.as_str()) {
                let message =
                    format!("`{path}` has no option `{}`; known are {}", clipped(&key), known.join(", "));
                return Err(Fault::new("argument_invalid", message).at(key));
            }
        }
        Ok(Self { value: value.clone(), prefix: String::new() })
    }

    /// The same, with paths below `path`.
    #[must_use]
    pub fn inside(self, path: &str) -> Self {
        Self { prefix: format!("{path}."), ..self }
    }

    /// An option; `undefined` when it is absent.
    ///
    /// # Errors
    /// `argument_invalid` when its getter throws.
    pub fn get(&self, key: &str) -> Result<JsValue, Fault> {
        if self.value.is_undefined() {
            return Ok(JsValue::UNDEFINED);
        }
        Reflect::get(&self.value, &key.into()).map_err(|error| unreadable(key, error))
    }

    /// An option that must be there.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn required<T>(
        &self,
        key: &str,
        read: impl FnOnce(&JsValue, &str) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        read(&self.get(key)?, &format!("{}{key}", self.prefix))
    }

    /// An option that may be absent.
    ///
    /// # Errors
    /// Those of `read`.
    pub fn optional<T>(
        &self,
        key: &str,
        read: impl FnOnce(&JsValue, &str) -> Result<T, Fault>,
    ) -> Result<Option<T>, Fault> {
        let value = self.get(key)?;
        if absent(&value) {
            return Ok(None);
        }
        read(&value, &format!("{}{key}", self.prefix)).map(Some)
    }
}

fn unreadable(path: &str, error: JsValue) -> Fault {
    let thrown = Thrown::from(error);
    let message = format!("`{path}` cannot be read: {}", thrown.message());
    Fault::new("argument_invalid", message).at(path).with_details(thrown.into_value())
}
