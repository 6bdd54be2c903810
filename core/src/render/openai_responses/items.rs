//! Items of `input`.
use super::{
    super::{ids::Ids, names::Names, object::object, openai, runs, texts},
    media,
};
use crate::{
    json::{Json, Object, canonical},
    prompt::{Body, Diagnostic, HeldTexts, IssuedData, Media, Message, Part, ResultContent, Role},
    redact::Clean,
};
use alloc::{string::String, vec, vec::Vec};

pub(super) fn text(text: &str) -> Json {
    object([("type", "input_text".into()), ("text", text.into())]).into()
}

pub(super) fn message(role: &str, content: Vec<Json>) -> Json {
    object([("type", "message".into()), ("role", role.into()), ("content", content.into())]).into()
}

/// Writes the items of one neutral message.
pub(super) struct Items<'a> {
    pub(super) message: &'a Message,
    pub(super) index: usize,
    pub(super) held: &'a HeldTexts,
    pub(super) ids: &'a Ids,
    pub(super) names: &'a mut Names,
    pub(super) notes: &'a mut Vec<Diagnostic>,
    pub(super) out: &'a mut Vec<Json>,
}

impl Items<'_> {
    pub(super) fn write(&mut self) {
        match self.message.role {
            Role::User => self.input("user"),
            Role::Developer | Role::System => self.input("developer"),
            Role::Assistant => self.output(),
            Role::Tool => self.results(),
        }
    }

    fn note(&mut self, note: Option<Diagnostic>) {
        self.notes.extend(note.map(|note| note.row(&self.message.row).index(self.index)));
    }

    fn report(&mut self, code: &'static str, message: &str) {
        self.note(Some(Diagnostic::new(code, message)));
    }

    fn input(&mut self, role: &str) {
        let message_parts = self.message;
        let content = self.content(&message_parts.parts, role == "user");
        if !content.is_empty() {
            self.out.push(message(role, content));
        }
    }

    /// Texts, images and documents as the content of a message or a result.
    fn content(&mut self, parts: &[Part], takes_media: bool) -> Vec<Json> {
        let mut content = Vec::with_capacity(parts.len());
        for part in parts {
            match &part.body {
                Body::Text(_) if runs::is_blank(part) => {
                    self.report("block_empty", "an empty text is left out");
                }
                Body::Text(words) => content.push(text(words.as_str())),
                Body::Image(media) => content.push(self.media(media, "image", takes_media)),
                Body::Document(media) => content.push(self.media(media, "document", takes_media)),
                Body::Thinking { .. } | Body::ToolCall { .. } | Body::ToolResult { .. } => {
                    self.report("media_misplaced", "texts, images and documents alone stand here");
                }
            }
        }
        content
    }

    fn media(&mut self, media: &Media, kind: &str, is_allowed: bool) -> Json {
        let sent = if kind == "image" { media::image(media) } else { media::document(media) };
        match sent {
            Some(sent) if is_allowed => return sent.into(),
            Some(_) => {
                self.report("media_misplaced", "media stands here where the provider takes none; it is named")
            }
            None => {
                self.report("media_unsupported", "this media type cannot be sent; it is named in its place")
            }
        }
        text(&texts::not_sent(media, kind))
    }

    /// The model's own items, in order. Reasoning vouches for the items behind it: without it they go without
    /// their ids, since the provider refuses an item whose reasoning is missing.
    fn output(&mut self) {
        let mut is_reasoned = false;
        let mut parts = self.message.parts.iter().peekable();
        while let Some(part) = parts.next() {
            let own = runs::issued(part, &openai::ISSUERS, None);
            let item_id = own.and_then(|own| own.item_id.as_ref());
            match &part.body {
                Body::Thinking { .. } => {
                    let mut item = vec![part];
                    while let Some(more) = parts.next_if(|next| is_same_item(item_id, next)) {
                        item.push(more);
                    }
                    is_reasoned = self.reasoning(&item, own);
                }
                Body::Text(_) if runs::is_blank(part) => {
                    self.report("block_empty", "an empty text is left out");
                }
                Body::Text(words) => {
                    let id = item_id.filter(|id| is_reasoned && id.as_str().starts_with("msg_"));
                    let mut content = vec![words];
                    if id.is_some() {
                        while let Some(more) = parts.next_if(|next| is_same_item(id, next)) {
                            if let Body::Text(words) = &more.body {
                                content.push(words);
                            }
                        }
                    }
                    self.out.push(output_message(&content, id, own).into());
                }
                Body::Image(media) => self.misplaced(media, "image"),
                Body::Document(media) => self.misplaced(media, "document"),
                Body::ToolCall { id, name, arguments } => {
                    let item_id = item_id.filter(|id| is_reasoned && id.as_str().starts_with("fc_"));
                    self.call(id, name.as_str(), arguments, item_id);
                }
                Body::ToolResult { .. } => self.report("media_misplaced", "no result stands here"),
            }
        }
    }

    fn misplaced(&mut self, media: &Media, kind: &str) {
        self.report("media_misplaced", "the model's own messages hold no media; it is named in its place");
        self.out.push(plain_message(&texts::not_sent(media, kind)).into());
    }

    /// A reasoning item from the parts that hold its summary; whether it was sent.
    fn reasoning(&mut self, parts: &[&Part], own: Option<&IssuedData>) -> bool {
        let is_issued = parts.first().is_some_and(|part| part.provider_data.is_some());
        let Some(own) = own else {
            let (code, message) = match is_issued {
                true => (
                    "thinking_foreign",
                    "thinking of another provider, or of none that is known, is left out",
                ),
                false => ("thinking_unsigned", "thinking without encrypted content is left out"),
            };
            self.report(code, message);
            return false;
        };
        let data = parts.iter().find_map(|part| part.provider_data.as_ref()?.data.as_ref());
        let Some(data) = data else {
            self.report("thinking_unsigned", "thinking without encrypted content is left out");
            return false;
        };
        let piece = |text: &str| Json::from(object([("type", "summary_text".into()), ("text", text.into())]));
        let mut summary: Vec<Json> = Vec::with_capacity(parts.len());
        for part in parts {
            match (&part.body, part.held_in(self.held)) {
                (_, Some(held)) => summary.extend(held.iter().map(|text| piece(text))),
                (Body::Thinking { text, redacted: false }, None) => summary.push(piece(text.as_str())),
                _ => {}
            }
        }
        let mut item = object([("type", "reasoning".into())]);
        if let Some(id) = &own.item_id {
            item.insert("id", id.as_str());
        }
        item.insert("summary", summary);
        item.insert("encrypted_content", data.as_str());
        self.out.push(item.into());
        true
    }

    fn call(&mut self, id: &str, name: &str, arguments: &Json, item_id: Option<&Clean>) {
        let (name, note) = self.names.sent(name);
        self.note(note);
        let (arguments, note) = runs::as_object(arguments);
        self.note(note);
        let mut item = object([("type", "function_call".into())]);
        if let Some(item_id) = item_id {
            item.insert("id", item_id.as_str());
        }
        item.insert("call_id", self.ids.of(id));
        item.insert("name", name);
        item.insert("arguments", canonical(&arguments.into()));
        self.out.push(item.into());
    }

    fn results(&mut self) {
        let message = self.message;
        for part in &message.parts {
            let Body::ToolResult { id, content, is_error } = &part.body else {
                self.report("media_misplaced", "a result alone stands here");
                continue;
            };
            let output = match content {
                ResultContent::Text(text) if *is_error => texts::failed(text.as_str()).into(),
                ResultContent::Text(text) => text.as_str().into(),
                ResultContent::Parts(parts) => {
                    let mut content = self.content(parts, true);
                    if *is_error {
                        content.insert(0, text(texts::FAILED));
                    }
                    // The provider takes no empty list.
                    if content.is_empty() { "".into() } else { Json::from(content) }
                }
            };
            self.out.push(
                object([
                    ("type", "function_call_output".into()),
                    ("call_id", self.ids.of(id).into()),
                    ("output", output),
                ])
                .into(),
            );
        }
    }
}

