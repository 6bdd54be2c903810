//! Answers that come in pieces, put together as if they had come whole.
mod anthropic;
mod event;
mod gemini;
mod json;
mod openai_chat;
mod openai_responses;
mod responses_item;
mod value;

pub use value::Merged;

use super::{Api, RenderError};
use crate::json::Json;
use event::Notes;

/// Puts the events of one streamed answer together: the JSON of each `data:` line in, one answer out, in the form
/// that the provider gives without streaming. What came of an answer that was cut off is kept.
///
/// ```
/// use throughline_core::{json, render::{Api, Stream}};
/// let mut stream = Stream::new(Api::Gemini);
/// for chunk in [
///     r#"{"responseId": "r", "candidates": [{"content": {"role": "model", "parts": [{"text": "Hel"}]}}]}"#,
///     r#"{"responseId": "r", "candidates": [{"content": {"parts": [{"text": "lo"}]}, "finishReason": "STOP"}]}"#,
/// ] {
///     stream.push(&json::parse(chunk)?)?;
/// }
/// let merged = stream.finish();
/// assert!(merged.is_complete);
/// assert!(json::text(&merged.response).contains("Hello"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Stream {
    merge: Merge,
    notes: Notes,
    error: Option<Json>,
}

#[derive(Debug, Clone)]
enum Merge {
    Anthropic(anthropic::Merge),
    Responses(openai_responses::Merge),
    Chat(openai_chat::Merge),
    Gemini(gemini::Merge),
}

impl Stream {
    /// A stream of which nothing has come yet.
    #[must_use]
    pub fn new(api: Api) -> Self {
        let merge = match api {
            Api::Anthropic => Merge::Anthropic(anthropic::Merge::default()),
            Api::OpenaiResponses => Merge::Responses(openai_responses::Merge::default()),
            Api::OpenaiChat => Merge::Chat(openai_chat::Merge::default()),
            Api::Gemini => Merge::Gemini(gemini::Merge::default()),
        };
        Self { merge, notes: Notes::default(), error: None }
    }

    /// Takes the next event. Events of kinds that are not known are passed over with a diagnostic.
    ///
    /// # Errors
    /// `stream_invalid` for an event of another shape, `stream_mixed` for one of another answer. What was merged
    /// before stays as it was.
    pub fn push(&mut self, event: &Json) -> Result<(), RenderError> {
        if event.as_object().is_none() {
            return Err(event::invalid("event", "an event is an object"));
        }
        if event::is_error(event) {
            self.error = Some(event.clone());
            return Ok(());
        }
        match &mut self.merge {
            Merge::Anthropic(merge) => merge.push(event, &mut self.notes),
            Merge::Responses(merge) => merge.push(event, &mut self.notes),
            Merge::Chat(merge) => merge.push(event),
            Merge::Gemini(merge) => merge.push(event),
        }
    }

    /// The answer from all events so far.
    #[must_use]
    pub fn finish(self) -> Merged {
        let Self { merge, mut notes, error } = self;
        let (response, is_complete) = match merge {
            Merge::Anthropic(merge) => merge.finish(&mut notes),
            Merge::Responses(merge) => merge.finish(),
            Merge::Chat(merge) => merge.finish(),
            Merge::Gemini(merge) => merge.finish(),
        };
        let response = response.or_else(|| error.clone()).unwrap_or(Json::Null);
        Merged { response, is_complete: is_complete && error.is_none(), error, diagnostics: notes.list }
    }
}
