//! What rows render together: a segment begins with a row that closes what came before it (a user's, an API
//! message, a call of another message), and takes the calls and notes that follow.
mod call;

pub(super) use call::{Call, Outcome, holds_call, is_error};

use super::Diagnostic;
use crate::{
    id::RowId,
    model::{Boundary, BoundaryMode, InputState, Row, RowKind, StoredRow},
    time::Timestamp,
};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

/// What a segment is, by its first row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opener<'a> {
    /// Notes, or a user's message with the notes behind it.
    Plain,
    /// An API message, with its calls.
    Message(&'a RowId),
    /// Calls of a message that is closed or not in the prompt; `None` for a run of calls that name none.
    Calls(Option<&'a RowId>),
}

impl<'a> Opener<'a> {
    pub(super) fn of(first: &'a StoredRow) -> Self {
        match first.row.kind {
            RowKind::Assistant => Self::Message(&first.row.id),
            _ if holds_call(first) => Self::Calls(asked_by(&first.row)),
            _ => Self::Plain,
        }
    }

    /// Whether a call of this message belongs to the segment.
    fn takes(self, message: Option<&RowId>) -> bool {
        match self {
            Self::Plain => false,
            Self::Message(row) => message == Some(row),
            Self::Calls(own) => message == own,
        }
    }
}

fn asked_by(row: &Row) -> Option<&RowId> {
    row.round.as_ref().map(|round| &round.row)
}

/// Whether a row begins a segment; `first` is the first row of the one before it.
pub(super) fn opens(first: Option<&StoredRow>, next: &StoredRow) -> bool {
    let Some(first) = first else { return true };
    match next.row.kind {
        RowKind::User | RowKind::Assistant => true,
        // A row without a call, such as a result that lost its own, is of no message and closes none.
        kind if kind.is_call() => holds_call(next) && !Opener::of(first).takes(asked_by(&next.row)),
        _ => false,
    }
}

/// Whether a row takes part in the prompt at all, steering apart.
pub(super) fn is_in_force(row: &Row, boundary: Option<&Boundary>) -> bool {
    let speaks = row.kind != RowKind::System || row.preserves_position();
    row.live
        && !row.sidechain
        && speaks
        && row.input() != Some(&InputState::Pending)
        && is_after(row, boundary)
}

/// The place of a row: rows order by it.
pub(super) fn place(row: &Row) -> (Timestamp, &RowId) {
    (row.created_at, &row.id)
}

/// Whether a row replays under the boundary.
pub(super) fn is_after(row: &Row, boundary: Option<&Boundary>) -> bool {
    let Some(boundary) = boundary else { return true };
    let anchor = (boundary.anchor_at, &boundary.anchor);
    match boundary.mode {
        BoundaryMode::Inclusive => place(row) >= anchor,
        BoundaryMode::Exclusive => place(row) > anchor,
    }
}

/// A segment whose calls name a message: the calls, and the notes behind them.
#[derive(Default)]
pub(super) struct Round<'a> {
    /// The rows of the message, stored twice or not: none when it is closed or not in the prompt.
    pub(super) message: Option<&'a StoredRow>,
    /// By index in the message; in the order of rows where it is not there.
    pub(super) calls: Vec<Call>,
    /// Calls and notes in the order of rows, for a message that is not there.
    pub(super) order: Vec<Item<'a>>,
}

/// A call by its place in [`Round::calls`], or a note.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    Call(usize),
    Note(&'a StoredRow),
}

/// Reads the rows of a segment whose calls name a message.
pub(super) fn lay_out<'a>(rows: &'a [StoredRow], notes: &mut Vec<Diagnostic>) -> Round<'a> {
    let mut round = Round::default();
    let mut ids: BTreeMap<String, usize> = BTreeMap::new();
    for stored in rows {
        if stored.row.kind == RowKind::Assistant {
            round.message = Some(stored);
        } else if !stored.row.kind.is_call() {
            round.order.push(Item::Note(stored));
        } else if let Some(call) = Call::read(stored, notes) {
            match ids.get(&call.id).and_then(|at| round.calls.get_mut(*at)) {
                Some(first) => first.merge(call, notes),
                None => {
                    if round.message.is_none() {
                        let note = "the message that asked for this call is closed or not in the prompt";
                        notes.push(Diagnostic::new("call_without_message", note).row(&call.row));
                    }
                    ids.insert(call.id.clone(), round.calls.len());
                    round.order.push(Item::Call(round.calls.len()));
                    round.calls.push(call);
                }
            }
        }
    }
    if round.message.is_some() {
        round.calls.sort_by_key(|call| call.index);
        round.order.retain(|item| matches!(item, Item::Note(_)));
    }
    round
}

impl Round<'_> {
    /// Whether the log says why the message ended.
    pub(super) fn has_stop_reason(&self) -> bool {
        let said = |stored: &StoredRow| stored.parts.iter().any(call::has_stop_reason);
        self.message.is_some_and(said) || self.calls.iter().any(|call| call.has_stop_reason)
    }
}
