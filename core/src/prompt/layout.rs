//! Rows into pieces: notes, rounds with all their calls, and calls that no message asked for; in the order in
//! which they render.
mod call;

pub(super) use call::{Call, Outcome};

use super::Diagnostic;
use crate::{
    id::RowId,
    model::{Boundary, BoundaryMode, Part, Row, RowKind, StoredRow},
};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};

/// What renders as one.
pub(super) enum Piece {
    /// A user or developer row.
    Note(StoredRow),
    /// One API message with its calls.
    Round(Round),
    /// A call without a stored message: an assistant message of its own.
    Pair(Call),
}

/// One API message with its calls.
pub(super) struct Round {
    pub(super) row: Row,
    pub(super) parts: Vec<Part>,
    /// By index in the message.
    pub(super) calls: Vec<Call>,
}

impl Round {
    /// Whether the log says why the message ended.
    pub(super) fn has_stop_reason(&self) -> bool {
        self.parts.iter().any(call::has_stop_reason) || self.calls.iter().any(|call| call.has_stop_reason)
    }
}

/// The rows in pieces.
pub(super) struct Layout {
    pub(super) pieces: Vec<Piece>,
    /// Where the newest API message begins, when neither a user nor another API message follows it.
    pub(super) open: Option<usize>,
    /// Whether a note follows it: then it takes its own results, and no block more.
    pub(super) is_noted: bool,
}

/// The API message that rows still belong to.
struct Current {
    /// Its row, stored or not; `None` for a run of calls that name none.
    message: Option<RowId>,
    /// Its first piece.
    at: usize,
    /// Whether its row is there, so that its calls go into that piece.
    is_stored: bool,
    /// Where each call id stands: index among the round's calls, or among the pieces.
    ids: BTreeMap<String, usize>,
    is_noted: bool,
}

/// Puts rows in pieces; those before the boundary, of sub-agents and not live go.
pub(super) fn lay_out(
    rows: Vec<StoredRow>,
    boundary: Option<&Boundary>,
    notes: &mut Vec<Diagnostic>,
) -> Layout {
    let mut layout = Builder { pieces: Vec::with_capacity(rows.len()), current: None, notes };
    for stored in in_force(rows, boundary, layout.notes) {
        layout.row(stored);
    }
    let open = layout.current.as_ref().map(|current| current.at);
    let is_noted = layout.current.is_some_and(|current| current.is_noted);
    let mut pieces = layout.pieces;
    for piece in &mut pieces {
        if let Piece::Round(round) = piece {
            round.calls.sort_by_key(|call| call.index);
        }
    }
    Layout { pieces, open, is_noted }
}

/// The rows that render or close something, each once and in order.
fn in_force(
    mut rows: Vec<StoredRow>,
    boundary: Option<&Boundary>,
    notes: &mut Vec<Diagnostic>,
) -> Vec<StoredRow> {
    if !rows.is_sorted_by(|a, b| place(&a.row) <= place(&b.row)) {
        rows.sort_by(|a, b| place(&a.row).cmp(&place(&b.row)));
        notes.push(Diagnostic::new("rows_unordered", "the rows were not in order; they render in order"));
    }
    let mut seen = BTreeSet::new();
    rows.retain(|StoredRow { row, .. }| {
        if !row.live || row.sidechain || row.kind == RowKind::System || !is_after(row, boundary) {
            return false;
        }
        let is_new = seen.insert(row.id.clone());
        if !is_new {
            notes.push(
                Diagnostic::new("duplicate_row", "a row with this id came before; left out").row(&row.id),
            );
        }
        is_new
    });
    rows
}

fn place(row: &Row) -> (crate::time::Timestamp, &RowId) {
    (row.created_at, &row.id)
}

/// Whether a row replays under the boundary.
fn is_after(row: &Row, boundary: Option<&Boundary>) -> bool {
    let Some(boundary) = boundary else { return true };
    let anchor = (boundary.anchor_at, &boundary.anchor);
    match boundary.mode {
        BoundaryMode::Inclusive => place(row) >= anchor,
        BoundaryMode::Exclusive => place(row) > anchor,
    }
}

struct Builder<'a> {
    pieces: Vec<Piece>,
    current: Option<Current>,
    notes: &'a mut Vec<Diagnostic>,
}

impl Builder<'_> {
    fn row(&mut self, stored: StoredRow) {
        match stored.row.kind {
            RowKind::User => {
                self.current = None;
                self.pieces.push(Piece::Note(stored));
            }
            RowKind::Assistant => {
                self.begin(Some(stored.row.id.clone()), true);
                let StoredRow { row, parts } = stored;
                self.pieces.push(Piece::Round(Round { row, parts, calls: Vec::new() }));
            }
            RowKind::Function => self.call(stored),
            RowKind::Developer => {
                if let Some(current) = &mut self.current {
                    current.is_noted = true;
                }
                self.pieces.push(Piece::Note(stored));
            }
            RowKind::System => {}
        }
    }

    fn begin(&mut self, message: Option<RowId>, is_stored: bool) {
        let at = self.pieces.len();
        self.current = Some(Current { message, at, is_stored, ids: BTreeMap::new(), is_noted: false });
    }

    fn call(&mut self, stored: StoredRow) {
        let message = stored.row.round.as_ref().map(|round| round.row.clone());
        // A row without a call, such as a result that lost its own, is of no message and closes none.
        let Some(call) = Call::read(stored, self.notes) else { return };
        if self.current.as_ref().is_none_or(|current| current.message != message) {
            self.begin(message, false);
        }
        let Some(current) = &mut self.current else { return };
        let round = match self.pieces.get_mut(current.at) {
            Some(Piece::Round(round)) if current.is_stored => Some(round),
            _ => None,
        };
        // Without a message, calls of one run may be of many rounds, and one id then means many calls.
        let earlier = current.message.as_ref().and_then(|_| current.ids.get(&call.id).copied());
        match (round, earlier) {
            (Some(round), None) => {
                current.ids.insert(call.id.clone(), round.calls.len());
                round.calls.push(call);
            }
            (Some(round), Some(at)) => {
                if let Some(first) = round.calls.get_mut(at) {
                    first.merge(call, self.notes);
                }
            }
            (None, None) => {
                if current.message.is_some() {
                    let note = "the message that asked for this call is closed or not in the prompt";
                    self.notes.push(Diagnostic::new("call_without_message", note).row(&call.row));
                }
                current.ids.insert(call.id.clone(), self.pieces.len());
                self.pieces.push(Piece::Pair(call));
            }
            (None, Some(at)) => {
                if let Some(Piece::Pair(first)) = self.pieces.get_mut(at) {
                    first.merge(call, self.notes);
                }
            }
        }
    }
}
