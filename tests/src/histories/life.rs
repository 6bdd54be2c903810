//! A session as it lives: what is stored of it, and the prompt that is kept beside.
use super::{
    provider::Provider,
    rows::{self, Stored, at, id, is_waiting},
};
use crate::properties::Random;
use std::collections::BTreeMap;
use throughline_core::{
    id::RowId,
    model::{Boundary, InputState, StoredRow},
    prompt::{Applying, Change, Contexts, Conversation, Input, Prompt, Request, Turn, Upload, assemble},
    redact::{Clean, Redactor},
};

/// A session, what is stored of it, and its prompt by rows.
pub(super) struct Life {
    pub(super) random: Random,
    pub(super) redactor: Redactor,
    /// Everything that is stored, by place.
    pub(super) rows: Vec<Stored>,
    /// The same, scrubbed.
    pub(super) sealed: BTreeMap<RowId, StoredRow>,
    pub(super) conversation: Conversation,
    pub(super) boundary: Option<Boundary>,
    pub(super) boundaries: u64,
    pub(super) contexts: Contexts,
    pub(super) request: Request,
    pub(super) uploads: BTreeMap<String, Upload>,
    /// The row that opened the turn, and its turn note.
    pub(super) opening: Option<(RowId, Option<RowId>)>,
    pub(super) provider: Provider,
    pub(super) clock: u64,
    pub(super) names: u64,
}

impl Life {
    pub(super) fn new(random: Random) -> Self {
        let redactor = Redactor::standard();
        let request = Request { model: Some(redactor.clean("m-1")), ..Request::default() };
        let input = Input { request: request.clone(), ..Input::default() };
        Self {
            random,
            redactor,
            rows: Vec::new(),
            sealed: BTreeMap::new(),
            conversation: Conversation::new(input),
            boundary: None,
            boundaries: 0,
            contexts: Contexts::default(),
            request,
            uploads: BTreeMap::new(),
            opening: None,
            provider: Provider::default(),
            clock: 0,
            names: 0,
        }
    }

    pub(super) fn name(&mut self) -> String {
        self.names += 1;
        format!("r{:06}", self.names)
    }

    /// A place behind all others; every other one is left free for what is put between.
    pub(super) fn tick(&mut self) -> u64 {
        self.clock += 2;
        self.clock
    }

    pub(super) fn clean(&self, text: &str) -> Clean {
        self.redactor.clean(text)
    }

    pub(super) fn seal(&self, stored: &Stored) -> StoredRow {
        stored.clone().restore(&self.redactor)
    }

    /// Stores a row, new or changed, and tells the conversation.
    pub(super) fn put(&mut self, stored: Stored) -> Change {
        let sealed = self.store(stored);
        self.conversation.put(sealed)
    }

    /// Stores a row, new or changed.
    pub(super) fn store(&mut self, stored: Stored) -> StoredRow {
        let sealed = self.seal(&stored);
        self.sealed.insert(sealed.row.id.clone(), sealed.clone());
        match self.rows.iter_mut().find(|known| known.row.id == stored.row.id) {
            Some(known) => *known = stored,
            None => {
                let place = (stored.row.created_at, stored.row.id.clone());
                let before = |known: &Stored| (known.row.created_at, known.row.id.clone()) < place;
                let index = self.rows.partition_point(before);
                self.rows.insert(index, stored);
            }
        }
        sealed
    }

    pub(super) fn get(&self, row: &RowId) -> Stored {
        let found = self.rows.iter().find(|stored| stored.row.id == *row);
        found.cloned().unwrap_or_else(|| panic!("no row {row}"))
    }

    /// Everything that a prompt is made from, by what is stored.
    pub(super) fn input(&self) -> Input {
        Input {
            rows: self.rows.iter().filter_map(|stored| self.sealed.get(&stored.row.id)).cloned().collect(),
            boundary: self.boundary.clone(),
            request: self.request.clone(),
            contexts: self.contexts.clone(),
            turn: self.turn(),
            applying: None,
            uploads: self.uploads.clone(),
            ..Input::default()
        }
    }

    pub(super) fn turn(&self) -> Option<Turn> {
        let (opening, note) = self.opening.as_ref()?;
        Some(Turn {
            opening: self.seal(&self.get(opening)),
            note: note.as_ref().map(|note| self.seal(&self.get(note))),
        })
    }

    /// The prompt as if this steering were applied, from what is stored.
    pub(super) fn as_if_applied(&self, applying: &[Applying]) -> Prompt {
        let mut input = self.input();
        // One batch has one anchor; two batches are told one after the other.
        for applying in applying {
            for stored in input.rows.iter_mut().filter(|stored| applying.rows.contains(&stored.row.id)) {
                let state = InputState::Applied { after: applying.after.clone() };
                stored.row.metadata.get_or_insert_default().input = Some(state);
            }
        }
        assemble(input)
    }

    pub(super) fn pending(&self) -> Vec<RowId> {
        let is_pending =
            |stored: &&Stored| stored.row.live && stored.row.input() == Some(&InputState::Pending);
        self.rows.iter().filter(is_pending).map(|stored| stored.row.id.clone()).collect()
    }

    /// The last row without input before a place.
    pub(super) fn anchor(&self, before: Option<u64>) -> Option<RowId> {
        let is_before = |stored: &&Stored| before.is_none_or(|place| stored.row.created_at < at(place));
        let rows = self.rows.iter().rev().filter(is_before);
        rows.filter(|stored| stored.row.input().is_none() && stored.row.live)
            .map(|stored| stored.row.id.clone())
            .next()
    }

    pub(super) fn waiting(&self) -> Vec<RowId> {
        self.rows.iter().filter(|stored| is_waiting(stored)).map(|stored| stored.row.id.clone()).collect()
    }

    /// Calls whose round nothing has closed.
    pub(super) fn is_open(&self, call: &RowId) -> bool {
        let prompt = self.conversation.prompt();
        let open = prompt.messages.get(prompt.stable_len..).unwrap_or_default();
        open.iter().any(|message| message.row == *call)
    }

    /// Moves the boundary; what came before it is told in short.
    pub(super) fn compact(&mut self, anchor: &Stored, mode: throughline_core::model::BoundaryMode) -> Change {
        self.boundaries += 1;
        let boundary = Boundary {
            id: id(&format!("cut-{}", self.boundaries)),
            seq: self.boundaries,
            anchor: anchor.row.id.clone(),
            anchor_at: anchor.row.created_at,
            rows_from: None,
            mode,
            summary: self.clean(&format!("{} rows so far", self.rows.len())),
            created_at: at(self.clock),
            metadata: None,
        };
        self.boundary = Some(boundary.clone());
        self.conversation.set_boundary(Some(boundary))
    }

    pub(super) fn said(&mut self, kind: throughline_core::model::RowKind, words: &str) -> Stored {
        let (name, place) = (self.name(), self.tick());
        rows::said(kind, &name, place, &format!("{words} {place}"))
    }
}