/// Whether a part belongs to the item of this id: of one kind with the part before it, and of the same issuer.
fn is_same_item(id: Option<&Clean>, next: &Part) -> bool {
    let own = runs::issued(next, &openai::ISSUERS, None).and_then(|own| own.item_id.as_ref());
    let is_text_of =
        id.is_some_and(|id| id.as_str().starts_with("msg_")) && matches!(next.body, Body::Text(_));
    let is_thought_of =
        id.is_some_and(|id| !id.as_str().starts_with("msg_")) && matches!(next.body, Body::Thinking { .. });
    own.is_some() && own == id && (is_text_of || is_thought_of)
}

/// A text of the model: as the item it was, or by its words alone.
fn output_message(texts: &[&Clean], id: Option<&Clean>, own: Option<&IssuedData>) -> Object {
    let mut item = match id {
        Some(id) => {
            let output = |text: &&Clean| {
                let none: Vec<Json> = Vec::new();
                object([
                    ("type", "output_text".into()),
                    ("text", text.as_str().into()),
                    ("annotations", none.into()),
                ])
                .into()
            };
            let content: Vec<Json> = texts.iter().map(output).collect();
            object([
                ("type", "message".into()),
                ("role", "assistant".into()),
                ("id", id.as_str().into()),
                ("status", "completed".into()),
                ("content", content.into()),
            ])
        }
        None => plain_message(&texts.iter().map(|text| text.as_str()).collect::<String>()),
    };
    let phase = own.and_then(|own| own.data.as_ref()).map(|data| data.as_str());
    if let Some(phase) = phase.filter(|phase| matches!(*phase, "commentary" | "final_answer")) {
        item.insert("phase", phase);
    }
    item
}

fn plain_message(text: &str) -> Object {
    object([("type", "message".into()), ("role", "assistant".into()), ("content", text.into())])
}
