use super::{
    InputState, Issuer, Metadata, Part, Stale,
    flags::is_false,
    seal::{Rescrub, Seal, Trusted},
};
use crate::{
    id::RowId,
    redact::{Clean, RULES_VERSION, Redactor, Text},
    time::Timestamp,
};
use alloc::{boxed::Box, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// What a row is, and so how it renders (`spec/prompt.md`, "Rows and how they render").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RowKind {
    /// What a user typed.
    User,
    /// One API message of a model.
    Assistant,
    /// A note for the model that stands in place: injected by the harness or the host.
    Developer,
    /// A note that is shown to people; it reaches the model only where its position is preserved.
    System,
    /// One tool call and, once it is there, its result.
    Function,
    /// A call of a tool that is not shown to people.
    PrivateFunction,
    /// A call that another agent answers.
    Delegation,
    /// An artifact that a tool made; it reaches the model only where the row has text.
    Artifact,
}

impl RowKind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::User,
        Self::Assistant,
        Self::Developer,
        Self::System,
        Self::Function,
        Self::PrivateFunction,
        Self::Delegation,
        Self::Artifact,
    ];

    /// The stored name, such as `assistant`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Developer => "developer",
            Self::System => "system",
            Self::Function => "function",
            Self::PrivateFunction => "private_function",
            Self::Delegation => "delegation",
            Self::Artifact => "artifact",
        }
    }

    /// Whether it is a call with its result.
    #[must_use]
    pub fn is_call(self) -> bool {
        matches!(self, Self::Function | Self::PrivateFunction | Self::Delegation)
    }

    /// Reads a stored name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

/// The assistant row that asked for a call, and the call's place among that message's blocks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// The assistant row.
    pub row: RowId,
    /// Index among the blocks of the message, from 0; parts of the assistant row share the numbering.
    pub index: u32,
}

/// The head of a row. Its content is in its [`Part`]s.
///
/// Rows order by (`created_at`, `id` as UTF-8 bytes); ids are unique within a session only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>, T::Opaque: Deserialize<'de>"))]
pub struct Row<T: Text = Clean> {
    /// The row's id, unique within its session.
    pub id: RowId,
    /// What it is.
    pub kind: RowKind,
    /// Its place: the greater of its own time and the session's last place plus a nanosecond.
    pub created_at: Timestamp,
    /// The time that stood in an imported log, shown to people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_at: Option<Timestamp>,
    /// Whether the row was read from a harness's log.
    #[serde(default, skip_serializing_if = "is_false")]
    pub imported: bool,
    /// Whether the row belongs to the live conversation (not rewound, superseded or retracted).
    pub live: bool,
    /// Whether the row belongs to a sub-agent's conversation, which never renders in the main one.
    #[serde(default, skip_serializing_if = "is_false")]
    pub sidechain: bool,
    /// For a call: the message that asked for it. `None` for calls that no stored message asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<Round>,
    /// For an assistant row: who wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issuer: Option<Issuer<T>>,
    /// For an assistant row: the compaction boundary in force when it was written; `""` is none yet.
    /// A stored row without it is stale (`spec/prompt.md`, "Thinking").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation_checkpoint_id: Option<String>,
    /// For an assistant row: the fingerprint of the request that it answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix_fingerprint: Option<String>,
    /// For an assistant row: the chain hash of the last message of the request that it answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix_hash: Option<String>,
    /// What it says of itself beside its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Box<Metadata<T>>>,
    /// Version of the rule set that its text was scrubbed under.
    pub rules: u32,
}

/// A row with its parts in order, as a storage gives it back (`T = String`) or as it is assembled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>, T::Opaque: Deserialize<'de>"))]
pub struct StoredRow<T: Text = Clean> {
    /// The head.
    pub row: Row<T>,
    /// Its parts, by index.
    pub parts: Vec<Part<T>>,
}

impl Row<Clean> {
    /// A live row of the main conversation, scrubbed under the rule set of now, with nothing else said of it.
    #[must_use]
    pub fn new(id: RowId, kind: RowKind, created_at: Timestamp) -> Self {
        Self {
            id,
            kind,
            created_at,
            source_at: None,
            imported: false,
            live: true,
            sidechain: false,
            round: None,
            issuer: None,
            generation_checkpoint_id: None,
            prefix_fingerprint: None,
            prefix_hash: None,
            metadata: None,
            rules: RULES_VERSION,
        }
    }
}

impl<T: Text> Row<T> {
    /// Where a user's message stands as steering; `None` for an ordinary message, and for every other row.
    #[must_use]
    pub fn input(&self) -> Option<&InputState> {
        self.metadata.as_ref()?.input.as_ref().filter(|_| self.kind == RowKind::User)
    }

    /// Whether the result of this call was withdrawn.
    #[must_use]
    pub fn stale(&self) -> Option<&Stale<T>> {
        self.metadata.as_ref()?.stale.as_ref()
    }

    /// Whether a system row reaches the model, in its place.
    #[must_use]
    pub fn preserves_position(&self) -> bool {
        self.metadata.as_ref().is_some_and(|metadata| metadata.preserve_position)
    }
}

impl Row<String> {
    fn seal(self, seal: &impl Seal) -> Row<Clean> {
        Row {
            id: self.id,
            kind: self.kind,
            created_at: self.created_at,
            source_at: self.source_at,
            imported: self.imported,
            live: self.live,
            sidechain: self.sidechain,
            round: self.round,
            issuer: self.issuer.map(|issuer| issuer.seal(seal)),
            generation_checkpoint_id: self.generation_checkpoint_id,
            prefix_fingerprint: self.prefix_fingerprint,
            prefix_hash: self.prefix_hash,
            metadata: self.metadata.map(|metadata| Box::new(metadata.seal(seal))),
            rules: self.rules,
        }
    }
}

impl StoredRow<String> {
    fn seal(self, seal: &impl Seal) -> StoredRow<Clean> {
        let parts = self.parts.into_iter().map(|part| part.seal(seal)).collect();
        StoredRow { row: self.row.seal(seal), parts }
    }

    /// Trusts text that the core itself wrote; the engine alone calls this.
    pub(crate) fn open(self) -> StoredRow<Clean> {
        self.seal(&Trusted)
    }

    /// Takes back a row that a host kept: every text is scrubbed again, which leaves scrubbed text as it is.
    /// Of signed thinking that cannot stay to the byte, what stays is that it was there ([`Part::withheld`]).
    #[must_use]
    pub fn restore(self, redactor: &Redactor) -> StoredRow<Clean> {
        let row = self.seal(&Rescrub(redactor));
        StoredRow { row: Row { rules: RULES_VERSION, ..row.row }, parts: row.parts }
    }
}
