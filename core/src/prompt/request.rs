//! What an agent brings to a prompt beside the conversation.
mod read;
mod schema;

pub(super) use schema::normalised;

use crate::{id::RowId, json::Json, model::RowKind, redact::Clean};
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
    /// A user's message in which there is nothing: `empty_message`.
    #[error("the message is empty; accepted is one with text, a file or an attachment")]
    EmptyMessage,
    /// A lifecycle note that speaks as the user or the model: `lifecycle_role`.
    #[error("a lifecycle note has the role {}; accepted are developer and system", .role.as_str())]
    LifecycleRole {
        /// The role it came with.
        role: RowKind,
    },
    /// A row that the conversation does not hold: `row_unknown`.
    #[error("there is no row {row} in the conversation")]
    RowUnknown {
        /// The row.
        row: RowId,
    },
    /// Steering that does not stand where it must: `input_state`.
    #[error("row {row} is {found}; accepted is {accepted}")]
    InputState {
        /// The row.
        row: RowId,
        /// What it is.
        found: &'static str,
        /// What is asked for.
        accepted: &'static str,
    },
    /// A prompt in a file that is none: `prompt_invalid`.
    #[error("{path}: {reason}")]
    PromptInvalid {
        /// Where, such as `messages[2].role`; `prompt` for the whole.
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
            Self::EmptyMessage => "empty_message",
            Self::LifecycleRole { .. } => "lifecycle_role",
            Self::RowUnknown { .. } => "row_unknown",
            Self::InputState { .. } => "input_state",
            Self::PromptInvalid { .. } => "prompt_invalid",
        }
    }

    /// Where in the input the fault is.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::RequestInvalid { path, .. } | Self::PromptInvalid { path, .. } => path,
            Self::EmptyMessage | Self::LifecycleRole { .. } => "",
            Self::RowUnknown { row } | Self::InputState { row, .. } => row.as_str(),
        }
    }
}
