//! The JavaScript surface of Throughline.
//!
//! Everything here translates: JavaScript values in, calls of `throughline-core`, JavaScript values
//! out. Nothing is decided in this crate. It compiles for wasm alone, since a JavaScript value must
//! not leave its thread. What users see is `js/api.js` in front of it, typed in `js/index.d.ts`.
//!
//! Rules that every export keeps:
//! - a failure is a [`fault::Fault`], which JavaScript sees as one `ThroughlineError`;
//! - arguments are read when the call is made, by name ([`arguments`]), never later;
//! - no borrow of a handle outlives a call: whatever waits takes `&self`, clones an `Rc` and gives
//!   back a promise, so that re-entrant calls and `free()` in mid-flight are safe;
//! - an object of the host is checked when it is handed over ([`js_object::JsObject::check`]), and
//!   whatever its methods throw or answer later is an error of that one call, never a trap.
#![cfg(target_family = "wasm")]

pub mod answer;
pub mod arguments;
pub mod compaction;
#[cfg(feature = "conformance")]
pub mod conformance;
#[cfg(feature = "console")]
pub mod console;
pub mod continuity;
pub mod conversation;
pub mod engine;
pub mod fault;
pub mod host;
pub mod ingest;
pub mod js_object;
pub mod postgres;
pub mod prompt;
pub mod prompt_input;
pub mod pure;
pub mod redaction_edits;
pub mod redaction_options;
pub mod redaction_stream;
pub mod redactor;
pub mod sqlite;
pub mod stop;
pub mod storage;
pub mod value;
pub mod watch;

use wasm_bindgen::prelude::wasm_bindgen;

/// The version of the package and of the core inside it, such as `0.1.0`.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
