//! OpenAI Responses (`spec/prompt.md`, "Rendering for providers").
mod items;
mod media;

use super::{
    Options, Rendered,
    ids::Ids,
    names::{Names, Rule},
    object::{insert_list, object},
    openai, runs, settings,
};
use crate::{
    json::Object,
    prompt::{Diagnostic, Prompt},
};
use alloc::{string::ToString, vec, vec::Vec};
use items::Items;

const NAMES: Rule = Rule { longest: 64, more: b"", is_identifier: false };
/// The longest id of a call.
const LONGEST_ID: usize = 64;

/// Makes a request of OpenAI's Responses API.
///
/// System texts are the first items of `input`. The provider keeps nothing (`store: false`), so reasoning comes
/// back encrypted and is sent again with the items that it led to; an item whose reasoning is not sent goes
/// without its id.
///
/// ```
/// use throughline_core::{json, prompt::{Input, assemble}, render};
/// let options = render::Options::default();
/// let rendered = render::openai_responses(&assemble(Input::default()), &options);
/// assert_eq!(json::text(rendered.body.get("store").unwrap()), "false");
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
        let mut out = object([("type", "function".into()), ("name", name.into())]);
        if !tool.description.is_empty() {
            out.insert("description", tool.description.as_str());
        }
        out.insert("parameters", runs::object_schema(&tool.input_schema));
        out.insert("strict", false);
        tools.push(out.into());
    }
    insert_list(&mut body, "tools", tools);
    if let Some(key) = openai::cache_key(prompt, options) {
        body.insert("prompt_cache_key", key);
    }
    body.insert("store", false);
    body.insert("include", vec!["reasoning.encrypted_content".into()]);

    let mut ids = Ids::new(|id| openai::is_id(id, LONGEST_ID));
    let mut input = Vec::with_capacity(prompt.messages.len());
    input.extend(
        prompt.system.iter().map(|text| items::message("developer", vec![items::text(text.as_str())])),
    );
    for (index, message) in prompt.messages.iter().enumerate() {
        ids.take_on(&prompt.messages, index, &mut notes);
        let before = input.len();
        Items {
            message,
            index,
            held: &prompt.held,
            ids: &ids,
            names: &mut names,
            notes: &mut notes,
            out: &mut input,
        }
        .write();
        if input.len() == before {
            notes.push(runs::empty(message, index));
        }
    }
    body.insert("input", input);
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
        body.insert("max_output_tokens", limit);
    }
    if let Some(level) = openai::effort(prompt, notes) {
        body.insert("reasoning", object([("effort", level.into())]));
    }
    if let Some(format) = openai::format(prompt, notes) {
        let mut out = object([("type", format.kind().to_string().into())]);
        for (key, value) in format.into_fields() {
            out.insert(key, value);
        }
        body.insert("text", object([("format", out.into())]));
    }
    let named = |name: &str| object([("type", "function".into()), ("name", name.into())]);
    openai::write_choice(prompt, names, named, body, notes);
}
