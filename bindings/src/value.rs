//! Values across the boundary: plain objects as JSON text, and what a value is called in messages.

use crate::fault::{Fault, Thrown};
use js_sys::{Array, ArrayBuffer, JSON, Reflect, Uint8Array};
use serde::Serialize;
use wasm_bindgen::prelude::{JsCast, JsValue};

/// A plain JavaScript value from anything that serialises.
///
/// # Errors
/// `internal` when the value does not serialise, which no type of the core does.
pub fn plain<T: Serialize>(value: &T) -> Result<JsValue, Fault> {
    let text = serde_json::to_string(value).map_err(|error| Fault::new("internal", error.to_string()))?;
    JSON::parse(&text).map_err(|error| Fault::new("internal", Thrown::from(error).message()))
}

/// The JSON text of a value: a string counts as JSON text already, so that a host can hand on what it
/// has read without parsing it.
///
/// # Errors
/// What was found instead, when the value has no JSON form (`undefined`, a function, a BigInt, a cycle)
/// or a method of it throws.
pub fn json_text(value: &JsValue) -> Result<String, String> {
    if let Some(text) = value.as_string() {
        return Ok(text);
    }
    match JSON::stringify(value) {
        Ok(text) => JsValue::from(text).as_string().ok_or_else(|| kind(value)),
        Err(thrown) => {
            Err(format!("{} that has no JSON form: {}", kind(value), Thrown::from(thrown).message()))
        }
    }
}

/// The bytes of an `ArrayBuffer` or of a view on one, such as a `Uint8Array` or a `Buffer` of Node, from
/// any realm. They are not copied yet.
#[must_use]
pub fn bytes(value: &JsValue) -> Option<Uint8Array> {
    if value.is_instance_of::<ArrayBuffer>() {
        return Some(Uint8Array::new(value));
    }
    if !ArrayBuffer::is_view(value) {
        return None;
    }
    let number = |key: &str| Reflect::get(value, &key.into()).ok()?.as_f64();
    let buffer = Reflect::get(value, &"buffer".into()).ok()?;
    // Both are whole numbers below 2^53, and wasm memory ends at 2^32.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let (offset, length) = (number("byteOffset")? as u32, number("byteLength")? as u32);
    Some(Uint8Array::new_with_byte_offset_and_length(&buffer, offset, length))
}

/// What a value is, for a message: `null`, `an array`, `a string`, `undefined`, …
#[must_use]
pub fn kind(value: &JsValue) -> String {
    if value.is_null() {
        return "null".into();
    }
    if Array::is_array(value) {
        return "an array".into();
    }
    let kind = value.js_typeof().as_string().unwrap_or_default();
    match kind.as_str() {
        "undefined" => kind,
        "object" => "an object".into(),
        _ => format!("a {kind}"),
    }
}
