//! A response of Gemini's generateContent.
use super::{
    RenderError,
    reading::{Counted, Head, Issued, Reading, count, holds, text},
    value::Response,
};
use crate::{
    json::Json,
    model::MediaSource,
    redact::{Clean, Opaque},
};

pub(super) fn read(response: &Json, mut reading: Reading<'_>) -> Result<Response, RenderError> {
    let candidates = response.get("candidates").and_then(Json::as_array).unwrap_or_default();
    let blocked = response.get("promptFeedback").and_then(|feedback| text(feedback, "blockReason"));
    let none = || RenderError::invalid("candidates", "an array with at least one candidate");
    let candidate = match (candidates.first(), blocked) {
        (Some(candidate), _) => candidate,
        (None, Some(_)) => &Json::Null,
        (None, None) => return Err(none()),
    };
    if candidates.len() > 1 {
        reading.report("choice_left_out", "of several candidates the first counts");
    }
    if holds(candidate, "groundingMetadata") || holds(candidate, "citationMetadata") {
        reading.report("citations_left_out", "citations of a text are left out");
    }
    let content = candidate.get("content");
    for part in content.and_then(|content| content.get("parts")).and_then(Json::as_array).unwrap_or_default()
    {
        part_of(part, &mut reading);
    }
    let head = Head {
        id: text(response, "responseId"),
        model: text(response, "modelVersion"),
        stop_reason: text(candidate, "finishReason").or(blocked),
    };
    let usage = response.get("usageMetadata").filter(|usage| usage.as_object().is_some());
    Ok(reading.finish("google", head, usage.map(counted)))
}

fn part_of(part: &Json, reading: &mut Reading<'_>) {
    let issued = Issued { signature: text(part, "thoughtSignature"), ..Issued::default() };
    let is_thought = part.get("thought").and_then(Json::as_bool) == Some(true);
    if let Some(words) = text(part, "text") {
        match is_thought {
            // The provider signs what its thoughts led to, and asks for no more than that.
            true => reading.thinking(Some(words), issued, false),
            false => reading.text(words, issued),
        }
    } else if let Some(call) = part.get("functionCall") {
        let words = |key| text(call, key).unwrap_or_default();
        let arguments = call.get("args").cloned().unwrap_or_else(|| crate::json::Object::new().into());
        reading.call(words("id"), words("name"), arguments, issued);
    } else if let Some(blob) = part.get("inlineData")
        && let Some(data) = text(blob, "data").and_then(Opaque::signature)
    {
        reading.image(text(blob, "mimeType").unwrap_or_default(), MediaSource::<Clean>::Base64(data), issued);
    } else if let Some(signature) = issued.signature {
        // A signature may come on a part of its own.
        reading.text("", Issued { signature: Some(signature), ..Issued::default() });
    } else {
        reading.unknown();
    }
}

fn counted(usage: &Json) -> Counted {
    let prompt = count(usage, "promptTokenCount");
    let input = prompt
        .map(|prompt| prompt.saturating_add(count(usage, "toolUsePromptTokenCount").unwrap_or_default()));
    let output = count(usage, "candidatesTokenCount")
        .unwrap_or_default()
        .saturating_add(count(usage, "thoughtsTokenCount").unwrap_or_default());
    Counted::of_whole(input, Some(output), count(usage, "cachedContentTokenCount"), None)
}
