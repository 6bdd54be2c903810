//! What can be done to a conversation.
use super::{
    order::{is_usable, order},
    placing::{apply_all, each_once, in_order},
    state::{Change, Conversation, Head, Removal, Taken},
};
use crate::{
    id::RowId,
    model::{Boundary, InputState, PartBody, Stale, StoredRow},
    prompt::{
        Contexts, Edit, HeldTexts, Input, Prompt, PromptError, RENDER_TEXT_VERSION, Request, Sections,
        Settings, Turn, Upload,
        hash::Chain,
        layout::place,
        segment::{Standing, Terms},
        thinking::Judge,
    },
    redact::Clean,
};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};
use core::mem;

impl Conversation {
    /// Assembles a conversation. Linear in the rows and their bytes.
    #[must_use]
    pub fn new(input: Input) -> Self {
        let Input { mut rows, boundary, request, contexts, turn, applying, uploads, held, options } = input;
        let mut notes = Vec::new();
        if let Some(applying) = &applying {
            apply_all(&mut rows, applying);
        }
        let mut conversation = Self {
            boundary,
            request,
            contexts,
            turn,
            options,
            rows: Vec::new(),
            dormant: BTreeMap::new(),
            places: BTreeMap::new(),
            steered: BTreeMap::new(),
            anchors: BTreeSet::new(),
            users: 0,
            early_notes: 0,
            head: Head::default(),
            terms: Terms { judge: Judge::new(None, String::new(), None), uploads, held },
            chain: Chain::from([0; 32]),
            fingerprint: [0; 32],
            marks: Vec::new(),
            standing: Standing::default(),
            last_assistant: None,
            taken: Taken::default(),
            prompt: nothing(),
        };
        conversation.write_prefix(&mut notes);
        let rows = each_once(in_order(rows, &mut notes), &mut notes);
        conversation.places =
            rows.iter().map(|stored| (stored.row.id.clone(), stored.row.created_at)).collect();
        conversation.take_order(order(rows, conversation.boundary.as_ref()));
        conversation.early_notes = notes.len();
        conversation.prompt.diagnostics = notes;
        conversation.begin();
        conversation.render_all();
        conversation.end(Edit::Compatibility);
        conversation
    }

    /// The prompt as it is now.
    #[must_use]
    pub fn prompt(&self) -> &Prompt {
        &self.prompt
    }

    /// The prompt, when nothing more is to come.
    #[must_use]
    pub fn into_prompt(self) -> Prompt {
        self.prompt
    }

    /// What the prompt is made from, as it is now; steering that was being applied is applied in it.
    #[must_use]
    pub fn input(&self) -> Input {
        let mut rows: Vec<StoredRow> = self.rows.iter().chain(self.dormant.values()).cloned().collect();
        rows.sort_by(|a, b| place(&a.row).cmp(&place(&b.row)));
        Input {
            rows,
            boundary: self.boundary.clone(),
            request: self.request.clone(),
            contexts: self.contexts.clone(),
            turn: self.turn.clone(),
            applying: None,
            uploads: self.terms.uploads.clone(),
            held: self.terms.held.clone(),
            options: self.options,
        }
    }

    /// Takes in a row: a new one, or one that is stored otherwise than before (a call that got its result, an
    /// imported message that grew, a row that left the live conversation).
    pub fn put(&mut self, stored: StoredRow) -> Change {
        self.begin();
        let edit = self.place_row(stored);
        self.end(edit)
    }

    /// Takes in rows one after the other, and tells of all of them as of one change.
    pub fn put_all(&mut self, rows: impl IntoIterator<Item = StoredRow>) -> Change {
        self.begin();
        let stable_len = self.taken.stable_len;
        let (mut kept, mut first) = (usize::MAX, None);
        for stored in rows {
            self.begin();
            let edit = self.place_row(stored);
            let change = self.end(edit);
            if change.kept < kept.min(stable_len) {
                (kept, first) = (change.kept, Some(edit));
            }
            kept = kept.min(change.kept);
        }
        Change { kept: kept.min(self.prompt.messages.len()), edit: first }
    }

    /// Withdraws the result of a call: a text stands in its place, the pair stays.
    ///
    /// # Errors
    /// `row_unknown`.
    pub fn withdraw(&mut self, row: &RowId, why: Option<Clean>) -> Result<Change, PromptError> {
        let stale = why.map_or(Stale::Withdrawn, Stale::Because);
        self.alter(row, Edit::ResultWithdrawn, |metadata| metadata.stale = Some(stale))
    }

    /// Applies pending steering behind its anchor: all of the rows, or none.
    ///
    /// # Errors
    /// `row_unknown`; `input_state` for a row that is not pending.
    pub fn apply_steering(&mut self, rows: &[RowId], after: Option<&RowId>) -> Result<Change, PromptError> {
        self.check_inputs(rows, &InputState::Pending, "pending input")?;
        let applied = InputState::Applied { after: after.cloned() };
        Ok(self.set_inputs(rows, &applied, Edit::RowInserted))
    }

    /// Returns steering to pending, as Stop does with what is in flight: all of the rows, or none.
    ///
    /// # Errors
    /// `row_unknown`; `input_state` for a row that is not applied behind this anchor.
    pub fn return_steering(&mut self, rows: &[RowId], after: Option<&RowId>) -> Result<Change, PromptError> {
        let applied = InputState::Applied { after: after.cloned() };
        self.check_inputs(rows, &applied, "input that is applied behind this anchor")?;
        Ok(self.set_inputs(rows, &InputState::Pending, Edit::SteeringReturned))
    }

