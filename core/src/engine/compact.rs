//! Compaction over a storage: events in, effects out.
//!
//! [`Engine::begin_compaction`](super::Engine::begin_compaction) looks whether one is due and takes a snapshot;
//! [`Engine::on_compaction`](super::Engine::on_compaction) takes what happened and says what is to be done;
//! [`Engine::commit_compaction`](super::Engine::commit_compaction) writes the boundary. A host that calls a model
//! answers the `Summarize` effects itself; [`drive`] is the loop for one that has an
//! [`Agent`](crate::host::Agent). Nothing here waits for a model while the engine's queue is held.

mod begin;
mod commit;
mod drive;
mod measure;
mod report;
mod run;
mod types;

pub use drive::{Driven, drive};
pub use measure::prompt_tokens;
pub use types::{
    Begun, Cause, CompactRequest, Compaction, CompactionEffect, CompactionEvent, CompactionReport,
    Summarizers,
};
