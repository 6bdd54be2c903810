//! What is measured: the same work natively and in wasm, on data that is made here.
pub mod cases;
pub mod data;
mod prompts;
pub mod redact;
mod requests;
#[cfg(target_family = "wasm")]
mod wasm;
