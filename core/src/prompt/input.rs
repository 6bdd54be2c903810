//! What a prompt is made from.
use super::{HeldThinking, Request, Ttl};
use crate::{
    id::RowId,
    model::{Boundary, StoredRow},
    redact::Clean,
};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

/// What a prompt is made from (`spec/prompt.md`, "Input and output").
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Input {
    /// The rows of the conversation, in order; from the anchor on when there is a boundary. Rows that are not
    /// live, of sub-agents or before the boundary render nowhere.
    pub rows: Vec<StoredRow>,
    /// The compaction boundary in force.
    pub boundary: Option<Boundary>,
    /// What the agent brings.
    pub request: Request,
    /// What the session knows beside its rows.
    pub contexts: Contexts,
    /// The turn that is running.
    pub turn: Option<Turn>,
    /// Steering that is about to be applied: the prompt is as it will be, while the rows stay pending.
    pub applying: Option<Applying>,
    /// What is known of uploads now, by their ids; what is not here is as its row has it.
    pub uploads: BTreeMap<String, Upload>,
    /// Thinking that is in memory alone, by the assistant row that it belongs to; it is sent while the tool round of
    /// the row is the current one. A row without a block is one whose thinking was sent until its round ended.
    pub held: BTreeMap<RowId, Vec<HeldThinking>>,
    /// How the prompt is laid out.
    pub options: Options,
}

/// What a session knows beside its rows. Each is a system part of its own, behind the agent's own texts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contexts {
    /// Session contexts; they stand by name.
    pub named: BTreeMap<String, Clean>,
    /// Memory, behind them.
    pub memory: Option<Clean>,
}

/// The turn that is running. Where a boundary cut off the row that opened it, the request is restored at the
/// head of the messages until an ordinary user message opens the next turn. Where no turn is named, the request
/// that the boundary itself keeps is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The user row that opened it.
    pub opening: StoredRow,
    /// Its turn context note, a system row.
    pub note: Option<StoredRow>,
}

/// Steering that is about to be applied: pending user rows with one anchor.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Applying {
    /// The rows.
    pub rows: Vec<RowId>,
    /// The last row without input metadata before the step's own notes.
    pub after: Option<RowId>,
}

/// What is known of an uploaded file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Upload {
    /// Its name; `Unknown filename` when there is none.
    pub name: Option<Clean>,
    /// Its media type; `Unknown type` when there is none.
    pub media_type: Option<Clean>,
    /// Its size in bytes; 0 when it is not known.
    pub size: Option<u64>,
}

/// How a prompt is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Options {
    /// Whether tools stand in the order given; by name otherwise.
    pub tools_as_given: bool,
    /// How long what is marked stays in the cache.
    pub retention: Retention,
}

/// How long each marked place stays in the cache. A longer retention stands before shorter ones: where a later
/// place asks for more than an earlier one, the earlier one gets it too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Retention {
    /// Of the tools.
    pub tools: Ttl,
    /// Of the system texts.
    pub system: Ttl,
    /// Of the messages.
    pub messages: Ttl,
}

impl Retention {
    /// One hour for what stands before the messages, five minutes for those.
    pub const LONG_PREFIX: Self =
        Self { tools: Ttl::OneHour, system: Ttl::OneHour, messages: Ttl::FiveMinutes };

    /// None is longer than one before it.
    pub(super) fn ordered(self) -> Self {
        let system = self.system.max(self.messages);
        Self { tools: self.tools.max(system), system, messages: self.messages }
    }
}
