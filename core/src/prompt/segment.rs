//! A segment into messages, each hashed onto the chain.
use super::{
    Body, Diagnostic, Edit, HeldTexts, Message, Part, Role, Upload,
    hash::Chain,
    held::{self, Memory},
    layout::{Call, Item, Opener, Outcome, Round, lay_out},
    parts::{self, Block},
    texts::{INCOMPLETE, INTERRUPTED, fixed},
    thinking::{Judge, Verdict},
};
use crate::{
    id::RowId,
    model::{RowKind, StoredRow},
    redact::Clean,
};
use alloc::{collections::BTreeMap, format, string::String, vec, vec::Vec};

/// What every segment is rendered under.
#[derive(Debug, Clone)]
pub(super) struct Terms {
    pub(super) judge: Judge,
    pub(super) uploads: BTreeMap<String, Upload>,
    pub(super) held: Memory,
}

/// How a rendered segment stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Standing {
    /// The first message that changes when a call ends or the round does.
    pub(super) unsettled_from: Option<usize>,
    /// An imported message that the log has not ended.
    pub(super) grows_from: Option<usize>,
    /// Whether a note follows the calls: then the message takes its own results, and no block more.
    pub(super) is_noted: bool,
    /// Whether it renders otherwise once it is closed.
    pub(super) changes_when_closed: bool,
    /// Whether a tool round lost thinking that its provider asks for.
    pub(super) lost_thinking: bool,
}

impl Standing {
    /// The first message that is not promised to stay.
    pub(super) fn unstable_from(&self) -> Option<usize> {
        let grows = self.grows_from.filter(|_| !self.is_noted);
        match (self.unsettled_from, grows) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// Writes messages behind those that are there.
pub(super) struct Writer<'a> {
    pub(super) terms: &'a Terms,
    pub(super) chain: &'a mut Chain,
    pub(super) messages: &'a mut Vec<Message>,
    pub(super) notes: &'a mut Vec<Diagnostic>,
    /// The texts of held thinking, which the last segment alone has.
    pub(super) held: &'a mut HeldTexts,
}

impl Writer<'_> {
    pub(super) fn push(&mut self, role: Role, row: &RowId, parts: Vec<Part>, name: Option<Clean>) {
        if parts.is_empty() {
            return;
        }
        let mut message = Message { role, parts, name, row: row.clone(), hash: String::new(), size: 0 };
        self.chain.extend(&mut message);
        self.messages.push(message);
    }

    /// Renders a whole segment; `is_open` while nothing has closed it.
    pub(super) fn segment(&mut self, rows: &[StoredRow], is_open: bool) -> Standing {
        let mut standing = Standing::default();
        self.held.clear();
        match rows.first().map(Opener::of) {
            Some(Opener::Message(_) | Opener::Calls(Some(_))) => {
                let round = lay_out(rows, self.notes);
                self.round(round, is_open, &mut standing);
            }
            _ => rows.iter().for_each(|stored| self.alone(stored, is_open, &mut standing)),
        }
        standing
    }

    /// Adds a row to an open segment, when that leaves what is rendered as it is; `false` when it does not.
    pub(super) fn extend(&mut self, opener: Opener<'_>, next: &StoredRow, standing: &mut Standing) -> bool {
        let is_free = matches!(opener, Opener::Plain | Opener::Calls(None));
        let extends = is_free || !next.row.kind.is_call();
        if extends {
            self.alone(next, true, standing);
        }
        extends
    }

    /// A row of which nothing before it depends: a note, or a call that names no message.
    fn alone(&mut self, stored: &StoredRow, is_open: bool, standing: &mut Standing) {
        if !stored.row.kind.is_call() {
            standing.is_noted |= stored.row.kind != RowKind::User;
            self.note(stored);
        } else if let Some(call) = Call::read(stored, self.notes) {
            self.pair(&call, is_open, standing);
        }
    }

