//! Claude Code's JSONL.
//!
//! One API message stands on several lines with one `message.id`; its blocks are parts and calls of one
//! assistant row, inserted as they come. Which rows are live follows from a tree of API messages and typed
//! records (`tree`). A message takes further blocks as long as it is open: while it is the newest one, and
//! it has calls without results or no note followed it. Blocks that come later start another row, so that
//! what was rendered once is never rendered otherwise.

mod assistant;
mod blocks;
mod tree;
mod user;

use super::{Format, Item, Summary, TranscriptError, format::is_claude_code, lines::Lines, records::records};
use crate::{
    id::{RowId, sha256_hex},
    json::Json,
    model::{Boundary, BoundaryMode, Part, PartSource, Row, RowKind, Usage},
    redact::{Clean, RULES_VERSION, Redactor},
    time::Timestamp,
};
use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};
use assistant::{Call, Message};
use tree::{Moved, Tree};

/// How much of the beginning is kept to name the format of a log that is not ours.
const BEGINNING: usize = 4096;

/// Reads one log, in chunks of any size. Memory holds one line, and what links records to each other.
///
/// ```
/// use throughline_core::{redact::Redactor, transcript::{ClaudeCodeReader, Item}};
/// let log = br#"{"type":"user","uuid":"u1","sessionId":"s1","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hello"}}"#;
/// let (redactor, mut items) = (Redactor::standard(), vec![]);
/// let mut reader = ClaudeCodeReader::new("file-stem");
/// reader.push(&redactor, log, &mut items);
/// reader.finish(&redactor, &mut items).unwrap();
/// assert_eq!(reader.session(), Some("s1"));
/// assert!(matches!(&items[..], [Item::Row(_), Item::Part(_), Item::Prompt(_)]));
/// ```
#[derive(Debug)]
pub struct ClaudeCodeReader {
    lines: Lines,
    state: State,
    beginning: Vec<u8>,
}

/// Everything but the bytes.
#[derive(Debug, Default)]
struct State {
    fallback_key: String,
    session_key: Option<String>,
    cwd: Option<String>,
    first_at: Option<Timestamp>,
    last_at: Option<Timestamp>,
    summary: Summary,
    /// Records that are Claude Code's.
    known: u64,
    /// Records with a message.
    spoken: u64,
    tree: Tree,
    /// Rows of each node of the tree.
    rows_of: Vec<Vec<RowId>>,
    /// Record id → the row that it made or went into.
    row_of: BTreeMap<String, RowId>,
    retracted: BTreeSet<RowId>,
    row_ids: BTreeSet<RowId>,
    messages: BTreeMap<String, Message>,
    calls: BTreeMap<String, Call>,
    /// The newest API message of the main conversation, until a user types.
    newest: Option<String>,
    /// Whether a note followed the newest API message.
    noted: bool,
    pending: Option<PendingBoundary>,
    generation: String,
    items: Vec<Item>,
}

/// A compaction whose anchor, the next live row, has not come yet.
#[derive(Debug)]
struct PendingBoundary {
    id: RowId,
    at: Option<Timestamp>,
    summary: Option<Clean>,
}

/// The head of one record.
struct Record<'a> {
    json: &'a Json,
    uuid: Option<&'a str>,
    parent: Option<&'a str>,
    at: Option<Timestamp>,
    sidechain: bool,
    /// Its number among all records: an id where it has none of its own.
    number: u64,
}

impl ClaudeCodeReader {
    /// A reader at the start of a log. `fallback_key` is the session's key where no record names one: the
    /// stem of the file's name.
    #[must_use]
    pub fn new(fallback_key: &str) -> Self {
        let state = State { fallback_key: fallback_key.into(), ..State::default() };
        Self { lines: Lines::default(), state, beginning: Vec::new() }
    }

    /// Reads on, and adds what the bytes complete to `items`.
    pub fn push(&mut self, redactor: &Redactor, bytes: &[u8], items: &mut Vec<Item>) {
        let wanted = BEGINNING.saturating_sub(self.beginning.len());
        self.beginning.extend(bytes.iter().take(wanted));
        let Self { lines, state, .. } = self;
        lines.push(bytes, |number, line| state.line(redactor, number, line));
        if self.ready() {
            items.append(&mut self.state.items);
        }
    }

