//! What both interfaces of OpenAI have in common.
use super::{
    Options,
    names::Names,
    settings::{self, Choice, ResponseFormat},
};
use crate::{
    json::{Json, Object},
    prompt::{Diagnostic, Prompt},
};
use alloc::{string::String, vec::Vec};

/// Who issues what is sent to OpenAI alone.
pub(super) const ISSUERS: [&str; 1] = ["openai"];

/// The longest cache key.
const LONGEST_KEY: usize = 64;

const EFFORTS: [&str; 7] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/// Letters, digits, `_` and `-`, up to `longest`.
pub(super) fn is_id(id: &str, longest: usize) -> bool {
    (1..=longest).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// The key that keeps the requests of a conversation on one cache.
pub(super) fn cache_key(prompt: &Prompt, options: &Options) -> Option<String> {
    let key = options.cache_key.as_deref().unwrap_or(prompt.cache_key());
    options.cache_markers.then(|| crate::text::head(key, LONGEST_KEY).into())
}

pub(super) fn effort<'a>(prompt: &'a Prompt, notes: &mut Vec<Diagnostic>) -> Option<&'a str> {
    let message = "effort is none, minimal, low, medium, high, xhigh or max; left out";
    settings::effort(prompt, &EFFORTS, message, notes)
}

/// The form of the answer as the provider words it.
pub(super) enum Format {
    JsonObject,
    Schema(Object),
}

impl Format {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::JsonObject => "json_object",
            Self::Schema(_) => "json_schema",
        }
    }

    /// Name, description, strictness and schema.
    pub(super) fn into_fields(self) -> Vec<(String, Json)> {
        match self {
            Self::JsonObject => Vec::new(),
            Self::Schema(fields) => fields.iter().map(|(key, value)| (key.into(), value.clone())).collect(),
        }
    }
}

pub(super) fn format(prompt: &Prompt, notes: &mut Vec<Diagnostic>) -> Option<Format> {
    Some(match settings::response_format(prompt, notes)? {
        ResponseFormat::JsonObject => Format::JsonObject,
        ResponseFormat::Schema { name, description, strict, schema } => {
            let mut fields = Object::new();
            // The provider asks for a name; the schema means the same under any.
            fields.insert("name", name.unwrap_or("response"));
            if let Some(description) = description {
                fields.insert("description", description);
            }
            if let Some(strict) = strict {
                fields.insert("strict", strict);
            }
            fields.insert("schema", schema.clone());
            Format::Schema(fields)
        }
    })
}

/// Writes `tool_choice` and `parallel_tool_calls`.
pub(super) fn write_choice(
    prompt: &Prompt,
    names: &mut Names,
    named: impl Fn(&str) -> Object,
    body: &mut Object,
    notes: &mut Vec<Diagnostic>,
) {
    let is_own = |object: &Object| object.get("type").and_then(Json::as_str) == Some("allowed_tools");
    let Some(chosen) = settings::tool_choice(prompt, is_own, notes) else { return };
    let choice: Json = match chosen.choice {
        Choice::Auto => "auto".into(),
        Choice::Any => "required".into(),
        Choice::None => "none".into(),
        Choice::Tool(name) => named(&names.sent(name).0).into(),
        Choice::Own(own) => own.clone().into(),
    };
    body.insert("tool_choice", choice);
    if let Some(parallel) = chosen.parallel {
        body.insert("parallel_tool_calls", parallel);
    }
}
