use crate::checkpoint::ContinuityOptions;

/// Where a draft waits for its window to close (`spec/checkpoints.md`, "Queue").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueueMode {
    /// In the store, written by the commit that records the event: a host that is killed loses nothing.
    #[default]
    Journaled,
    /// In memory alone, for hosts that accept losing one window.
    Buffered,
}

/// When checkpoints are taken, how many are kept, and where drafts wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Policy {
    /// The configuration `continuity`.
    pub continuity: ContinuityOptions,
    /// Where drafts wait.
    pub queue: QueueMode,
}
