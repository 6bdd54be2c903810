use super::{
    CompactionState, HookState, PromptEntry,
    checkpoint::seal_all,
    flags::is_false,
    seal::{Seal as _, Trusted},
};
use crate::{
    id::SessionId,
    redact::{Clean, Text},
    time::Timestamp,
};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing runs.
    Idle,
    /// A turn runs.
    Running,
    /// A turn is being stopped.
    Stopping,
    /// The session finishes at the turn boundary.
    Finishing,
    /// The turn goes on with another agent.
    HandingOver,
    /// The last turn failed.
    Failed,
    /// The session ended.
    Ended,
}

impl Status {
    /// The stored name, such as `handing_over`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Running => "running",
            Self::Stopping => "stopping",
            Self::Finishing => "finishing",
            Self::HandingOver => "handing_over",
            Self::Failed => "failed",
            Self::Ended => "ended",
        }
    }
}

/// How much a session holds; kept by the commits that add to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// Messages that a user typed.
    pub user: u64,
    /// API messages.
    pub assistant: u64,
    /// Developer notes.
    pub developer: u64,
    /// System notes.
    pub system: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Tool results.
    pub tool_results: u64,
    /// Thinking blocks.
    pub thinking: u64,
    /// Checkpoints that are kept.
    pub checkpoints: u64,
}

/// What happened since the last checkpoint (`spec/checkpoints.md`, "Continuity state"): a value that is
/// stored with the commit that records the event, so that a host that ends loses nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct Continuity<T: Text = Clean> {
    /// Prompts since the last checkpoint.
    pub prompts_since: u64,
    /// Prompts in all.
    pub total_prompts: u64,
    /// Time of the last checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_checkpoint_at: Option<Timestamp>,
    /// The newest 10 prompts, oldest first.
    pub recent_prompts: Vec<PromptEntry<T>>,
    /// The newest 20 memory queries since the last checkpoint, distinct.
    pub memory_queries: Vec<T>,
    /// The newest 10 remembers since the last checkpoint, distinct.
    pub remembers: Vec<T>,
}

impl<T: Text> Default for Continuity<T> {
    fn default() -> Self {
        Self {
            prompts_since: 0,
            total_prompts: 0,
            last_checkpoint_at: None,
            recent_prompts: Vec::new(),
            memory_queries: Vec::new(),
            remembers: Vec::new(),
        }
    }
}

/// The state of one session. Every batch that touches the session raises `version` by one and has the
/// version it was planned on as precondition; the first version is a time, which no session of that name had before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct SessionRow<T: Text = Clean> {
    /// Who it is.
    pub id: SessionId,
    /// The lock: 1 after the first commit.
    pub version: u64,
    /// Where it stands.
    pub status: Status,
    /// The project's path, scrubbed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<T>,
    /// The normalised path, scrubbed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_normalized: Option<T>,
    /// SHA-256 of the normalised path before scrubbing, lower-case hex: look-ups by project use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_hash: Option<String>,
    /// Time of its first event.
    pub started_at: Timestamp,
    /// Time of its last event.
    pub last_activity: Timestamp,
    /// Place of its newest row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_created_at: Option<Timestamp>,
    /// How much it holds.
    pub counts: Counts,
    /// `seq` of its newest checkpoint; never falls.
    pub checkpoint_seq: u64,
    /// `seq` of its newest compaction boundary; never falls.
    pub boundary_seq: u64,
    /// Nothing whose time is at or before this is counted, queued or recovered any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleared_at: Option<Timestamp>,
    /// Whether a draft of it waits in the store.
    #[serde(default, skip_serializing_if = "is_false")]
    pub pending: bool,
    /// What hooks keep of it; `None` while none told of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hooks: Option<HookState>,
    /// What happened since the last checkpoint.
    pub continuity: Continuity<T>,
    /// Compactions to come.
    #[serde(default, skip_serializing_if = "CompactionState::is_empty")]
    pub compaction: CompactionState<T>,
}

impl<T: Text> Continuity<T> {
    /// Whether it holds nothing that could grow old.
    pub(crate) fn is_empty(&self) -> bool {
        self.prompts_since == 0
            && self.recent_prompts.is_empty()
            && self.memory_queries.is_empty()
            && self.remembers.is_empty()
    }
}

impl<T: Text> SessionRow<T> {
    /// A session that nothing is stored of yet, at version 0.
    #[must_use]
    pub fn new(id: SessionId, now: Timestamp) -> Self {
        Self {
            id,
            version: 0,
            status: Status::Idle,
            project: None,
            project_normalized: None,
            project_hash: None,
            started_at: now,
            last_activity: now,
            last_created_at: None,
            counts: Counts::default(),
            checkpoint_seq: 0,
            boundary_seq: 0,
            cleared_at: None,
            pending: false,
            hooks: None,
            continuity: Continuity::default(),
            compaction: CompactionState::default(),
        }
    }

    /// Whether something that happened then is gone with what was cleared.
    #[must_use]
    pub fn is_cleared(&self, at: Timestamp) -> bool {
        self.cleared_at.is_some_and(|cleared| at <= cleared)
    }

    /// Where its time begins to count: at its first event, or when it was cleared.
    #[must_use]
    pub fn counted_from(&self) -> Timestamp {
        self.cleared_at.map_or(self.started_at, |cleared| cleared.max(self.started_at))
    }
}

impl Continuity<String> {
    fn open(self) -> Continuity<Clean> {
        Continuity {
            prompts_since: self.prompts_since,
            total_prompts: self.total_prompts,
            last_checkpoint_at: self.last_checkpoint_at,
            recent_prompts: self.recent_prompts.into_iter().map(|prompt| prompt.seal(&Trusted)).collect(),
            memory_queries: seal_all(self.memory_queries, &Trusted),
            remembers: seal_all(self.remembers, &Trusted),
        }
    }
}

impl SessionRow<String> {
    /// Trusts text that the core itself wrote; the engine alone calls this.
    pub(crate) fn open(self) -> SessionRow<Clean> {
        SessionRow {
            id: self.id,
            version: self.version,
            status: self.status,
            project: self.project.map(|text| Trusted.text(text)),
            project_normalized: self.project_normalized.map(|text| Trusted.text(text)),
            project_hash: self.project_hash,
            started_at: self.started_at,
            last_activity: self.last_activity,
            last_created_at: self.last_created_at,
            counts: self.counts,
            checkpoint_seq: self.checkpoint_seq,
            boundary_seq: self.boundary_seq,
            cleared_at: self.cleared_at,
            pending: self.pending,
            hooks: self.hooks,
            continuity: self.continuity.open(),
            compaction: self.compaction.seal(&Trusted),
        }
    }
}