    /// Takes rows away for good.
    ///
    /// # Errors
    /// `row_unknown`; then none is taken away.
    pub fn remove(&mut self, rows: &[RowId], why: Removal) -> Result<Change, PromptError> {
        if let Some(row) = rows.iter().find(|row| !self.places.contains_key(*row)) {
            return Err(PromptError::RowUnknown { row: row.clone() });
        }
        let gone: BTreeSet<&RowId> = rows.iter().collect();
        self.begin();
        self.rearrange(|all| {
            all.retain(|stored| !gone.contains(&stored.row.id));
            None
        });
        Ok(self.end(match why {
            Removal::Rewound => Edit::HistoryRewound,
            Removal::Discarded => Edit::NotesDiscarded,
        }))
    }

    /// Sets the boundary in force, or takes it back. Rows before it are kept, in case it moves again; see
    /// [`release`](Self::release).
    pub fn set_boundary(&mut self, boundary: Option<Boundary>) -> Change {
        self.boundary = boundary;
        let mut all = mem::take(&mut self.rows);
        all.extend(mem::take(&mut self.dormant).into_values());
        all.sort_by(|a, b| place(&a.row).cmp(&place(&b.row)));
        self.take_order(order(all, self.boundary.as_ref()));
        self.prefix_changed(Edit::BoundaryMoved)
    }

    /// Sets what the agent brings.
    pub fn set_request(&mut self, request: Request) -> Change {
        let edit = match request.system == self.request.system {
            true => Edit::AgentChanged,
            false => Edit::ContextsChanged,
        };
        self.request = request;
        self.prefix_changed(edit)
    }

    /// Sets what the session knows beside its rows.
    pub fn set_contexts(&mut self, contexts: Contexts) -> Change {
        self.contexts = contexts;
        self.prefix_changed(Edit::ContextsChanged)
    }

    /// Sets the turn that is running.
    pub fn set_turn(&mut self, turn: Option<Turn>) -> Change {
        self.begin();
        let was_restored = self.head.is_restored;
        if self.turn != turn {
            self.turn = turn;
            if was_restored || self.wanted_head() != self.head {
                self.render_all();
            }
        }
        self.end(Edit::RequestEnded)
    }

    /// Sets what is known of uploads.
    pub fn set_uploads(&mut self, uploads: BTreeMap<String, Upload>) -> Change {
        self.begin();
        let before = mem::replace(&mut self.terms.uploads, uploads);
        let now = &self.terms.uploads;
        let is_other = |body: &PartBody| match body {
            PartBody::File { id, .. } => before.get(id.as_str()) != now.get(id.as_str()),
            _ => false,
        };
        let changed = |stored: &StoredRow| stored.parts.iter().any(|part| is_other(&part.body));
        if let Some(first) = self.rows.iter().position(changed) {
            self.render_from(first);
        }
        self.end(Edit::UploadChanged)
    }

    /// Lets go of the rows that do not render and cannot any more by a new row alone: those before the
    /// boundary, not live or of sub-agents. Gives how many they were. An edit that would bring them back needs
    /// them put in again.
    pub fn release(&mut self) -> usize {
        let before = self.dormant.len();
        let (boundary, places) = (self.boundary.as_ref(), &mut self.places);
        self.dormant.retain(|id, stored| {
            let waits = stored.row.live && stored.row.input() == Some(&InputState::Pending);
            let stays = waits || is_usable(&stored.row, boundary);
            if !stays {
                places.remove(id);
            }
            stays
        });
        before.saturating_sub(self.dormant.len())
    }

    /// The rows that take part, in the order in which they render.
    #[must_use]
    pub fn rows(&self) -> &[StoredRow] {
        &self.rows
    }

    /// How many rows are held, those that do not render included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len().saturating_add(self.dormant.len())
    }

    /// Whether no row is held.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the prefix again, and the messages where that changes their hashes.
    fn prefix_changed(&mut self, edit: Edit) -> Change {
        self.begin();
        let sections = self.prompt.sections.clone();
        let (fingerprint, judge) = (self.fingerprint, self.terms.judge.clone());
        let mut notes = Vec::new();
        self.write_prefix(&mut notes);
        let early = self.prompt.diagnostics.get(..self.early_notes).unwrap_or_default();
        let is_moved = edit == Edit::BoundaryMoved;
        if is_moved || fingerprint != self.fingerprint || judge != self.terms.judge || notes != early {
            self.early_notes = notes.len();
            self.prompt.diagnostics = notes;
            self.render_all();
        }
        let change = self.end(edit);
        let is_other = self.prompt.sections != sections;
        Change { edit: if is_other { Some(edit) } else { change.edit }, ..change }
    }
}

/// A prompt in which nothing is.
fn nothing() -> Prompt {
    let none = String::new;
    Prompt {
        fingerprint: none(),
        sections: Sections { model: none(), tools: none(), system: none(), settings: none() },
        model: None,
        system: Vec::new(),
        tools: Vec::new(),
        settings: Settings::default(),
        stable_len: 0,
        stable_hash: none(),
        tail_hash: none(),
        boundary: None,
        messages: Vec::new(),
        markers: Vec::new(),
        diagnostics: Vec::new(),
        thinking_off: false,
        held: HeldTexts::default(),
        render_text_version: RENDER_TEXT_VERSION,
    }
}
