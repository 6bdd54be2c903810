//! Which thinking may be sent again (`spec/prompt.md`, "Thinking").
use crate::{
    model::{Boundary, Row},
    redact::Clean,
};
use alloc::string::String;

/// What the thinking of a row is judged by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Judge {
    model: Option<Clean>,
    /// In lower-case hexadecimal.
    fingerprint: String,
    /// The boundary in force; `""` when there is none.
    generation: String,
}

/// What becomes of the thinking of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// What stands before it is proven to be what it saw.
    Kept,
    /// It is sent, and nothing proves that what stands before it is what it saw.
    Unverified,
    /// It is stale, but the current tool round keeps its thinking.
    KeptForRound,
    /// Another model wrote it.
    OtherIssuer,
    /// What stands before it has changed, for this reason.
    Stale(&'static str),
}

impl Verdict {
    pub(super) fn is_kept(self) -> bool {
        matches!(self, Self::Kept | Self::Unverified | Self::KeptForRound)
    }
}

impl Judge {
    pub(super) fn new(model: Option<Clean>, fingerprint: String, boundary: Option<&Boundary>) -> Self {
        let generation = boundary.map_or("", |boundary| boundary.id.as_str()).into();
        Self { model, fingerprint, generation }
    }

    /// Whether another model wrote the row, or none that is known.
    pub(super) fn is_of_another(&self, row: &Row) -> bool {
        self.model.is_some() && row.issuer.as_ref().map(|issuer| &issuer.model) != self.model.as_ref()
    }

    /// Judges a row by itself and `before`, the chain hash in front of it.
    pub(super) fn verdict(&self, row: &Row, before: &str, is_current_round: bool) -> Verdict {
        if self.is_of_another(row) {
            return Verdict::OtherIssuer;
        }
        match self.test(row, before) {
            Verdict::Stale(_) if is_current_round => Verdict::KeptForRound,
            verdict => verdict,
        }
    }

    fn test(&self, row: &Row, before: &str) -> Verdict {
        // The anchor of an inclusive boundary was written under an earlier one, and that makes it stale; in an
        // imported log it is the first row after the boundary, and names it.
        match row.generation_checkpoint_id.as_deref() {
            None => return Verdict::Stale("its row names no compaction boundary"),
            Some(generation) if generation != self.generation => {
                return Verdict::Stale("another compaction boundary was in force");
            }
            Some(_) => {}
        }
        if row.imported {
            return Verdict::Unverified;
        }
        match (row.prefix_hash.as_deref(), row.prefix_fingerprint.as_deref()) {
            (Some(hash), _) if hash == before => Verdict::Kept,
            (Some(_), _) => Verdict::Stale("a message before it has changed"),
            (None, Some(fingerprint)) if fingerprint == self.fingerprint => Verdict::Unverified,
            (None, _) => Verdict::Stale("model, tools or system have changed"),
        }
    }
}
