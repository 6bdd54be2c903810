use crate::{
    id::{CheckpointId, SessionId},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

/// Whether a session was told of a checkpoint (`spec/checkpoints.md`, "Recovery"): a recovery text is handed to
/// a session once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delivery {
    /// The session that is told.
    pub receiver: SessionId,
    /// What it is told of.
    pub checkpoint: CheckpointId,
    /// 1 at the first offer, one more at each change.
    pub version: u64,
    /// The last offer.
    pub offered_at: Timestamp,
    /// When the answer had been written; never offered again after that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<Timestamp>,
}
