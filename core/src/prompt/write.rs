//! Neutral JSON (`spec/cli.md`), written in canonical form: the bytes that are hashed are the bytes that are
//! printed. Keys are written in sorted order by hand, which a test compares with the canonical writer.
use super::{
    Body, Diagnostic, Edit, IssuedData, Marker, Media, Message, Part, Prompt, ResultContent, Sections,
    Settings, Tool,
};
use crate::{
    json::{self, Json, Reader, write_canonical, write_string},
    model::MediaSource,
    redact::Clean,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use serde::{Serialize, Serializer};

/// Room for a message without its texts.
const MESSAGE_FRAME: usize = 256;

impl Prompt {
    /// The prompt as neutral JSON text: canonical, so keys are sorted and number literals kept.
    #[must_use]
    pub fn json_text(&self) -> String {
        let mut out = String::with_capacity(self.messages.len().saturating_mul(MESSAGE_FRAME));
        write_prompt(self, &mut out);
        out
    }

    /// The messages from this index on as a JSON array, as they stand in [`json_text`](Self::json_text): what an
    /// edit of a [`Conversation`](super::Conversation) added, when it says how many were kept.
    #[must_use]
    pub fn messages_text(&self, from: usize) -> String {
        let mut out = String::new();
        let messages = self.messages.get(from..).unwrap_or_default();
        write_list(messages, &mut out, |message, out| {
            write_message(message, Some((&message.hash, message.row.as_str())), out);
        });
        out
    }

    /// The prompt as a neutral JSON value; `null` only when the request's own JSON is nested more than about
    /// a thousand deep.
    #[must_use]
    pub fn to_json(&self) -> Json {
        // Arguments may be as deep as a reader allows, and the prompt stands around them.
        let options = json::Options { max_depth: json::Options::DEPTH_LIMIT, ..json::Options::STRICT };
        Reader::new(self.json_text().as_bytes(), options).value().unwrap_or(Json::Null)
    }
}

/// Neutral JSON. Serde passes no number literal on; where they must stay, use [`Prompt::json_text`].
impl Serialize for Prompt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// Writes one object; keys are given in sorted order.
struct Fields<'a> {
    out: &'a mut String,
    empty: bool,
}

impl<'a> Fields<'a> {
    fn new(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, empty: true }
    }

    fn key(&mut self, key: &str) -> &mut String {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        write_string(key, self.out);
        self.out.push(':');
        self.out
    }

    fn text(&mut self, key: &str, text: &str) -> &mut Self {
        write_string(text, self.key(key));
        self
    }

    fn optional(&mut self, key: &str, text: Option<&str>) -> &mut Self {
        if let Some(text) = text {
            self.text(key, text);
        }
        self
    }

    fn number(&mut self, key: &str, number: usize) -> &mut Self {
        self.key(key).push_str(&number.to_string());
        self
    }

    fn flag(&mut self, key: &str, set: bool) -> &mut Self {
        if set {
            self.key(key).push_str("true");
        }
        self
    }

    fn end(&mut self) {
        self.out.push('}');
    }
}

fn write_list<T>(items: &[T], out: &mut String, write: impl Fn(&T, &mut String)) {
    out.push('[');
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        write(item, out);
    }
    out.push(']');
}

fn write_nullable(text: Option<&str>, out: &mut String) {
    match text {
        Some(text) => write_string(text, out),
        None => out.push_str("null"),
    }
}

fn write_prompt(prompt: &Prompt, out: &mut String) {
    let mut fields = Fields::new(out);
    write_nullable(prompt.boundary.as_ref().map(|id| id.as_str()), fields.key("boundary"));
    write_list(&prompt.diagnostics, fields.key("diagnostics"), write_diagnostic);
    fields.text("fingerprint", &prompt.fingerprint);
    write_list(&prompt.markers, fields.key("markers"), write_marker);
    write_list(&prompt.messages, fields.key("messages"), |message, out| {
        write_message(message, Some((&message.hash, message.row.as_str())), out);
    });
    write_model(prompt.model.as_ref(), fields.key("model"));
    fields.number("render_text_version", usize::try_from(prompt.render_text_version).unwrap_or(usize::MAX));
    write_sections(&prompt.sections, fields.key("sections"));
    write_settings(&prompt.settings, fields.key("settings"));
    fields.text("stable_hash", &prompt.stable_hash).number("stable_len", prompt.stable_len);
    write_system(&prompt.system, fields.key("system"));
    fields.text("tail_hash", &prompt.tail_hash).flag("thinking_off", prompt.thinking_off);
    write_tools(&prompt.tools, fields.key("tools"));
    fields.end();
}

fn write_sections(sections: &Sections, out: &mut String) {
    let mut fields = Fields::new(out);
    fields.text("model", &sections.model).text("settings", &sections.settings);
    fields.text("system", &sections.system).text("tools", &sections.tools).end();
}

/// The model section: its name as a string, or `null`.
pub(super) fn write_model(model: Option<&Clean>, out: &mut String) {
    write_nullable(model.map(Clean::as_str), out);
}

/// The system section: an array of texts.
pub(super) fn write_system(system: &[Clean], out: &mut String) {
    write_list(system, out, |text, out| write_string(text.as_str(), out));
}

