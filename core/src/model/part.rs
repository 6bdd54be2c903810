use super::{
    flags::{is_false, is_true, yes},
    seal::{Rescrub, Seal},
};
use crate::{
    id::RowId,
    redact::{Clean, Redactor, Text},
    time::Timestamp,
};
use alloc::{boxed::Box, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// Who wrote an assistant message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub struct Issuer<T: Text = Clean> {
    /// The provider, such as `anthropic`.
    pub provider: T,
    /// The model, as the provider names it.
    pub model: T,
}

/// What only the provider that issued a part can read: passed on untouched to that issuer, or left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>, T::Opaque: Deserialize<'de>"))]
pub struct ProviderData<T: Text = Clean> {
    /// The signature of a thinking block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<T::Opaque>,
    /// Redacted or encrypted content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<T::Opaque>,
    /// The provider's id of the item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_id: Option<T>,
}

/// Where the bytes of an image or document are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    content = "value",
    rename_all = "snake_case",
    bound(serialize = "", deserialize = "T: Deserialize<'de>, T::Opaque: Deserialize<'de>")
)]
pub enum MediaSource<T: Text = Clean> {
    /// The bytes themselves, in base64; binary parts are stored as they are.
    Base64(T::Opaque),
    /// A URL, scrubbed.
    Url(T),
    /// A provider's file id.
    File(T),
}

/// The arguments of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", bound(serialize = "", deserialize = "T: Deserialize<'de>"))]
pub enum Arguments<T: Text = Clean> {
    /// Canonical JSON text.
    Json(T),
    /// Text that is not JSON, or nests deeper than 128.
    Text(T),
}

/// How a call ended. A call without a result part is pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ResultStatus {
    /// It gave its result.
    Success,
    /// It failed.
    Error,
    /// It was stopped.
    Cancelled,
    /// A status that is not known; the call and its result are left out of a prompt.
    #[serde(other)]
    Unknown,
}

/// The content of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    bound(serialize = "", deserialize = "T: Deserialize<'de>, T::Opaque: Deserialize<'de>")
)]
#[non_exhaustive]
pub enum PartBody<T: Text = Clean> {
    /// Text.
    Text {
        /// The text, scrubbed.
        text: T,
    },
    /// An image.
    Image {
        /// Its media type.
        media_type: T,
        /// Its bytes or address.
        source: MediaSource<T>,
        /// Its name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<T>,
    },
    /// A document.
    Document {
        /// Its media type.
        media_type: T,
        /// Its bytes or address.
        source: MediaSource<T>,
        /// Its name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<T>,
    },
    /// A file that was uploaded, known by its id; the model is told of it by a note.
    File {
        /// The id of the upload.
        id: T,
        /// Its name.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<T>,
        /// Its media type.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        media_type: Option<T>,
        /// Its size in bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        size: Option<u64>,
    },
    /// A result that is a JSON value: a text renders as itself, `null` as `nil`, the rest as canonical JSON.
    Value {
        /// Canonical JSON text.
        json: T,
    },
    /// Thinking. Signed text is stored to the byte or not at all.
    Thinking {
        /// The text; empty is normal when there is a signature.
        text: T,
        /// Whether the provider gave encrypted content instead of text.
        #[serde(default, skip_serializing_if = "is_false")]
        redacted: bool,
    },
    /// The request of a call.
    ToolCall {
        /// The provider's id of the call.
        call_id: String,
        /// The tool.
        name: T,
        /// What it was called with.
        arguments: Arguments<T>,
    },
    /// The result of a call.
    ToolResult {
        /// The provider's id of the call.
        call_id: String,
        /// How it ended.
        status: ResultStatus,
        /// Text, images and documents, in order.
        content: Vec<PartBody<T>>,
    },
}

/// Tokens of one API message as the provider counted them; the last line of a message counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Input tokens outside the cache.
    pub input_tokens: u64,
    /// Output tokens.
    pub output_tokens: u64,
    /// Input tokens written to the cache.
    pub cache_creation_input_tokens: u64,
    /// Input tokens read from the cache.
    pub cache_read_input_tokens: u64,
}

/// What the record of a log said beside the part itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartSource {
    /// The record's own id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<RowId>,
    /// The record's own time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// Usage of the message as this record gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why the message ended, where the record says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<Box<str>>,
}

