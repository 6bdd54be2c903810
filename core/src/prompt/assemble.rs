//! Pieces into messages, one after the other, each hashed onto the chain.
use super::{
    Diagnostic, Message, Prompt, Request, Role, Tool,
    hash::{Chain, Prefix},
    layout::{Call, Layout, Outcome, Piece, Round, lay_out},
    markers::default_markers,
    parts::{self, Block},
    request::normalised,
    restore::restored,
    texts::{INCOMPLETE, INTERRUPTED, RESUME_NOTE, fixed},
    thinking::{Judge, Verdict},
};
use crate::{
    id::RowId,
    model::{Boundary, RowKind, StoredRow},
    redact::Clean,
    text::hex,
};
use alloc::{format, vec, vec::Vec};

/// What a prompt is made from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Input {
    /// The live rows of the main conversation, in order; from the anchor on when there is a boundary.
    pub rows: Vec<StoredRow>,
    /// The compaction boundary in force.
    pub boundary: Option<Boundary>,
    /// What the agent brings.
    pub request: Request,
}

/// Makes the neutral prompt of a conversation (`spec/prompt.md`).
///
/// Any rows give a valid prompt: what cannot be sent is repaired or left out, with a diagnostic. The same
/// input gives the same prompt. Linear in the rows and their bytes.
///
/// ```
/// use throughline_core::prompt::{Input, assemble};
/// let prompt = assemble(Input::default());
/// assert_eq!((prompt.messages.len(), prompt.stable_len), (0, 0));
/// assert_eq!(prompt.tail_hash, prompt.fingerprint);
/// ```
#[must_use]
pub fn assemble(input: Input) -> Prompt {
    let Input { rows, boundary, request } = input;
    let mut notes = Vec::new();
    let Request { model, system, tools, settings } = request;
    let tools = ordered_tools(tools, &mut notes);
    let system = system_parts(system, boundary.as_ref());
    let prefix = Prefix::of(model.as_ref(), &tools, &system, &settings);
    let fingerprint = hex(&prefix.fingerprint);

    let layout = lay_out(rows, boundary.as_ref(), &mut notes);
    let mut walk = Walk {
        judge: Judge::new(model.as_ref(), &fingerprint, boundary.as_ref()),
        chain: Chain::from(prefix.fingerprint),
        messages: Vec::with_capacity(layout.pieces.len()),
        unstable_from: None,
        notes,
    };
    let request = boundary.as_ref().and_then(|boundary| restored(boundary, &layout, &mut walk.notes));
    if let Some(request) = request {
        walk.push(Role::User, request.row.clone(), parts::texts([request.text.clone()]), None);
    }
    let resumes = request.is_some() || needs_resume_note(&layout);
    if let Some(boundary) = boundary.as_ref().filter(|_| resumes) {
        walk.push(Role::Developer, boundary.id.clone(), parts::texts([fixed(RESUME_NOTE)]), None);
    }
    walk.pieces(layout);

    let Walk { messages, unstable_from, notes, .. } = walk;
    let hash_at = |length: usize| {
        let last = length.checked_sub(1).and_then(|last| messages.get(last));
        last.map_or_else(|| fingerprint.clone(), |message| message.hash.clone())
    };
    let stable_len = unstable_from.unwrap_or(messages.len());
    Prompt {
        stable_len,
        stable_hash: hash_at(stable_len),
        tail_hash: hash_at(messages.len()),
        markers: default_markers(&tools, &system, &messages),
        boundary: boundary.map(|boundary| boundary.id),
        sections: prefix.sections,
        fingerprint,
        model,
        system,
        tools,
        settings,
        messages,
        diagnostics: notes,
    }
}

/// Tools by name, each once, their schemas in one order.
fn ordered_tools(mut tools: Vec<Tool>, notes: &mut Vec<Diagnostic>) -> Vec<Tool> {
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    tools.dedup_by(|later, first| {
        let is_same = later.name == first.name;
        if is_same {
            notes.push(Diagnostic::new("duplicate_tool", "a tool of this name came before; left out"));
        }
        is_same
    });
    for tool in &mut tools {
        tool.input_schema = normalised(&tool.input_schema);
    }
    tools
}

/// The request's system texts, then the summary; blank ones give no part.
fn system_parts(system: Vec<Clean>, boundary: Option<&Boundary>) -> Vec<Clean> {
    let summary = boundary.map(|boundary| boundary.summary.clone());
    system.into_iter().chain(summary).filter(|text| !text.as_str().trim().is_empty()).collect()
}

/// Whether the first row after a boundary is neither a user's nor a developer's. (The resume note is there as
/// well whenever a request is restored.)
fn needs_resume_note(layout: &Layout) -> bool {
    match layout.pieces.first() {
        None | Some(Piece::Note(_)) => false,
        Some(Piece::Round(_) | Piece::Pair(_)) => true,
    }
}

struct Walk<'a> {
    judge: Judge<'a>,
    chain: Chain,
    messages: Vec<Message>,
    /// The first message that may still change.
    unstable_from: Option<usize>,
    notes: Vec<Diagnostic>,
}

