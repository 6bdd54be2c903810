//! Content blocks.
use super::super::{ids::Ids, names::Names, object::object, runs, texts};
use crate::{
    json::{Json, Object},
    model::MediaSource,
    prompt::{Body, Diagnostic, HeldTexts, Media, Message, Part, ResultContent, Role},
};
use alloc::vec::Vec;

/// Who issues the thinking that is sent to Anthropic.
const ISSUERS: [&str; 1] = ["anthropic"];
const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const DOCUMENTS: [&str; 1] = ["application/pdf"];

pub(super) fn text(text: &str) -> Object {
    object([("type", "text".into()), ("text", text.into())])
}

/// Writes the blocks of one neutral message.
pub(super) struct Blocks<'a> {
    message: &'a Message,
    index: usize,
    /// Whether texts go in the wrapper of notes.
    is_wrapped: bool,
    held: &'a HeldTexts,
    ids: &'a Ids,
    names: &'a mut Names,
    notes: &'a mut Vec<Diagnostic>,
    /// Whether blank text is a block among signed ones, and stays.
    keeps_blank: bool,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(
        message: &'a Message,
        index: usize,
        is_wrapped: bool,
        held: &'a HeldTexts,
        ids: &'a Ids,
        names: &'a mut Names,
        notes: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let keeps_blank =
            message.role == Role::Assistant && message.parts.iter().any(|part| is_sent(part).is_ok());
        Self { message, index, is_wrapped, held, ids, names, notes, keeps_blank }
    }

    pub(super) fn block(&mut self, part: &Part) -> Option<Object> {
        match &part.body {
            Body::Text(text) => self.text(text.as_str()),
            Body::Image(media) => Some(self.media(media, "image", self.message.role != Role::Assistant)),
            Body::Document(media) => {
                Some(self.media(media, "document", self.message.role != Role::Assistant))
            }
            Body::Thinking { text, .. } => self.thinking(part, text.as_str()),
            Body::ToolCall { id, name, arguments } => {
                let (name, note) = self.names.sent(name.as_str());
                self.note(note);
                let (input, note) = runs::as_object(arguments);
                self.note(note);
                Some(object([
                    ("type", "tool_use".into()),
                    ("id", self.ids.of(id).into()),
                    ("name", name.into()),
                    ("input", input.into()),
                ]))
            }
            Body::ToolResult { id, content, is_error } => {
                let mut block =
                    object([("type", "tool_result".into()), ("tool_use_id", self.ids.of(id).into())]);
                block.insert("content", self.content(content, *is_error));
                if *is_error {
                    block.insert("is_error", true);
                }
                Some(block)
            }
        }
    }

    fn note(&mut self, note: Option<Diagnostic>) {
        self.notes.extend(note.map(|note| note.row(&self.message.row).index(self.index)));
    }

    fn report(&mut self, code: &'static str, message: &str) {
        self.note(Some(Diagnostic::new(code, message)));
    }

    fn text(&mut self, words: &str) -> Option<Object> {
        let is_refused = words.is_empty() || (words.trim().is_empty() && !self.keeps_blank);
        if is_refused {
            self.report("block_empty", "an empty text is left out");
            return None;
        }
        Some(if self.is_wrapped { text(&texts::developer_note(words)) } else { text(words) })
    }

    fn thinking(&mut self, part: &Part, text: &str) -> Option<Object> {
        match is_sent(part) {
            Ok(Sent::Signed(signature)) => Some(object([
                ("type", "thinking".into()),
                (
                    "thinking",
                    part.held_in(self.held).map_or_else(|| text.into(), |held| held.concat().into()),
                ),
                ("signature", signature.into()),
            ])),
            Ok(Sent::Encrypted(data)) => {
                Some(object([("type", "redacted_thinking".into()), ("data", data.into())]))
            }
            Err((code, message)) => {
                self.report(code, message);
                None
            }
        }
    }

    /// The content of a result. An empty one that failed needs a text.
    fn content(&mut self, content: &ResultContent, is_error: bool) -> Json {
        let parts = match content {
            ResultContent::Text(text) if text.is_empty() && is_error => return texts::FAILED.into(),
            ResultContent::Text(text) => return text.as_str().into(),
            ResultContent::Parts(parts) => parts,
        };
        let mut blocks: Vec<Json> = Vec::with_capacity(parts.len());
        for part in parts {
            match &part.body {
                Body::Text(_) if runs::is_blank(part) => {
                    self.report("block_empty", "an empty text is left out");
                }
                Body::Text(words) => blocks.push(text(words.as_str()).into()),
                Body::Image(media) => blocks.push(self.media(media, "image", true).into()),
                Body::Document(media) => blocks.push(self.media(media, "document", true).into()),
                Body::Thinking { .. } | Body::ToolCall { .. } | Body::ToolResult { .. } => {
                    self.report("media_misplaced", "a result holds texts, images and documents alone");
                }
            }
        }
        if blocks.is_empty() && is_error {
            return texts::FAILED.into();
        }
        blocks.into()
    }

    fn media(&mut self, media: &Media, kind: &str, is_allowed: bool) -> Object {
        if !is_allowed {
            self.report(
                "media_misplaced",
                "the model's own messages hold no media; it is named in its place",
            );
            return text(&texts::not_sent(media, kind));
        }
        let accepted = if kind == "image" { IMAGES.as_slice() } else { DOCUMENTS.as_slice() };
        let source = match &media.source {
            MediaSource::Base64(data) if accepted.contains(&media.media_type.as_str()) => object([
                ("type", "base64".into()),
                ("media_type", media.media_type.as_str().into()),
                ("data", data.as_str().into()),
            ]),
            MediaSource::Base64(_) => {
                self.report("media_unsupported", "this media type cannot be sent; it is named in its place");
                let named = texts::not_sent(media, kind);
                return text(&if self.is_wrapped { texts::developer_note(&named) } else { named });
            }
            MediaSource::Url(url) => object([("type", "url".into()), ("url", url.as_str().into())]),
            MediaSource::File(id) => object([("type", "file".into()), ("file_id", id.as_str().into())]),
        };
        let mut block = object([("type", kind.into()), ("source", source.into())]);
        if let Some(name) = media.name.as_ref().filter(|name| kind == "document" && !name.is_empty()) {
            block.insert("title", name.as_str());
        }
        block
    }
}

/// What of a thinking block is sent beside its text.
enum Sent<'a> {
    Signed(&'a str),
    Encrypted(&'a str),
}

fn is_sent(part: &Part) -> Result<Sent<'_>, (&'static str, &'static str)> {
    let Body::Thinking { redacted, .. } = &part.body else { return Err(("block_empty", "no thinking")) };
    let unsigned = ("thinking_unsigned", "thinking without a signature is left out");
    if part.provider_data.is_none() {
        return Err(unsigned);
    }
    let foreign = "thinking of another provider, or of none that is known, is left out";
    let data = runs::issued(part, &ISSUERS, None).ok_or(("thinking_foreign", foreign))?;
    match (redacted, &data.data, &data.signature) {
        (true, Some(data), _) => Ok(Sent::Encrypted(data.as_str())),
        (false, _, Some(signature)) => Ok(Sent::Signed(signature.as_str())),
        _ => Err(unsigned),
    }
}
