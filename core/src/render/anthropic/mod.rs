//! Anthropic Messages (`spec/prompt.md`, "Rendering for providers").
//!
//! | neutral | sent as |
//! |---|---|
//! | user | a user message of its own |
//! | assistant | an assistant message; thinking with a signature as `thinking`, encrypted as `redacted_thinking` |
//! | the results of a round | one user message of `tool_result` blocks |
//! | developer, system in place | a user message of its own, each text between `<developer-note>` and `</developer-note>` |
//! | system | `system`, one text block each |
//! | tools | `tools`, by name |
//! | tool_choice | `tool_choice`; `"auto"`, `"any"` (or `"required"`), `"none"` or a tool's name become objects |
//! | effort | `output_config.effort` |
//! | response_format | `output_config.format` |
//! | max_output_tokens | `max_tokens` |
//!
//! A conversation that would begin with an assistant message gets the resume note first.
mod blocks;
mod names;
mod object;
mod settings;

use super::{Options, Rendered, ids::Ids};
use crate::{
    json::{Json, Object},
    prompt::{Diagnostic, Marker, MarkerAt, Message, Prompt, RESUME_NOTE, Role, Tool, Ttl},
};
use alloc::vec::Vec;
use blocks::Blocks;
use object::object;

/// Makes a request of Anthropic's Messages API.
///
/// The body has `max_tokens` always: the settings' `max_output_tokens`, else
/// [`Options::default_max_tokens`]. Messages keep the order of the neutral prompt, so that a prompt that
/// extends another gives messages that extend the other's, cache markers apart.
///
/// ```
/// use throughline_core::{json, prompt::{Input, assemble}, render};
/// let rendered = render::anthropic(&assemble(Input::default()), &render::Options::default());
/// assert_eq!(json::text(&rendered.body), r#"{"max_tokens":8192,"messages":[]}"#);
/// ```
#[must_use]
pub fn render(prompt: &Prompt, options: &Options) -> Rendered {
    let mut notes = Vec::new();
    let markers = if options.cache_markers { prompt.markers.as_slice() } else { &[] };
    let mut body = Object::new();
    match &prompt.model {
        Some(model) => drop(body.insert("model", model.as_str())),
        None => notes.push(Diagnostic::new("model_missing", "the request names no model")),
    }
    settings::write(prompt, options, &mut body, &mut notes);
    let system = prompt.system.iter().enumerate().map(|(i, text)| {
        let block = object([("type", "text".into()), ("text", text.as_str().into())]);
        with_marker(block, marker_on(markers, MarkerAt::System, i, None))
    });
    insert_list(&mut body, "system", system.collect());
    let tools = prompt.tools.iter().enumerate().map(|(i, tool)| {
        if !names::is_accepted(tool.name.as_str()) {
            notes.push(names::refused().index(i));
        }
        with_marker(tool_object(tool), marker_on(markers, MarkerAt::Tools, i, None))
    });
    insert_list(&mut body, "tools", tools.collect());
    let mut messages = Messages { markers, ids: Ids::new(names::is_id), notes, out: Vec::new() };
    messages.write(&prompt.messages);
    body.insert("messages", messages.out);
    Rendered { body: body.into(), diagnostics: messages.notes, renamed: messages.ids.renamed }
}

fn tool_object(tool: &Tool) -> Object {
    let mut out = object([("name", names::sent(tool.name.as_str()).into())]);
    if !tool.description.is_empty() {
        out.insert("description", tool.description.as_str());
    }
    let mut schema = tool.input_schema.clone();
    if let Json::Object(fields) = &mut schema
        && fields.get("type").is_none()
    {
        fields.insert("type", "object");
    }
    out.insert("input_schema", schema);
    out
}

struct Messages<'a> {
    markers: &'a [Marker],
    ids: Ids,
    notes: Vec<Diagnostic>,
    out: Vec<Json>,
}

impl Messages<'_> {
    fn write(&mut self, messages: &[Message]) {
        if messages.first().is_some_and(|message| message.role == Role::Assistant) {
            self.out.push(user([blocks::note(RESUME_NOTE).into()].into()));
        }
        let mut at = 0usize;
        while let Some(message) = messages.get(at) {
            let following = messages.get(at.saturating_add(1)..).unwrap_or_default();
            let run = match message.role {
                Role::Tool => {
                    let more = following.iter().take_while(|message| message.role == Role::Tool).count();
                    more.saturating_add(1)
                }
                _ => 1,
            };
            if message.role == Role::Assistant {
                self.ids.begin_round(following, at, &mut self.notes);
            }
            let end = at.saturating_add(run);
            self.one(messages.get(at..end).unwrap_or_default(), at);
            at = end;
        }
        if self.out.last().and_then(|last| last.get("role")).and_then(Json::as_str) == Some("assistant") {
            let note = "the request ends with an assistant message; a user's message or a result goes last";
            self.notes.push(Diagnostic::new("ends_with_assistant", note));
        }
    }

    /// One message of the request from the neutral messages that it is made of.
    fn one(&mut self, from: &[Message], at: usize) {
        let mut blocks = Vec::new();
        for (i, message) in from.iter().enumerate() {
            let index = at.saturating_add(i);
            let mut writer = Blocks::new(message, index, &self.ids, &mut self.notes);
            for (k, part) in message.parts.iter().enumerate() {
                let Some(block) = writer.block(part) else { continue };
                let marker = marker_on(self.markers, MarkerAt::Message, index, Some(k));
                blocks.push(Json::from(with_marker(block, marker)));
            }
        }
        let Some(first) = from.first() else { return };
        if blocks.is_empty() {
            let note = Diagnostic::new("block_empty", "a message of which nothing can be sent is left out");
            self.notes.push(note.row(&first.row).index(at));
        } else if blocks.iter().all(is_thinking) {
            let note = Diagnostic::new("thinking_alone", "a message of thinking alone is left out");
            self.notes.push(note.row(&first.row).index(at));
        } else if first.role == Role::Assistant {
            self.out.push(object([("role", "assistant".into()), ("content", blocks.into())]).into());
        } else {
            self.out.push(user(blocks));
        }
    }
}

fn is_thinking(block: &Json) -> bool {
    let kind = block.get("type").and_then(Json::as_str);
    matches!(kind, Some("thinking" | "redacted_thinking"))
}

fn user(blocks: Vec<Json>) -> Json {
    object([("role", "user".into()), ("content", blocks.into())]).into()
}

fn marker_on(markers: &[Marker], at: MarkerAt, index: usize, part: Option<usize>) -> Option<&Marker> {
    markers.iter().find(|marker| marker.at == at && marker.index == index && marker.part == part)
}

fn with_marker(mut block: Object, marker: Option<&Marker>) -> Object {
    if let Some(marker) = marker {
        let mut control = object([("type", "ephemeral".into())]);
        if marker.ttl != Ttl::FiveMinutes {
            control.insert("ttl", marker.ttl.as_str());
        }
        block.insert("cache_control", control);
    }
    block
}

fn insert_list(body: &mut Object, key: &str, list: Vec<Object>) {
    if !list.is_empty() {
        body.insert(key, list.into_iter().map(Json::from).collect::<Vec<_>>());
    }
}
