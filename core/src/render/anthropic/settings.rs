//! Settings.
use super::super::{
    Options,
    names::Names,
    object::object,
    settings::{self, Choice, ResponseFormat, unsupported},
};
use crate::{
    json::Object,
    prompt::{Diagnostic, Prompt},
};
use alloc::vec::Vec;

/// The beta under which the provider drops thinking in place of refusing a request.
pub(super) const BINDING_BETA: &str = "thinking-binding-controls-2026-08-01";

const EFFORTS: [&str; 5] = ["low", "medium", "high", "xhigh", "max"];

/// Writes `max_tokens`, `output_config`, `thinking` and `tool_choice`.
pub(super) fn write(
    prompt: &Prompt,
    options: &Options,
    names: &mut Names,
    body: &mut Object,
    notes: &mut Vec<Diagnostic>,
) {
    body.insert("max_tokens", settings::output_limit(prompt).unwrap_or(options.default_max_tokens));
    let mut output = Object::new();
    let message = "effort is low, medium, high, xhigh or max; left out";
    if let Some(level) = settings::effort(prompt, &EFFORTS, message, notes) {
        output.insert("effort", level);
    }
    match settings::response_format(prompt, notes) {
        None => {}
        Some(ResponseFormat::Schema { schema, .. }) => {
            let schema = schema.clone().into();
            output.insert("format", object([("type", "json_schema".into()), ("schema", schema)]));
        }
        Some(ResponseFormat::JsonObject) => {
            notes.push(unsupported("response_format is of type json_schema with a schema; left out"));
        }
    }
    if !output.is_empty() {
        body.insert("output_config", output);
    }
    if options.drop_stale_thinking {
        let binding = object([("prefix_mismatch_behavior", "drop_block".into())]);
        let thinking = object([("type", "adaptive".into()), ("block_binding", binding.into())]);
        body.insert("thinking", thinking);
    }
    let Some(chosen) = settings::tool_choice(prompt, |_| false, notes) else { return };
    let mut choice = match chosen.choice {
        Choice::Auto => object([("type", "auto".into())]),
        Choice::Any => object([("type", "any".into())]),
        Choice::None => object([("type", "none".into())]),
        Choice::Tool(name) => object([("type", "tool".into()), ("name", names.sent(name).0.into())]),
        Choice::Own(own) => own.clone(),
    };
    if let Some(parallel) = chosen.parallel.filter(|_| chosen.choice != Choice::None) {
        choice.insert("disable_parallel_tool_use", !parallel);
    }
    body.insert("tool_choice", choice);
}
