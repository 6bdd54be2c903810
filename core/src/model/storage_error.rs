use alloc::string::String;

/// Why a storage did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// A precondition does not hold, or something stands there already. Nothing was written; plan again.
    #[error("a precondition does not hold: {what}")]
    Conflict {
        /// What was found.
        what: String,
    },
    /// The storage cannot be reached or opened now. Nothing was written; the call may be repeated.
    #[error("the storage is not available: {why}")]
    Unavailable {
        /// Why.
        why: String,
    },
    /// Another writer held the storage for longer than the host waits. Nothing was written.
    #[error("the storage is locked by another writer: {why}")]
    Locked {
        /// Why.
        why: String,
    },
    /// No room is left. Nothing was written.
    #[error("the storage is full: {why}")]
    Full {
        /// Why.
        why: String,
    },
    /// Whether the batch was committed is not known (a lost connection): ask for its id again.
    #[error("the outcome of the commit is not known: {why}")]
    OutcomeUnknown {
        /// Why.
        why: String,
    },
    /// The storage gave back something that does not read as what was asked for.
    #[error("the storage gave back {what}, expected {expected}")]
    Corrupt {
        /// What was found.
        what: String,
        /// What was asked for.
        expected: &'static str,
    },
    /// The place holds something that is not a store of ours; it was not touched.
    #[error("not a throughline store: {what}")]
    Foreign {
        /// What was found.
        what: String,
    },
    /// The store was written by a newer version; it was not touched.
    #[error("the store has schema {found}, this version reads up to {known}: use a newer throughline")]
    SchemaNewer {
        /// The store's schema.
        found: u32,
        /// The newest schema known here.
        known: u32,
    },
}

impl StorageError {
    /// The stable code: `conflict`, `storage_unavailable`, `storage_locked`, `storage_full`,
    /// `outcome_unknown`, `storage_corrupt`, `storage_foreign` or `schema_newer`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "conflict",
            Self::Unavailable { .. } => "storage_unavailable",
            Self::Locked { .. } => "storage_locked",
            Self::Full { .. } => "storage_full",
            Self::OutcomeUnknown { .. } => "outcome_unknown",
            Self::Corrupt { .. } => "storage_corrupt",
            Self::Foreign { .. } => "storage_foreign",
            Self::SchemaNewer { .. } => "schema_newer",
        }
    }
}
