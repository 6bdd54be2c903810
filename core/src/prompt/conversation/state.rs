//! What a conversation holds.
use super::super::{
    Contexts, Edit, Message, Options, Prompt, Request, Turn,
    hash::{Chain, Hash},
    segment::{Standing, Terms},
};
use crate::{
    id::RowId,
    model::{Boundary, RowPlace, StoredRow},
    time::Timestamp,
};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    vec::Vec,
};

/// What an edit of a [`Conversation`] came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// How many messages, from the first, are as they were.
    pub kept: usize,
    /// The named edit, when something before the `stable_len` of before has changed.
    pub edit: Option<Edit>,
}

/// Why rows leave a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Removal {
    /// Another branch is live, or a record was superseded or retracted.
    Rewound,
    /// The output of a step was discarded, and its notes with it.
    Discarded,
}

/// A conversation that is kept assembled: rows go in, and the prompt is there at once, with the hash of every
/// message. It always equals [`assemble`](super::super::assemble) over the same [`input`](Self::input).
///
/// Adding a row at the end costs what that row and the open tail cost, however long the conversation is. An
/// edit in the middle renders and hashes again from there on, judges the thinking behind it again, and tells
/// of the [named edit](Edit) that it is. Rows and messages share their texts, so that each is held once.
///
/// ```
/// use throughline_core::{
///     id::RowId,
///     model::{Part, PartBody, Row, RowKind, StoredRow},
///     prompt::{Conversation, Input},
///     redact::Redactor,
///     time::Timestamp,
/// };
/// let mut conversation = Conversation::new(Input::default());
/// let id = RowId::new("u1")?;
/// let text = Redactor::standard().clean("Fix the test.");
/// let row = Row::new(id.clone(), RowKind::User, Timestamp::EPOCH);
/// let parts = vec![Part::new(id, 0, PartBody::Text { text })];
/// let change = conversation.put(StoredRow { row, parts });
/// assert_eq!((change.kept, change.edit), (0, None));
/// assert_eq!(conversation.prompt().messages.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Conversation {
    pub(super) boundary: Option<Boundary>,
    /// As it was given: the prompt has it in order.
    pub(super) request: Request,
    pub(super) contexts: Contexts,
    pub(super) turn: Option<Turn>,
    pub(super) options: Options,
    /// Rows that take part, in the order in which they render.
    pub(super) rows: Vec<StoredRow>,
    /// Rows that do not: not live, before the boundary, pending, for people alone.
    pub(super) dormant: BTreeMap<RowId, StoredRow>,
    /// The time of every row.
    pub(super) places: BTreeMap<RowId, Timestamp>,
    /// For steering that takes part: the row that it stands behind; `None` at the head.
    pub(super) steered: BTreeMap<RowId, Option<RowPlace>>,
    /// Every row that steering names as its anchor.
    pub(super) anchors: BTreeSet<RowId>,
    /// How many ordinary user rows take part.
    pub(super) users: usize,
    /// How many diagnostics are of the input as a whole.
    pub(super) early_notes: usize,
    pub(super) head: Head,
    pub(super) terms: Terms,
    pub(super) chain: Chain,
    pub(super) fingerprint: Hash,
    /// Where each segment begins.
    pub(super) marks: Vec<Mark>,
    /// How the last segment stands.
    pub(super) standing: Standing,
    /// The last assistant message.
    pub(super) last_assistant: Option<usize>,
    /// Messages that the edit at hand took away.
    pub(super) taken: Taken,
    pub(super) prompt: Prompt,
}

/// Where a segment begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// Its first row.
    pub(super) row: usize,
    /// Its first message.
    pub(super) message: usize,
    /// Its first diagnostic.
    pub(super) note: usize,
    /// Whether a tool round of the running turn lost thinking before it.
    pub(super) lost_thinking: bool,
}

/// What stands before the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Head {
    /// The request of the turn is restored.
    pub(super) is_restored: bool,
    /// The resume note opens.
    pub(super) resumes: bool,
}

/// Messages that were taken away from index `from` on, as they were before the edit.
#[derive(Debug, Clone, Default)]
pub(super) struct Taken {
    pub(super) from: usize,
    pub(super) messages: Vec<Message>,
    pub(super) stable_len: usize,
}
