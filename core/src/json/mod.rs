//! JSON as it was written: number literals and the order of keys stay.
//!
//! [`Reader`] goes over bytes and can be lenient, as logs need it (`spec/lineage.md`, reading harness logs);
//! [`canonical`] writes the one form that is hashed (`spec/prompt.md`, fingerprint and chain); [`merge()`] folds
//! layers of options. JSON crosses every border of the core as text.
mod canonical;
mod error;
mod merge;
mod number;
mod options;
mod read;
mod string;
mod value;

pub use canonical::{canonical, text, write_canonical, write_string, write_text};
pub use error::{JsonError, Place, Problem};
pub use merge::merge;
pub use number::Number;
pub use options::{Options, Repairs};
pub use read::{Reader, parse};
pub use value::{Json, Object};

#[cfg(test)]
mod tests;
