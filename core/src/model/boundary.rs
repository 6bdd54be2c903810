use super::{
    BoundaryMetadata, RowPlace,
    seal::{Rescrub, Seal, Trusted},
};
use crate::{
    id::RowId,
    redact::{Clean, Redactor, Text},
    time::Timestamp,
};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// Which rows replay after a compaction (`spec/compaction.md`, "Commit of a boundary").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoundaryMode {
    /// Rows from the anchor on.
    Inclusive,
    /// Rows after the anchor.
    Exclusive,
}

/// Where a compaction cut the conversation, and the summary that stands for what came before.
///
/// (A `Checkpoint` is for recovery alone; a boundary shortens the prompt.)
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct Boundary<T: Text = Clean> {
    /// Its id; in an imported log the id of the boundary record. Rows name it as
    /// `generation_checkpoint_id`.
    #[serde(rename = "checkpoint_id")]
    pub id: RowId,
    /// Strictly increasing in a session from 1; the newest is in force whose anchor did not leave the live
    /// conversation.
    pub seq: u64,
    /// The row at the cut.
    pub anchor: RowId,
    /// The anchor's place, so that rows are read from there on.
    pub anchor_at: Timestamp,
    /// Where rows are read from, when input that may still replay stands before the anchor: the place of the
    /// oldest such row. The anchor's place when there is none. Other rows before the anchor do not replay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_from: Option<RowPlace>,
    /// Whether the anchor itself replays.
    pub mode: BoundaryMode,
    /// What came before, in short.
    pub summary: T,
    /// When it was made.
    pub created_at: Timestamp,
    /// What is known of a compaction of our own; imported boundaries have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<BoundaryMetadata<T>>,
}

impl Boundary {
    /// The place from which rows may replay.
    pub(crate) fn reads_from(&self) -> RowPlace {
        let anchor = || RowPlace { created_at: self.anchor_at, id: self.anchor.clone() };
        self.rows_from.clone().unwrap_or_else(anchor)
    }
}

impl Boundary<String> {
    fn seal(self, seal: &impl Seal) -> Boundary<Clean> {
        Boundary {
            id: self.id,
            seq: self.seq,
            anchor: self.anchor,
            anchor_at: self.anchor_at,
            rows_from: self.rows_from,
            mode: self.mode,
            summary: seal.text(self.summary),
            created_at: self.created_at,
            metadata: self.metadata.map(|metadata| metadata.seal(seal)),
        }
    }

    /// Trusts text that the core itself wrote; the engine alone calls this.
    pub(crate) fn open(self) -> Boundary<Clean> {
        self.seal(&Trusted)
    }

    /// Takes back a boundary that a host kept: its summary is scrubbed again, which leaves scrubbed text as it
    /// is.
    #[must_use]
    pub fn restore(self, redactor: &Redactor) -> Boundary<Clean> {
        self.seal(&Rescrub(redactor))
    }
}
