//! A response of OpenAI's Responses API.
use super::{
    RenderError,
    reading::{Counted, Head, Issued, Reading, count, holds, text},
    value::Response,
};
use crate::json::{self, Json};
use alloc::{format, vec::Vec};

pub(super) fn read(response: &Json, mut reading: Reading<'_>) -> Result<Response, RenderError> {
    let output = response.get("output").and_then(Json::as_array);
    let output = output.ok_or_else(|| RenderError::invalid("output", "an array of items"))?;
    for (i, item) in output.iter().enumerate() {
        match text(item, "type") {
            Some("message") => message(item, i, &mut reading)?,
            Some("reasoning") => reasoning(item, &mut reading),
            Some("function_call") => call(item, &mut reading),
            _ => reading.unknown(),
        }
    }
    let reason = response.get("incomplete_details").and_then(|details| text(details, "reason"));
    let head = Head {
        id: text(response, "id"),
        model: text(response, "model"),
        stop_reason: reason.or_else(|| text(response, "status").filter(|status| *status != "in_progress")),
    };
    let counted = response.get("usage").filter(|usage| usage.as_object().is_some()).map(|usage| {
        let detail = |key| usage.get("input_tokens_details").and_then(|details| count(details, key));
        let (input, output) = (count(usage, "input_tokens"), count(usage, "output_tokens"));
        Counted::of_whole(input, output, detail("cached_tokens"), detail("cache_write_tokens"))
    });
    Ok(reading.finish("openai", head, counted))
}

/// Each text of a message by itself; all carry the item's id. The phase is kept as the item's data.
fn message(item: &Json, at: usize, reading: &mut Reading<'_>) -> Result<(), RenderError> {
    let content = item.get("content").and_then(Json::as_array);
    let content =
        content.ok_or_else(|| RenderError::invalid(format!("output[{at}].content"), "an array of parts"))?;
    let issued = Issued { item_id: text(item, "id"), data: text(item, "phase"), signature: None };
    for part in content {
        match text(part, "type") {
            Some("output_text") => {
                if holds(part, "annotations") {
                    reading.report("citations_left_out", "annotations of a text are left out");
                }
                reading.text(text(part, "text").unwrap_or_default(), issued);
            }
            Some("refusal") => reading.text(text(part, "refusal").unwrap_or_default(), Issued::default()),
            _ => reading.unknown(),
        }
    }
    Ok(())
}

/// A part for each piece of the summary, the encrypted content on the first.
fn reasoning(item: &Json, reading: &mut Reading<'_>) {
    let pieces = |key: &str| item.get(key).and_then(Json::as_array).unwrap_or_default();
    let data = text(item, "encrypted_content").filter(|data| !data.is_empty());
    let id = text(item, "id").filter(|_| data.is_some());
    // Models that do not encrypt give their reasoning itself.
    let pieces = if pieces("summary").is_empty() { pieces("content") } else { pieces("summary") };
    let pieces: Vec<&str> = pieces.iter().map(|piece| text(piece, "text").unwrap_or_default()).collect();
    let mut issued = Issued { data, item_id: id, signature: None };
    if data.is_some() && reading.holds_secret(&pieces) {
        return reading.withhold(&pieces, issued);
    }
    for piece in &pieces {
        reading.thinking(Some(piece), issued, true);
        issued.data = None;
    }
    if pieces.is_empty() {
        reading.thinking(None, issued, true);
    }
}

fn call(item: &Json, reading: &mut Reading<'_>) {
    let arguments = text(item, "arguments").unwrap_or_default();
    let decoded = json::parse(arguments);
    if text(item, "status") == Some("incomplete") && decoded.is_err() {
        reading.report("call_cut", "a call whose arguments had not come whole is left out");
        return;
    }
    let words = |key| text(item, key).unwrap_or_default();
    let issued = Issued { item_id: text(item, "id"), ..Issued::default() };
    reading.call(words("call_id"), words("name"), decoded.unwrap_or_else(|_| arguments.into()), issued);
}
