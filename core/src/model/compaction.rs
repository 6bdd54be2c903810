//! What is stored of a compaction beside its summary (`spec/compaction.md`, "Commit of a boundary").

use super::{flags::is_false, seal::Seal};
use crate::{
    id::RowId,
    redact::{Clean, Text},
};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// Why a conversation was compacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CompactionReason {
    /// The prompt grew beyond the threshold, or beyond what the window takes.
    TokenThresholdExceeded,
    /// It was asked for.
    CompactionRequested,
}

impl CompactionReason {
    /// The stored name, such as `compaction_requested`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TokenThresholdExceeded => "token_threshold_exceeded",
            Self::CompactionRequested => "compaction_requested",
        }
    }
}

/// Who wrote a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SummarySource {
    /// A binding of a trait.
    Binding,
    /// The function that the options name.
    Function,
}

impl SummarySource {
    /// The stored name, such as `binding`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Binding => "binding",
            Self::Function => "function",
        }
    }
}

/// A binding that failed before another gave the summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct BindingError<T: Text = Clean> {
    /// The binding.
    pub binding_id: T,
    /// The trait that it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trait_id: Option<T>,
    /// What went wrong.
    pub error: T,
    /// Whether it ended the attempt.
    pub strict: bool,
}

/// The user's request that a compaction inside a turn cut off, as it is shown again: at most 6,000 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct RestoredRequest<T: Text = Clean> {
    /// Its row.
    pub row: RowId,
    /// Its text, both ends of it when it is long.
    pub text: T,
}

/// What is known of a compaction of our own; imported boundaries have none.
///
/// Rows are never rewritten, so what the specification calls the metadata of the anchor stands here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct BoundaryMetadata<T: Text = Clean> {
    /// Why.
    pub checkpoint_reason: CompactionReason,
    /// The size of the prompt that asked for it, in tokens.
    pub trigger_tokens: u64,
    /// Whether that is an estimate.
    #[serde(default, skip_serializing_if = "is_false")]
    pub trigger_tokens_estimated: bool,
    /// The size of the prompt before it, counted alike as `tokens_after`.
    pub tokens_before: u64,
    /// The size of the prompt after it.
    pub tokens_after: u64,
    /// The size of the summary, in tokens.
    pub checkpoint_tokens: u64,
    /// Who wrote the summary.
    pub checkpoint_source: SummarySource,
    /// The id of the binding or function.
    pub checkpoint_source_id: T,
    /// Bindings that failed before; absent in a healthy compaction.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub checkpoint_binding_errors: Vec<BindingError<T>>,
    /// The request of the turn that was cut.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub originating_request: Option<RestoredRequest<T>>,
}

/// What a session knows of compactions to come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct CompactionState<T: Text = Clean> {
    /// Whether one was asked for and not made yet.
    #[serde(default, skip_serializing_if = "is_false")]
    pub requested: bool,
    /// The host's configuration `config.checkpoint`, canonical JSON: the strongest layer of the options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<T>,
}

impl<T: Text> Default for CompactionState<T> {
    fn default() -> Self {
        Self { requested: false, config: None }
    }
}

impl<T: Text> CompactionState<T> {
    pub(super) fn is_empty(&self) -> bool {
        !self.requested && self.config.is_none()
    }
}

impl CompactionState<String> {
    pub(super) fn seal(self, seal: &impl Seal) -> CompactionState<Clean> {
        CompactionState { requested: self.requested, config: self.config.map(|text| seal.json(text)) }
    }
}

impl BindingError<String> {
    fn seal(self, seal: &impl Seal) -> BindingError<Clean> {
        BindingError {
            binding_id: seal.text(self.binding_id),
            trait_id: self.trait_id.map(|text| seal.text(text)),
            error: seal.text(self.error),
            strict: self.strict,
        }
    }
}

impl BoundaryMetadata<String> {
    pub(super) fn seal(self, seal: &impl Seal) -> BoundaryMetadata<Clean> {
        let errors = self.checkpoint_binding_errors.into_iter().map(|error| error.seal(seal));
        BoundaryMetadata {
            checkpoint_reason: self.checkpoint_reason,
            trigger_tokens: self.trigger_tokens,
            trigger_tokens_estimated: self.trigger_tokens_estimated,
            tokens_before: self.tokens_before,
            tokens_after: self.tokens_after,
            checkpoint_tokens: self.checkpoint_tokens,
            checkpoint_source: self.checkpoint_source,
            checkpoint_source_id: seal.text(self.checkpoint_source_id),
            checkpoint_binding_errors: errors.collect(),
            originating_request: self
                .originating_request
                .map(|request| RestoredRequest { row: request.row, text: seal.text(request.text) }),
        }
    }
}
