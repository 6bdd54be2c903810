//! Settings as they are meant, whichever provider's words they were given in.
use crate::{
    json::{Json, Object},
    prompt::{Diagnostic, Prompt},
};
use alloc::vec::Vec;

/// Which tools the model may use.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Choice<'a> {
    Auto,
    Any,
    None,
    /// One, by the name that it is declared with.
    Tool(&'a str),
    /// An object of one provider's own, which is passed on.
    Own(&'a Object),
}

/// A choice, and whether the model may call several tools at once.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ToolChoice<'a> {
    pub(super) choice: Choice<'a>,
    pub(super) parallel: Option<bool>,
}

/// The form of the answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ResponseFormat<'a> {
    JsonObject,
    Schema { name: Option<&'a str>, description: Option<&'a str>, strict: Option<bool>, schema: &'a Object },
}

/// The report that a setting is left out.
pub(super) fn unsupported(message: &str) -> Diagnostic {
    Diagnostic::new("setting_unsupported", message)
}

/// The most tokens of the answer.
pub(super) fn output_limit(prompt: &Prompt) -> Option<u64> {
    prompt.settings.max_output_tokens.as_ref().and_then(Json::as_u64)
}

/// The effort, when it is one of the provider's; `message` says which those are.
pub(super) fn effort<'a>(
    prompt: &'a Prompt,
    levels: &[&str],
    message: &str,
    notes: &mut Vec<Diagnostic>,
) -> Option<&'a str> {
    let effort = prompt.settings.effort.as_ref()?;
    let level = effort.as_str().filter(|level| levels.contains(level));
    if level.is_none() {
        notes.push(unsupported(message));
    }
    level
}

/// The form of the answer, where it is not plain text: `{"type": "json_schema", "schema": {…}}`, the same with
/// `{"json_schema": {"schema": {…}}}`, or `{"type": "json_object"}`.
pub(super) fn response_format<'a>(
    prompt: &'a Prompt,
    notes: &mut Vec<Diagnostic>,
) -> Option<ResponseFormat<'a>> {
    let format = prompt.settings.response_format.as_ref()?;
    let inner = format.get("json_schema").unwrap_or(format);
    match (format.get("type").and_then(Json::as_str), inner.get("schema")) {
        (Some("text"), _) => None,
        (Some("json_object"), _) => Some(ResponseFormat::JsonObject),
        (Some("json_schema"), Some(Json::Object(schema))) => Some(ResponseFormat::Schema {
            name: inner.get("name").and_then(Json::as_str),
            description: inner.get("description").and_then(Json::as_str),
            strict: inner.get("strict").and_then(Json::as_bool),
            schema,
        }),
        _ => {
            let note = "response_format is of type text, json_object or json_schema with a schema; left out";
            notes.push(unsupported(note));
            None
        }
    }
}

/// The choice of tools. `is_own` says which objects the provider takes as they are.
pub(super) fn tool_choice<'a>(
    prompt: &'a Prompt,
    is_own: fn(&Object) -> bool,
    notes: &mut Vec<Diagnostic>,
) -> Option<ToolChoice<'a>> {
    let given = prompt.settings.tool_choice.as_ref()?;
    if prompt.tools.is_empty() {
        notes.push(Diagnostic::new("tool_choice_without_tools", "a choice among no tools is left out"));
        return None;
    }
    match read(given, prompt, is_own) {
        Ok(choice) => Some(choice),
        Err(message) => {
            notes.push(unsupported(message));
            None
        }
    }
}

fn read<'a>(
    given: &'a Json,
    prompt: &'a Prompt,
    is_own: fn(&Object) -> bool,
) -> Result<ToolChoice<'a>, &'static str> {
    let plain = |choice| ToolChoice { choice, parallel: None };
    match given {
        Json::String(word) => Ok(plain(match word_choice(word) {
            Some(choice) => choice,
            None => by_name(word, prompt)?,
        })),
        Json::Object(object) if is_own(object) => Ok(plain(Choice::Own(object))),
        Json::Object(object) => {
            let kind = object.get("type").and_then(Json::as_str);
            let function = object.get("function").and_then(|function| function.get("name"));
            let name = object.get("name").or(function).and_then(Json::as_str);
            let choice = match (kind.and_then(word_choice), name) {
                (Some(choice), _) => choice,
                (None, Some(name)) => by_name(name, prompt)?,
                (None, None) if matches!(kind, Some("tool" | "function")) => {
                    return Err("tool_choice of a tool needs its name; left out");
                }
                (None, None) => {
                    return Err("tool_choice is auto, any (or required), none or a tool; left out");
                }
            };
            let single = object.get("disable_parallel_tool_use").and_then(Json::as_bool);
            Ok(ToolChoice { choice, parallel: single.map(|single| !single) })
        }
        _ => Err("tool_choice is a string or an object; left out"),
    }
}

fn word_choice(word: &str) -> Option<Choice<'static>> {
    Some(match word {
        "auto" => Choice::Auto,
        "any" | "required" => Choice::Any,
        "none" => Choice::None,
        _ => return None,
    })
}

fn by_name<'a>(name: &str, prompt: &'a Prompt) -> Result<Choice<'a>, &'static str> {
    let tool = prompt.tools.iter().find(|tool| tool.name.as_str() == name);
    tool.map(|tool| Choice::Tool(tool.name.as_str()))
        .ok_or("tool_choice names no tool of the request; left out")
}
