//! Where the conversation is cut (`spec/compaction.md`, "When"), and the request that is shown again
//! (`spec/prompt.md`, "Boundary").
//!
//! Rows are those that render, in order, from the boundary in force on.

use super::rows::{Call, is_request};
use crate::{
    id::RowId,
    model::{BoundaryMode, RowKind, StoredRow},
    time::Timestamp,
};

/// Where to cut, by indexes among the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// The anchor: a row that renders in its own place, so none that came while a turn ran.
    pub anchor: usize,
    /// How many rows, from the first, the summary takes the place of.
    pub replaced: usize,
    /// Inclusive: the anchor replays.
    pub mode: BoundaryMode,
}

impl Cut {
    fn inclusive(anchor: usize) -> Self {
        Self { anchor, replaced: anchor, mode: BoundaryMode::Inclusive }
    }
}

fn place(stored: &StoredRow) -> (Timestamp, &RowId) {
    (stored.row.created_at, &stored.row.id)
}

/// After a response: the user row on the first step of a turn, that step's assistant row on a continuation.
#[must_use]
pub fn after_step(rows: &[StoredRow]) -> Option<Cut> {
    let step = rows.iter().rposition(|stored| stored.row.kind == RowKind::Assistant)?;
    let turn = rows.get(..step)?.iter().rposition(is_request);
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
    newest(is_request).or_else(|| newest(|stored| stored.row.kind == RowKind::Assistant)).map(Cut::inclusive)
}

/// Before a prompt is sent that does not fit: the last answer goes too, with its calls. What follows the last
/// answer stays, whatever it is: an unanswered request with its notes and artifacts; and so does a round with a
/// pending call. Where input that is not answered came before the newest row of that history (while a model wrote
/// it), be it among the rows or still `pending`, the last round stays as well: what came before a boundary would
/// not replay, nor could it stand behind a row that is gone.
#[must_use]
pub fn before_sending(rows: &[StoredRow], pending: &[StoredRow]) -> Option<Cut> {
    let is_answer = |stored: &StoredRow| stored.row.kind == RowKind::Assistant || stored.row.kind.is_call();
    let last = rows.iter().rposition(is_answer)?;
    let (history, input) = rows.split_at_checked(last.saturating_add(1))?;
    let newest = history.last()?;
    let came_before = input.iter().chain(pending).any(|stored| place(stored) < place(newest));
    let step = history.iter().rposition(|stored| stored.row.kind == RowKind::Assistant).unwrap_or(0);
    let round = history.get(step..).unwrap_or_default();
    let is_pending = round.iter().filter_map(Call::of).any(|call| call.result.is_none());
    let replaced = if is_pending || came_before { step } else { history.len() };
    let going = rows.get(..replaced)?;
    let anchor = going.iter().rposition(|stored| stored.row.input().is_none())?;
    // Input behind the anchor that also came after it would replay, at the head: it is not replaced then.
    let trailing = going.iter().skip(anchor.saturating_add(1));
    let gone = trailing.take_while(|stored| rows.get(anchor).is_some_and(|row| place(stored) < place(row)));
    let replaced = anchor.saturating_add(1).saturating_add(gone.count());
    Some(Cut { anchor, replaced, mode: BoundaryMode::Exclusive })
}

/// Where the request stands of the turn that a cut is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opening {
    /// It replays, or a later one does.
    Replays,
    /// The summary takes its place: the index of its row.
    Replaced(usize),
    /// Before the boundary in force, which may keep it.
    Earlier,
}

/// Where the request stands of the turn that is cut. What came while the turn ran never takes its place.
#[must_use]
pub fn originating_request(rows: &[StoredRow], cut: Cut) -> Opening {
    let (replaced, kept) = rows.split_at_checked(cut.replaced).unwrap_or((rows, &[]));
    if kept.iter().any(is_request) {
        return Opening::Replays;
    }
    replaced.iter().rposition(is_request).map_or(Opening::Earlier, Opening::Replaced)
}
