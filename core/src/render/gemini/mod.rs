//! Gemini generateContent (`spec/prompt.md`, "Rendering for providers").
mod parts;
mod settings;

use super::{
    Options, Rendered,
    ids::Ids,
    names::{Names, Rule},
    object::object,
    runs, texts,
};
use crate::{
    json::{Json, Object},
    prompt::{Diagnostic, HeldTexts, Message, Prompt, RESUME_NOTE, Role},
    redact::Clean,
};
use alloc::{vec, vec::Vec};
use parts::Parts;

const NAMES: Rule = Rule { longest: 128, more: b".:", is_identifier: true };
/// The longest id of a call.
const LONGEST_ID: usize = 128;

/// Makes a request of Gemini's generateContent.
///
/// The model stands in the request's address and is no part of the body. The provider caches by itself: no
/// marker is sent.
///
/// ```
/// use throughline_core::{json, prompt::{Input, assemble}, render};
/// let rendered = render::gemini(&assemble(Input::default()), &render::Options::default());
/// assert_eq!(json::text(&rendered.body), r#"{"contents":[]}"#);
/// ```
#[must_use]
pub fn render(prompt: &Prompt, _options: &Options) -> Rendered {
    let mut body = Object::new();
    let mut writer = Writer {
        model: prompt.model.as_ref(),
        held: &prompt.held,
        ids: Ids::new(|id| {
            (1..=LONGEST_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
        }),
        names: Names::new(NAMES),
        notes: Vec::new(),
        out: Vec::new(),
    };
    if prompt.model.is_none() {
        writer.notes.push(Diagnostic::new("model_missing", "the request names no model"));
    }
    if !prompt.system.is_empty() {
        let parts: Vec<Json> = prompt.system.iter().map(|words| parts::text(words.as_str()).into()).collect();
        body.insert("systemInstruction", object([("parts", parts.into())]));
    }
    writer.tools(prompt, &mut body);
    settings::write(prompt, &mut writer.names, &mut body, &mut writer.notes);
    writer.messages(&prompt.messages);
    body.insert("contents", writer.out);
    Rendered {
        body: body.into(),
        diagnostics: writer.notes,
        renamed: writer.ids.renamed,
        renamed_tools: writer.names.renamed,
        betas: Vec::new(),
    }
}

struct Writer<'a> {
    model: Option<&'a Clean>,
    held: &'a HeldTexts,
    ids: Ids,
    names: Names,
    notes: Vec<Diagnostic>,
    out: Vec<Json>,
}

impl Writer<'_> {
    fn tools(&mut self, prompt: &Prompt, body: &mut Object) {
        let mut declarations: Vec<Json> = Vec::with_capacity(prompt.tools.len());
        for (i, tool) in prompt.tools.iter().enumerate() {
            let (name, note) = self.names.sent(tool.name.as_str());
            self.notes.extend(note.map(|note| note.index(i)));
            let mut out = object([("name", name.into())]);
            if !tool.description.is_empty() {
                out.insert("description", tool.description.as_str());
            }
            out.insert("parametersJsonSchema", runs::object_schema(&tool.input_schema));
            declarations.push(out.into());
        }
        if !declarations.is_empty() {
            let tool: Json = object([("functionDeclarations", declarations.into())]).into();
            body.insert("tools", vec![tool]);
        }
    }

    fn messages(&mut self, messages: &[Message]) {
        if messages.first().is_some_and(|message| message.role == Role::Assistant) {
            let note = texts::developer_note(RESUME_NOTE);
            self.out.push(content("user", vec![parts::text(&note).into()]));
        }
        let mut is_last_own = false;
        for (at, run) in runs::runs(messages) {
            let Some(first) = run.first() else { continue };
            let is_own = first.role == Role::Assistant;
            self.ids.take_on(messages, at, &mut self.notes);
            let mut written = Vec::new();
            for (i, message) in run.iter().enumerate() {
                let index = at.saturating_add(i);
                let (model, held, ids, names) = (self.model, self.held, &self.ids, &mut self.names);
                Parts::new(message, index, model, held, ids, names, &mut self.notes).write(&mut written);
            }
            if written.is_empty() {
                self.notes.push(runs::empty(first, at));
                continue;
            }
            self.out.push(content(if is_own { "model" } else { "user" }, written));
            is_last_own = is_own;
        }
        if is_last_own {
            let note = "the request ends with an assistant message; a user's message or a result goes last";
            self.notes.push(Diagnostic::new("ends_with_assistant", note));
        }
    }
}

fn content(role: &str, parts: Vec<Json>) -> Json {
    object([("role", role.into()), ("parts", parts.into())]).into()
}
