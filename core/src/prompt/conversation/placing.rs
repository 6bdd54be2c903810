//! Rows in and out of a conversation.
use super::{
    order::{Key, Order, key, order},
    rendering::is_request,
    state::{Change, Conversation},
};
use crate::{
    id::RowId,
    model::{InputState, Metadata, Part, PartBody, RowKind, StoredRow},
    prompt::{
        Applying, Diagnostic, Edit, PromptError,
        layout::{holds_call, is_in_force, opens, place},
    },
};
use alloc::{boxed::Box, collections::BTreeSet, vec::Vec};
use core::mem;

/// Sorts rows that came out of order.
pub(super) fn in_order(mut rows: Vec<StoredRow>, notes: &mut Vec<Diagnostic>) -> Vec<StoredRow> {
    if !rows.is_sorted_by(|a, b| place(&a.row) <= place(&b.row)) {
        rows.sort_by(|a, b| place(&a.row).cmp(&place(&b.row)));
        notes.push(Diagnostic::new("rows_unordered", "the rows were not in order; they render in order"));
    }
    rows
}

/// Leaves out rows whose id came before.
pub(super) fn each_once(mut rows: Vec<StoredRow>, notes: &mut Vec<Diagnostic>) -> Vec<StoredRow> {
    let mut seen = BTreeSet::new();
    rows.retain(|stored| {
        let is_new = seen.insert(stored.row.id.clone());
        if !is_new {
            let note = Diagnostic::new("duplicate_row", "a row with this id came before; left out");
            notes.push(note.row(&stored.row.id));
        }
        is_new
    });
    rows
}

/// Applies steering to rows that came for one prompt; what is not pending stays as it is.
pub(super) fn apply_all(rows: &mut [StoredRow], applying: &Applying) {
    let ours: BTreeSet<&RowId> = applying.rows.iter().collect();
    let pending = |stored: &&mut StoredRow| {
        ours.contains(&stored.row.id) && stored.row.input() == Some(&InputState::Pending)
    };
    for stored in rows.iter_mut().filter(pending) {
        set_input(stored, &InputState::Applied { after: applying.after.clone() });
    }
}

fn set_input(stored: &mut StoredRow, input: &InputState) {
    stored.row.metadata.get_or_insert_default().input = Some(input.clone());
}

fn is_applied(stored: &StoredRow) -> bool {
    matches!(stored.row.input(), Some(InputState::Applied { .. }))
}

/// The named edit that another form of a stored row is.
fn edit_of(old: &StoredRow, new: &StoredRow) -> Edit {
    let sends_media = |stored: &StoredRow| {
        let is_sent = |part: &&Part| {
            part.replay && matches!(part.body, PartBody::Image { .. } | PartBody::Document { .. })
        };
        stored.parts.iter().filter(is_sent).count()
    };
    let results = |stored: &StoredRow| {
        stored.parts.iter().filter(|part| matches!(part.body, PartBody::ToolResult { .. })).count()
    };
    if old.row.live != new.row.live {
        Edit::HistoryRewound
    } else if old.row.stale() != new.row.stale() {
        Edit::ResultWithdrawn
    } else if old.row.input() != new.row.input() {
        Edit::SteeringReturned
    } else if old.row.rules != new.row.rules {
        Edit::RowScrubbed
    } else if sends_media(new) < sends_media(old) {
        Edit::AttachmentExpired
    } else if results(new) != results(old) {
        Edit::CallSettled
    } else if new.row.imported {
        Edit::RowInserted
    } else {
        Edit::RowScrubbed
    }
}

/// The named edit that a row before the end is.
fn edit_of_new(stored: &StoredRow) -> Edit {
    match stored.row.kind {
        RowKind::Developer | RowKind::System if !stored.row.imported => Edit::NoteInjected,
        _ => Edit::RowInserted,
    }
}

impl Conversation {
    pub(super) fn take_order(&mut self, order: Order) {
        self.rows = order.rows;
        self.dormant = order.dormant;
        self.steered = order.steered;
        self.anchors = order.anchors;
        self.users = self.rows.iter().filter(|stored| is_request(stored)).count();
    }

    /// Takes in a row, new or known, and tells which named edit that is if it is one.
    pub(super) fn place_row(&mut self, stored: StoredRow) -> Edit {
        let Some(old) = self.stored(&stored.row.id) else { return self.insert_row(stored) };
        if *old == stored {
            return Edit::RowInserted;
        }
        let edit = edit_of(old, &stored);
        let id = stored.row.id.clone();
        let stays = old.row.created_at == stored.row.created_at
            && old.row.kind == stored.row.kind
            && old.row.input() == stored.row.input()
            && old.row.round == stored.row.round
            && holds_call(old) == holds_call(&stored)
            && (is_applied(old) || self.takes_part(old) == self.takes_part(&stored))
            && old.row.live == stored.row.live
            && old.row.sidechain == stored.row.sidechain;
        match (stays, self.position(&id)) {
            (true, Some(at)) => {
                if let Some(row) = self.rows.get_mut(at) {
                    *row = stored;
                }
                self.render_from(at);
            }
            (true, None) => drop(self.dormant.insert(id, stored)),
            (false, _) => self.rearrange(|all| {
                all.retain(|other| other.row.id != id);
                all.push(stored);
                Some(id)
            }),
        }
        edit
    }

    fn takes_part(&self, stored: &StoredRow) -> bool {
        is_in_force(&stored.row, self.boundary.as_ref())
    }

