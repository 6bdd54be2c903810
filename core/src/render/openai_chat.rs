//! OpenAI Chat Completions (`spec/prompt.md`, "Rendering for providers").
use super::{
    Options, Rendered,
    ids::Ids,
    names::{Names, Rule},
    object::{insert_list, object},
    openai, runs, settings, texts,
};
use crate::{
    json::{Json, Object, canonical},
    model::MediaSource,
    prompt::{Body, Diagnostic, Media, Message, Part, Prompt, ResultContent, Role},
};
use alloc::{format, string::ToString, vec::Vec};

const NAMES: Rule = Rule { longest: 64, more: b"", is_identifier: false };
/// The longest id of a call that every model takes.
const LONGEST_ID: usize = 40;
const IMAGES: [&str; 4] = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/// Makes a request of OpenAI's Chat Completions API.
///
/// The interface has no place for thinking, nor for media in results; both are reported.
///
/// ```
/// use throughline_core::{json, prompt::{Input, assemble}, render};
/// let options = render::Options::default();
/// let rendered = render::openai_chat(&assemble(Input::default()), &options);
/// assert_eq!(json::text(rendered.body.get("messages").unwrap()), "[]");
/// ```
#[must_use]
pub fn render(prompt: &Prompt, options: &Options) -> Rendered {
    let mut body = Object::new();
    let mut notes = Vec::new();
    let mut names = Names::new(NAMES);
    match &prompt.model {
        Some(model) => drop(body.insert("model", model.as_str())),
        None => notes.push(Diagnostic::new("model_missing", "the request names no model")),
    }
    write_settings(prompt, &mut names, &mut body, &mut notes);
    let mut tools = Vec::with_capacity(prompt.tools.len());
    for (i, tool) in prompt.tools.iter().enumerate() {
        let (name, note) = names.sent(tool.name.as_str());
        notes.extend(note.map(|note| note.index(i)));
        let mut function = object([("name", name.into())]);
        if !tool.description.is_empty() {
            function.insert("description", tool.description.as_str());
        }
        function.insert("parameters", runs::object_schema(&tool.input_schema));
        tools.push(object([("type", "function".into()), ("function", function.into())]).into());
    }
    insert_list(&mut body, "tools", tools);
    if let Some(key) = openai::cache_key(prompt, options) {
        body.insert("prompt_cache_key", key);
    }

    let mut ids = Ids::new(|id| openai::is_id(id, LONGEST_ID));
    let mut out: Vec<Json> = Vec::with_capacity(prompt.messages.len());
    out.extend(prompt.system.iter().map(|text| message("developer", text.as_str().into()).into()));
    for (index, message) in prompt.messages.iter().enumerate() {
        ids.take_on(&prompt.messages, index, &mut notes);
        let before = out.len();
        let mut writer = Writer { message, index, ids: &ids, names: &mut names, notes: &mut notes };
        writer.write(&mut out);
        if out.len() == before {
            notes.push(runs::empty(message, index));
        }
    }
    body.insert("messages", out);
    Rendered {
        body: body.into(),
        diagnostics: notes,
        renamed: ids.renamed,
        renamed_tools: names.renamed,
        betas: Vec::new(),
    }
}

fn write_settings(prompt: &Prompt, names: &mut Names, body: &mut Object, notes: &mut Vec<Diagnostic>) {
    if let Some(limit) = settings::output_limit(prompt) {
        body.insert("max_completion_tokens", limit);
    }
    if let Some(level) = openai::effort(prompt, notes) {
        body.insert("reasoning_effort", level);
    }
    if let Some(format) = openai::format(prompt, notes) {
        let kind = format.kind();
        let mut out = object([("type", kind.to_string().into())]);
        let fields: Object = format.into_fields().into_iter().collect();
        if !fields.is_empty() {
            out.insert(kind, fields);
        }
        body.insert("response_format", out);
    }
    let named = |name: &str| {
        object([("type", "function".into()), ("function", object([("name", name.into())]).into())])
    };
    openai::write_choice(prompt, names, named, body, notes);
}

fn message(role: &str, content: Json) -> Object {
    object([("role", role.into()), ("content", content)])
}

fn text(text: &str) -> Json {
    object([("type", "text".into()), ("text", text.into())]).into()
}

/// One text as a string, several blocks as a list.
fn as_content(blocks: Vec<Json>) -> Json {
    match blocks.as_slice() {
        [block] if let Some(text) = block.get("text") => text.clone(),
        _ => blocks.into(),
    }
}

struct Writer<'a> {
    message: &'a Message,
    index: usize,
    ids: &'a Ids,
    names: &'a mut Names,
    notes: &'a mut Vec<Diagnostic>,
}

