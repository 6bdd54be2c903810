//! What is measured: the same work natively and in wasm, on data that is made here.
pub mod cases;
mod compactions;
pub mod data;
pub mod many;
mod prompts;
pub mod redact;
mod requests;
#[cfg(not(target_family = "wasm"))]
pub mod store;
#[cfg(target_family = "wasm")]
mod wasm;
