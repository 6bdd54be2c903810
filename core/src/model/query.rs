use super::{
    Aging, Body, BodyKey, Boundary, CheckpointHead, CheckpointRow, Delivery, DueDraft, Expired, Pending,
    RowKind, RowPlace, SessionRow, StoredRow, Table, Tally,
};
use crate::{
    id::{BatchId, CheckpointId, RowId, SessionId},
    time::Timestamp,
};
use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// Where a page of sessions goes on: strictly after this one, in the order newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionCursor {
    /// Last activity of the last session of the page before.
    pub last_activity: Timestamp,
    /// Its [`SessionId::storage_key`], which breaks ties.
    pub storage_key: String,
}

/// A question to a storage. Each costs O(result).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "read", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Query {
    /// Whether the batch was committed. Answer: [`Answer::Batch`].
    Batch {
        /// The batch.
        id: BatchId,
    },
    /// One session. Answer: [`Answer::Session`].
    Session {
        /// Which.
        session: SessionId,
    },
    /// Sessions by (`last_activity`, storage key), newest first. Answer: [`Answer::Sessions`].
    Sessions {
        /// Those with this key, whatever harness and agent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
        /// Those of this project.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        project_hash: Option<String>,
        /// Those after this place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<SessionCursor>,
        /// At most this many, 1 to 1000.
        limit: u32,
    },
    /// Live rows of the main conversation with their parts, in order. Answer: [`Answer::Rows`].
    Rows {
        /// The session.
        session: SessionId,
        /// From this place on, inclusive.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<RowPlace>,
    },
    /// The heads of all rows of a session, in order, live or not. Answer: [`Answer::RowIndex`].
    RowIndex {
        /// The session.
        session: SessionId,
    },
    /// The boundary in force: that with the greatest `seq`, those left out whose anchor row left the live
    /// conversation. Answer: [`Answer::Boundary`].
    Boundary {
        /// The session.
        session: SessionId,
    },
    /// One checkpoint. Answer: [`Answer::Checkpoints`] with one or none.
    Checkpoint {
        /// Which.
        id: CheckpointId,
    },
    /// Checkpoints of one session by `seq`, or of all by (`created_at`, id), newest first.
    /// Answer: [`Answer::Checkpoints`].
    Checkpoints {
        /// The session; `None` for all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session: Option<SessionId>,
        /// At most this many, 1 to 1000.
        limit: u32,
    },
    /// The heads of all checkpoints of a session, by `seq`, oldest first. Answer:
    /// [`Answer::CheckpointHeads`].
    CheckpointHeads {
        /// The session.
        session: SessionId,
    },
    /// The pending draft of a session. Answer: [`Answer::Pending`].
    Pending {
        /// The session.
        session: SessionId,
    },
    /// Pending drafts whose window closes by then, by (`due_at`, storage key), the earliest first. Answer:
    /// [`Answer::Due`].
    Due {
        /// The last instant that counts, inclusive.
        until: Timestamp,
        /// At most this many, 1 to 1000.
        limit: u32,
    },
    /// What a session was told of a checkpoint. Answer: [`Answer::Delivery`].
    Delivery {
        /// The session that is told.
        receiver: SessionId,
        /// The checkpoint.
        checkpoint: CheckpointId,
    },
    /// What is older than it may be, in any order. Answer: [`Answer::Expired`].
    Expired {
        /// Of which kind.
        kind: Aging,
        /// Older than this, exclusive.
        before: Timestamp,
        /// At most this many, 1 to 1000.
        limit: u32,
    },
    /// How much a table holds; costs as much as the table is long, unlike all others. For `doctor` alone, and
    /// optional. Answer: [`Answer::Tally`].
    Tally {
        /// The table.
        table: Table,
    },
    /// Bodies as they are stored, in the order of keys. For `doctor` alone, and optional. Answer:
    /// [`Answer::Bodies`].
    Bodies {
        /// The table.
        table: Table,
        /// Those after this place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<BodyKey>,
        /// At most this many, 1 to 1000.
        limit: u32,
    },
}

/// What is known of a row without its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowSummary {
    /// The row.
    pub id: RowId,
    /// What it is.
    pub kind: RowKind,
    /// Its place.
    pub created_at: Timestamp,
    /// Whether it is live.
    pub live: bool,
    /// How many parts it has.
    pub parts: u32,
}

/// The answer to a [`Query`], of the variant that the query names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "an answer is made once and taken apart at once")]
pub enum Answer {
    /// Whether the batch was committed.
    Batch(bool),
    /// The session, if there is one.
    Session(Option<SessionRow<String>>),
    /// Sessions.
    Sessions(Vec<SessionRow<String>>),
    /// Rows with their parts.
    Rows(Vec<StoredRow<String>>),
    /// Heads of rows.
    RowIndex(Vec<RowSummary>),
    /// The boundary, if there is one.
    Boundary(Option<Boundary<String>>),
    /// Checkpoints.
    Checkpoints(Vec<CheckpointRow<String>>),
    /// Heads of checkpoints.
    CheckpointHeads(Vec<CheckpointHead>),
    /// The pending draft, if there is one.
    Pending(Option<Pending<String>>),
    /// When windows close.
    Due(Vec<DueDraft>),
    /// The delivery record, if there is one.
    Delivery(Option<Delivery>),
    /// What is too old.
    Expired(Vec<Expired>),
    /// How much a table holds.
    Tally(Tally),
    /// Bodies.
    Bodies(Vec<Body>),
}
