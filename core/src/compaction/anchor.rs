//! Where the conversation is cut (`spec/compaction.md`, "When"), and the request that is shown again
//! (`spec/prompt.md`, "Boundary").
//!
//! Rows are those that render, in order, from the boundary in force on.

use super::rows::{Call, is_user, text};
use crate::{
    model::{BoundaryMode, RestoredRequest, RowKind, StoredRow},
    redact::Clean,
};

/// A restored request has at most so many UTF-8 bytes.
pub const REQUEST_BYTES: usize = 6000;

/// Where to cut: the index of the anchor among the rows, and whether it replays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Index of the anchor.
    pub anchor: usize,
    /// Inclusive: the anchor replays.
    pub mode: BoundaryMode,
}

impl Cut {
    /// How many rows, from the first, the summary takes the place of.
    #[must_use]
    pub fn replaced(&self) -> usize {
        match self.mode {
            BoundaryMode::Inclusive => self.anchor,
            BoundaryMode::Exclusive => self.anchor.saturating_add(1),
        }
    }

    fn inclusive(anchor: usize) -> Self {
        Self { anchor, mode: BoundaryMode::Inclusive }
    }
}

/// After a response: the user row on the first step of a turn, that step's assistant row on a continuation.
#[must_use]
pub fn after_step(rows: &[StoredRow]) -> Option<Cut> {
    let step = rows.iter().rposition(|stored| stored.row.kind == RowKind::Assistant)?;
    let turn = rows.get(..step)?.iter().rposition(is_user);
    let is_first = turn.is_some_and(|turn| {
        let between = rows.get(turn..step).unwrap_or_default();
        between.iter().all(|stored| stored.row.kind != RowKind::Assistant)
    });
    Some(Cut::inclusive(if is_first { turn.unwrap_or(step) } else { step }))
}

/// For a request on an idle session: the user row that opened its last turn. Where an earlier compaction
/// took that row, the newest assistant row.
#[must_use]
pub fn when_idle(rows: &[StoredRow]) -> Option<Cut> {
    let newest = |is: fn(&StoredRow) -> bool| rows.iter().rposition(is);
    newest(is_user).or_else(|| newest(|stored| stored.row.kind == RowKind::Assistant)).map(Cut::inclusive)
}

/// Before a prompt is sent that does not fit: the last row of completed history goes too. Input that no
/// response followed yet stays, and so does a round with a pending call.
#[must_use]
pub fn before_sending(rows: &[StoredRow]) -> Option<Cut> {
    let is_input = |stored: &StoredRow| matches!(stored.row.kind, RowKind::User | RowKind::Developer);
    let last = rows.iter().rposition(|stored| !is_input(stored))?;
    let history = rows.get(..=last)?;
    let step = history.iter().rposition(|stored| stored.row.kind == RowKind::Assistant).unwrap_or(0);
    let round = history.get(step..).unwrap_or_default();
    let is_pending = round.iter().filter_map(Call::of).any(|call| call.result.is_none());
    let anchor = if is_pending { step.checked_sub(1)? } else { last };
    Some(Cut { anchor, mode: BoundaryMode::Exclusive })
}

/// The request of the turn that is cut, where no user row replays after the cut: the newest one that the
/// summary takes the place of, else the one that the boundary before had restored.
#[must_use]
pub fn originating_request(
    rows: &[StoredRow],
    cut: Cut,
    before: Option<&RestoredRequest>,
) -> Option<RestoredRequest> {
    let (replaced, kept) = rows.split_at_checked(cut.replaced())?;
    if kept.iter().any(is_user) {
        return None;
    }
    let Some(request) = replaced.iter().rev().find(|stored| is_user(stored)) else {
        return before.cloned();
    };
    let text = restored_text(&text(request));
    (!text.as_str().trim().is_empty()).then(|| RestoredRequest { row: request.row.id.clone(), text })
}

/// A request as it is shown again: both ends, within [`REQUEST_BYTES`] with the marker between them.
#[must_use]
pub fn restored_text(request: &Clean) -> Clean {
    request.ends_bytes(REQUEST_BYTES)
}
