//! A module with nothing but the redactor: its size, less that of `size_without`, is what the redactor adds.
#![allow(missing_docs, reason = "an example is no interface")]

#[cfg(target_family = "wasm")]
use throughline_core::redact::Redactor;

/// The text without secrets.
#[cfg(target_family = "wasm")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn scrub(text: &str) -> String {
    thread_local!(static REDACTOR: Redactor = Redactor::standard());
    REDACTOR.with(|redactor| redactor.clean(text).into_string())
}
