//! Everything that is stored, and the one way to change it.
//!
//! Stored types are generic over their text: [`Clean`](crate::redact::Clean) on the way in (so that
//! unscrubbed text does not compile), `String` on the way out of a storage. Only the engine turns what a
//! storage gives back into `Clean` again.
//!
//! Rows and parts are inserted and never rewritten; what changes later (a row leaves the live
//! conversation, a session gets a newer state) is an operation of its own. Every change is a [`Batch`].

mod batch;
mod boundary;
mod checkpoint;
mod compaction;
mod delivery;
mod draft;
mod file_fault;
mod flags;
mod hooks;
mod metadata;
mod part;
mod place;
mod plan;
mod query;
mod record;
mod row;
mod seal;
mod session;
mod storage_error;
mod tokens;

pub use batch::{Batch, Op, Precondition};
pub use boundary::{Boundary, BoundaryMode};
pub use checkpoint::{CheckpointRow, PromptEntry, Structural, Trigger};
pub use compaction::{
    BindingError, BoundaryMetadata, CompactionReason, CompactionState, RestoredRequest, SummarySource,
};
pub use delivery::Delivery;
pub use draft::{Draft, Pending, Ranked};
pub use file_fault::FileFault;
pub use hooks::{HookState, Told};
pub use metadata::{InputState, Metadata, Stale};
pub use part::{
    Arguments, Issuer, MediaSource, Part, PartBody, PartSource, ProviderData, ResultStatus, Usage,
};
pub use place::RowPlace;
pub use plan::{Effect, Plan, StalePlan};
pub use query::{Answer, Query, RowSummary, SessionCursor};
pub use record::{Aging, Body, BodyKey, CheckpointHead, DueDraft, Expired, Table, Tally};
pub use row::{Round, Row, RowKind, StoredRow};
pub use session::{Continuity, Counts, SessionRow, Status};
pub use storage_error::StorageError;
pub(crate) use tokens::total as total_tokens;
pub use tokens::{EstimatedTokens, TokenCounter};
