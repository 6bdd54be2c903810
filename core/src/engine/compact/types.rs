//! What goes in and comes out.

use crate::{
    compaction::{
        Binding, CompactionError, Diagnostic, Layers, Measured, Operation, Reported, Summarize, Window,
    },
    id::{RowId, SessionId},
    model::{Boundary, BoundaryMode, RowPlace, SummarySource},
    prompt::Input,
    redact::Clean,
    time::Timestamp,
};
use alloc::{collections::BTreeMap, string::String, vec::Vec};
use serde::Serialize;

/// When a compaction is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// After a response of the model, before the calls that it asked for: due by the threshold, or by a request
    /// that is stored.
    Step {
        /// What the provider reported; `None` when it reported no usage.
        reported: Option<Reported>,
    },
    /// Before a prompt is sent: due when it does not fit the window with its answer. The cut is exclusive.
    Outgoing,
    /// Because someone asks for it now: neither the threshold nor a failure of late holds it back.
    Requested,
}

/// Who may write the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Summarizers {
    /// Bindings and function as the options name them; a host calls them.
    #[default]
    Host,
    /// The same, and the fold when all of them failed.
    HostOrFold,
    /// There is no host to call: the fold, unless the options name something else (`host_required`).
    Alone,
    /// The fold, whatever the options name.
    Fold,
}

/// What a compaction is asked with.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactRequest {
    /// When.
    pub cause: Cause,
    /// Layers of options. The persisted one is read from the storage, whatever stands here.
    pub layers: Layers,
    /// What the agent's traits offer.
    pub bindings: Vec<Binding>,
    /// Who may write the summary.
    pub summarizers: Summarizers,
    /// What the prompt is made from beside its rows and boundary; these are read from the storage, whatever
    /// stands here.
    pub input: Input,
    /// The window of the agent's model.
    pub window: Option<Window>,
    /// The windows of summarizers by model, under `""` that of models not named.
    pub summarizer_windows: BTreeMap<String, Window>,
}

impl CompactRequest {
    /// With nothing else said.
    #[must_use]
    pub fn new(cause: Cause) -> Self {
        Self {
            cause,
            layers: Layers::default(),
            bindings: Vec::new(),
            summarizers: Summarizers::default(),
            input: Input::default(),
            window: None,
            summarizer_windows: BTreeMap::new(),
        }
    }

    /// Tokens that the answer may take: what the settings say, else what the window allows.
    pub(super) fn reserved(&self) -> u64 {
        let asked =
            self.input.request.settings.max_output_tokens.as_ref().and_then(crate::json::Json::as_u64);
        asked.unwrap_or_else(|| self.window.map_or(0, |window| window.max_output))
    }
}

/// Whether a compaction began.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum Begun {
    /// None is due.
    NotDue {
        /// The size that was looked at, when there was one.
        measured: Option<Measured>,
        /// What is to be told: `context_tokens_missing`, `compaction_held_back`, `nothing_to_compact`.
        diagnostics: Vec<Diagnostic>,
    },
    /// One is due: hand it to [`on_compaction`](crate::engine::Engine::on_compaction).
    Due(Compaction),
}

/// A compaction under way: a snapshot, so that nothing that changes meanwhile reaches it.
#[derive(Debug, Clone, PartialEq)]
pub struct Compaction {
    pub(super) session: SessionId,
    pub(super) operation: Operation,
    pub(super) checkpoint: RowId,
    /// The id of its audit entry.
    pub(super) audit: RowId,
    pub(super) at: Timestamp,
    /// `seq` of the newest boundary when it was planned.
    pub(super) base: u64,
    pub(super) step: u64,
    pub(super) setup: String,
    pub(super) before: u64,
    pub(super) is_estimate: bool,
    pub(super) input: Input,
    /// Where the oldest input is that waits.
    pub(super) waiting: Option<RowPlace>,
    pub(super) window: Option<Window>,
    pub(super) reserved: u64,
    pub(super) clears_request: bool,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) ready: Option<Boundary>,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompactionEvent {
    /// The compaction was begun.
    Begun,
    /// The summarizer that was called answered. The text is scrubbed here.
    Summarized {
        /// The summary.
        text: String,
        /// Whether it was cut off at its limit.
        truncated: bool,
    },
    /// The summarizer that was called failed.
    Failed {
        /// What it said.
        error: String,
    },
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum CompactionEffect {
    /// Call this summarizer, and tell what came of it.
    Summarize(Summarize),
    /// The summary is there: commit the compaction. The report says what will have come of it.
    Commit(CompactionReport),
    /// It failed, and the prompt fits as it is: send it whole. The next step tries again.
    SendWhole {
        /// Why.
        error: CompactionError,
        /// What is to be told.
        diagnostics: Vec<Diagnostic>,
    },
}

impl Compaction {
    /// The id of the boundary that it will make.
    #[must_use]
    pub fn checkpoint(&self) -> &RowId {
        &self.checkpoint
    }

    /// What it decides by.
    #[must_use]
    pub fn operation(&self) -> &Operation {
        &self.operation
    }

    /// The boundary, once the summary is there.
    #[must_use]
    pub fn boundary(&self) -> Option<&Boundary> {
        self.ready.as_ref()
    }
}

/// What a compaction came to, or will come to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CompactionReport {
    /// Whether it is committed.
    pub applied: bool,
    /// Size of the prompt before, in tokens.
    pub before_tokens: u64,
    /// Size of the prompt after.
    pub after_tokens: u64,
    /// Whether these are estimates.
    pub estimated: bool,
    /// The row at the cut.
    pub anchor: RowId,
    /// Whether the anchor replays.
    pub mode: BoundaryMode,
    /// The boundary.
    pub checkpoint_id: RowId,
    /// Length of the summary in characters.
    pub summary_chars: usize,
    /// Its size in tokens.
    pub summary_tokens: u64,
    /// Who wrote it.
    pub source: SummarySource,
    /// The id of the binding or function.
    pub source_id: Clean,
    /// How many rows the summary takes the place of.
    pub replaced_rows: usize,
    /// How many rows replay as they are.
    pub kept_rows: usize,
    /// How many of the replaced rows are a user's and stand in the summary word for word.
    pub kept_user_texts: usize,
    /// How many of the replaced rows are a user's, with text.
    pub replaced_user_texts: usize,
    /// The user's request that is shown again, when the cut is inside its turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub restored_request: Option<RowId>,
    /// What is to be told.
    pub diagnostics: Vec<Diagnostic>,
}
