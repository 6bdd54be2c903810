//! The neutral prompt: what every provider's request is made from.
use super::{Edit, HeldTexts, Settings, Tool};
use crate::{
    id::RowId,
    json::Json,
    model::{Issuer, MediaSource},
    redact::{Clean, Opaque},
};
use alloc::{string::String, vec::Vec};
use serde::Serialize;

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Role {
    /// The user.
    User,
    /// The model.
    Assistant,
    /// A tool: one result.
    Tool,
    /// A note for the model, in its place.
    Developer,
    /// A system note that stands in its place.
    System,
}

impl Role {
    /// The name in neutral JSON, such as `assistant`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
            Self::Developer => "developer",
            Self::System => "system",
        }
    }
}

/// What the issuer of a part alone can read; sent to that issuer untouched, or not at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedData {
    /// Who issued it; `None` when the row does not say.
    pub issuer: Option<Issuer>,
    /// The signature of a thinking block.
    pub signature: Option<Opaque>,
    /// Redacted or encrypted content.
    pub data: Option<Opaque>,
    /// The provider's id of the item.
    pub item_id: Option<Clean>,
}

/// An image or a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Media {
    /// Its media type, such as `image/png`.
    pub media_type: Clean,
    /// Its bytes or address.
    pub source: MediaSource,
    /// Its name.
    pub name: Option<Clean>,
}

/// The content of a result: its one text, or its parts when it is anything else.
#[derive(Debug, Clone, PartialEq)]
pub enum ResultContent {
    /// One text; a result without content is the empty text.
    Text(Clean),
    /// Texts, images and documents, in order.
    Parts(Vec<Part>),
}

/// What a part holds.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Body {
    /// Text.
    Text(Clean),
    /// An image.
    Image(Media),
    /// A document.
    Document(Media),
    /// Thinking, passed on to the byte.
    Thinking {
        /// The text; empty is normal beside a signature.
        text: Clean,
        /// Whether the provider gave encrypted content instead of text.
        redacted: bool,
    },
    /// A call.
    ToolCall {
        /// Its id: the provider's, or the id of the call's row when the provider gave none.
        id: String,
        /// The tool.
        name: Clean,
        /// Its arguments: the decoded value, or a string when they are no JSON.
        arguments: Json,
    },
    /// The result of a call.
    ToolResult {
        /// The id of the call.
        id: String,
        /// What came back.
        content: ResultContent,
        /// Whether the call failed or was stopped.
        is_error: bool,
    },
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it holds.
    pub body: Body,
    /// What its issuer alone can read.
    pub provider_data: Option<IssuedData>,
}

impl Part {
    /// The pieces that thinking without text is sent with.
    pub(crate) fn held_in<'a>(&self, texts: &'a HeldTexts) -> Option<&'a [String]> {
        let Body::Thinking { text, redacted: false } = &self.body else { return None };
        let data = self.provider_data.as_ref().filter(|_| text.is_empty())?;
        texts.get(data.signature.as_ref().or(data.data.as_ref())?)
    }
}

impl From<Body> for Part {
    fn from(body: Body) -> Self {
        Self { body, provider_data: None }
    }
}

/// A message of the neutral prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// At least one.
    pub parts: Vec<Part>,
    /// For a result: the tool.
    pub name: Option<Clean>,
    /// The row it comes from; for a result the call's, for the resume note the boundary.
    pub row: RowId,
    /// The chain hash up to this message: SHA-256, 64 lower-case hexadecimal digits.
    pub hash: String,
    /// Length of its canonical bytes.
    pub size: usize,
}

/// Where a cache marker stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkerAt {
    /// On a tool.
    Tools,
    /// On a system part.
    System,
    /// On a part of a message.
    Message,
}

impl MarkerAt {
    /// The name in neutral JSON, such as `message`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::System => "system",
            Self::Message => "message",
        }
    }
}

