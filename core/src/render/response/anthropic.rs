//! A message of Anthropic's.
use super::{
    RenderError,
    reading::{Counted, Head, Issued, Reading, count, holds, text},
    value::Response,
};
use crate::{json::Json, model::Usage};

pub(super) fn read(message: &Json, mut reading: Reading<'_>) -> Result<Response, RenderError> {
    let content = message.get("content").and_then(Json::as_array);
    let content = content.ok_or_else(|| RenderError::invalid("content", "an array of blocks"))?;
    let head = Head {
        id: text(message, "id"),
        model: text(message, "model"),
        stop_reason: text(message, "stop_reason"),
    };
    let is_cut = matches!(head.stop_reason, Some("max_tokens" | "model_context_window_exceeded" | "refusal"));
    let last = content.len().saturating_sub(1);
    for (i, block) in content.iter().enumerate() {
        block_of(block, is_cut && i == last, &mut reading);
    }
    transformations(message, &mut reading);
    let counted = message.get("usage").filter(|usage| usage.as_object().is_some()).map(counted);
    Ok(reading.finish("anthropic", head, counted))
}

fn block_of(block: &Json, is_cut: bool, reading: &mut Reading<'_>) {
    let words = |key| text(block, key).unwrap_or_default();
    match text(block, "type") {
        Some("text") => {
            if holds(block, "citations") {
                reading.report("citations_left_out", "citations of a text are left out");
            }
            reading.text(words("text"), Issued::default());
        }
        Some("thinking") => {
            let issued = Issued { signature: text(block, "signature"), ..Issued::default() };
            reading.thinking(Some(words("thinking")), issued, true);
        }
        Some("redacted_thinking") => {
            let issued = Issued { data: text(block, "data"), ..Issued::default() };
            reading.thinking(None, issued, true);
        }
        // A message that ran out of tokens within a call holds no more than the beginning of it.
        Some("tool_use") if is_cut => {
            reading.report("call_cut", "a call whose arguments had not come whole is left out");
        }
        Some("tool_use") => {
            let input = block.get("input").cloned().unwrap_or(Json::Null);
            reading.call(words("id"), words("name"), input, Issued::default());
        }
        _ => reading.unknown(),
    }
}

/// What the provider says of thinking in the request.
fn transformations(message: &Json, reading: &mut Reading<'_>) {
    let list = message.get("input_transformations").and_then(Json::as_array).unwrap_or_default();
    for entry in list {
        match text(entry, "type") {
            Some("thinking_dropped") => {
                reading
                    .report("thinking_dropped", "the provider dropped thinking that did not fit its place");
            }
            Some("thinking_mismatch_allowed") => {
                let note = "the provider took thinking that does not fit its place";
                reading.report("thinking_mismatch_allowed", note);
            }
            _ => {}
        }
    }
}

fn counted(usage: &Json) -> Counted {
    let tokens = |key| count(usage, key).unwrap_or_default();
    let own = Usage {
        input_tokens: tokens("input_tokens"),
        output_tokens: tokens("output_tokens"),
        cache_creation_input_tokens: tokens("cache_creation_input_tokens"),
        cache_read_input_tokens: tokens("cache_read_input_tokens"),
    };
    let context_tokens = count(usage, "input_tokens").map(|input| {
        input.saturating_add(own.cache_creation_input_tokens).saturating_add(own.cache_read_input_tokens)
    });
    Counted { usage: own, context_tokens }
}
