//! Settings.
use super::super::{
    names::Names,
    object::object,
    settings::{self, Choice, ResponseFormat},
};
use crate::{
    json::{Json, Object},
    prompt::{Diagnostic, Prompt},
};
use alloc::{string::String, vec, vec::Vec};

const EFFORTS: [&str; 4] = ["minimal", "low", "medium", "high"];

/// Writes `toolConfig` and `generationConfig`.
pub(super) fn write(prompt: &Prompt, names: &mut Names, body: &mut Object, notes: &mut Vec<Diagnostic>) {
    let is_own = |object: &Object| object.get("functionCallingConfig").is_some();
    if let Some(chosen) = settings::tool_choice(prompt, is_own, notes) {
        if chosen.parallel == Some(false) {
            let note =
                "the provider always may call several tools at once; disable_parallel_tool_use is left out";
            notes.push(settings::unsupported(note));
        }
        let config = |mode: &str| object([("mode", mode.into())]);
        let config = match chosen.choice {
            Choice::Auto => config("AUTO"),
            Choice::Any => config("ANY"),
            Choice::None => config("NONE"),
            Choice::Tool(name) => {
                let mut config = config("ANY");
                config.insert("allowedFunctionNames", vec![Json::from(names.sent(name).0)]);
                config
            }
            Choice::Own(own) => {
                body.insert("toolConfig", own.clone());
                Object::new()
            }
        };
        if !config.is_empty() {
            body.insert("toolConfig", object([("functionCallingConfig", config.into())]));
        }
    }
    let mut generation = Object::new();
    if let Some(limit) = settings::output_limit(prompt) {
        generation.insert("maxOutputTokens", limit);
    }
    if let Some(format) = settings::response_format(prompt, notes) {
        generation.insert("responseMimeType", "application/json");
        if let ResponseFormat::Schema { schema, .. } = format {
            generation.insert("responseJsonSchema", schema.clone());
        }
    }
    let message = "effort is minimal, low, medium or high; left out";
    if let Some(level) = settings::effort(prompt, &EFFORTS, message, notes) {
        let level: String = level.to_ascii_uppercase();
        generation.insert("thinkingConfig", object([("thinkingLevel", level.into())]));
    }
    if !generation.is_empty() {
        body.insert("generationConfig", generation);
    }
}
