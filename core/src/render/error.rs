//! What is wrong with an answer.
use crate::redact::Clean;
use alloc::string::String;

/// What is wrong with an answer of a provider. Messages repeat no text of it but the provider's own error,
/// scrubbed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// An answer of another shape: `response_invalid`.
    #[error("{path}: {reason}")]
    ResponseInvalid {
        /// Where, such as `choices[0].message`.
        path: String,
        /// What is accepted there.
        reason: &'static str,
    },
    /// The provider answers with an error: `response_failed`.
    #[error("the provider answers with an error: {kind}: {message}")]
    ResponseFailed {
        /// The provider's name for it, such as `overloaded_error`.
        kind: Clean,
        /// The provider's message.
        message: Clean,
    },
    /// An event of another shape: `stream_invalid`.
    #[error("{path}: {reason}")]
    StreamInvalid {
        /// Where in the event, such as `delta.text`.
        path: &'static str,
        /// What is accepted there.
        reason: &'static str,
    },
    /// An event of another answer than those before it: `stream_mixed`.
    #[error("{path}: the event belongs to another answer than those before it; a stream holds one")]
    StreamMixed {
        /// Where in the event the id stands.
        path: &'static str,
    },
}

impl RenderError {
    /// The stable name of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::ResponseInvalid { .. } => "response_invalid",
            Self::ResponseFailed { .. } => "response_failed",
            Self::StreamInvalid { .. } => "stream_invalid",
            Self::StreamMixed { .. } => "stream_mixed",
        }
    }

    /// Where in the input the fault is; empty for an error of the provider's.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::ResponseInvalid { path, .. } => path,
            Self::ResponseFailed { .. } => "",
            Self::StreamInvalid { path, .. } | Self::StreamMixed { path } => path,
        }
    }

    pub(super) fn invalid(path: impl Into<String>, reason: &'static str) -> Self {
        Self::ResponseInvalid { path: path.into(), reason }
    }
}
