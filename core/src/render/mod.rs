//! Neutral prompts into the requests of providers. Nothing here reads a row: what a provider is sent follows
//! from the [`Prompt`](crate::prompt::Prompt) alone, and is stable under appending.
//!
//! # Codes of diagnostics
//!
//! | code | what happened |
//! |---|---|
//! | `model_missing` | the request names no model, and the provider asks for one |
//! | `setting_unsupported` | a setting that the provider does not have is left out |
//! | `tool_choice_without_tools` | a choice among no tools is left out |
//! | `tool_name_refused` | a tool's name has characters that the provider refuses; `_` stands in their place |
//! | `tool_id_renamed` | a call's id is refused or repeats; the table of [`Rendered::renamed`] has both |
//! | `arguments_wrapped` | arguments that are no object are sent as `{"arguments": …}` |
//! | `thinking_unsigned` | thinking without signature is left out |
//! | `thinking_foreign` | thinking of another provider is left out |
//! | `thinking_alone` | an assistant message that would hold thinking alone is left out |
//! | `ends_with_assistant` | the request ends with an assistant message: the provider goes on with that one, or refuses it |
//! | `media_unsupported` | an image or document of a kind that the provider does not take is named in its place |
//! | `media_misplaced` | an image or document where the provider takes none is named in its place |
//! | `file_beta` | a file id is sent, which the provider takes under its files beta alone |
//! | `block_empty` | an empty text block, or a message that would have no block, is left out |
//!
//! `row` is that of the message; `index` is that of the message, or of the tool for the `tool_name_refused` of a declared tool.

mod anthropic;
mod ids;
#[cfg(test)]
mod tests;

pub use anthropic::render as anthropic;

use crate::{id::RowId, json::Json, prompt::Diagnostic};
use alloc::{string::String, vec::Vec};

/// How a request is rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Tokens of the answer where the settings name no limit and the provider asks for one: 8192.
    pub default_max_tokens: u64,
    /// Whether cache markers are sent.
    pub cache_markers: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { default_max_tokens: 8192, cache_markers: true }
    }
}

/// A call whose id is sent otherwise than it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedId {
    /// The call's row.
    pub row: RowId,
    /// The id in the neutral prompt.
    pub call_id: String,
    /// The id in the request: `tl_` and 26 characters of base32.
    pub sent: String,
}

/// A provider's request.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    /// The body, an object.
    pub body: Json,
    /// What could not be sent as it is, or not at all.
    pub diagnostics: Vec<Diagnostic>,
    /// Calls whose ids differ from the stored ones, in order.
    pub renamed: Vec<RenamedId>,
}
