//! Content blocks.
use super::{super::ids::Ids, names, object};
use crate::{
    json::{Json, Object},
    model::MediaSource,
    prompt::{Body, Diagnostic, IssuedData, Media, Message, Part, ResultContent, Role},
};
use alloc::{format, string::String, vec::Vec};

/// Who issues the thinking that is sent to Anthropic.
const ISSUER: &str = "anthropic";
const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const DOCUMENTS: [&str; 1] = ["application/pdf"];

/// A note for the model as a text block in its fixed wrapper.
pub(super) fn note(text: &str) -> Object {
    text_block(&format!("<developer-note>{text}</developer-note>"))
}

fn text_block(text: &str) -> Object {
    object([("type", "text".into()), ("text", text.into())])
}

/// Writes the blocks of one neutral message.
pub(super) struct Blocks<'a> {
    message: &'a Message,
    index: usize,
    ids: &'a Ids,
    notes: &'a mut Vec<Diagnostic>,
    /// Whether blank text is a block among signed ones, and stays.
    keeps_blank: bool,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(
        message: &'a Message,
        index: usize,
        ids: &'a Ids,
        notes: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let keeps_blank =
            message.role == Role::Assistant && message.parts.iter().any(|part| is_sent(part).is_ok());
        Self { message, index, ids, notes, keeps_blank }
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
                if !names::is_accepted(name.as_str()) {
                    self.notes.push(names::refused().row(&self.message.row).index(self.index));
                }
                Some(object([
                    ("type", "tool_use".into()),
                    ("id", self.ids.of(id).into()),
                    ("name", names::sent(name.as_str()).into()),
                    ("input", self.input(arguments)),
                ]))
            }
            Body::ToolResult { id, content, is_error } => {
                let mut block =
                    object([("type", "tool_result".into()), ("tool_use_id", self.ids.of(id).into())]);
                block.insert("content", self.content(content));
                if *is_error {
                    block.insert("is_error", true);
                }
                Some(block)
            }
        }
    }

    fn report(&mut self, code: &'static str, message: &str) {
        self.notes.push(Diagnostic::new(code, message).row(&self.message.row).index(self.index));
    }

    fn text(&mut self, text: &str) -> Option<Object> {
        let is_refused = text.is_empty() || (text.trim().is_empty() && !self.keeps_blank);
        if is_refused {
            self.report("block_empty", "an empty text is left out");
            return None;
        }
        Some(match self.message.role {
            Role::Developer | Role::System => note(text),
            Role::User | Role::Assistant | Role::Tool => text_block(text),
        })
    }

    fn thinking(&mut self, part: &Part, text: &str) -> Option<Object> {
        match is_sent(part) {
            Ok(Sent::Signed(signature)) => Some(object([
                ("type", "thinking".into()),
                ("thinking", text.into()),
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

    /// Arguments as the object that the provider asks for.
    fn input(&mut self, arguments: &Json) -> Json {
        if arguments.as_object().is_some() {
            return arguments.clone();
        }
        self.report("arguments_wrapped", "arguments that are no object are sent under the key arguments");
        object([("arguments", arguments.clone())]).into()
    }

    fn content(&mut self, content: &ResultContent) -> Json {
        let parts = match content {
            ResultContent::Text(text) => return text.as_str().into(),
            ResultContent::Parts(parts) => parts,
        };
        let mut blocks: Vec<Json> = Vec::with_capacity(parts.len());
        for part in parts {
            match &part.body {
                Body::Text(text) if text.as_str().trim().is_empty() => {
                    self.report("block_empty", "an empty text is left out");
                }
                Body::Text(text) => blocks.push(text_block(text.as_str()).into()),
                Body::Image(media) => blocks.push(self.media(media, "image", true).into()),
                Body::Document(media) => blocks.push(self.media(media, "document", true).into()),
                Body::Thinking { .. } | Body::ToolCall { .. } | Body::ToolResult { .. } => {
                    self.report("media_misplaced", "a result holds texts, images and documents alone");
                }
            }
        }
        blocks.into()
    }

    /// An image or document, or where it cannot be sent a text that names it.
    fn media(&mut self, media: &Media, kind: &'static str, is_allowed: bool) -> Object {
        if !is_allowed {
            self.report(
                "media_misplaced",
                "an assistant message holds no image or document; it is named in its place",
            );
            return self.named(media, kind);
        }
        let known: &[&str] = if kind == "image" { &IMAGES } else { &DOCUMENTS };
        let source = match &media.source {
            MediaSource::Base64(data) if known.contains(&media.media_type.as_str()) => object([
                ("type", "base64".into()),
                ("media_type", media.media_type.as_str().into()),
                ("data", data.as_str().into()),
            ]),
            MediaSource::Base64(_) => {
                self.report("media_unsupported", "this media type cannot be sent; it is named in its place");
                return self.named(media, kind);
            }
            MediaSource::Url(url) => object([("type", "url".into()), ("url", url.as_str().into())]),
            MediaSource::File(id) => {
                self.report("file_beta", "a file id is taken under the provider's files beta alone");
                object([("type", "file".into()), ("file_id", id.as_str().into())])
            }
        };
        let mut block = object([("type", kind.into()), ("source", source.into())]);
        if let Some(name) = media.name.as_ref().filter(|name| kind == "document" && !name.is_empty()) {
            block.insert("title", name.as_str());
        }
        block
    }

    fn named(&self, media: &Media, kind: &str) -> Object {
        let name = media.name.as_ref().map(|name| format!(" {}", name.as_str())).unwrap_or_default();
        let text: String = format!("[{kind} not sent:{name} {}]", media.media_type.as_str());
        match self.message.role {
            Role::Developer | Role::System => note(&text),
            Role::User | Role::Assistant | Role::Tool => text_block(&text),
        }
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
    let Some(data) = &part.provider_data else { return Err(unsigned) };
    let is_own =
        |data: &IssuedData| data.issuer.as_ref().is_some_and(|issuer| issuer.provider.as_str() == ISSUER);
    if !is_own(data) {
        return Err((
            "thinking_foreign",
            "thinking of another provider, or of none that is known, is left out",
        ));
    }
    match (redacted, &data.data, &data.signature) {
        (true, Some(data), _) => Ok(Sent::Encrypted(data.as_str())),
        (false, _, Some(signature)) => Ok(Sent::Signed(signature.as_str())),
        _ => Err(unsigned),
    }
}
