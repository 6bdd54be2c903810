//! Where two prompts part, which named edit did it, and what it costs.
mod cause;
mod compare;
mod file;
mod section;
mod side;

pub use cause::Cause;
pub use compare::{Difference, Explanation, Prices, explain, explain_files};
pub use file::PromptFile;
pub use section::{Provider, Section};
