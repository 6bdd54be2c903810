use crate::{
    compaction::CompactionError,
    host::StorageError,
    id::{IdError, SessionId},
    model::StalePlan,
    redact::RedactError,
    transcript::TranscriptError,
};
use alloc::string::String;

/// Why the engine did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A plan was confirmed on another state than it was made on.
    #[error(transparent)]
    Stale(#[from] StalePlan),
    /// A log could not be read.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// An identifier is not acceptable.
    #[error(transparent)]
    Identifier(#[from] IdError),
    /// An identifier holds a secret.
    #[error(transparent)]
    Redact(#[from] RedactError),
    /// A conversation was not compacted.
    #[error(transparent)]
    Compaction(#[from] CompactionError),
    /// Others wrote the session each time the operation was planned.
    #[error("other hosts write session {session} all the time: try again")]
    Contended {
        /// The session.
        session: SessionId,
    },
    /// There is no such session.
    #[error("there is no session {session}")]
    SessionUnknown {
        /// What was asked for.
        session: String,
    },
    /// The bare key names more than one session.
    #[error("{key} names {count} sessions ({sessions}): name harness and agent as well")]
    SessionAmbiguous {
        /// The key.
        key: String,
        /// How many.
        count: usize,
        /// Which, the first few.
        sessions: String,
    },
    /// There is no such checkpoint.
    #[error("there is no checkpoint {checkpoint}")]
    CheckpointUnknown {
        /// What was asked for.
        checkpoint: String,
    },
    /// A message without text.
    #[error("the message is empty; a text is needed")]
    EmptyMessage,
}

impl EngineError {
    pub(super) fn unknown(session: &SessionId) -> Self {
        Self::SessionUnknown { session: alloc::format!("{session}") }
    }

    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Storage(error) => error.code(),
            Self::Stale(error) => error.code(),
            Self::Transcript(error) => error.code(),
            Self::Identifier(error) => error.code(),
            Self::Redact(error) => error.code(),
            Self::Compaction(error) => error.code(),
            Self::Contended { .. } => "contended",
            Self::SessionUnknown { .. } => "session_unknown",
            Self::SessionAmbiguous { .. } => "session_ambiguous",
            Self::CheckpointUnknown { .. } => "checkpoint_unknown",
            Self::EmptyMessage => "empty_message",
        }
    }
}
