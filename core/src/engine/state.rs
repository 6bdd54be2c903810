use crate::{
    id::CheckpointId,
    model::{CheckpointHead, Draft, Pending, SessionRow},
};
use alloc::vec::Vec;

/// What a session is after a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionState {
    pub(super) row: SessionRow,
    /// The draft that waits in the store.
    pub(super) pending: Option<Pending>,
    /// Heads of its checkpoints, where they are known: they are needed when a row has to go.
    pub(super) heads: Option<Vec<CheckpointHead>>,
    /// A draft that is to wait in memory.
    pub(super) handed: Option<Draft>,
    /// The draft in memory that was written.
    pub(super) settled: Option<CheckpointId>,
}
