//! What is known of a log so far, and what every kind of record does to it.

use super::{
    super::{Item, Summary, format::is_claude_code, records::records},
    blocks::Scrub,
    key::{Key, key},
    tree::{Moved, Tree},
};
use crate::{
    id::{RowId, sha256_hex},
    json::Json,
    model::{Boundary, BoundaryMode, Part, PartBody, PartSource, Row, RowKind, Usage},
    redact::{Clean, Records, Redactor},
    time::Timestamp,
};
use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};
use serde::{Deserialize, Serialize};

/// Everything but the bytes.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) fallback_key: String,
    pub(super) session_key: Option<String>,
    pub(super) cwd: Option<String>,
    pub(super) first_at: Option<Timestamp>,
    pub(super) last_at: Option<Timestamp>,
    pub(super) summary: Summary,
    /// Records that are Claude Code's.
    pub(super) known: u64,
    /// Records with a message.
    pub(super) spoken: u64,
    pub(super) tree: Tree,
    /// Rows of each node of the tree.
    pub(super) rows_of: Vec<Vec<RowId>>,
    /// Record id → the row that it made or went into.
    pub(super) row_of: BTreeMap<Key, RowId>,
    pub(super) retracted: BTreeSet<RowId>,
    pub(super) row_ids: BTreeSet<RowId>,
    pub(super) messages: BTreeMap<String, Message>,
    pub(super) calls: BTreeMap<String, Call>,
    /// The newest API message of the main conversation, until a user types.
    pub(super) newest: Option<String>,
    /// Whether a note followed the newest API message.
    pub(super) noted: bool,
    pub(super) pending: Option<PendingBoundary>,
    pub(super) generation: String,
    pub(super) items: Vec<Item>,
    /// What was found in the texts so far. It is not saved: what is stored of a log never holds a secret.
    pub(super) secrets: Records,
    /// Whether the log is a sub-agent's.
    pub(super) sidechain: bool,
    /// Whether the beginning was left out when an earlier reader was saved.
    pub(super) cut: bool,
    /// Whether a record referred to what was left out.
    pub(super) lost: bool,
}

/// A compaction whose anchor, the next live row, has not come yet.
#[derive(Debug)]
pub(super) struct PendingBoundary {
    pub(super) id: RowId,
    pub(super) at: Option<Timestamp>,
    pub(super) summary: Option<Clean>,
}

/// The head of one record.
pub(super) struct Record<'a> {
    pub(super) json: &'a Json,
    pub(super) uuid: Option<&'a str>,
    pub(super) parent: Option<&'a str>,
    pub(super) at: Option<Timestamp>,
    pub(super) sidechain: bool,
    /// Its number among all records: an id where it has none of its own.
    pub(super) number: u64,
}

/// One API message, as far as it has come.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Message {
    /// The row that takes its blocks.
    pub(super) row: RowId,
    pub(super) node: Option<usize>,
    /// Index of the next block.
    pub(super) next: u32,
    /// Provider's ids of its calls, so that a call stored twice is one.
    pub(super) calls: BTreeSet<String>,
    /// Calls of the row that wait for their result.
    pub(super) waiting: u32,
    /// Whether it has said why it ended.
    pub(super) stopped: bool,
    /// Whether scrubbing changed a part of it: signed thinking after that cannot be replayed.
    pub(super) altered: bool,
    /// The number of its newest record.
    pub(super) last: u64,
}

/// One tool call.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Call {
    /// Its own row.
    pub(super) row: RowId,
    /// The assistant row of its round.
    pub(super) round: RowId,
    /// The API message.
    pub(super) message: String,
    /// Whether its result has come.
    pub(super) answered: bool,
}