    pub(super) fn note(&mut self, stored: &StoredRow) {
        let row = &stored.row;
        match row.kind {
            RowKind::User => {
                if row.input().is_some() {
                    let note = "the message came during a turn, and stands behind its anchor";
                    let note = Diagnostic::new("steering_applied", note).row(&row.id);
                    self.notes.push(note.edit(Edit::SteeringReturned));
                }
                let parts = parts::of_note(stored, self.notes);
                self.push(Role::User, &row.id, parts, None);
                let files = parts::of_files(stored, &self.terms.uploads);
                self.push(Role::Developer, &row.id, files, None);
            }
            RowKind::Artifact => {
                let parts = parts::of_artifact(stored, self.notes);
                self.push(Role::Developer, &row.id, parts, None);
            }
            kind => {
                let role = if kind == RowKind::System { Role::System } else { Role::Developer };
                let parts = parts::of_note(stored, self.notes);
                self.push(role, &row.id, parts, None);
            }
        }
    }

    fn round(&mut self, mut round: Round<'_>, is_open: bool, standing: &mut Standing) {
        match round.message {
            Some(message) => self.message(message, &mut round, is_open, standing),
            None => {
                for item in &round.order {
                    if let Item::Call(at) = item
                        && let Some(call) = round.calls.get(*at)
                    {
                        self.pair(call, is_open, standing);
                    } else if let Item::Note(stored) = item {
                        standing.is_noted = true;
                        self.note(stored);
                    }
                }
                return;
            }
        }
        for item in &round.order {
            if let Item::Note(stored) = item {
                standing.is_noted = true;
                self.note(stored);
            }
        }
    }

    /// An assistant message with its calls, and a message for each result.
    fn message(&mut self, stored: &StoredRow, round: &mut Round<'_>, is_open: bool, standing: &mut Standing) {
        let row = &stored.row;
        if is_open && row.imported && !round.has_stop_reason() {
            standing.grows_from = Some(self.messages.len());
        }
        round.calls.retain(|call| self.is_sendable(call));
        if round.calls.iter().any(Call::is_unsettled) {
            self.unsettled(standing);
        }
        let has_calls = !round.calls.is_empty();
        let mut blocks = self.own_blocks(stored, is_open, has_calls, standing);
        if blocks.iter().any(|block| block.part.is_thinking()) {
            let verdict = self.terms.judge.verdict(row, &self.chain.last(), is_open && has_calls);
            self.report(&row.id, verdict, standing);
            standing.lost_thinking |= has_calls && verdict == Verdict::OtherIssuer;
            if !verdict.is_kept() {
                blocks.retain(|block| !block.part.is_thinking());
            }
        }
        // Blank text stands only where it is a block among signed ones.
        if !blocks.iter().any(|block| block.part.is_thinking()) {
            blocks.retain(|block| !block.part.is_blank());
        }
        let mut results = Vec::with_capacity(round.calls.len());
        for call in &round.calls {
            let (part, result) = self.call_parts(call, is_open);
            blocks.push(Block { index: call.index, part });
            results.push((call, result));
        }
        blocks.sort_by_key(|block| block.index);
        self.push(Role::Assistant, &row.id, blocks.into_iter().map(|block| block.part).collect(), None);
        for (call, result) in results {
            self.push(Role::Tool, &call.row, vec![result], Some(call.name.clone()));
        }
    }

    /// The model's own blocks. In the current round those that are in memory alone stand among them.
    fn own_blocks(
        &mut self,
        stored: &StoredRow,
        is_open: bool,
        has_calls: bool,
        standing: &mut Standing,
    ) -> Vec<Block> {
        let (terms, is_current) = (self.terms, is_open && has_calls);
        let memory = terms.held.get(&stored.row.id).filter(|_| !terms.judge.is_of_another(&stored.row));
        standing.lost_thinking |= has_calls && held::loses(stored, memory, is_current);
        let sent = memory.filter(|_| is_current).map_or(&[][..], Vec::as_slice);
        // What memory has, or may still be given, goes when the round ends.
        if is_current && (held::has_placeholder(stored) || !sent.is_empty()) {
            self.unsettled(standing);
        }
        self.held.put_all(sent, stored);
        parts::of_assistant(stored, sent, self.notes)
    }

