//! What stands before the messages, and before the rows.
use super::state::{Conversation, Head};
use crate::{
    model::{Boundary, RestoredRequest, RowKind, StoredRow},
    prompt::{
        Contexts, Diagnostic, Edit, Request, Role, Tool,
        hash::Prefix,
        layout::is_after,
        parts,
        request::normalised,
        restored_request,
        segment::{Writer, text_of},
        texts::{RESUME_NOTE, fixed},
        thinking::Judge,
    },
    redact::Clean,
    text::hex,
};
use alloc::{collections::BTreeSet, vec::Vec};

/// Tools by name unless they stand as given, each once, their schemas in one order.
pub(super) fn ordered_tools(mut tools: Vec<Tool>, as_given: bool, notes: &mut Vec<Diagnostic>) -> Vec<Tool> {
    if !as_given {
        tools.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let mut seen = BTreeSet::new();
    tools.retain(|tool| {
        let is_new = seen.insert(tool.name.clone());
        if !is_new {
            notes.push(Diagnostic::new("duplicate_tool", "a tool of this name came before; left out"));
        }
        is_new
    });
    for tool in &mut tools {
        tool.input_schema = normalised(&tool.input_schema);
    }
    tools
}

/// The agent's texts, the session's contexts by name, memory, then the summary of the boundary; blank ones
/// give no part.
pub(super) fn system_parts(
    request: &Request,
    contexts: &Contexts,
    boundary: Option<&Boundary>,
) -> Vec<Clean> {
    let own = request.system.iter().chain(contexts.named.values()).chain(&contexts.memory);
    let all = own.chain(boundary.map(|boundary| &boundary.summary));
    all.filter(|text| !text.as_str().trim().is_empty()).cloned().collect()
}

/// The request of a turn by the row that opened it, as it is restored; `None` for one without text.
#[must_use]
pub fn request_of(opening: &StoredRow) -> Option<RestoredRequest> {
    let request = whole(opening)?;
    Some(RestoredRequest { text: restored_request(&request.text), ..request })
}

fn whole(opening: &StoredRow) -> Option<RestoredRequest> {
    let text = text_of(&parts::of_note(opening, &mut Vec::new()))?;
    Some(RestoredRequest { row: opening.row.id.clone(), text })
}

impl Conversation {
    /// Writes model, tools, system and settings, and their hashes; the messages are as they were, and stale.
    pub(super) fn write_prefix(&mut self, notes: &mut Vec<Diagnostic>) {
        let tools = ordered_tools(self.request.tools.clone(), self.options.tools_as_given, notes);
        let system = system_parts(&self.request, &self.contexts, self.boundary.as_ref());
        let (model, settings) = (self.request.model.clone(), self.request.settings.clone());
        let prefix = Prefix::of(model.as_ref(), &tools, &system, &settings);
        let prompt = &mut self.prompt;
        (prompt.sections, prompt.fingerprint) = (prefix.sections, hex(&prefix.fingerprint));
        (prompt.model, prompt.tools, prompt.system, prompt.settings) = (model, tools, system, settings);
        prompt.boundary = self.boundary.as_ref().map(|boundary| boundary.id.clone());
        self.fingerprint = prefix.fingerprint;
        let (model, fingerprint) = (prompt.model.clone(), prompt.fingerprint.clone());
        self.terms.judge = Judge::new(model, fingerprint, self.boundary.as_ref());
    }

    /// What is to stand before the rows, as the rows are now.
    pub(super) fn wanted_head(&self) -> Head {
        if self.boundary.is_none() {
            return Head::default();
        }
        let is_restored = self.users == 0 && self.request_before().is_some();
        let first = self.rows.iter().find(|stored| stored.row.input().is_none());
        let needs_note = |kind: RowKind| !matches!(kind, RowKind::User | RowKind::Developer);
        Head { is_restored, resumes: is_restored || first.is_some_and(|first| needs_note(first.row.kind)) }
    }

    /// The request that stands before the boundary, in full: of the turn that is named, else the one that the
    /// boundary keeps.
    fn request_before(&self) -> Option<RestoredRequest> {
        let boundary = self.boundary.as_ref();
        match &self.turn {
            Some(turn) if is_after(&turn.opening.row, boundary) => None,
            Some(turn) => whole(&turn.opening),
            None => boundary?.metadata.as_ref()?.originating_request.clone(),
        }
    }

    /// The restored request, its turn note, then the resume note. The note is there only when the turn is named: a
    /// boundary keeps the text of a request alone, so that one restored from its metadata has none.
    pub(super) fn render_head(&mut self) {
        let restored = self.request_before().filter(|_| self.head.is_restored);
        let mut writer = Writer {
            terms: &self.terms,
            chain: &mut self.chain,
            messages: &mut self.prompt.messages,
            notes: &mut self.prompt.diagnostics,
            held: &mut self.prompt.held,
        };
        if let Some(RestoredRequest { row, text }) = restored {
            let note = "the request of the turn stands before the boundary, and is restored";
            writer.notes.push(Diagnostic::new("request_restored", note).row(&row).edit(Edit::RequestEnded));
            writer.push(Role::User, &row, parts::texts([restored_request(&text)]), None);
            if let Some(note) = self.turn.as_ref().and_then(|turn| turn.note.as_ref()) {
                writer.note(note);
            }
        }
        if let Some(boundary) = self.boundary.as_ref().filter(|_| self.head.resumes) {
            writer.push(Role::Developer, &boundary.id, parts::texts([fixed(RESUME_NOTE)]), None);
        }
    }
}
