//! Settings.
use super::{super::Options, object};
use crate::{
    json::{Json, Object},
    prompt::{Diagnostic, Prompt},
};
use alloc::vec::Vec;

const EFFORTS: [&str; 5] = ["low", "medium", "high", "xhigh", "max"];
const CHOICES: [&str; 4] = ["auto", "any", "none", "tool"];

/// Writes `max_tokens`, `output_config` and `tool_choice`.
pub(super) fn write(prompt: &Prompt, options: &Options, body: &mut Object, notes: &mut Vec<Diagnostic>) {
    let settings = &prompt.settings;
    let limit = settings.max_output_tokens.as_ref().and_then(Json::as_u64);
    body.insert("max_tokens", limit.unwrap_or(options.default_max_tokens));
    let mut output = Object::new();
    if let Some(effort) = &settings.effort {
        match effort.as_str() {
            Some(level) if EFFORTS.contains(&level) => drop(output.insert("effort", level)),
            _ => notes.push(unsupported("effort is low, medium, high, xhigh or max; left out")),
        }
    }
    if let Some(format) = &settings.response_format {
        match output_format(format) {
            Ok(Some(format)) => drop(output.insert("format", format)),
            Ok(None) => {}
            Err(note) => notes.push(note),
        }
    }
    if !output.is_empty() {
        body.insert("output_config", output);
    }
    if let Some(choice) = &settings.tool_choice {
        match tool_choice(choice, prompt) {
            Ok(choice) => drop(body.insert("tool_choice", choice)),
            Err(note) => notes.push(note),
        }
    }
}

fn unsupported(message: &str) -> Diagnostic {
    Diagnostic::new("setting_unsupported", message)
}

/// `{"type": "json_schema", "schema": {…}}`, or the same with `{"json_schema": {"schema": {…}}}`; text is what
/// the provider answers with anyway.
fn output_format(format: &Json) -> Result<Option<Object>, Diagnostic> {
    let schema =
        format.get("schema").or_else(|| format.get("json_schema").and_then(|inner| inner.get("schema")));
    match (format.get("type").and_then(Json::as_str), schema) {
        (Some("text"), _) => Ok(None),
        (Some("json_schema"), Some(schema @ Json::Object(_))) => {
            Ok(Some(object([("type", "json_schema".into()), ("schema", schema.clone())])))
        }
        _ => Err(unsupported("response_format is of type json_schema with a schema; left out")),
    }
}

fn tool_choice(choice: &Json, prompt: &Prompt) -> Result<Object, Diagnostic> {
    if prompt.tools.is_empty() {
        return Err(Diagnostic::new("tool_choice_without_tools", "a choice among no tools is left out"));
    }
    let is_tool = |name: &str| prompt.tools.iter().any(|tool| tool.name.as_str() == name);
    let by_name = |name: &str| match is_tool(name) {
        true => Ok(object([("type", "tool".into()), ("name", name.into())])),
        false => Err(unsupported("tool_choice names no tool of the request; left out")),
    };
    match choice {
        Json::String(name) => match name.as_str() {
            "auto" | "any" | "none" => Ok(object([("type", name.as_str().into())])),
            "required" => Ok(object([("type", "any".into())])),
            name => by_name(name),
        },
        Json::Object(own) => {
            let name = own.get("name").and_then(Json::as_str);
            match (own.get("type").and_then(Json::as_str), name) {
                (Some("tool"), Some(name)) if !is_tool(name) => by_name(name),
                (Some("tool"), None) => Err(unsupported("tool_choice of type tool needs a name; left out")),
                (Some(kind), _) if CHOICES.contains(&kind) => Ok(own.clone()),
                (_, Some(name)) => by_name(name),
                _ => Err(unsupported("tool_choice is auto, any, none or a tool; left out")),
            }
        }
        _ => Err(unsupported("tool_choice is a string or an object; left out")),
    }
}