    fn pair(&mut self, call: &Call, is_open: bool, standing: &mut Standing) {
        if !self.is_sendable(call) {
            return;
        }
        if call.is_unsettled() {
            self.unsettled(standing);
        }
        let (request, result) = self.call_parts(call, is_open);
        self.push(Role::Assistant, &call.row, vec![request], None);
        self.push(Role::Tool, &call.row, vec![result], Some(call.name.clone()));
    }

    fn unsettled(&mut self, standing: &mut Standing) {
        standing.unsettled_from.get_or_insert(self.messages.len());
        standing.changes_when_closed = true;
    }

    fn is_sendable(&mut self, call: &Call) -> bool {
        let refusal = call.refusal();
        let is_sendable = refusal.is_none();
        self.notes.extend(refusal);
        is_sendable
    }

    fn report(&mut self, row: &RowId, verdict: Verdict, standing: &mut Standing) {
        let note = match verdict {
            Verdict::Kept => return,
            Verdict::Unverified => {
                Diagnostic::new("thinking_unverified", "thinking is sent that no chain hash vouches for")
            }
            Verdict::KeptForRound => {
                // The exemption ends with the round, and so may the thinking.
                self.unsettled(standing);
                Diagnostic::new("thinking_kept_for_round", "stale thinking is sent until its tool round ends")
            }
            Verdict::OtherIssuer => Diagnostic::new(
                "thinking_left_out",
                "thinking of another model, or of none that is known, is left out",
            ),
            Verdict::Stale(why) => {
                Diagnostic::new("thinking_left_out", &format!("stale thinking is left out: {why}"))
                    .edit(Edit::ThinkingDropped)
            }
        };
        self.notes.push(note.row(row));
    }

    /// The request and the result of a call; a result that is not there is made up.
    fn call_parts(&mut self, call: &Call, is_open: bool) -> (Part, Part) {
        self.report_result(call, is_open);
        let request = parts::request(call, self.notes);
        let id = call.id.clone();
        let result = match &call.outcome {
            Outcome::Ended { status, content, provider_data } => {
                let data = parts::issued(provider_data.as_ref(), call.issuer.as_ref());
                parts::result(id, *status, content, data, &call.row, self.notes)
            }
            Outcome::Withdrawn { text, is_error } => parts::made_up(id, text.clone(), *is_error),
            Outcome::Pending | Outcome::Withheld if is_open => parts::made_up(id, fixed(INCOMPLETE), false),
            Outcome::Pending | Outcome::Withheld => parts::made_up(id, fixed(INTERRUPTED), true),
        };
        (request, result)
    }

    fn report_result(&mut self, call: &Call, is_open: bool) {
        let note = match (&call.outcome, is_open) {
            (Outcome::Ended { .. }, _) => return,
            (Outcome::Withdrawn { .. }, _) => {
                Diagnostic::new("result_withdrawn", "the result was withdrawn; a text stands in its place")
                    .edit(Edit::ResultWithdrawn)
            }
            (Outcome::Pending | Outcome::Withheld, true) => {
                Diagnostic::new("result_pending", "the call has no result yet; it renders as incomplete")
            }
            (Outcome::Pending, false) => Diagnostic::new(
                "result_missing",
                "the round was closed without a result; it renders as interrupted",
            ),
            (Outcome::Withheld, false) => Diagnostic::new(
                "late_result",
                "the result came after the round was closed and is not rendered",
            ),
        };
        self.notes.push(note.row(&call.row));
    }
}

/// The text of a row, its texts one below the other.
pub(super) fn text_of(parts: &[Part]) -> Option<Clean> {
    let texts: Vec<Clean> = parts
        .iter()
        .filter_map(|part| match &part.body {
            Body::Text(text) => Some(text.clone()),
            _ => None,
        })
        .collect();
    if texts.is_empty() { None } else { Some(Clean::join(&texts, "\n")) }
}
