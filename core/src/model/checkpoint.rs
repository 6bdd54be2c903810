use super::seal::{Rescrub, Seal, Trusted};
use crate::{
    id::{CheckpointId, SessionId},
    redact::{Clean, Redactor, Text},
    time::Timestamp,
};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// Why a checkpoint was taken (`spec/checkpoints.md`, "The row").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// Enough prompts or enough time since the last one.
    Periodic,
    /// The agent asked for it.
    Agent,
    /// A person or a program asked for it.
    Explicit,
    /// The conversation is about to be compacted.
    PreCompaction,
    /// The session ended.
    SessionEnd,
}

impl Trigger {
    /// All triggers, weakest first.
    pub const ALL: [Self; 5] =
        [Self::Periodic, Self::Agent, Self::Explicit, Self::PreCompaction, Self::SessionEnd];

    /// The rank, 1 (periodic) to 5 (session_end).
    #[must_use]
    pub fn rank(self) -> u8 {
        match self {
            Self::Periodic => 1,
            Self::Agent => 2,
            Self::Explicit => 3,
            Self::PreCompaction => 4,
            Self::SessionEnd => 5,
        }
    }

    /// The stored name, such as `pre_compaction`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Periodic => "periodic",
            Self::Agent => "agent",
            Self::Explicit => "explicit",
            Self::PreCompaction => "pre_compaction",
            Self::SessionEnd => "session_end",
        }
    }

    /// The trigger of a stored name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trigger| trigger.as_str() == name)
    }
}

/// A prompt as a checkpoint keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct PromptEntry<T: Text = Clean> {
    /// Its number in the session, from 1.
    pub ordinal: u64,
    /// Its text: scrubbed, line ends shown as ` ⏎ `, at most 200 characters.
    pub text: T,
}

/// What a host knows of the structure of the work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct Structural<T: Text = Clean> {
    /// Focal entities.
    #[serde(default = "Vec::new")]
    pub focal_entities: Vec<T>,
    /// Active aspects.
    #[serde(default = "Vec::new")]
    pub active_aspects: Vec<T>,
    /// Active constraints.
    #[serde(default = "Vec::new")]
    pub active_constraints: Vec<T>,
    /// How many memories a traversal reached.
    #[serde(default)]
    pub traversal_memories: u64,
}

/// A stored snapshot of where a conversation stands, for recovery.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct CheckpointRow<T: Text = Clean> {
    /// UUIDv7.
    pub id: CheckpointId,
    /// The session.
    pub session: SessionId,
    /// The project's path, scrubbed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<T>,
    /// The normalised path, scrubbed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_normalized: Option<T>,
    /// Why it was taken.
    pub trigger: Trigger,
    /// The readable digest, in markdown.
    pub digest: T,
    /// Prompts since the checkpoint before it.
    pub prompt_count: u64,
    /// Prompts of the session in all.
    pub total_prompts: u64,
    /// Memory queries since the checkpoint before it, distinct, the newest 20.
    pub memory_queries: Vec<T>,
    /// What was remembered since the checkpoint before it, distinct, the newest 10.
    pub recent_remembers: Vec<T>,
    /// The newest 10 prompts, oldest first.
    pub recent_prompts: Vec<PromptEntry<T>>,
    /// Session context, for pre_compaction and session_end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<T>,
    /// A note, for agent and explicit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<T>,
    /// Structural context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structural: Option<Structural<T>>,
    /// The session's start.
    pub started_at: Timestamp,
    /// Time of the last event in it.
    pub created_at: Timestamp,
    /// Given at the write, strictly increasing in a session from 1; decides order.
    pub seq: u64,
}

impl PromptEntry<String> {
    pub(super) fn seal(self, seal: &impl Seal) -> PromptEntry<Clean> {
        PromptEntry { ordinal: self.ordinal, text: seal.text(self.text) }
    }
}

pub(super) fn seal_all(texts: Vec<String>, seal: &impl Seal) -> Vec<Clean> {
    texts.into_iter().map(|text| seal.text(text)).collect()
}

impl Structural<String> {
    pub(super) fn seal(self, seal: &impl Seal) -> Structural<Clean> {
        Structural {
            focal_entities: seal_all(self.focal_entities, seal),
            active_aspects: seal_all(self.active_aspects, seal),
            active_constraints: seal_all(self.active_constraints, seal),
            traversal_memories: self.traversal_memories,
        }
    }
}

impl CheckpointRow<String> {
    fn seal(self, seal: &impl Seal) -> CheckpointRow<Clean> {
        CheckpointRow {
            id: self.id,
            session: self.session,
            project: self.project.map(|text| seal.text(text)),
            project_normalized: self.project_normalized.map(|text| seal.text(text)),
            trigger: self.trigger,
            digest: seal.text(self.digest),
            prompt_count: self.prompt_count,
            total_prompts: self.total_prompts,
            memory_queries: seal_all(self.memory_queries, seal),
            recent_remembers: seal_all(self.recent_remembers, seal),
            recent_prompts: self.recent_prompts.into_iter().map(|prompt| prompt.seal(seal)).collect(),
            context: self.context.map(|text| seal.text(text)),
            note: self.note.map(|text| seal.text(text)),
            structural: self.structural.map(|structural| structural.seal(seal)),
            started_at: self.started_at,
            created_at: self.created_at,
            seq: self.seq,
        }
    }

    /// Trusts text that the core itself wrote; the engine alone calls this.
    pub(crate) fn open(self) -> CheckpointRow<Clean> {
        self.seal(&Trusted)
    }

    /// Takes back a checkpoint that a host kept: every text is scrubbed again, which leaves scrubbed text as
    /// it is.
    #[must_use]
    pub fn restore(self, redactor: &Redactor) -> CheckpointRow<Clean> {
        self.seal(&Rescrub(redactor))
    }
}
