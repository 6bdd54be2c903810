use super::{deliveries::Deliveries, session::Session};
use crate::id::{BatchId, CheckpointId, SessionId};
use alloc::collections::{BTreeMap, BTreeSet};

/// All that is stored.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) sessions: BTreeMap<SessionId, Session>,
    pub(super) checkpoints: BTreeMap<CheckpointId, SessionId>,
    pub(super) deliveries: Deliveries,
    pub(super) batches: BTreeSet<BatchId>,
}