    /// Ends the log: reads a last line without a line end, and adds everything that was held back.
    ///
    /// # Errors
    /// `log_empty`, `format_unsupported` (another tool's log), `format_unknown`.
    pub fn finish(&mut self, redactor: &Redactor, items: &mut Vec<Item>) -> Result<(), TranscriptError> {
        let Self { lines, state, .. } = self;
        lines.finish(|number, line| state.line(redactor, number, line));
        let summary = &mut self.state.summary;
        summary.close();
        if summary.records == 0 && summary.skipped_lines == 0 {
            return Err(TranscriptError::Empty);
        }
        if self.state.known == 0 {
            return Err(match Format::detect(&self.beginning) {
                None | Some(Format::ClaudeCode) => TranscriptError::Unknown,
                Some(other) => TranscriptError::Unsupported { found: other.as_str() },
            });
        }
        items.append(&mut self.state.items);
        Ok(())
    }

    /// Whether what comes out can be placed: the session and a time are known.
    fn ready(&self) -> bool {
        self.state.session_key.is_some() && self.state.first_at.is_some()
    }

    /// The session's key: the first `sessionId`, else the fallback; `None` while no record has a message.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        (self.state.spoken > 0).then(|| self.state.session_key.as_deref().unwrap_or(&self.state.fallback_key))
    }

    /// The first working directory.
    #[must_use]
    pub fn cwd(&self) -> Option<&str> {
        self.state.cwd.as_deref()
    }

    /// The first readable time.
    #[must_use]
    pub fn first_at(&self) -> Option<Timestamp> {
        self.state.first_at
    }

    /// The latest time.
    #[must_use]
    pub fn last_at(&self) -> Option<Timestamp> {
        self.state.last_at
    }

    /// What was read so far.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.state.summary
    }
}

impl State {
    fn line(&mut self, redactor: &Redactor, number: u64, line: &[u8]) {
        let report = records(line, |record| self.record(redactor, &record));
        self.summary.repaired = self.summary.repaired.saturating_add(report.repaired);
        if let Some(reason) = report.skipped {
            self.summary.skip(number, reason);
        }
    }

    fn record(&mut self, redactor: &Redactor, json: &Json) {
        self.summary.records = self.summary.records.saturating_add(1);
        if !is_claude_code(json) {
            self.opaque();
            return;
        }
        self.known = self.known.saturating_add(1);
        let text = |key: &str| json.get(key).and_then(Json::as_str);
        let record = Record {
            json,
            uuid: text("uuid"),
            parent: text("parentUuid").or_else(|| text("logicalParentUuid")),
            at: text("timestamp").and_then(|at| Timestamp::parse(at).ok()),
            sidechain: json.get("isSidechain").and_then(Json::as_bool).unwrap_or(false),
            number: self.summary.records,
        };
        self.note_session(&record);
        if record.uuid.is_some_and(|uuid| self.tree.knows(uuid)) {
            return; // a resumed log repeats records
        }
        match text("type") {
            Some("assistant") if json.get("message").is_some() => self.assistant(redactor, &record),
            Some("user") if json.get("message").is_some() => self.user(redactor, &record),
            Some("system") if text("subtype") == Some("compact_boundary") => self.boundary(redactor, &record),
            _ => self.other(&record),
        }
        for key in ["supersedesUuids", "retractedMessageUuids"] {
            for uuid in json.get(key).and_then(Json::as_array).into_iter().flatten() {
                self.retract(uuid.as_str().unwrap_or_default());
            }
        }
    }

    fn note_session(&mut self, record: &Record<'_>) {
        let text = |key: &str| record.json.get(key).and_then(Json::as_str).filter(|text| !text.is_empty());
        if self.session_key.is_none() {
            self.session_key = text("sessionId").map(String::from);
        }
        if self.cwd.is_none() {
            self.cwd = text("cwd").map(String::from);
        }
        if let Some(at) = record.at {
            self.first_at.get_or_insert(at);
            self.last_at = self.last_at.max(Some(at));
        }
    }

    fn opaque(&mut self) {
        self.summary.opaque = self.summary.opaque.saturating_add(1);
    }

    /// A record that is no message: it links others to their node.
    fn other(&mut self, record: &Record<'_>) {
        self.opaque();
        self.attach(record);
    }

    fn attach(&mut self, record: &Record<'_>) {
        let node = self.tree.node_of(record.parent);
        self.tree.attach(record.uuid, node);
    }

    fn boundary(&mut self, redactor: &Redactor, record: &Record<'_>) {
        self.summary.compactions = self.summary.compactions.saturating_add(1);
        self.attach(record);
        if !record.sidechain {
            let id = self.linkage(redactor, record.uuid, "boundary", record.number);
            self.pending = Some(PendingBoundary { id, at: record.at, summary: None });
        }
    }

