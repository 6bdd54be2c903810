//! The same module without the redactor: the allocator, and strings in and out.
#![allow(missing_docs, reason = "an example is no interface")]

/// The text.
#[cfg(target_family = "wasm")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn scrub(text: &str) -> String {
    thread_local!(static BEFORE: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) });
    BEFORE.with_borrow_mut(|before| core::mem::replace(before, text.to_owned()))
}
