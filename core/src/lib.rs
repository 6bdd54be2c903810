//! The continuity core.
#![no_std]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::panic,
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation
    )
)]
extern crate alloc;
#[cfg(test)]
extern crate std;

// Floor 0
pub mod id;
pub mod json;
pub mod text;
pub mod time;

// Floor 1
pub mod redact;

// Floor 2
pub mod model;

// Floor 3
pub mod checkpoint;
pub mod prompt;
pub mod transcript;

// Floor 4
pub mod host;
pub mod render;
pub mod sql;

// Floor 5
pub mod engine;

// Floor 6
pub mod console;
