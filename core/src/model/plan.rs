use super::Batch;
use crate::{
    id::{CheckpointId, RowId, SessionId},
    time::Timestamp,
};
use alloc::vec::Vec;
use serde::Serialize;

/// What a host is told, or asked to do, once a batch is committed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Effect {
    /// A row was stored.
    RowStored {
        /// The session.
        session: SessionId,
        /// The row.
        row: RowId,
    },
    /// A checkpoint was written.
    CheckpointWritten {
        /// The session.
        session: SessionId,
        /// The checkpoint.
        checkpoint: CheckpointId,
    },
    /// The conversation was compacted.
    Compacted {
        /// The session.
        session: SessionId,
        /// The boundary in force now.
        boundary: RowId,
    },
    /// A draft waits for its window to close.
    CheckpointQueued {
        /// The session.
        session: SessionId,
        /// The id that the checkpoint will have.
        checkpoint: CheckpointId,
        /// When the window closes: the time to set a timer to.
        due_at: Timestamp,
    },
}

/// A decision that has not taken hold: commit `batch`, then confirm the plan; then `effects` are acted on.
/// Dropping a plan means that nothing happened.
///
/// `C` is the state that the machine which made the plan has after it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "commit the batch, then confirm the plan; dropping it means that nothing happened"]
pub struct Plan<C> {
    /// What is to be committed.
    pub batch: Batch,
    /// What is announced after the commit.
    pub effects: Vec<Effect>,
    pub(crate) change: C,
    pub(crate) base: u64,
}

/// A plan that was made on another state than the machine is in now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the plan was made on version {planned}, the session stands at {now}: load it and plan again")]
pub struct StalePlan {
    /// The version that the plan was made on.
    pub planned: u64,
    /// The version of the state.
    pub now: u64,
}

impl StalePlan {
    /// `stale_plan`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "stale_plan"
    }
}
