//! Whether the conversation is to be compacted now (`spec/compaction.md`, "When").

use super::Effective;
use crate::model::Usage;
use serde::Serialize;

/// The tokens that a model takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Input and output together.
    pub tokens: u64,
    /// At most so many of them in one answer.
    pub max_output: u64,
}

impl Window {
    /// Whether a prompt of this size leaves room for `reserved` tokens of answer.
    #[must_use]
    pub fn takes(&self, prompt: u64, reserved: u64) -> bool {
        prompt.saturating_add(reserved) <= self.tokens
    }
}

/// What a provider reported with a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reported {
    /// The size of the prompt as it was sent, its cached part included; normalised by the caller.
    pub context_tokens: Option<u64>,
}

impl From<&Usage> for Reported {
    /// The sum of input outside the cache, written to it and read from it; output never counts.
    fn from(usage: &Usage) -> Self {
        let cached = usage.cache_creation_input_tokens.saturating_add(usage.cache_read_input_tokens);
        Self { context_tokens: Some(usage.input_tokens.saturating_add(cached)) }
    }
}

/// The size that decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Measured {
    /// In tokens.
    pub tokens: u64,
    /// Whether it is the counter's figure for the prompt as assembled, since the response named none: then
    /// there is a diagnostic `context_tokens_missing`.
    pub estimated: bool,
}

/// Measures the prompt that a response answered: `None` when it reported no usage at all. `assembled` is the
/// injected counter's figure for the prompt as assembled, asked for only when it is needed.
///
/// Neither `prompt_tokens` nor cumulative usage ever stands in.
pub fn measured(reported: Option<Reported>, assembled: impl FnOnce() -> u64) -> Option<Measured> {
    let Reported { context_tokens } = reported?;
    Some(match context_tokens {
        Some(tokens) => Measured { tokens, estimated: false },
        None => Measured { tokens: assembled(), estimated: true },
    })
}

/// Whether anything is there that writes summaries.
#[must_use]
pub fn is_available(options: &Effective, bindings: usize) -> bool {
    options.function_id().is_some() || bindings > 0
}

/// Whether a response of this size asks for a compaction: more than the threshold does, equal does not.
///
/// ```
/// use throughline_core::{compaction::{Layers, Measured, is_due, resolve}, json::parse};
/// let agent = parse(r#"{"token_threshold": 100, "function_id": "host:checkpoint"}"#)?;
/// let options = resolve(&Layers { agent, ..Layers::default() })?;
/// let at = |tokens| is_due(&options, 0, Measured { tokens, estimated: false });
/// assert_eq!((at(100), at(101)), (false, true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn is_due(options: &Effective, bindings: usize, measured: Measured) -> bool {
    let exceeds = |threshold: f64| exceeds(measured.tokens, threshold);
    options.is_enabled() && is_available(options, bindings) && options.token_threshold().is_some_and(exceeds)
}

/// Exact where a double is: tokens of a prompt are far below 2^53.
#[allow(clippy::cast_precision_loss, reason = "sizes of prompts are far below 2^53")]
fn exceeds(tokens: u64, threshold: f64) -> bool {
    tokens as f64 > threshold
}
