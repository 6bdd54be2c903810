//! What a summarizer may read and write (`spec/compaction.md`, "Summarizer budget").

use super::Window;
use crate::json::{Json, Number};
use alloc::{string::String, vec::Vec};

/// Bytes of conversation where no window resolves.
pub const MAX_CONVERSATION_BYTES: u64 = 500_000;
/// The safety margin is at least so many tokens.
const MARGIN: u64 = 1024;

/// The options that a summarizer of ours heeds; a value that is not positive, empty or of another kind means
/// the default.
#[derive(Debug, Clone, PartialEq)]
pub struct SummarizerConfig {
    /// The model; `class:fast`.
    pub model: String,
    /// The temperature; 0.2.
    pub temperature: Number,
    /// Tokens of the summary; 3,000.
    pub max_tokens: u64,
    /// UTF-8 bytes of each argument and result in the conversation; 2,000.
    pub max_tool_result_chars: u64,
    /// How many key tool results are shown once more; 100.
    pub max_tool_results: u64,
    /// UTF-8 bytes of those together; 20,000.
    pub max_tool_results_chars: u64,
    /// UTF-8 bytes of the conversation, where the options name a limit.
    pub max_conversation_chars: Option<u64>,
    /// Options that were replaced by their default.
    pub replaced: Vec<&'static str>,
}

impl SummarizerConfig {
    /// Reads the options of an attempt.
    ///
    /// ```
    /// use throughline_core::{compaction::SummarizerConfig, json::parse};
    /// let config = SummarizerConfig::of(&parse(r#"{"max_tokens": 0, "model": ""}"#)?);
    /// assert_eq!((config.max_tokens, config.model.as_str()), (3000, "class:fast"));
    /// # Ok::<(), throughline_core::json::JsonError>(())
    /// ```
    #[must_use]
    pub fn of(options: &Json) -> Self {
        let mut replaced = Vec::new();
        let mut number = |name: &'static str| {
            let value = options.get(name).filter(|value| !value.is_null())?;
            let number = value.as_u64().filter(|number| *number > 0);
            if number.is_none() {
                replaced.push(name);
            }
            number
        };
        let max_tokens = number("max_tokens").unwrap_or(3000);
        let max_tool_result_chars = number("max_tool_result_chars").unwrap_or(2000);
        let max_tool_results = number("max_tool_results").unwrap_or(100);
        let max_tool_results_chars = number("max_tool_results_chars").unwrap_or(20_000);
        let max_conversation_chars = number("max_conversation_chars");
        let given = |name: &str| options.get(name).filter(|value| !value.is_null());
        let model = given("model").and_then(Json::as_str).filter(|model| !model.trim().is_empty());
        let temperature = given("temperature").and_then(Json::as_number);
        let temperature = temperature.filter(|number| number.as_f64().is_some_and(|number| number > 0.0));
        for (name, is_usable) in [("model", model.is_some()), ("temperature", temperature.is_some())] {
            if given(name).is_some() && !is_usable {
                replaced.push(name);
            }
        }
        Self {
            model: model.unwrap_or("class:fast").into(),
            temperature: temperature
                .cloned()
                .or_else(|| Number::from_f64(0.2))
                .unwrap_or_else(|| 0_u64.into()),
            max_tokens,
            max_tool_result_chars,
            max_tool_results,
            max_tool_results_chars,
            max_conversation_chars,
            replaced,
        }
    }

    /// What there is room for, with the summarizer's window where it is known.
    #[must_use]
    pub fn budget(&self, window: Option<Window>) -> Budget {
        let output = window.map_or(self.max_tokens, |window| self.max_tokens.min(window.max_output));
        let input = window.map(|window| {
            let margin = MARGIN.max(window.tokens / 20);
            window.tokens.saturating_sub(output).saturating_sub(margin)
        });
        let bytes = match (self.max_conversation_chars, window) {
            (Some(bytes), _) => Some(bytes),
            (None, None) => Some(MAX_CONVERSATION_BYTES),
            (None, Some(_)) => None,
        };
        // Asked for less than what is allowed, so that a summary does not end in the middle.
        Budget {
            output,
            asked: (output / 10).saturating_mul(9).max(output.min(1)),
            input,
            conversation_bytes: bytes,
        }
    }
}

/// Room for one summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Tokens reserved for the summary.
    pub output: u64,
    /// Tokens that the instruction asks for.
    pub asked: u64,
    /// Tokens for all sections of the input; `None` when no window resolves.
    pub input: Option<u64>,
    /// UTF-8 bytes for the conversation; `None` when the window alone limits it.
    pub conversation_bytes: Option<u64>,
}
