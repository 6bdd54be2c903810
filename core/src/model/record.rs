use super::Trigger;
use crate::{
    id::{CheckpointId, SessionId},
    time::Timestamp,
};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// What is known of a checkpoint without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckpointHead {
    /// The checkpoint.
    pub id: CheckpointId,
    /// Its number in the session.
    pub seq: u64,
    /// Why it was taken.
    pub trigger: Trigger,
    /// Time of the last event in it.
    pub created_at: Timestamp,
}

/// When the window of a session's pending draft closes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DueDraft {
    /// When.
    pub due_at: Timestamp,
    /// The session.
    pub session: SessionId,
}

/// What grows old.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aging {
    /// Checkpoints, by their `created_at`.
    Checkpoint,
    /// Pending drafts, by their `created_at`.
    Draft,
    /// Continuity states that hold anything, by their session's last activity.
    State,
    /// Delivery records, by their last offer.
    Delivery,
}

impl Aging {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Checkpoint, Self::Draft, Self::State, Self::Delivery];
}

/// Something that is older than it may be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Expired {
    /// The session that it belongs to; of a delivery record, the receiver.
    pub session: SessionId,
    /// The checkpoint, or the one that was delivered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<CheckpointId>,
}

/// A table of the store, for who looks at all that is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Table {
    /// Sessions.
    Sessions,
    /// Heads of messages, notes and calls.
    Messages,
    /// Their contents.
    Parts,
    /// Compaction boundaries.
    Boundaries,
    /// Checkpoints.
    Checkpoints,
    /// Pending drafts.
    PendingCheckpoints,
    /// Delivery records.
    Deliveries,
}

impl Table {
    /// All tables.
    pub const ALL: [Self; 7] = [
        Self::Sessions,
        Self::Messages,
        Self::Parts,
        Self::Boundaries,
        Self::Checkpoints,
        Self::PendingCheckpoints,
        Self::Deliveries,
    ];

    /// The stored name, such as `pending_checkpoints`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sessions => "sessions",
            Self::Messages => "messages",
            Self::Parts => "parts",
            Self::Boundaries => "boundaries",
            Self::Checkpoints => "checkpoints",
            Self::PendingCheckpoints => "pending_checkpoints",
            Self::Deliveries => "deliveries",
        }
    }
}

/// How much a table holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Its rows.
    pub rows: u64,
    /// Their bodies: UTF-8 bytes of text.
    pub bytes: u64,
}

/// The place of a stored body in its table, in the order of keys.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BodyKey {
    /// The storage key of the session; of a checkpoint, its id; of a delivery, the receiver's.
    pub first: String,
    /// The id in the session, or empty.
    pub second: String,
    /// The index of a part, the `seq` of a boundary, or 0.
    pub third: u64,
}

/// A body as it is stored: JSON text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Body {
    /// Where it stands.
    pub key: BodyKey,
    /// The text.
    pub text: String,
}