/// How long a cache entry is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Ttl {
    /// Five minutes.
    #[default]
    FiveMinutes,
    /// One hour.
    OneHour,
}

impl Ttl {
    /// `5m` or `1h`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FiveMinutes => "5m",
            Self::OneHour => "1h",
        }
    }
}

/// A place up to which a provider is asked to cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marker {
    /// In what.
    pub at: MarkerAt,
    /// Index of the tool, system part or message, from 0.
    pub index: usize,
    /// In a message: index of the part, from 0.
    pub part: Option<usize>,
    /// How long.
    pub ttl: Ttl,
}

/// Something that was repaired, left out or not certain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    /// What it is, such as `late_result`; the list is in the documentation of [`super`].
    pub code: &'static str,
    /// The named edit (`spec/prompt.md`) that it may show as in a later request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edit: Option<Edit>,
    /// The row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<RowId>,
    /// Index of the part in the row, of the tool or of the message, from 0; `code` says of which.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// What happened, for people. It repeats no text of a row.
    pub message: String,
}

impl Diagnostic {
    pub(crate) fn new(code: &'static str, message: &str) -> Self {
        Self { code, edit: None, row: None, index: None, message: message.into() }
    }

    pub(crate) fn row(mut self, row: &RowId) -> Self {
        self.row = Some(row.clone());
        self
    }

    pub(crate) fn index(mut self, index: usize) -> Self {
        self.index = Some(index);
        self
    }

    pub(crate) fn edit(mut self, edit: Edit) -> Self {
        self.edit = Some(edit);
        self
    }
}

/// The hash of each section: SHA-256 of its canonical JSON, 64 lower-case hexadecimal digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sections {
    /// Of the model's name as a JSON string, or `null`.
    pub model: String,
    /// Of the array of tools.
    pub tools: String,
    /// Of the array of system texts.
    pub system: String,
    /// Of the object of settings; no part of the fingerprint.
    pub settings: String,
}

/// The neutral prompt, as [`assemble`](super::assemble) makes it.
///
/// Every call in it has exactly one result, and every result a call. The first [`stable_len`](Self::stable_len)
/// messages are a prefix of every later prompt of the same conversation with the same boundary, unless one of
/// the named edits came between.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// SHA-256 over the tag `throughline.prefix.v1` and the model, tools and system sections, each after its
    /// length in bytes as big-endian `u64`; 64 lower-case hexadecimal digits.
    pub fingerprint: String,
    /// The hash of each section.
    pub sections: Sections,
    /// The model, when the request names one.
    pub model: Option<Clean>,
    /// System texts in order, the summary of the boundary last; none is blank.
    pub system: Vec<Clean>,
    /// Tools by name.
    pub tools: Vec<Tool>,
    /// Settings of the request.
    pub settings: Settings,
    /// How many messages, from the first, are promised to stay.
    pub stable_len: usize,
    /// The chain hash of the last of them; the fingerprint when there are none.
    pub stable_hash: String,
    /// The chain hash of the last message; the fingerprint when there are none.
    pub tail_hash: String,
    /// The compaction boundary in force.
    pub boundary: Option<RowId>,
    /// The messages.
    pub messages: Vec<Message>,
    /// Cache markers, at most four.
    pub markers: Vec<Marker>,
    /// What was repaired, left out or not certain.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether a tool round of the running turn lost thinking that its provider asks for: models that demand
    /// it are asked without thinking for the rest of the turn.
    pub thinking_off: bool,
    /// The texts of thinking that is held in memory, for a provider's request alone: no JSON form has them.
    pub held: HeldTexts,
    /// Version of the texts that rendering added.
    pub render_text_version: u32,
}

impl Prompt {
    /// A key under which providers with automatic caching keep what comes before the messages: equal as long
    /// as model, tools and system are.
    #[must_use]
    pub fn cache_key(&self) -> &str {
        &self.fingerprint
    }
}