/// One part of a row: inserted, never rewritten.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound(serialize = "", deserialize = "T: Deserialize<'de>, T::Opaque: Deserialize<'de>"))]
pub struct Part<T: Text = Clean> {
    /// The row.
    pub row: RowId,
    /// Index within the row. In an assistant row, the place among the blocks of its message (calls take
    /// part in the numbering); in a call row 0 is the call and 1 its result.
    pub index: u32,
    /// The content.
    pub body: PartBody<T>,
    /// Whether it may be sent to a provider again (`spec/prompt.md`, "Thinking").
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub replay: bool,
    /// What the issuer alone can read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider_data: Option<ProviderData<T>>,
    /// Where it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<PartSource>,
}

impl Part<Clean> {
    /// A part that may be sent again, with nothing else said of it.
    #[must_use]
    pub fn new(row: RowId, index: u32, body: PartBody) -> Self {
        Self { row, index, body, replay: true, provider_data: None, source: None }
    }

    /// What stands for signed thinking that may not be stored: neither its text nor its signature, only that it was
    /// there (`spec/prompt.md`, "Thinking").
    #[must_use]
    pub fn withheld(row: RowId, index: u32) -> Self {
        let body = PartBody::Thinking { text: Clean::default(), redacted: false };
        let provider_data = Some(ProviderData::NOTHING);
        Self { replay: false, provider_data, ..Self::new(row, index, body) }
    }
}

impl Issuer<String> {
    pub(super) fn seal(self, seal: &impl Seal) -> Issuer<Clean> {
        Issuer { provider: seal.text(self.provider), model: seal.text(self.model) }
    }
}

impl ProviderData {
    /// Nothing of what was issued.
    pub const NOTHING: Self = Self { signature: None, data: None, item_id: None };
}

impl ProviderData<String> {
    /// Scrubs again what a host kept; a signature that is no base64 is not one.
    #[must_use]
    pub fn restore(self, redactor: &Redactor) -> ProviderData<Clean> {
        self.seal(&Rescrub(redactor))
    }

    fn seal(self, seal: &impl Seal) -> ProviderData<Clean> {
        ProviderData {
            signature: self.signature.and_then(|text| seal.opaque(text)),
            data: self.data.and_then(|text| seal.opaque(text)),
            item_id: self.item_id.map(|text| seal.text(text)),
        }
    }
}

impl MediaSource<String> {
    fn seal(self, seal: &impl Seal) -> MediaSource<Clean> {
        match self {
            Self::Base64(value) => match seal.opaque(value.clone()) {
                Some(bytes) => MediaSource::Base64(bytes),
                None => MediaSource::File(seal.text(value)),
            },
            Self::Url(value) => MediaSource::Url(seal.text(value)),
            Self::File(value) => MediaSource::File(seal.text(value)),
        }
    }
}

impl PartBody<String> {
    /// `None` for signed thinking that cannot stay to the byte.
    fn seal(self, seal: &impl Seal, signed: bool) -> Option<PartBody<Clean>> {
        Some(match self {
            Self::Text { text } => PartBody::Text { text: seal.text(text) },
            Self::Image { media_type, source, name } => PartBody::Image {
                media_type: seal.text(media_type),
                source: source.seal(seal),
                name: name.map(|text| seal.text(text)),
            },
            Self::Document { media_type, source, name } => PartBody::Document {
                media_type: seal.text(media_type),
                source: source.seal(seal),
                name: name.map(|text| seal.text(text)),
            },
            Self::File { id, name, media_type, size } => PartBody::File {
                id: seal.text(id),
                name: name.map(|text| seal.text(text)),
                media_type: media_type.map(|text| seal.text(text)),
                size,
            },
            Self::Value { json } => PartBody::Value { json: seal.json(json) },
            Self::Thinking { text, redacted } if signed => {
                PartBody::Thinking { text: seal.verbatim(text)?, redacted }
            }
            Self::Thinking { text, redacted } => PartBody::Thinking { text: seal.text(text), redacted },
            Self::ToolCall { call_id, name, arguments } => {
                let arguments = match arguments {
                    Arguments::Json(text) => Arguments::Json(seal.json(text)),
                    Arguments::Text(text) => Arguments::Text(seal.text(text)),
                };
                PartBody::ToolCall { call_id, name: seal.text(name), arguments }
            }
            Self::ToolResult { call_id, status, content } => {
                let content = content.into_iter().filter_map(|body| body.seal(seal, false)).collect();
                PartBody::ToolResult { call_id, status, content }
            }
        })
    }
}

impl Part<String> {
    pub(super) fn seal(self, seal: &impl Seal) -> Part<Clean> {
        let Self { row, index, body, replay, provider_data, source } = self;
        let provider_data = provider_data.map(|data| data.seal(seal));
        match body.seal(seal, provider_data.is_some()) {
            Some(body) => Part { row, index, body, replay, provider_data, source },
            None => Part { source, ..Part::withheld(row, index) },
        }
    }
}
