//! Layers of options, and what they come to (`spec/compaction.md`, "Effective options").

mod effective;
mod layers;
mod origins;
mod read;

#[cfg(test)]
mod tests;

pub use effective::Effective;
pub use layers::{Layers, TraitLayer, resolve};
pub use origins::Origin;

/// Takes effect when the host names no threshold at all.
pub const DEFAULT_TOKEN_THRESHOLD: u64 = 50_000;
