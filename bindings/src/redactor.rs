//! The scrubber: a handle for a redactor with options, and functions over the standard one.

use crate::{
    arguments::{refused, text},
    fault::Fault,
    redaction_edits::{EditsHandle, parts},
    redaction_options::redactor,
    redaction_stream::StreamHandle,
    value::{bytes, plain},
};
use js_sys::Uint8Array;
use serde_json::{Value, json};
use std::rc::Rc;
use throughline_core::{
    redact::{self, Finding, StreamCore, Utf16Edits},
    text::Utf16Places,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

thread_local! {
    static STANDARD: Rc<redact::Redactor> = Rc::new(redact::Redactor::standard());
}

/// Calls with the standard redactor, which is built once.
pub fn with_standard<T>(call: impl FnOnce(&redact::Redactor) -> T) -> T {
    STANDARD.with(|redactor| call(redactor))
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

    /// What is replaced in a text, as `js/joined.js` takes it; `undefined` when nothing is. The text itself stays in
    /// JavaScript, which puts the new one together from it.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen]
    pub fn redact(&self, input: &JsValue) -> Result<Option<Vec<JsValue>>, JsValue> {
        Ok(replaced(&self.redactor, &text(input, "text")?))
    }

    /// Starts to say what is replaced in a text that comes in pieces; as [`Handle::redact`].
    #[wasm_bindgen]
    #[must_use]
    pub fn edits(&self) -> EditsHandle {
        EditsHandle::new(Rc::clone(&self.redactor))
    }

    /// Says what is replaced in a text: `{marks, findings}`, the marks one behind the other, `null` when there are none.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen]
    pub fn inspect(&self, input: &JsValue) -> Result<JsValue, JsValue> {
        let input = text(input, "text")?;
        let found = self.redactor.redact(&input);
        let marks = found.findings.iter().filter_map(|finding| {
            found.text.as_str().get(finding.out_offset..finding.out_offset.saturating_add(finding.out_length))
        });
        let marks = (!found.findings.is_empty()).then(|| marks.collect::<String>());
        Ok(plain(&json!({ "marks": marks, "findings": described(&input, &found.findings) }))?)
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

/// As [`Handle::redact`], with the standard redactor.
///
/// # Errors
/// `argument_invalid`.
#[wasm_bindgen]
pub fn redact(input: &JsValue) -> Result<Option<Vec<JsValue>>, JsValue> {
    let input = text(input, "text")?;
    Ok(with_standard(|redactor| replaced(redactor, &input)))
}

/// As [`Handle::edits`], with the standard redactor.
#[wasm_bindgen]
#[must_use]
pub fn edits() -> EditsHandle {
    EditsHandle::new(STANDARD.with(Rc::clone))
}

/// All rules, in the order of the tables.
///
/// # Errors
/// None that a caller can cause.
#[wasm_bindgen]
pub fn rules() -> Result<JsValue, JsValue> {
    Ok(plain(&redact::rules())?)
}

fn replaced(redactor: &redact::Redactor, input: &str) -> Option<Vec<JsValue>> {
    let edits = redactor.edits(input);
    if edits.is_empty() {
        return None;
    }
    Some(parts(Utf16Edits::of(input, &edits)))
}

/// Findings with their places in UTF-16 units as well, which is how JavaScript counts. One pass over the
/// text: findings come in its order and do not overlap.
fn described(input: &str, findings: &[Finding]) -> Vec<Value> {
    let mut places = Utf16Places::new(input);
    let (mut at, mut out) = (0, 0_usize);
    let mut described = Vec::with_capacity(findings.len());
    for finding in findings {
        let start = places.at(finding.offset);
        let end = places.at(finding.offset.saturating_add(finding.length));
        out = out.saturating_add(start.saturating_sub(at));
        let mut value = json!(finding);
        value["utf16_offset"] = json!(start);
        value["utf16_length"] = json!(end.saturating_sub(start));
        value["out_utf16_offset"] = json!(out);
        // A mark is ASCII: its bytes are its units.
        value["out_utf16_length"] = json!(finding.out_length);
        described.push(value);
        (at, out) = (end, out.saturating_add(finding.out_length));
    }
    described
}
