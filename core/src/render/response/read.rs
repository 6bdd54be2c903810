//! The way back, by the provider's interface.
use super::{
    Api, RenamedTool, RenderError, anthropic, gemini, openai_chat, openai_responses,
    reading::{Reading, failure},
    value::Response,
};
use crate::{json::Json, redact::Redactor};

/// Reads a provider's answer: blocks and calls in order, usage, and the size of the prompt. All text is scrubbed
/// but the arguments in [`Response::calls`].
///
/// `tools` is [`Rendered::renamed_tools`](super::super::Rendered::renamed_tools) of the request. An answer that
/// came in pieces goes through [`Stream`](super::super::Stream) first.
///
/// ```
/// use throughline_core::{json, redact::Redactor, render::{Api, read}};
/// let answer = r#"{"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
///     "content": [{"type": "text", "text": "Hello"}],
///     "usage": {"input_tokens": 2, "cache_read_input_tokens": 40, "output_tokens": 3}}"#;
/// let response = read(Api::Anthropic, &json::parse(answer)?, &Redactor::standard(), &[])?;
/// assert_eq!((response.blocks.len(), response.context_tokens), (1, Some(42)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `response_invalid` with a path such as `choices[0].message`; `response_failed` when the provider answers with an
/// error.
pub fn read(
    api: Api,
    response: &Json,
    redactor: &Redactor,
    tools: &[RenamedTool],
) -> Result<Response, RenderError> {
    if response.as_object().is_none() {
        return Err(RenderError::invalid("response", "an answer is an object"));
    }
    failure(response, redactor)?;
    let reading = Reading::new(redactor, tools);
    match api {
        Api::Anthropic => anthropic::read(response, reading),
        Api::OpenaiResponses => openai_responses::read(response, reading),
        Api::OpenaiChat => openai_chat::read(response, reading),
        Api::Gemini => gemini::read(response, reading),
    }
}