impl Walk<'_> {
    fn push(&mut self, role: Role, row: RowId, parts: Vec<super::Part>, name: Option<Clean>) {
        if parts.is_empty() {
            return;
        }
        let mut message = Message { role, parts, name, row, hash: alloc::string::String::new() };
        message.hash = self.chain.extend(&message);
        self.messages.push(message);
    }

    fn open_here(&mut self) {
        self.unstable_from.get_or_insert(self.messages.len());
    }

    fn pieces(&mut self, layout: Layout) {
        for (at, piece) in layout.pieces.into_iter().enumerate() {
            let is_open = layout.open.is_some_and(|open| at >= open);
            match piece {
                Piece::Note(row) => self.note(row),
                Piece::Pair(call) => self.pair(call, is_open),
                Piece::Round(round) => self.round(round, is_open, layout.is_noted),
            }
        }
    }

    fn note(&mut self, stored: StoredRow) {
        let StoredRow { row, parts } = stored;
        let role = if row.kind == RowKind::User { Role::User } else { Role::Developer };
        let parts = parts::of_note(parts, &row, &mut self.notes);
        self.push(role, row.id, parts, None);
    }

    fn pair(&mut self, call: Call, is_open: bool) {
        if is_open && call.is_unsettled() {
            self.open_here();
        }
        if !self.is_sendable(&call) {
            return;
        }
        let (request, result) = self.call_parts(call, is_open);
        self.push(Role::Assistant, result.row.clone(), vec![request], None);
        self.push(Role::Tool, result.row, vec![result.part], Some(result.name));
    }

    fn round(&mut self, round: Round, is_open: bool, is_noted: bool) {
        let may_grow = round.row.imported && !is_noted && !round.has_stop_reason();
        if is_open && (may_grow || round.calls.iter().any(Call::is_unsettled)) {
            self.open_here();
        }
        let Round { row, parts, mut calls } = round;
        calls.retain(|call| self.is_sendable(call));
        let mut blocks = parts::of_assistant(parts, &row, &mut self.notes);
        if blocks.iter().any(|block| block.part.is_thinking()) {
            let verdict = self.judge.verdict(&row, &self.chain.last(), is_open && !calls.is_empty());
            self.report(&row.id, verdict);
            if !verdict.is_kept() {
                blocks.retain(|block| !block.part.is_thinking());
            }
        }
        // Blank text stands only where it is a block among signed ones.
        if !blocks.iter().any(|block| block.part.is_thinking()) {
            blocks.retain(|block| !block.part.is_blank());
        }
        let mut results = Vec::with_capacity(calls.len());
        for call in calls {
            let index = call.index;
            let (part, result) = self.call_parts(call, is_open);
            blocks.push(Block { index, part });
            results.push(result);
        }
        blocks.sort_by_key(|block| block.index);
        self.push(Role::Assistant, row.id, blocks.into_iter().map(|block| block.part).collect(), None);
        for result in results {
            self.push(Role::Tool, result.row, vec![result.part], Some(result.name));
        }
    }

    fn is_sendable(&mut self, call: &Call) -> bool {
        if !call.is_named() {
            let note = Diagnostic::new("tool_name_missing", "a call without a tool is left out");
            self.notes.push(note.row(&call.row));
        }
        call.is_named()
    }

    fn report(&mut self, row: &RowId, verdict: Verdict) {
        let note = match verdict {
            Verdict::Kept => return,
            Verdict::Unverified => {
                Diagnostic::new("thinking_unverified", "thinking is sent that no chain hash vouches for")
            }
            Verdict::KeptForRound => {
                // The exemption ends with the round, and so may the thinking.
                self.open_here();
                Diagnostic::new("thinking_kept_for_round", "stale thinking is sent until its tool round ends")
            }
            Verdict::OtherIssuer => Diagnostic::new(
                "thinking_left_out",
                "thinking of another model, or of none that is known, is left out",
            ),
            Verdict::Stale(why) => {
                Diagnostic::new("thinking_left_out", &format!("stale thinking is left out: {why}"))
                    .edit("stale thinking dropped")
            }
        };
        self.notes.push(note.row(row));
    }

    /// The request and the result of a call; a result that is not there is made up.
    fn call_parts(&mut self, call: Call, is_open: bool) -> (super::Part, CallResult) {
        let made_up = match (&call.outcome, is_open) {
            (Outcome::Ended { .. }, _) => None,
            (Outcome::Pending | Outcome::Withheld, true) => {
                Some(("result_pending", "the call has no result yet; it renders as incomplete"))
            }
            (Outcome::Pending, false) => {
                Some(("result_missing", "the round was closed without a result; it renders as interrupted"))
            }
            (Outcome::Withheld, false) => {
                Some(("late_result", "the result came after the round was closed and is not rendered"))
            }
        };
        if let Some((code, message)) = made_up {
            self.notes.push(Diagnostic::new(code, message).row(&call.row));
        }
        let request = parts::request(&call, &mut self.notes);
        let part = match call.outcome {
            Outcome::Ended { status, content, provider_data } => {
                let data = parts::issued(provider_data, call.issuer.as_ref());
                parts::result(call.id, status, content, data, &call.row, &mut self.notes)
            }
            Outcome::Pending | Outcome::Withheld if is_open => parts::made_up(call.id, INCOMPLETE, false),
            Outcome::Pending | Outcome::Withheld => parts::made_up(call.id, INTERRUPTED, true),
        };
        (request, CallResult { row: call.row, name: call.name, part })
    }
}

/// The result of a call, to be a message of its own.
struct CallResult {
    row: RowId,
    name: Clean,
    part: super::Part,
}
