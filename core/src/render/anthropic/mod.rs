//! Anthropic Messages (`spec/prompt.md`, "Rendering for providers").
mod blocks;
mod settings;

use super::{
    Options, Rendered,
    ids::Ids,
    names::{Names, Rule},
    object::{insert_list, object},
    runs, texts,
};
use crate::{
    json::{Json, Object},
    prompt::{Diagnostic, HeldTexts, Marker, MarkerAt, Message, Prompt, RESUME_NOTE, Role, Ttl},
};
use alloc::{string::String, vec, vec::Vec};
use blocks::Blocks;

const NAMES: Rule = Rule { longest: 128, more: b"", is_identifier: false };

fn is_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

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
    let mut writer = Writer {
        options,
        markers: if options.cache_markers { &prompt.markers } else { &[] },
        held: &prompt.held,
        ids: Ids::new(is_id),
        names: Names::new(NAMES),
        notes: Vec::new(),
        out: Vec::new(),
    };
    let mut body = Object::new();
    match &prompt.model {
        Some(model) => drop(body.insert("model", model.as_str())),
        None => writer.notes.push(Diagnostic::new("model_missing", "the request names no model")),
    }
    settings::write(prompt, options, &mut writer.names, &mut body, &mut writer.notes);
    insert_list(&mut body, "system", writer.system(prompt));
    insert_list(&mut body, "tools", writer.tools(prompt));
    writer.messages(&prompt.messages);
    body.insert("messages", writer.out);
    let betas = if options.drop_stale_thinking { vec![settings::BINDING_BETA] } else { Vec::new() };
    Rendered {
        body: body.into(),
        diagnostics: writer.notes,
        renamed: writer.ids.renamed,
        renamed_tools: writer.names.renamed,
        betas,
    }
}

struct Writer<'a> {
    options: &'a Options,
    markers: &'a [Marker],
    held: &'a HeldTexts,
    ids: Ids,
    names: Names,
    notes: Vec<Diagnostic>,
    out: Vec<Json>,
}

impl Writer<'_> {
    fn system(&self, prompt: &Prompt) -> Vec<Json> {
        let block = |(i, text): (usize, &crate::redact::Clean)| {
            let block = object([("type", "text".into()), ("text", text.as_str().into())]);
            with_marker(block, marker_on(self.markers, MarkerAt::System, i, None)).into()
        };
        prompt.system.iter().enumerate().map(block).collect()
    }

    fn tools(&mut self, prompt: &Prompt) -> Vec<Json> {
        let mut tools = Vec::with_capacity(prompt.tools.len());
        for (i, tool) in prompt.tools.iter().enumerate() {
            let (name, note) = self.names.sent(tool.name.as_str());
            self.notes.extend(note.map(|note| note.index(i)));
            let mut out = object([("name", name.into())]);
            if !tool.description.is_empty() {
                out.insert("description", tool.description.as_str());
            }
            out.insert("input_schema", runs::object_schema(&tool.input_schema));
            tools.push(with_marker(out, marker_on(self.markers, MarkerAt::Tools, i, None)).into());
        }
        tools
    }

    fn messages(&mut self, messages: &[Message]) {
        if messages.first().is_some_and(|message| message.role == Role::Assistant) {
            let note = texts::developer_note(RESUME_NOTE);
            self.out.push(message("user", vec![blocks::text(&note).into()]));
        }
        let mut runs = runs::runs(messages).peekable();
        while let Some((at, run)) = runs.next() {
            let Some(first) = run.first() else { continue };
            match first.role {
                Role::Assistant => {
                    self.ids.take_on(messages, at, &mut self.notes);
                    self.one("assistant", run, at);
                }
                Role::Developer | Role::System if self.is_inline(first) => {
                    let mut end = at.saturating_add(1);
                    while let Some((last, _)) = runs.next_if(|(_, run)| run.iter().all(|m| self.is_inline(m)))
                    {
                        end = last.saturating_add(1);
                    }
                    self.one("system", messages.get(at..end).unwrap_or_default(), at);
                }
                _ => self.one("user", run, at),
            }
        }
        if self.out.last().and_then(|last| last.get("role")).and_then(Json::as_str) == Some("assistant") {
            let note = "the request ends with an assistant message; a user's message or a result goes last";
            self.notes.push(Diagnostic::new("ends_with_assistant", note));
        }
    }

    /// Whether a message is a note of a step that goes as a system message. Those hold text alone.
    fn is_inline(&self, message: &Message) -> bool {
        matches!(message.role, Role::Developer | Role::System)
            && self.options.inline_system.contains(&message.row)
            && message.parts.iter().all(|part| matches!(part.body, crate::prompt::Body::Text(_)))
    }

    /// One message of the request from the neutral messages that it is made of.
    fn one(&mut self, role: &str, from: &[Message], at: usize) {
        let mut blocks = Vec::new();
        for (i, message) in from.iter().enumerate() {
            let index = at.saturating_add(i);
            let is_wrapped = role == "user" && matches!(message.role, Role::Developer | Role::System);
            let mut writer = Blocks::new(
                message,
                index,
                is_wrapped,
                self.held,
                &self.ids,
                &mut self.names,
                &mut self.notes,
            );
            for (k, part) in message.parts.iter().enumerate() {
                let Some(block) = writer.block(part) else { continue };
                let marker = marker_on(self.markers, MarkerAt::Message, index, Some(k));
                blocks.push(Json::from(with_marker(block, marker)));
            }
        }
        let Some(first) = from.first() else { return };
        if blocks.is_empty() {
            self.notes.push(runs::empty(first, at));
        } else if blocks.iter().all(is_thinking) {
            let note = Diagnostic::new("thinking_alone", "a message of thinking alone is left out");
            self.notes.push(note.row(&first.row).index(at));
        } else {
            self.out.push(message(role, blocks));
        }
    }
}

fn is_thinking(block: &Json) -> bool {
    let kind = block.get("type").and_then(Json::as_str);
    matches!(kind, Some("thinking" | "redacted_thinking"))
}

fn message(role: &str, content: Vec<Json>) -> Json {
    object([("role", String::from(role).into()), ("content", content.into())]).into()
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
