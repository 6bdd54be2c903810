//! What a reader has to know to go on where it stopped, as data.

use super::{
    ClaudeCodeReader,
    key::Key,
    state::{Call, Message, PendingBoundary, State},
    tree::Tree,
};
use crate::{id::RowId, redact::Redactor, time::Timestamp};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};
use serde::{Deserialize, Serialize};

/// How many nodes of the conversation are kept, and how many records that belong to them.
const NODES: usize = 256;
const RECORDS: usize = 4096;
/// A message outside the tree (a sub-agent's) is kept for this many records after its last line, and for so
/// many more while it waits for results.
const RECENT: u64 = 256;
const WAITING: u64 = 16_384;

/// A reader of a log as it stands between two lines: what the lines to come are judged by, as far back as
/// logs refer to. It holds no text of the log but the summary of a compaction whose next row has not come,
/// scrubbed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ReaderState {
    first_at: Option<Timestamp>,
    last_at: Option<Timestamp>,
    records: u64,
    sidechain: bool,
    /// Whether something was left out.
    cut: bool,
    tree: Tree,
    rows_of: Vec<Vec<RowId>>,
    row_of: BTreeMap<Key, RowId>,
    retracted: BTreeSet<RowId>,
    messages: BTreeMap<String, Message>,
    calls: BTreeMap<String, Call>,
    newest: Option<String>,
    noted: bool,
    pending: Option<Waiting>,
    generation: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Waiting {
    id: RowId,
    at: Option<Timestamp>,
    summary: Option<String>,
}

impl ClaudeCodeReader {
    /// Makes every record that comes one of a sub-agent's conversation, whatever it says itself, or lets each say it.
    #[must_use]
    pub fn of_subagent(mut self, subagent: bool) -> Self {
        self.state.sidechain = subagent;
        self
    }

    /// What the next reader goes on with, between two lines. Items have to be [taken](Self::take_items).
    /// `whole`: nothing is left out, so that it grows with the log.
    #[must_use]
    pub fn save(&self, redactor: &Redactor, whole: bool) -> ReaderState {
        let state = &self.state;
        let (nodes, records) = if whole { (usize::MAX, usize::MAX) } else { (NODES, RECORDS) };
        let (first, tree) = state.tree.newest(nodes, records);
        let rows_of: Vec<Vec<RowId>> = state.rows_of.iter().skip(first).cloned().collect();
        let since = |records: u64| state.summary.records.saturating_sub(records);
        let is_kept = |message: &Message| {
            let in_tree = message.node.is_some_and(|node| node >= first);
            in_tree
                || message.last >= since(RECENT)
                || (message.waiting > 0 && message.last >= since(WAITING))
        };
        // An id that holds a secret is not kept; a later line of it makes a row of its own.
        let messages: BTreeMap<String, Message> = state
            .messages
            .iter()
            .filter(|(id, message)| is_kept(message) && redactor.verbatim(id).is_some())
            .map(|(id, message)| {
                let node = message.node.and_then(|node| node.checked_sub(first));
                (id.clone(), Message { node, ..message.clone() })
            })
            .collect();
        let calls = state.calls.iter().filter(|(_, call)| messages.contains_key(&call.message));
        let calls: BTreeMap<String, Call> = calls.map(|(id, call)| (id.clone(), call.clone())).collect();
        let rows: BTreeSet<&RowId> = rows_of
            .iter()
            .flatten()
            .chain(messages.values().map(|message| &message.row))
            .chain(calls.values().map(|call| &call.row))
            .collect();
        let row_of = state.row_of.iter().filter(|(_, row)| rows.contains(row));
        let row_of = row_of.map(|(record, row)| (*record, row.clone())).collect();
        let retracted = state.retracted.iter().filter(|row| rows.contains(row)).cloned().collect();
        let pending = state.pending.as_ref().map(|pending| Waiting {
            id: pending.id.clone(),
            at: pending.at,
            summary: pending.summary.as_ref().map(|summary| summary.as_str().into()),
        });
        ReaderState {
            first_at: state.first_at,
            last_at: state.last_at,
            records: state.summary.records,
            sidechain: state.sidechain,
            cut: state.cut || first > 0,
            tree,
            row_of,
            retracted,
            newest: state.newest.clone().filter(|id| messages.contains_key(id)),
            messages,
            calls,
            noted: state.noted,
            pending,
            generation: state.generation.clone(),
            rows_of,
        }
    }

    /// A reader that goes on where another was [saved](Self::save); it gives what the other would have given.
    #[must_use]
    pub fn resume(saved: ReaderState, fallback_key: &str, redactor: &Redactor) -> Self {
        let mut row_ids: BTreeSet<RowId> = saved.rows_of.iter().flatten().cloned().collect();
        row_ids.extend(saved.messages.values().map(|message| message.row.clone()));
        row_ids.extend(saved.calls.values().map(|call| call.row.clone()));
        let pending = saved.pending.map(|waiting| PendingBoundary {
            id: waiting.id,
            at: waiting.at,
            summary: waiting.summary.map(|summary| redactor.clean(&summary)),
        });
        let mut state = State {
            fallback_key: fallback_key.into(),
            first_at: saved.first_at,
            last_at: saved.last_at,
            sidechain: saved.sidechain,
            cut: saved.cut,
            known: u64::from(saved.records > 0),
            tree: saved.tree,
            rows_of: saved.rows_of,
            row_of: saved.row_of,
            retracted: saved.retracted,
            row_ids,
            messages: saved.messages,
            calls: saved.calls,
            newest: saved.newest,
            noted: saved.noted,
            pending,
            generation: saved.generation,
            ..State::default()
        };
        state.summary.records = saved.records;
        Self { state, ..Self::new("") }
    }

    /// The items that came together, whether or not session and time are known by now.
    pub fn take_items(&mut self, items: &mut Vec<super::super::Item>) {
        items.append(&mut self.state.items);
    }

    /// Whether a record referred to one that was left out when the reader was saved: then only a reader from
    /// the beginning can tell which rows are live.
    #[must_use]
    pub fn lost(&self) -> bool {
        self.state.lost
    }

    /// Rows that further parts may come to.
    #[must_use]
    pub fn open_rows(&self) -> BTreeSet<RowId> {
        let rows = self.state.messages.values().map(|message| message.row.clone());
        rows.chain(self.state.calls.values().map(|call| call.row.clone())).collect()
    }
}
