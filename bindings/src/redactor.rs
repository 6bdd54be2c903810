//! The scrubber: a handle for a redactor with options, and functions over the standard one.

use crate::{
    arguments::{Options, one_of, text, texts},
    fault::Fault,
    value::plain,
};
use serde_json::{Value, json};
use throughline_core::{
    redact::{self, Finding, Mode, RedactError},
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

/// A redactor with options: `{mode?, exact?}`.
///
/// # Errors
/// `argument_invalid`, `exact_too_short`, `exact_placeholder`; paths stand below `path`.
pub fn redactor(options: &JsValue, path: &str) -> Result<redact::Redactor, Fault> {
    let given = Options::of(options, path, &["mode", "exact"])?.inside(path);
    let mut options = redact::Options::default();
    if let Some(mode) = given.optional("mode", mode)? {
        options.mode = mode;
    }
    options.exact = given.optional("exact", texts)?.unwrap_or_default();
    redact::Redactor::new(options).map_err(|error| {
        let fault = Fault::new(error.code(), error.to_string());
        match &error {
            RedactError::OptionInvalid { path: option, .. } => fault.at(format!("{path}.{option}")),
            RedactError::ExactTooShort { index, .. } | RedactError::ExactPlaceholder { index } => {
                fault.at(format!("{path}.exact[{index}]"))
            }
            _ => fault.at(path),
        }
    })
}

fn mode(value: &JsValue, path: &str) -> Result<Mode, Fault> {
    let modes = [("default", Mode::Default), ("paranoid", Mode::Paranoid), ("report_only", Mode::ReportOnly)];
    one_of(value, path, &modes)
}

/// A redactor as JavaScript holds it; `js/redactor.js` stands in front of it.
#[derive(Debug)]
#[wasm_bindgen(js_name = Redactor)]
pub struct Handle {
    redactor: redact::Redactor,
}

#[wasm_bindgen(js_class = Redactor)]
impl Handle {
    /// A redactor with these options, or the standard one.
    ///
    /// # Errors
    /// As [`redactor`].
    #[wasm_bindgen(constructor)]
    pub fn new(options: &JsValue) -> Result<Handle, JsValue> {
        Ok(Self { redactor: redactor(options, "options")? })
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
    let clean = redactor.clean(input);
    (clean.as_str() != input).then(|| clean.into_string())
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
