//! The request of a turn that a compaction cut (`spec/prompt.md`, "Boundary").
use super::{
    Diagnostic,
    layout::{Layout, Piece},
};
use crate::model::{Boundary, RestoredRequest, RowKind};
use alloc::vec::Vec;

/// The request that is shown again. A user message that replays ends it: the turn it was of is over.
pub(super) fn restored<'a>(
    boundary: &'a Boundary,
    layout: &Layout,
    notes: &mut Vec<Diagnostic>,
) -> Option<&'a RestoredRequest> {
    let request = boundary.metadata.as_ref()?.originating_request.as_ref()?;
    let is_user = |piece: &Piece| matches!(piece, Piece::Note(stored) if stored.row.kind == RowKind::User);
    if layout.pieces.iter().any(is_user) {
        let note = "the request that was shown again is of an earlier turn; left out";
        notes.push(
            Diagnostic::new("restored_request_gone", note)
                .row(&request.row)
                .edit("restored request gone at the next turn"),
        );
        return None;
    }
    Some(request)
}
