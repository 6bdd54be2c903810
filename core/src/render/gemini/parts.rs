//! Parts of contents.
use super::super::{ids::Ids, names::Names, object::object, runs, texts};
use crate::{
    json::{Json, Object},
    model::MediaSource,
    prompt::{Body, Diagnostic, HeldTexts, IssuedData, Media, Message, Part, ResultContent, Role},
    redact::Clean,
};
use alloc::{string::String, vec::Vec};

/// Who issues the signatures that are sent to Gemini.
const ISSUERS: [&str; 2] = ["google", "gemini"];

/// Documented to stand for the signature of a call that another model made.
const SENTINEL: &str = "skip_thought_signature_validator";

pub(super) fn text(text: &str) -> Object {
    object([("text", text.into())])
}

/// Writes the parts of one neutral message.
pub(super) struct Parts<'a> {
    message: &'a Message,
    index: usize,
    model: Option<&'a Clean>,
    held: &'a HeldTexts,
    ids: &'a Ids,
    names: &'a mut Names,
    notes: &'a mut Vec<Diagnostic>,
    /// Whether a call of this message was written: of a round only the first is signed.
    has_call: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn new(
        message: &'a Message,
        index: usize,
        model: Option<&'a Clean>,
        held: &'a HeldTexts,
        ids: &'a Ids,
        names: &'a mut Names,
        notes: &'a mut Vec<Diagnostic>,
    ) -> Self {
        Self { message, index, model, held, ids, names, notes, has_call: false }
    }

    pub(super) fn write(mut self, out: &mut Vec<Json>) {
        for part in &self.message.parts {
            let own = runs::issued(part, &ISSUERS, self.model);
            let signature = own.and_then(|own| own.signature.as_ref()).map(|signature| signature.as_str());
            let Some(mut written) = self.part(part, own, signature) else { continue };
            if let Some(signature) = signature {
                written.insert("thoughtSignature", signature);
            }
            out.push(written.into());
        }
    }

    fn note(&mut self, note: Option<Diagnostic>) {
        self.notes.extend(note.map(|note| note.row(&self.message.row).index(self.index)));
    }

    fn report(&mut self, code: &'static str, message: &str) {
        self.note(Some(Diagnostic::new(code, message)));
    }

    fn part(&mut self, part: &Part, own: Option<&IssuedData>, signature: Option<&str>) -> Option<Object> {
        match &part.body {
            Body::Text(_) if runs::is_blank(part) && signature.is_none() => {
                self.report("block_empty", "an empty text is left out");
                None
            }
            Body::Text(words) => Some(match self.message.role {
                Role::Developer | Role::System => text(&texts::developer_note(words.as_str())),
                Role::User | Role::Assistant | Role::Tool => text(words.as_str()),
            }),
            Body::Image(media) => Some(self.media(media, "image")),
            Body::Document(media) => Some(self.media(media, "document")),
            Body::Thinking { text: words, .. } => {
                if signature.is_some() {
                    let held = part.held_in(self.held).map(<[String]>::concat);
                    let mut thought = text(held.as_deref().unwrap_or(words.as_str()));
                    thought.insert("thought", true);
                    return Some(thought);
                }
                let (code, message) = match (own, &part.provider_data) {
                    (None, Some(_)) => (
                        "thinking_foreign",
                        "thinking of another provider, or of none that is known, is left out",
                    ),
                    _ => ("thinking_unsigned", "thinking without a signature is left out"),
                };
                self.report(code, message);
                None
            }
            Body::ToolCall { id, name, arguments } => {
                Some(self.call(id, name.as_str(), arguments, part, own, signature))
            }
            Body::ToolResult { id, content, is_error } => Some(self.result(id, content, *is_error)),
        }
    }

    fn call(
        &mut self,
        id: &str,
        name: &str,
        arguments: &Json,
        part: &Part,
        own: Option<&IssuedData>,
        signature: Option<&str>,
    ) -> Object {
        let (name, note) = self.names.sent(name);
        self.note(note);
        let (arguments, note) = runs::as_object(arguments);
        self.note(note);
        let call =
            object([("id", self.ids.of(id).into()), ("name", name.into()), ("args", arguments.into())]);
        let mut written = object([("functionCall", call.into())]);
        let is_first = !core::mem::replace(&mut self.has_call, true);
        if is_first && own.is_none() && signature.is_none() {
            if part.provider_data.as_ref().is_some_and(|data| data.signature.is_some()) {
                self.report("signature_foreign", "the signature of another model's call is left out");
            }
            written.insert("thoughtSignature", SENTINEL);
        }
        written
    }

    fn result(&mut self, id: &str, content: &ResultContent, is_error: bool) -> Object {
        let mut words: Vec<Json> = Vec::new();
        let mut media: Vec<Json> = Vec::new();
        match content {
            ResultContent::Text(text) => words.push(text.as_str().into()),
            ResultContent::Parts(parts) => {
                for part in parts {
                    match &part.body {
                        Body::Text(text) => words.push(text.as_str().into()),
                        Body::Image(one) => self.result_media(one, "image", &mut words, &mut media),
                        Body::Document(one) => self.result_media(one, "document", &mut words, &mut media),
                        Body::Thinking { .. } | Body::ToolCall { .. } | Body::ToolResult { .. } => {
                            self.report(
                                "media_misplaced",
                                "a result holds texts, images and documents alone",
                            );
                        }
                    }
                }
            }
        }
        let value = match words.as_slice() {
            [] => Json::from(""),
            [one] => one.clone(),
            _ => words.into(),
        };
        let (name, note) = self.names.sent(self.message.name.as_ref().map_or("", |name| name.as_str()));
        self.note(note);
        let key = if is_error { "error" } else { "output" };
        let mut response = object([
            ("id", self.ids.of(id).into()),
            ("name", name.into()),
            ("response", object([(key, value)]).into()),
        ]);
        if !media.is_empty() {
            response.insert("parts", media);
        }
        object([("functionResponse", response.into())])
    }

    fn result_media(&mut self, one: &Media, kind: &str, words: &mut Vec<Json>, media: &mut Vec<Json>) {
        match sent(one) {
            Some(sent) => media.push(sent.into()),
            None => {
                self.unsupported();
                words.push(texts::not_sent(one, kind).into());
            }
        }
    }

    fn unsupported(&mut self) {
        self.report("media_unsupported", "media without a type cannot be sent; it is named in its place");
    }

    fn media(&mut self, media: &Media, kind: &str) -> Object {
        if let Some(sent) = sent(media) {
            return sent;
        }
        self.unsupported();
        text(&texts::not_sent(media, kind))
    }
}

/// Media by its bytes or address; the provider asks for its type.
fn sent(media: &Media) -> Option<Object> {
    let kind = media.media_type.as_str();
    if kind.is_empty() {
        return None;
    }
    let by_address = |address: &str| {
        object([("fileData", object([("fileUri", address.into()), ("mimeType", kind.into())]).into())])
    };
    Some(match &media.source {
        MediaSource::Base64(data) => {
            let bytes = object([("mimeType", kind.into()), ("data", data.as_str().into())]);
            object([("inlineData", bytes.into())])
        }
        MediaSource::Url(url) => by_address(url.as_str()),
        MediaSource::File(id) => by_address(id.as_str()),
    })
}
