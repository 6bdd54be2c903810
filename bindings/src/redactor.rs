//! The scrubber: a handle for a redactor with options, and functions over the standard one.

use crate::{
    arguments::{refused, text},
    fault::Fault,
    redaction_options::redactor,
    redaction_stream::StreamHandle,
    value::{bytes, plain},
};
use js_sys::Uint8Array;
use serde_json::{Value, json};
use std::rc::Rc;
use throughline_core::{
    redact::{self, Finding, StreamCore},
    text::utf16_len,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

thread_local! {
    static STANDARD: redact::Redactor = redact::Redactor::standard();
}

/// Calls with the standard redactor, which is built once.
pub fn with_standard<T>(call: impl FnOnce(&redact::Redactor) -> T) -> T {
    STANDARD.with(call)
}

/// A redactor as JavaScript holds it; `js/redactor.js` stands in front of it.
#[derive(Debug)]
#[wasm_bindgen(js_name = Redactor)]
pub struct Handle {
    redactor: Rc<redact::Redactor>,
}

#[wasm_bindgen(js_class = Redactor)]
impl Handle {
    /// A redactor with these options, or the standard one.
    ///
    /// # Errors
    /// As [`redactor`], with paths below `options`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<Handle, JsValue> {
        Ok(Self { redactor: Rc::new(redactor(options, "options")?) })
    }

    /// Scrubs a text; `undefined` says that nothing was found, so that JavaScript keeps its own string.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen]
    pub fn redact(&self, input: &JsValue) -> Result<Option<String>, JsValue> {
        Ok(scrubbed(&self.redactor, &text(input, "text")?))
    }

    /// Scrubs a text and says what was replaced: `{text, findings}`, with `text` absent when nothing was.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen]
    pub fn inspect(&self, input: &JsValue) -> Result<JsValue, JsValue> {
        let input = text(input, "text")?;
        let found = self.redactor.redact(&input);
        let findings = described(&input, &found.findings);
        let text = (!found.findings.is_empty()).then_some(&found.text);
        Ok(plain(&json!({ "text": text, "findings": findings }))?)
    }

    /// Scrubs the bytes of a text; `undefined` says that nothing was found. Bytes that are no UTF-8 stay.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen(js_name = redactBytes)]
    pub fn redact_bytes(&self, input: &JsValue) -> Result<Option<Uint8Array>, JsValue> {
        let given =
            bytes(input).ok_or_else(|| refused(input, "bytes", "a Uint8Array or an ArrayBuffer"))?.to_vec();
        if let Ok(text) = std::str::from_utf8(&given) {
            return Ok(self.redactor.changed(text).map(|clean| Uint8Array::from(clean.as_str().as_bytes())));
        }
        let (mut stream, mut out) = (StreamCore::new(), Vec::with_capacity(given.len()));
        stream.push(&self.redactor, &given, &mut out);
        stream.finish(&self.redactor, &mut out);
        Ok((!stream.take_findings().is_empty()).then(|| Uint8Array::from(&*out)))
    }

    /// Scrubs a JSON text, which stays JSON of the same structure; `undefined` says that nothing was found.
    ///
    /// # Errors
    /// `argument_invalid`, `json_invalid`, `json_too_deep`, `json_trailing`.
    #[wasm_bindgen(js_name = redactJson)]
    pub fn redact_json(&self, input: &JsValue) -> Result<Option<String>, JsValue> {
        let input = text(input, "json")?;
        let found = self.redactor.redact_json_text(&input);
        let found = found.map_err(|error| Fault::new(error.code(), error.to_string()).at("json"))?;
        Ok((!found.findings.is_empty()).then(|| found.text.into_string()))
    }

    /// Starts to scrub bytes that come in chunks.
    #[wasm_bindgen]
    #[must_use]
    pub fn stream(&self) -> StreamHandle {
        StreamHandle::new(Rc::clone(&self.redactor), StreamCore::new())
    }

    /// Goes on where a stream was; `before` are the bytes before the offset of its state.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen]
    pub fn resume(&self, state: &JsValue, before: &JsValue) -> Result<StreamHandle, JsValue> {
        let state = crate::arguments::parsed(state, "state", "the state of a stream")?;
        let given =
            bytes(before).ok_or_else(|| refused(before, "before", "a Uint8Array or an ArrayBuffer"))?;
        let (core, from) = StreamCore::resume(&state, &given.to_vec());
        Ok(StreamHandle::from(Rc::clone(&self.redactor), core, from))
    }

    /// Says what would be replaced in a text.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen]
    pub fn report(&self, input: &JsValue) -> Result<JsValue, JsValue> {
        let input = text(input, "text")?;
        Ok(plain(&described(&input, &self.redactor.report(&input)))?)
    }
}

/// Scrubs a text with the standard redactor; `undefined` when nothing was found.
///
/// # Errors
/// `argument_invalid`.
#[wasm_bindgen]
pub fn redact(input: &JsValue) -> Result<Option<String>, JsValue> {
    let input = text(input, "text")?;
    Ok(with_standard(|redactor| scrubbed(redactor, &input)))
}

/// All rules, in the order of the tables.
///
/// # Errors
/// None that a caller can cause.
#[wasm_bindgen]
pub fn rules() -> Result<JsValue, JsValue> {
    Ok(plain(&redact::rules())?)
}

fn scrubbed(redactor: &redact::Redactor, input: &str) -> Option<String> {
    redactor.changed(input).map(redact::Clean::into_string)
}

/// Findings with their places in UTF-16 units as well, which is how JavaScript counts. One pass over the
/// text: findings come in its order and do not overlap.
fn described(input: &str, findings: &[Finding]) -> Vec<Value> {
    let units = |from: usize, to: usize| input.get(from..to).map_or(0, utf16_len);
    let (mut at, mut at_units, mut out_units) = (0, 0_usize, 0_usize);
    let mut described = Vec::with_capacity(findings.len());
    for finding in findings {
        let end = finding.offset.saturating_add(finding.length);
        let (before, length) = (units(at, finding.offset), units(finding.offset, end));
        (at_units, out_units) = (at_units.saturating_add(before), out_units.saturating_add(before));
        let mut value = json!(finding);
        value["utf16_offset"] = json!(at_units);
        value["utf16_length"] = json!(length);
        value["out_utf16_offset"] = json!(out_units);
        // A mark is ASCII: its bytes are its units.
        value["out_utf16_length"] = json!(finding.out_length);
        described.push(value);
        (at, at_units) = (end, at_units.saturating_add(length));
        out_units = out_units.saturating_add(finding.out_length);
    }
    described
}
