//! The JavaScript surface of Throughline.
//!
//! Everything here translates: JavaScript values in, calls of `throughline-core`, JavaScript values
//! out. Nothing is decided in this crate. It compiles for wasm alone, since a JavaScript value must
//! not leave its thread.
//!
//! Rules that every export keeps:
//! - a failure is a [`fault::Fault`], which JavaScript sees as one `ThroughlineError`;
//! - no borrow of a handle outlives a call: whatever waits takes `&self`, clones an `Rc` and gives
//!   back a promise, so that re-entrant calls and `free()` in mid-flight are safe;
//! - an object of the host is checked when it is handed over ([`js_object::JsObject::check`]).
#![cfg(target_family = "wasm")]

pub mod fault;
pub mod js_object;

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the package and of the core inside it, such as `0.1.0`.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
