use super::{Boundary, CheckpointRow, Delivery, Part, Pending, Row, SessionRow};
use crate::{
    id::{BatchId, CheckpointId, RowId, SessionId},
    time::Timestamp,
};
use alloc::vec::Vec;
use serde::Serialize;

/// One typed change. A storage applies the operations of a batch in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Op {
    /// Writes the state of a session, new or not.
    PutSession {
        /// The whole state.
        session: SessionRow,
    },
    /// Adds a row; one with the same id in the session is a conflict.
    InsertRow {
        /// The session.
        session: SessionId,
        /// The row.
        row: Row,
    },
    /// Adds a part; one with the same index in the row is a conflict.
    InsertPart {
        /// The session.
        session: SessionId,
        /// The part.
        part: Part,
    },
    /// Takes a row out of the live conversation, or back into it; a missing row is a conflict.
    SetLive {
        /// The session.
        session: SessionId,
        /// The row.
        row: RowId,
        /// Whether it is live.
        live: bool,
    },
    /// Adds a compaction boundary; one with the same id or `seq` in the session is a conflict.
    InsertBoundary {
        /// The session.
        session: SessionId,
        /// The boundary.
        boundary: Boundary,
    },
    /// Adds a checkpoint; one with the same id, or the same `seq` in the session, is a conflict.
    InsertCheckpoint {
        /// The checkpoint.
        checkpoint: CheckpointRow,
    },
    /// Removes a checkpoint of the session with its delivery records; a missing one is a conflict.
    DeleteCheckpoint {
        /// The session.
        session: SessionId,
        /// The checkpoint.
        checkpoint: CheckpointId,
    },
    /// Writes the pending draft of its session. Version 1 is a new one, and a conflict where one is; any other
    /// takes the place of the version before it under the same id, and is a conflict where that is not.
    PutPending {
        /// The draft.
        pending: Pending,
    },
    /// Removes the pending draft of the session; a conflict when it is not the one with this id at this
    /// version.
    DeletePending {
        /// The session.
        session: SessionId,
        /// Its id.
        id: CheckpointId,
        /// Its version.
        version: u64,
    },
    /// Writes a delivery record. Version 1 is a new one, and a conflict where one is; any other takes the place
    /// of the version before it, and is a conflict where that is not. The checkpoint must be there; the
    /// receiver need not.
    PutDelivery {
        /// The record.
        delivery: Delivery,
    },
    /// Removes a delivery record, if it is there.
    DeleteDelivery {
        /// The session that was told.
        receiver: SessionId,
        /// What it was told of.
        checkpoint: CheckpointId,
    },
    /// Removes a session with everything under it: rows, parts, boundaries, checkpoints with their delivery
    /// records, the pending draft, and what it was delivered itself. A missing one is a conflict.
    DeleteSession {
        /// The session.
        session: SessionId,
    },
}

/// What must hold for a batch to be committed; else nothing is written and the answer is a conflict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "if", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Precondition {
    /// The session is at this version; 0 means that it does not exist.
    SessionVersion {
        /// The session.
        session: SessionId,
        /// The version.
        is: u64,
    },
    /// The session was not cleared at or after this time; one that does not exist was never cleared.
    NotCleared {
        /// The session.
        session: SessionId,
        /// The time of what is to be counted, queued or written.
        at: Timestamp,
    },
}

/// A change of durable state: committed whole or not at all.
///
/// The id is the same over retries of one plan, so that a storage answers a repeat (after a lost
/// connection) with `Committed { repeated: true }` and changes nothing; it is new after a new plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Batch {
    /// UUIDv7.
    pub id: BatchId,
    /// All must hold.
    pub preconditions: Vec<Precondition>,
    /// Applied in order.
    pub ops: Vec<Op>,
}
