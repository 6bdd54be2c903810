//! What is measured: the same work natively and in wasm, on data that is made here.
pub mod cases;
pub mod data;
pub mod redact;
#[cfg(target_family = "wasm")]
mod wasm;