    /// Adds a node for a record, and says which rows left and joined the live conversation by that.
    fn grow(&mut self, record: &Record<'_>) -> usize {
        let (node, moved) = self.tree.add(record.parent);
        self.rows_of.push(Vec::new());
        let Moved { left, joined } = moved;
        for (nodes, live) in [(left, false), (joined, true)] {
            let rows = nodes.iter().filter_map(|node| self.rows_of.get(*node)).flatten();
            let rows = rows.filter(|row| !self.retracted.contains(*row));
            self.items.extend(rows.map(|row| Item::Live { row: row.clone(), live }));
        }
        node
    }

    fn retract(&mut self, uuid: &str) {
        if let Some(row) = self.row_of.get(uuid)
            && self.retracted.insert(row.clone())
        {
            self.items.push(Item::Live { row: row.clone(), live: false });
        }
    }

    /// Gives a row. In the main conversation it belongs to a node (`None`: before the first one), and the
    /// first live row after a compaction is its anchor.
    fn give_row(&mut self, record: &Record<'_>, node: Option<usize>, id: RowId, kind: RowKind) -> Row {
        let live = node.is_none_or(|node| self.tree.live(node));
        let anchors = live && !record.sidechain;
        if anchors && let Some(pending) = self.pending.as_ref().filter(|pending| pending.summary.is_some()) {
            self.generation = pending.id.as_str().into();
        }
        if let Some(uuid) = record.uuid {
            self.row_of.insert(uuid.into(), id.clone());
        }
        if let Some(rows) = node.filter(|_| !record.sidechain).and_then(|node| self.rows_of.get_mut(node)) {
            rows.push(id.clone());
        }
        Row {
            id,
            kind,
            created_at: record.at.unwrap_or(Timestamp::EPOCH),
            source_at: record.at,
            imported: true,
            live,
            sidechain: record.sidechain,
            round: None,
            issuer: None,
            generation_checkpoint_id: None,
            prefix_fingerprint: None,
            prefix_hash: None,
            rules: RULES_VERSION,
        }
    }

    fn push_row(&mut self, row: Row) {
        let anchors = row.live && !row.sidechain;
        let anchor = row.id.clone();
        self.items.push(Item::Row(Box::new(row)));
        if !anchors {
            return;
        }
        match self.pending.take() {
            Some(PendingBoundary { id, at, summary: Some(summary) }) => {
                let boundary = Boundary {
                    id,
                    seq: 0,
                    anchor,
                    anchor_at: Timestamp::EPOCH,
                    mode: BoundaryMode::Inclusive,
                    summary,
                    created_at: at.or(self.last_at).unwrap_or(Timestamp::EPOCH),
                };
                self.items.push(Item::Boundary(Box::new(boundary)));
            }
            waiting => self.pending = waiting,
        }
    }

    fn push_part(&mut self, part: Part) {
        self.items.push(Item::Part(Box::new(part)));
    }

    /// A row id that is free in the log: the source's own where it can be one, else made from it.
    fn linkage(&mut self, redactor: &Redactor, raw: Option<&str>, what: &str, number: u64) -> RowId {
        let own = raw.map_or_else(|| format!("{what}:{number}"), |raw| opaque_id(redactor, raw));
        let mut id = RowId::new(own.clone());
        let mut copy = 1_u32;
        loop {
            match id {
                Ok(free) if !self.row_ids.contains(&free) => {
                    self.row_ids.insert(free.clone());
                    return free;
                }
                _ => {
                    copy = copy.saturating_add(1);
                    // Within the 200 characters that an id may have.
                    id = RowId::new(format!("{}~{copy}", crate::text::head(&own, 180)));
                }
            }
        }
    }
}

/// An id of the log as it stands, or, where it cannot be an identifier or holds a secret, one made from it.
fn opaque_id(redactor: &Redactor, raw: &str) -> String {
    let usable = RowId::new(raw).is_ok() && redactor.identifier("id", raw).is_ok();
    if usable {
        return raw.into();
    }
    let hash = sha256_hex(raw.as_bytes());
    format!("tl_{}", crate::text::head(&hash, 32))
}

/// What a record says beside its parts.
fn source(redactor: &Redactor, record: &Record<'_>) -> PartSource {
    let message = record.json.get("message");
    let stop_reason = message.and_then(|message| message.get("stop_reason")).and_then(Json::as_str);
    PartSource {
        id: record.uuid.and_then(|uuid| RowId::new(opaque_id(redactor, uuid)).ok()),
        at: record.at,
        usage: message.and_then(|message| message.get("usage")).map(usage),
        stop_reason: stop_reason.map(|reason| redactor.clean(reason).as_str().into()),
    }
}

fn usage(json: &Json) -> Usage {
    let count = |key: &str| json.get(key).and_then(Json::as_u64).unwrap_or(0);
    Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        cache_creation_input_tokens: count("cache_creation_input_tokens"),
        cache_read_input_tokens: count("cache_read_input_tokens"),
    }
}
