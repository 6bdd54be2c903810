//! Ids of calls that a provider takes.
use super::RenamedId;
use crate::{
    id::{RowId, base32},
    prompt::{Body, Diagnostic, Message, Role},
};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};
use sha2::{Digest, Sha256};

const RENAMED_LEN: usize = 26;

/// Gives each call the id it is sent with, as the messages go by in order.
pub(super) struct Ids {
    is_accepted: fn(&str) -> bool,
    used: BTreeSet<String>,
    /// The round's calls: the id that is stored, and the id that is sent.
    round: BTreeMap<String, String>,
    pub(super) renamed: Vec<RenamedId>,
}

impl Ids {
    pub(super) fn new(is_accepted: fn(&str) -> bool) -> Self {
        Self { is_accepted, used: BTreeSet::new(), round: BTreeMap::new(), renamed: Vec::new() }
    }

    /// Takes on the message at a place: an assistant message begins a round, with its results, which stand right
    /// behind it and name the calls' rows.
    pub(super) fn take_on(&mut self, messages: &[Message], at: usize, notes: &mut Vec<Diagnostic>) {
        if messages.get(at).is_none_or(|message| message.role != Role::Assistant) {
            return;
        }
        self.round.clear();
        let behind = messages.iter().enumerate().skip(at.saturating_add(1));
        for (place, message) in behind.take_while(|(_, message)| message.role == Role::Tool) {
            for part in &message.parts {
                let Body::ToolResult { id, .. } = &part.body else { continue };
                let sent = self.sent(id, &message.row);
                if sent != *id {
                    let note = Diagnostic::new("tool_id_renamed", "the id of a call is refused or repeats");
                    notes.push(note.row(&message.row).index(place));
                }
                self.round.insert(id.clone(), sent);
            }
        }
    }

    /// The id that a call of the current round is sent with.
    pub(super) fn of(&self, id: &str) -> String {
        self.round.get(id).map_or_else(|| id.into(), Clone::clone)
    }

    fn sent(&mut self, id: &str, row: &RowId) -> String {
        if (self.is_accepted)(id) && self.used.insert(id.into()) {
            return id.into();
        }
        let mut hash = Sha256::new();
        for text in [row.as_str(), id] {
            hash.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
            hash.update(text.as_bytes());
        }
        let sent = format!("tl_{}", base32(&hash.finalize(), RENAMED_LEN));
        self.renamed.push(RenamedId { row: row.clone(), call_id: id.into(), sent: sent.clone() });
        self.used.insert(sent.clone());
        sent
    }
}
