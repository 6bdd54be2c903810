//! Chunks of OpenAI's Chat API.
use super::super::RenderError;
use super::event::{invalid, overlay, same_answer};
use crate::json::{Json, Object};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

#[derive(Debug, Clone, Default)]
pub(super) struct Merge {
    head: Option<Object>,
    choices: BTreeMap<u64, Choice>,
}

#[derive(Debug, Clone, Default)]
struct Choice {
    /// Texts of the message by their key.
    texts: BTreeMap<&'static str, String>,
    calls: BTreeMap<u64, Call>,
    finish_reason: Option<Json>,
}

#[derive(Debug, Clone, Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
}

/// The texts that come in pieces.
const TEXTS: [&str; 3] = ["content", "refusal", "reasoning_content"];

impl Merge {
    pub(super) fn push(&mut self, chunk: &Json) -> Result<(), RenderError> {
        let Some(fields) = chunk.as_object() else { return Err(invalid("event", "an object")) };
        let known = self.head.as_ref().and_then(|head| head.get("id"));
        same_answer(known, fields.get("id"), "id")?;
        let choices = match fields.get("choices") {
            None | Some(Json::Null) => &[],
            Some(Json::Array(choices)) if choices.iter().all(|one| one.as_object().is_some()) => {
                choices.as_slice()
            }
            Some(_) => return Err(invalid("choices", "an array of objects")),
        };
        let head = self.head.get_or_insert_default();
        overlay(head, fields);
        head.remove("choices");
        for choice in choices {
            let at = choice.get("index").and_then(Json::as_u64).unwrap_or_default();
            self.choices.entry(at).or_default().push(choice);
        }
        Ok(())
    }

    pub(super) fn finish(self) -> (Option<Json>, bool) {
        let Some(mut head) = self.head else { return (None, false) };
        let is_complete =
            !self.choices.is_empty() && self.choices.values().all(|choice| choice.finish_reason.is_some());
        let choices: Vec<Json> = self.choices.into_iter().map(|(at, choice)| choice.finish(at)).collect();
        head.insert("object", "chat.completion");
        head.insert("choices", choices);
        (Some(head.into()), is_complete)
    }
}

impl Choice {
    fn push(&mut self, choice: &Json) {
        if let Some(reason) = choice.get("finish_reason").filter(|reason| !reason.is_null()) {
            self.finish_reason = Some(reason.clone());
        }
        let Some(delta) = choice.get("delta") else { return };
        for key in TEXTS {
            if let Some(text) = delta.get(key).and_then(Json::as_str) {
                self.texts.entry(key).or_default().push_str(text);
            }
        }
        for call in delta.get("tool_calls").and_then(Json::as_array).unwrap_or_default() {
            self.call(call);
        }
    }

    fn call(&mut self, delta: &Json) {
        let text = |json: Option<&Json>, key: &str| {
            json.and_then(|json| json.get(key)).and_then(Json::as_str).map(String::from).unwrap_or_default()
        };
        let id = text(Some(delta), "id");
        let last = self.calls.last_key_value().map(|(at, _)| *at);
        // Some providers name no index: an id begins a call, anything else goes on with the last.
        let at = delta.get("index").and_then(Json::as_u64).unwrap_or(match last {
            None => 0,
            Some(last) if id.is_empty() => last,
            Some(last) => last.saturating_add(1),
        });
        let call = self.calls.entry(at).or_default();
        let function = delta.get("function");
        if call.id.is_empty() {
            call.id = id;
        }
        if call.name.is_empty() {
            call.name = text(function, "name");
        }
        call.arguments.push_str(&text(function, "arguments"));
    }

    fn finish(self, at: u64) -> Json {
        let Self { mut texts, calls, finish_reason } = self;
        let mut message = Object::new();
        message.insert("role", "assistant");
        let mut or_null = |key| texts.remove(key).map_or(Json::Null, Json::from);
        message.insert("content", or_null("content"));
        message.insert("refusal", or_null("refusal"));
        if let Some(reasoning) = texts.remove("reasoning_content") {
            message.insert("reasoning_content", reasoning);
        }
        // What was cut reads like an answer that ran out of tokens.
        let is_cut = finish_reason.is_none() && !calls.is_empty();
        if !calls.is_empty() {
            message.insert("tool_calls", calls.into_values().map(Call::finish).collect::<Vec<Json>>());
        }
        let mut choice = Object::new();
        choice.insert("index", at);
        choice.insert("message", message);
        let cut = || if is_cut { "length".into() } else { Json::Null };
        choice.insert("finish_reason", finish_reason.unwrap_or_else(cut));
        choice.into()
    }
}

impl Call {
    fn finish(self) -> Json {
        let mut function = Object::new();
        function.insert("name", self.name);
        function.insert("arguments", self.arguments);
        let mut call = Object::new();
        call.insert("id", self.id);
        call.insert("type", "function");
        call.insert("function", function);
        call.into()
    }
}