impl Writer<'_> {
    fn note(&mut self, note: Option<Diagnostic>) {
        self.notes.extend(note.map(|note| note.row(&self.message.row).index(self.index)));
    }

    fn report(&mut self, code: &'static str, message: &str) {
        self.note(Some(Diagnostic::new(code, message)));
    }

    fn write(&mut self, out: &mut Vec<Json>) {
        let from = self.message;
        match from.role {
            Role::Assistant => out.extend(self.assistant().map(Json::from)),
            Role::Tool => self.results(out),
            Role::User | Role::Developer | Role::System => {
                let role = if from.role == Role::User { "user" } else { "developer" };
                let blocks = self.blocks(from.parts.iter(), from.role == Role::User);
                if !blocks.is_empty() {
                    out.push(message(role, as_content(blocks)).into());
                }
            }
        }
    }

    fn blocks<'p>(&mut self, parts: impl Iterator<Item = &'p Part>, takes_media: bool) -> Vec<Json> {
        let mut blocks = Vec::new();
        for part in parts {
            match &part.body {
                Body::Text(_) if runs::is_blank(part) => {
                    self.report("block_empty", "an empty text is left out");
                }
                Body::Text(words) => blocks.push(text(words.as_str())),
                Body::Image(media) => blocks.push(self.media(media, "image", takes_media)),
                Body::Document(media) => blocks.push(self.media(media, "document", takes_media)),
                Body::Thinking { .. } => {
                    self.report("thinking_unsupported", "the provider takes no thinking; it is left out");
                }
                Body::ToolCall { .. } | Body::ToolResult { .. } => {
                    self.report("media_misplaced", "texts, images and documents alone stand here");
                }
            }
        }
        blocks
    }

    fn media(&mut self, media: &Media, kind: &str, is_allowed: bool) -> Json {
        let sent = if kind == "image" { image(media) } else { document(media) };
        match sent {
            Some(sent) if is_allowed => return sent.into(),
            Some(_) => {
                self.report("media_misplaced", "media stands here where the provider takes none; it is named")
            }
            None => self.report("media_unsupported", "this media cannot be sent; it is named in its place"),
        }
        text(&texts::not_sent(media, kind))
    }

    fn assistant(&mut self) -> Option<Object> {
        let from = self.message;
        let mut calls: Vec<Json> = Vec::new();
        for part in &from.parts {
            let Body::ToolCall { id, name, arguments } = &part.body else { continue };
            let (name, note) = self.names.sent(name.as_str());
            self.note(note);
            let (arguments, note) = runs::as_object(arguments);
            self.note(note);
            let arguments = canonical(&arguments.into());
            let function = object([("name", name.into()), ("arguments", arguments.into())]);
            calls.push(
                object([
                    ("id", self.ids.of(id).into()),
                    ("type", "function".into()),
                    ("function", function.into()),
                ])
                .into(),
            );
        }
        let others = from.parts.iter().filter(|part| !matches!(part.body, Body::ToolCall { .. }));
        let blocks = self.blocks(others, false);
        if blocks.is_empty() && calls.is_empty() {
            return None;
        }
        let mut out = object([("role", "assistant".into())]);
        if !blocks.is_empty() {
            out.insert("content", as_content(blocks));
        }
        insert_list(&mut out, "tool_calls", calls);
        Some(out)
    }

    fn results(&mut self, out: &mut Vec<Json>) {
        let from = self.message;
        for part in &from.parts {
            let Body::ToolResult { id, content, is_error } = &part.body else {
                self.report("media_misplaced", "a result alone stands here");
                continue;
            };
            let content = match content {
                ResultContent::Text(text) if *is_error => texts::failed(text.as_str()).into(),
                ResultContent::Text(text) => text.as_str().into(),
                ResultContent::Parts(parts) => {
                    let mut blocks = self.blocks(parts.iter(), false);
                    if *is_error {
                        blocks.insert(0, text(texts::FAILED));
                    }
                    if blocks.is_empty() { "".into() } else { as_content(blocks) }
                }
            };
            let mut result = object([("role", "tool".into()), ("tool_call_id", self.ids.of(id).into())]);
            result.insert("content", content);
            out.push(result.into());
        }
    }
}

/// An image by its address or bytes; a file of the provider's cannot be one.
fn image(media: &Media) -> Option<Object> {
    let url = match &media.source {
        MediaSource::Base64(data) if IMAGES.contains(&media.media_type.as_str()) => {
            format!("data:{};base64,{}", media.media_type.as_str(), data.as_str())
        }
        MediaSource::Url(url) => url.as_str().into(),
        MediaSource::Base64(_) | MediaSource::File(_) => return None,
    };
    Some(object([("type", "image_url".into()), ("image_url", object([("url", url.into())]).into())]))
}

/// A PDF by its bytes, or a file of the provider's; an address cannot be one.
fn document(media: &Media) -> Option<Object> {
    let file = match &media.source {
        MediaSource::Base64(data) if media.media_type.as_str() == "application/pdf" => {
            let name = media.name.as_ref().filter(|name| !name.is_empty());
            object([
                ("filename", name.map_or("document.pdf", |name| name.as_str()).into()),
                ("file_data", format!("data:application/pdf;base64,{}", data.as_str()).into()),
            ])
        }
        MediaSource::File(id) => object([("file_id", id.as_str().into())]),
        MediaSource::Base64(_) | MediaSource::Url(_) => return None,
    };
    Some(object([("type", "file".into()), ("file", file.into())]))
}