impl State {
    /// Scrubs what a record says, counts what was found, and says whether there was any.
    pub(super) fn scrub<T>(
        &mut self,
        redactor: &Redactor,
        make: impl FnOnce(&mut Scrub<'_>) -> T,
    ) -> (T, bool) {
        let mut scrub = Scrub::new(redactor, &mut self.secrets);
        let made = make(&mut scrub);
        let found = scrub.found;
        self.summary.found(&found);
        (made, !found.is_empty())
    }

    pub(super) fn line(&mut self, redactor: &Redactor, number: u64, line: &[u8]) {
        let report = records(line, |record| self.record(redactor, &record));
        self.summary.repaired = self.summary.repaired.saturating_add(report.repaired);
        if let Some(reason) = report.skipped {
            self.summary.skip(number, reason);
        }
    }

    pub(super) fn record(&mut self, redactor: &Redactor, json: &Json) {
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
            sidechain: self.sidechain || json.get("isSidechain").and_then(Json::as_bool).unwrap_or(false),
            number: self.summary.records,
        };
        self.note_session(&record);
        if record.uuid.is_some_and(|uuid| self.tree.knows(uuid)) {
            // A resumed log repeats records.
            self.summary.repeated = self.summary.repeated.saturating_add(1);
            return;
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

    pub(super) fn note_session(&mut self, record: &Record<'_>) {
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

    pub(super) fn opaque(&mut self) {
        self.summary.opaque = self.summary.opaque.saturating_add(1);
    }

    /// A record that is no message: it links others to their node.
    pub(super) fn other(&mut self, record: &Record<'_>) {
        self.opaque();
        self.attach(record);
    }

    pub(super) fn attach(&mut self, record: &Record<'_>) {
        let node = self.tree.node_of(record.parent);
        self.tree.attach(record.uuid, node);
    }

    pub(super) fn boundary(&mut self, redactor: &Redactor, record: &Record<'_>) {
        self.summary.compactions = self.summary.compactions.saturating_add(1);
        self.attach(record);
        if !record.sidechain {
            let id = self.linkage(redactor, record.uuid, "boundary", record.number);
            self.pending = Some(PendingBoundary { id, at: record.at, summary: None });
        }
    }

    /// Adds a node for a record, and says which rows left and joined the live conversation by that.
    pub(super) fn grow(&mut self, record: &Record<'_>) -> usize {
        self.lost |= self.cut && record.parent.is_some_and(|parent| !self.tree.knows(parent));
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

    pub(super) fn retract(&mut self, uuid: &str) {
        if let Some(row) = self.row_of.get(&key(uuid))
            && self.retracted.insert(row.clone())
        {
            self.items.push(Item::Live { row: row.clone(), live: false });
        }
    }

    /// Gives a row. In the main conversation it belongs to a node (`None`: before the first one), and the
    /// first live row after a compaction is its anchor.
    pub(super) fn give_row(
        &mut self,
        record: &Record<'_>,
        node: Option<usize>,
        id: RowId,
        kind: RowKind,
    ) -> Row {
        let live = node.is_none_or(|node| self.tree.live(node));
        let anchors = live && !record.sidechain;
        if anchors && let Some(pending) = self.pending.as_ref().filter(|pending| pending.summary.is_some()) {
            self.generation = pending.id.as_str().into();
        }
        if let Some(uuid) = record.uuid {
            self.row_of.insert(key(uuid), id.clone());
        }
        if let Some(rows) = node.filter(|_| !record.sidechain).and_then(|node| self.rows_of.get_mut(node)) {
            rows.push(id.clone());
        }
        Row {
            source_at: record.at,
            imported: true,
            live,
            sidechain: record.sidechain,
            ..Row::new(id, kind, record.at.unwrap_or(Timestamp::EPOCH))
        }
    }

    pub(super) fn push_row(&mut self, row: Row) {
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
                    rows_from: None,
                    mode: BoundaryMode::Inclusive,
                    summary,
                    created_at: at.or(self.last_at).unwrap_or(Timestamp::EPOCH),
                    metadata: None,
                };
                self.items.push(Item::Boundary(Box::new(boundary)));
            }
            waiting => self.pending = waiting,
        }
    }

    pub(super) fn push_part(&mut self, part: Part) {
        self.items.push(Item::Part(Box::new(part)));
    }

    /// A row id that is free in the log: the source's own where it can be one, else made from it.
    pub(super) fn linkage(
        &mut self,
        redactor: &Redactor,
        raw: Option<&str>,
        what: &str,
        number: u64,
    ) -> RowId {
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
pub(super) fn opaque_id(redactor: &Redactor, raw: &str) -> String {
    let usable = RowId::new(raw).is_ok() && redactor.verbatim(raw).is_some();
    if usable {
        return raw.into();
    }
    let hash = sha256_hex(raw.as_bytes());
    format!("tl_{}", crate::text::head(&hash, 32))
}

/// What a record says beside its parts. A stop reason counts where the message can end with this `block`: not
/// with thinking, and for `tool_use` not without a call, since some versions write it on every line.
pub(super) fn source(redactor: &Redactor, record: &Record<'_>, block: &PartBody) -> PartSource {
    let message = record.json.get("message");
    let stop_reason = message.and_then(|message| message.get("stop_reason")).and_then(Json::as_str);
    let stop_reason = stop_reason.filter(|reason| match block {
        PartBody::Thinking { .. } => false,
        PartBody::ToolCall { .. } => true,
        _ => *reason != "tool_use",
    });
    PartSource {
        id: record.uuid.and_then(|uuid| RowId::new(opaque_id(redactor, uuid)).ok()),
        at: record.at,
        usage: message.and_then(|message| message.get("usage")).map(usage),
        stop_reason: stop_reason.map(|reason| redactor.clean(reason).as_str().into()),
    }
}

pub(super) fn usage(json: &Json) -> Usage {
    let count = |key: &str| json.get(key).and_then(Json::as_u64).unwrap_or(0);
    Usage {
        input_tokens: count("input_tokens"),
        output_tokens: count("output_tokens"),
        cache_creation_input_tokens: count("cache_creation_input_tokens"),
        cache_read_input_tokens: count("cache_read_input_tokens"),
    }
}
