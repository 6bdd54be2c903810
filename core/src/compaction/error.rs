use alloc::string::String;

/// Why a conversation was not compacted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompactionError {
    /// An option that does not read: `option_invalid`.
    #[error("{path}: {reason}")]
    OptionInvalid {
        /// Where, such as `agent_options.checkpoint.token_threshold`.
        path: String,
        /// What was found and what is accepted.
        reason: String,
    },
    /// The options switch compaction off: `compaction_disabled`.
    #[error("compaction is switched off by `enabled: false`")]
    Disabled,
    /// No binding and no function: `summarizer_missing`.
    #[error("nothing writes the summary: neither a binding nor a function id is named")]
    SummarizerMissing,
    /// A host must call what is named, and there is none: `host_required`.
    #[error("`{id}` is called by a host, and none is there; `throughline:fold` needs none")]
    HostRequired {
        /// The binding or function.
        id: String,
    },
    /// Nothing stands before the anchor that is not in the summary already: `nothing_to_compact`.
    #[error("nothing stands before the newest turn that the summary does not hold already")]
    NothingToCompact,
    /// A failure of late is not repeated with the same input: `compaction_held_back`.
    #[error("not tried again yet: {reason}")]
    HeldBack {
        /// What is waited for.
        reason: &'static str,
    },
    /// The summarizer's window has no room for the conversation: `summary_input_too_large`.
    #[error("the summarizer's input has {needed} {unit}, and there is room for {available}")]
    SummaryInputTooLarge {
        /// What the conversation needs.
        needed: u64,
        /// What there is room for.
        available: u64,
        /// `tokens` or `bytes`.
        unit: &'static str,
    },
    /// A summary without text: `summary_empty`.
    #[error("the summary is blank")]
    SummaryEmpty,
    /// A summary that was cut off at its limit: `summary_truncated`.
    #[error("the summary was cut off at its limit of {max_tokens} tokens")]
    SummaryTruncated {
        /// The limit.
        max_tokens: u64,
    },
    /// A summary that saves nothing: `summary_too_large`.
    #[error("the summary has {summary} tokens, and what it replaces has {replaced}")]
    SummaryTooLarge {
        /// Its size.
        summary: u64,
        /// The size of what it replaces.
        replaced: u64,
    },
    /// A binding or function failed, and nothing is left to try: `summarizer_failed`.
    #[error("`{id}` failed: {error}")]
    SummarizerFailed {
        /// The last that was tried.
        id: String,
        /// What it said.
        error: String,
        /// Whether it was strict, so that nothing else was tried.
        strict: bool,
    },
    /// The prompt cannot be sent, and nothing shortened it: `prompt_exceeds_window`.
    #[error(
        "the prompt has {prompt} tokens; with {reserved} for the answer it exceeds the window of {window}"
    )]
    PromptExceedsWindow {
        /// Tokens of the prompt.
        prompt: u64,
        /// Tokens that the answer may take.
        reserved: u64,
        /// Tokens of the window.
        window: u64,
    },
    /// Another compaction was made since this one was planned, or its anchor left the live conversation:
    /// `compaction_superseded`.
    #[error("the conversation was compacted or rewound since this compaction began; what is stored stands")]
    Superseded,
    /// An answer came that nothing waits for: `event_unexpected`.
    #[error("nothing waits for the answer of a summarizer now")]
    EventUnexpected,
}

impl CompactionError {
    pub(super) fn option(path: impl Into<String>, reason: impl Into<String>) -> Self {
        Self::OptionInvalid { path: path.into(), reason: reason.into() }
    }

    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::OptionInvalid { .. } => "option_invalid",
            Self::Disabled => "compaction_disabled",
            Self::SummarizerMissing => "summarizer_missing",
            Self::HostRequired { .. } => "host_required",
            Self::NothingToCompact => "nothing_to_compact",
            Self::HeldBack { .. } => "compaction_held_back",
            Self::SummaryInputTooLarge { .. } => "summary_input_too_large",
            Self::SummaryEmpty => "summary_empty",
            Self::SummaryTruncated { .. } => "summary_truncated",
            Self::SummaryTooLarge { .. } => "summary_too_large",
            Self::SummarizerFailed { .. } => "summarizer_failed",
            Self::PromptExceedsWindow { .. } => "prompt_exceeds_window",
            Self::Superseded => "compaction_superseded",
            Self::EventUnexpected => "event_unexpected",
        }
    }

    /// Where in the input the fault is.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::OptionInvalid { path, .. } => Some(path),
            _ => None,
        }
    }
}
