//! The named edits: the only ways in which a request may part from the promised part of an earlier one.
use core::fmt;
use serde::{Serialize, Serializer};

/// A named edit (`spec/prompt.md`, "Named edits"). A request that differs from an earlier one before its
/// `stable_len` does so by one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Edit {
    /// The result of a call was withdrawn.
    ResultWithdrawn,
    /// An uploaded file was renamed, or is gone.
    UploadChanged,
    /// An attachment can no longer be sent.
    AttachmentExpired,
    /// A developer or system message was injected during a request.
    NoteInjected,
    /// Stop returned steering that was on its way.
    SteeringReturned,
    /// Memory, session contexts or the agent's system texts changed.
    ContextsChanged,
    /// The request that was restored behind a boundary is over.
    RequestEnded,
    /// The notes of a discarded output went with it.
    NotesDiscarded,
    /// A compaction moved the boundary.
    BoundaryMoved,
    /// Tools, model or settings changed.
    AgentChanged,
    /// Thinking was dropped, since what stands before it is not what it saw.
    ThinkingDropped,
    /// Another branch is live, or a record was superseded or retracted.
    HistoryRewound,
    /// Recovery settled a pending call.
    CallSettled,
    /// An import put a row before the end.
    RowInserted,
    /// A newer rule set scrubbed a row again.
    RowScrubbed,
    /// The texts that rendering adds are of another version.
    Compatibility,
}

impl Edit {
    /// All of them, in the order of the specification.
    pub const ALL: [Self; 16] = [
        Self::ResultWithdrawn,
        Self::UploadChanged,
        Self::AttachmentExpired,
        Self::NoteInjected,
        Self::SteeringReturned,
        Self::ContextsChanged,
        Self::RequestEnded,
        Self::NotesDiscarded,
        Self::BoundaryMoved,
        Self::AgentChanged,
        Self::ThinkingDropped,
        Self::HistoryRewound,
        Self::CallSettled,
        Self::RowInserted,
        Self::RowScrubbed,
        Self::Compatibility,
    ];

    /// The stable name, such as `result withdrawn`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ResultWithdrawn => "result withdrawn",
            Self::UploadChanged => "upload renamed or gone",
            Self::AttachmentExpired => "attachment expired",
            Self::NoteInjected => "developer or system message injected during a request",
            Self::SteeringReturned => "steering returned to pending by Stop",
            Self::ContextsChanged => "memory or contexts changed",
            Self::RequestEnded => "restored request gone at the next turn",
            Self::NotesDiscarded => "discarded output's notes gone",
            Self::BoundaryMoved => "compaction boundary moved",
            Self::AgentChanged => "tools, model or settings changed",
            Self::ThinkingDropped => "stale thinking dropped",
            Self::HistoryRewound => "history rewound",
            Self::CallSettled => "pending call settled by recovery",
            Self::RowInserted => "row inserted by an import before the end",
            Self::RowScrubbed => "row scrubbed again by a newer rule set",
            Self::Compatibility => "compatibility",
        }
    }

    /// Reads a name.
    ///
    /// ```
    /// use throughline_core::prompt::Edit;
    /// assert_eq!(Edit::parse("history rewound"), Some(Edit::HistoryRewound));
    /// ```
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|edit| edit.as_str() == name)
    }
}

impl fmt::Display for Edit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Edit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
