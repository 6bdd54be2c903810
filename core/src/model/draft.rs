use super::{
    PromptEntry, Structural, Trigger,
    checkpoint::seal_all,
    seal::{Seal, Trusted},
};
use crate::{
    id::{CheckpointId, SessionId},
    redact::{Clean, Text},
    time::Timestamp,
};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// A session context or a note, with the rank of the draft that it came with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct Ranked<T: Text = Clean> {
    /// [`Trigger::rank`] of that draft.
    pub rank: u8,
    /// The text, at most 4,000 characters.
    pub text: T,
}

/// A checkpoint before it is written: without id, `seq` and digest (`spec/checkpoints.md`, "Queue").
/// `draft` of the room of checkpoints takes one down, and `merge` makes one of two.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct Draft<T: Text = Clean> {
    /// The session.
    pub session: SessionId,
    /// The project's path, scrubbed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<T>,
    /// The normalised path, scrubbed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_normalized: Option<T>,
    /// Why it is taken.
    pub trigger: Trigger,
    /// Prompts since the checkpoint before it.
    pub prompt_count: u64,
    /// Prompts of the session in all.
    pub total_prompts: u64,
    /// Memory queries, distinct, at most 20.
    pub memory_queries: Vec<T>,
    /// What was remembered, distinct, at most 10.
    pub recent_remembers: Vec<T>,
    /// The newest prompts, oldest first, at most 10.
    pub recent_prompts: Vec<PromptEntry<T>>,
    /// Session context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Ranked<T>>,
    /// A note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<Ranked<T>>,
    /// Structural context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structural: Option<Structural<T>>,
    /// The session's start.
    pub started_at: Timestamp,
    /// Time of the last event in it.
    pub created_at: Timestamp,
}

/// A draft that waits in the store for its window to close: the only copy of what it holds. There is at most
/// one of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct Pending<T: Text = Clean> {
    /// The id that its checkpoint will have, given at the first enqueue.
    pub id: CheckpointId,
    /// 1 at the first enqueue, one more at each that is merged into it.
    pub version: u64,
    /// When the window opened: the first enqueue.
    pub opened_at: Timestamp,
    /// When the window closes.
    pub due_at: Timestamp,
    /// What is to be written.
    pub draft: Draft<T>,
}

impl Ranked<String> {
    fn seal(self, seal: &impl Seal) -> Ranked<Clean> {
        Ranked { rank: self.rank, text: seal.text(self.text) }
    }
}

impl Draft<String> {
    fn seal(self, seal: &impl Seal) -> Draft<Clean> {
        Draft {
            session: self.session,
            project: self.project.map(|text| seal.text(text)),
            project_normalized: self.project_normalized.map(|text| seal.text(text)),
            trigger: self.trigger,
            prompt_count: self.prompt_count,
            total_prompts: self.total_prompts,
            memory_queries: seal_all(self.memory_queries, seal),
            recent_remembers: seal_all(self.recent_remembers, seal),
            recent_prompts: self.recent_prompts.into_iter().map(|prompt| prompt.seal(seal)).collect(),
            context: self.context.map(|ranked| ranked.seal(seal)),
            note: self.note.map(|ranked| ranked.seal(seal)),
            structural: self.structural.map(|structural| structural.seal(seal)),
            started_at: self.started_at,
            created_at: self.created_at,
        }
    }
}

impl Pending<String> {
    /// Trusts text that the core itself wrote; the engine alone calls this.
    pub(crate) fn open(self) -> Pending<Clean> {
        Pending {
            id: self.id,
            version: self.version,
            opened_at: self.opened_at,
            due_at: self.due_at,
            draft: self.draft.seal(&Trusted),
        }
    }
}
