//! What an agent brings to a prompt beside the conversation.
mod read;
mod schema;

pub(super) use schema::normalised;

use crate::{json::Json, redact::Clean};
use alloc::{string::String, vec::Vec};

/// A tool that the model may call.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: Clean,
    /// What it does; may be empty.
    pub description: Clean,
    /// The JSON Schema of its arguments, an object.
    pub input_schema: Json,
}

/// Settings of a request; what is `None` is left to the provider.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// `"auto"`, `"any"`, `"none"`, the name of a tool, or the provider's own object.
    pub tool_choice: Option<Json>,
    /// How much the model is to think, such as `"high"`.
    pub effort: Option<Json>,
    /// The form of the answer, such as `{"type": "json_schema", "schema": {…}}`.
    pub response_format: Option<Json>,
    /// At most this many tokens in the answer, a whole number from 1.
    pub max_output_tokens: Option<Json>,
}

impl Settings {
    /// The settings that are there, by name.
    pub(super) fn present(&self) -> impl Iterator<Item = (&'static str, &Json)> {
        let all = [
            ("effort", &self.effort),
            ("max_output_tokens", &self.max_output_tokens),
            ("response_format", &self.response_format),
            ("tool_choice", &self.tool_choice),
        ];
        all.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?)))
    }
}

/// What an agent brings to a prompt: system texts, tools, model, settings. All of it may be empty.
///
/// ```
/// use throughline_core::{json, prompt::Request, redact::Redactor};
/// let file = json::parse(r#"{"model": "m-1", "system": ["Be brief."]}"#)?;
/// let request = Request::from_json(&file, &Redactor::standard())?;
/// assert_eq!(request.system[0].as_str(), "Be brief.");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    /// The model, as its provider names it.
    pub model: Option<Clean>,
    /// System texts in order.
    pub system: Vec<Clean>,
    /// Tools in any order; they render by name.
    pub tools: Vec<Tool>,
    /// Settings.
    pub settings: Settings,
}

/// What is wrong with what was given for a prompt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PromptError {
    /// A request that does not read: `request_invalid`.
    #[error("{path}: {reason}")]
    RequestInvalid {
        /// Where, such as `tools[2].name`; `request` for the whole.
        path: String,
        /// What was found and what is accepted.
        reason: String,
    },
}

impl PromptError {
    /// The stable name of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::RequestInvalid { .. } => "request_invalid",
        }
    }

    /// Where in the input the fault is.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::RequestInvalid { path, .. } => path,
        }
    }
}
