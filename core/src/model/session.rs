use super::{
    CompactionState, PromptEntry,
    checkpoint::seal_all,
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
/// version it was planned on as precondition.
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
    /// What happened since the last checkpoint.
    pub continuity: Continuity<T>,
    /// Compactions to come.
    #[serde(default, skip_serializing_if = "CompactionState::is_empty")]
    pub compaction: CompactionState<T>,
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
            continuity: self.continuity.open(),
            compaction: self.compaction.seal(&Trusted),
        }
    }
}