    fn insert_row(&mut self, stored: StoredRow) -> Edit {
        let id = stored.row.id.clone();
        let was_restored = self.head.is_restored;
        self.places.insert(id.clone(), stored.row.created_at);
        if self.anchors.contains(&id) || self.continues_an_earlier_round(&stored) {
            let edit = edit_of_new(&stored);
            self.insert_anywhere(stored);
            return edit;
        }
        if is_applied(&stored) && stored.row.live && !stored.row.sidechain {
            return self.insert_steering(stored);
        }
        if !self.takes_part(&stored) {
            self.dormant.insert(id, stored);
            return Edit::RowInserted;
        }
        if !self.is_last(&(Some(place(&stored.row)), None)) {
            let edit = edit_of_new(&stored);
            self.insert_anywhere(stored);
            return edit;
        }
        self.push_row(stored);
        if was_restored { Edit::RequestEnded } else { Edit::RowInserted }
    }

    fn insert_steering(&mut self, stored: StoredRow) -> Edit {
        let after = match stored.row.input() {
            Some(InputState::Applied { after }) => after.clone(),
            _ => None,
        };
        let behind = self.place_behind(after.as_ref());
        let last: Key<'_> =
            (behind.as_ref().map(|behind| (behind.created_at, &behind.id)), Some(place(&stored.row)));
        if behind.is_none() || !self.is_last(&last) {
            self.insert_anywhere(stored);
            return Edit::RowInserted;
        }
        self.anchors.extend(after);
        self.steered.insert(stored.row.id.clone(), behind);
        self.push_row(stored);
        Edit::RowInserted
    }

    fn push_row(&mut self, stored: StoredRow) {
        self.users = self.users.saturating_add(usize::from(is_request(&stored)));
        self.rows.push(stored);
        self.render_last();
    }

    fn insert_anywhere(&mut self, stored: StoredRow) {
        self.rearrange(|all| {
            all.push(stored);
            None
        });
    }

    fn is_last(&self, wanted: &Key<'_>) -> bool {
        self.rows.last().is_none_or(|last| key(&self.steered, &last.row) < *wanted)
    }

    /// Whether a call belongs to a round that steering stands behind: then that moves on.
    fn continues_an_earlier_round(&self, stored: &StoredRow) -> bool {
        let last = self.marks.last().and_then(|mark| self.rows.get(mark.row));
        !self.steered.is_empty() && stored.row.round.is_some() && holds_call(stored) && opens(last, stored)
    }

    /// Puts all rows in order again after `change`, and renders from the first on that stands elsewhere or is
    /// the one that `change` names.
    pub(super) fn rearrange(&mut self, change: impl FnOnce(&mut Vec<StoredRow>) -> Option<RowId>) {
        let before: Vec<RowId> = self.rows.iter().map(|stored| stored.row.id.clone()).collect();
        let mut all = mem::take(&mut self.rows);
        all.extend(mem::take(&mut self.dormant).into_values());
        let touched = change(&mut all);
        all.sort_by(|a, b| place(&a.row).cmp(&place(&b.row)));
        self.places = all.iter().map(|stored| (stored.row.id.clone(), stored.row.created_at)).collect();
        self.take_order(order(all, self.boundary.as_ref()));
        let is_same =
            |(stored, id): &(&StoredRow, &RowId)| stored.row.id == **id && touched.as_ref() != Some(*id);
        let same = self.rows.iter().zip(&before).take_while(is_same).count();
        if same < self.rows.len().max(before.len()) {
            self.render_from(same);
        } else if self.wanted_head() != self.head {
            self.render_all();
        }
    }

    /// Changes what a row says of itself.
    pub(super) fn alter(
        &mut self,
        row: &RowId,
        edit: Edit,
        change: impl FnOnce(&mut Metadata),
    ) -> Result<Change, PromptError> {
        let stored = self.stored(row).ok_or_else(|| PromptError::RowUnknown { row: row.clone() })?;
        let mut stored = stored.clone();
        change(stored.row.metadata.get_or_insert_with(Box::default));
        self.begin();
        self.place_row(stored);
        Ok(self.end(edit))
    }

    /// Whether every row is input in this state.
    pub(super) fn check_inputs(
        &self,
        rows: &[RowId],
        state: &InputState,
        accepted: &'static str,
    ) -> Result<(), PromptError> {
        for row in rows {
            let stored = self.stored(row).ok_or_else(|| PromptError::RowUnknown { row: row.clone() })?;
            let found = match stored.row.input() {
                Some(input) if input == state => continue,
                Some(InputState::Pending) => "pending input",
                Some(InputState::Applied { .. }) => "applied input",
                None => "no input that came during a turn",
            };
            return Err(PromptError::InputState { row: row.clone(), found, accepted });
        }
        Ok(())
    }

    /// Brings input into a state.
    pub(super) fn set_inputs(&mut self, rows: &[RowId], state: &InputState, edit: Edit) -> Change {
        self.begin();
        if *state == InputState::Pending {
            let named: BTreeSet<&RowId> = rows.iter().collect();
            self.rearrange(|all| {
                let ours = |stored: &&mut StoredRow| named.contains(&stored.row.id);
                all.iter_mut().filter(ours).for_each(|stored| set_input(stored, state));
                None
            });
            return self.end(edit);
        }
        let mut waiting: Vec<StoredRow> = rows.iter().filter_map(|row| self.dormant.remove(row)).collect();
        waiting.sort_by(|a, b| place(&a.row).cmp(&place(&b.row)));
        for mut stored in waiting {
            set_input(&mut stored, state);
            self.insert_row(stored);
        }
        self.end(edit)
    }
}
