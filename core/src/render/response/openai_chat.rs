//! A completion of OpenAI's Chat API.
use super::{
    RenderError,
    reading::{Counted, Head, Issued, Reading, count, holds, text},
    value::Response,
};
use crate::json::{self, Json};

pub(super) fn read(completion: &Json, mut reading: Reading<'_>) -> Result<Response, RenderError> {
    let choices = completion.get("choices").and_then(Json::as_array);
    let choices =
        choices.ok_or_else(|| RenderError::invalid("choices", "an array with at least one choice"))?;
    let choice = choices
        .first()
        .ok_or_else(|| RenderError::invalid("choices", "an array with at least one choice"))?;
    if choices.len() > 1 {
        reading.report("choice_left_out", "of several choices the first counts");
    }
    let message = choice.get("message").filter(|message| message.as_object().is_some());
    let message = message.ok_or_else(|| RenderError::invalid("choices[0].message", "an object"))?;
    let stop_reason = text(choice, "finish_reason");

    // Providers with this interface give their reasoning here; none takes it back.
    if let Some(words) = text(message, "reasoning_content").filter(|words| !words.is_empty()) {
        reading.thinking(Some(words), Issued::default(), true);
    }
    if holds(message, "annotations") {
        reading.report("citations_left_out", "annotations of a text are left out");
    }
    for key in ["content", "refusal"] {
        if let Some(words) = text(message, key).filter(|words| !words.is_empty()) {
            reading.text(words, Issued::default());
        }
    }
    if holds(message, "audio") || holds(message, "function_call") {
        reading.unknown();
    }
    for call in message.get("tool_calls").and_then(Json::as_array).unwrap_or_default() {
        let Some(function) = call.get("function") else {
            reading.unknown();
            continue;
        };
        let arguments = text(function, "arguments").unwrap_or_default();
        let decoded = json::parse(arguments);
        if matches!(stop_reason, Some("length" | "content_filter")) && decoded.is_err() {
            reading.report("call_cut", "a call whose arguments had not come whole is left out");
            continue;
        }
        let (id, name) = (text(call, "id").unwrap_or_default(), text(function, "name").unwrap_or_default());
        reading.call(id, name, decoded.unwrap_or_else(|_| arguments.into()), Issued::default());
    }
    let head = Head { id: text(completion, "id"), model: text(completion, "model"), stop_reason };
    let counted = completion.get("usage").filter(|usage| usage.as_object().is_some()).map(|usage| {
        let detail = |key| usage.get("prompt_tokens_details").and_then(|details| count(details, key));
        let (input, output) = (count(usage, "prompt_tokens"), count(usage, "completion_tokens"));
        Counted::of_whole(input, output, detail("cached_tokens"), detail("cache_write_tokens"))
    });
    Ok(reading.finish("openai", head, counted))
}