/// The tools section: an array of objects.
pub(super) fn write_tools(tools: &[Tool], out: &mut String) {
    write_list(tools, out, write_tool);
}

/// One tool.
pub(super) fn write_tool(tool: &Tool, out: &mut String) {
    let mut fields = Fields::new(out);
    fields.text("description", tool.description.as_str());
    write_canonical(&tool.input_schema, fields.key("input_schema"));
    fields.text("name", tool.name.as_str()).end();
}

/// The settings section: an object of those that are set.
pub(super) fn write_settings(settings: &Settings, out: &mut String) {
    let mut fields = Fields::new(out);
    for (name, value) in settings.present() {
        write_canonical(value, fields.key(name));
    }
    fields.end();
}

/// A message; hash and row are no part of what is hashed.
pub(super) fn write_message(message: &Message, place: Option<(&str, &str)>, out: &mut String) {
    let mut fields = Fields::new(out);
    fields.optional("hash", place.map(|(hash, _)| hash));
    fields.optional("name", message.name.as_ref().map(Clean::as_str));
    write_list(&message.parts, fields.key("parts"), write_part);
    fields.text("role", message.role.as_str());
    fields.optional("row", place.map(|(_, row)| row)).end();
}

pub(super) fn write_part(part: &Part, out: &mut String) {
    let data = part.provider_data.as_ref();
    let mut fields = Fields::new(out);
    match &part.body {
        Body::Text(text) => {
            write_issued(data, &mut fields);
            fields.text("text", text.as_str()).text("type", "text");
        }
        Body::Image(media) => write_media(media, "image", data, &mut fields),
        Body::Document(media) => write_media(media, "document", data, &mut fields),
        Body::Thinking { text, redacted } => {
            write_issued(data, &mut fields);
            fields.flag("redacted", *redacted).text("text", text.as_str()).text("type", "thinking");
        }
        Body::ToolCall { id, name, arguments } => {
            write_canonical(arguments, fields.key("arguments"));
            fields.text("id", id).text("name", name.as_str());
            write_issued(data, &mut fields);
            fields.text("type", "tool_call");
        }
        Body::ToolResult { id, content, is_error } => {
            fields.text("id", id).flag("is_error", *is_error);
            if let ResultContent::Parts(parts) = content {
                write_list(parts, fields.key("parts"), write_part);
            }
            write_issued(data, &mut fields);
            if let ResultContent::Text(text) = content {
                fields.text("text", text.as_str());
            }
            fields.text("type", "tool_result");
        }
    }
    fields.end();
}

fn write_media(media: &Media, kind: &str, data: Option<&IssuedData>, fields: &mut Fields<'_>) {
    fields.text("media_type", media.media_type.as_str());
    fields.optional("name", media.name.as_ref().map(Clean::as_str));
    write_issued(data, fields);
    let (source, value) = match &media.source {
        MediaSource::Base64(value) => ("base64", value.as_str()),
        MediaSource::Url(value) => ("url", value.as_str()),
        MediaSource::File(value) => ("file", value.as_str()),
    };
    Fields::new(fields.key("source")).text("kind", source).text("value", value).end();
    fields.text("type", kind);
}

fn write_issued(data: Option<&IssuedData>, fields: &mut Fields<'_>) {
    let Some(data) = data else { return };
    let mut inner = Fields::new(fields.key("provider_data"));
    inner.optional("data", data.data.as_ref().map(|data| data.as_str()));
    if let Some(issuer) = &data.issuer {
        let mut fields = Fields::new(inner.key("issuer"));
        fields.text("model", issuer.model.as_str()).text("provider", issuer.provider.as_str()).end();
    }
    inner.optional("item_id", data.item_id.as_ref().map(Clean::as_str));
    inner.optional("signature", data.signature.as_ref().map(|signature| signature.as_str())).end();
}

fn write_marker(marker: &Marker, out: &mut String) {
    let mut fields = Fields::new(out);
    fields.text("at", marker.at.as_str()).number("index", marker.index);
    if let Some(part) = marker.part {
        fields.number("part", part);
    }
    fields.text("ttl", marker.ttl.as_str()).end();
}

fn write_diagnostic(diagnostic: &Diagnostic, out: &mut String) {
    let mut fields = Fields::new(out);
    fields.text("code", diagnostic.code).optional("edit", diagnostic.edit.map(Edit::as_str));
    if let Some(index) = diagnostic.index {
        fields.number("index", index);
    }
    fields.text("message", &diagnostic.message);
    fields.optional("row", diagnostic.row.as_ref().map(|row| row.as_str())).end();
}

/// The parts of a text that was written piece by piece, as bytes of one buffer that is used again.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch(String);

impl Scratch {
    /// What `write` wrote.
    pub(super) fn bytes(&mut self, write: impl FnOnce(&mut String)) -> &[u8] {
        self.0.clear();
        write(&mut self.0);
        self.0.as_bytes()
    }
}

/// The canonical bytes of what `write` writes.
pub(super) fn bytes_of(write: impl FnOnce(&mut String)) -> Vec<u8> {
    let mut out = String::new();
    write(&mut out);
    out.into_bytes()
}
