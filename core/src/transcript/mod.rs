//! Readers for the logs that harnesses keep (`spec/lineage.md`, "Reading harness logs").
//!
//! A reader streams over bytes with one line in memory at a time and gives [`Item`]s in file order: rows,
//! parts, branches that leave the live conversation, compaction boundaries. All text in them is scrubbed.
//! What it gives depends on the bytes alone, not on how they were cut into chunks, so a log that is read
//! again after it grew gives the same items first and then the new ones.

mod claude_code;
mod format;
mod lines;
#[cfg(test)]
pub(crate) mod properties;
mod records;
mod summary;

pub use claude_code::{ClaudeCodeReader, ReaderState};
pub use format::{Format, TranscriptError};
pub use summary::{FindingCount, MessageCounts, Skipped, Summary};

use crate::{
    id::RowId,
    model::{Boundary, Part, Row},
};
use alloc::boxed::Box;

/// One thing that a log tells. The importer gives rows their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A new row. Its `created_at` is its own time in the log, where it has one, and is replaced by its
    /// place; `source_at` says whether it had one.
    Row(Box<Row>),
    /// A part of a row that was given before. Parts of one row come in a fixed order.
    Part(Box<Part>),
    /// A row given before joins or leaves the live conversation.
    Live {
        /// The row.
        row: RowId,
        /// Whether it is live from here on.
        live: bool,
    },
    /// A compaction; its anchor is the row given just before. `seq` and `anchor_at` are the importer's.
    Boundary(Box<Boundary>),
    /// What the user typed into the row given before it, as one text: what a checkpoint counts.
    Prompt(crate::redact::Clean),
}
