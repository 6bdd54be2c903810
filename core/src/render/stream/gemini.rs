//! Chunks of Gemini's streamGenerateContent: each is a response with the next parts.
use super::super::RenderError;
use super::event::{invalid, overlay, same_answer};
use crate::json::{Json, Object};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

#[derive(Debug, Clone, Default)]
pub(super) struct Merge {
    head: Option<Object>,
    candidates: BTreeMap<u64, Candidate>,
}

#[derive(Debug, Clone, Default)]
struct Candidate {
    head: Object,
    role: Option<Json>,
    parts: Vec<Json>,
}

impl Merge {
    pub(super) fn push(&mut self, chunk: &Json) -> Result<(), RenderError> {
        let Some(fields) = chunk.as_object() else { return Err(invalid("event", "an object")) };
        let known = self.head.as_ref().and_then(|head| head.get("responseId"));
        same_answer(known, fields.get("responseId"), "responseId")?;
        let candidates = match fields.get("candidates") {
            None | Some(Json::Null) => &[],
            Some(Json::Array(candidates)) if candidates.iter().all(|one| one.as_object().is_some()) => {
                candidates.as_slice()
            }
            Some(_) => return Err(invalid("candidates", "an array of objects")),
        };
        let head = self.head.get_or_insert_default();
        overlay(head, fields);
        head.remove("candidates");
        for candidate in candidates {
            let at = candidate.get("index").and_then(Json::as_u64).unwrap_or_default();
            self.candidates.entry(at).or_default().push(candidate);
        }
        Ok(())
    }

    pub(super) fn finish(self) -> (Option<Json>, bool) {
        let Some(mut head) = self.head else { return (None, false) };
        let is_blocked =
            head.get("promptFeedback").is_some_and(|feedback| feedback.get("blockReason").is_some());
        let is_ended = |candidate: &Candidate| candidate.head.get("finishReason").is_some();
        let is_complete = !self.candidates.is_empty() && self.candidates.values().all(is_ended);
        let candidates: Vec<Json> = self.candidates.into_values().map(Candidate::finish).collect();
        if !candidates.is_empty() {
            head.insert("candidates", candidates);
        }
        (Some(head.into()), is_complete || is_blocked)
    }
}

impl Candidate {
    fn push(&mut self, candidate: &Json) {
        if let Some(fields) = candidate.as_object() {
            overlay(&mut self.head, fields);
        }
        let Some(content) = self.head.remove("content") else { return };
        if let Some(role) = content.get("role").filter(|role| !role.is_null()) {
            self.role = Some(role.clone());
        }
        for part in content.get("parts").and_then(Json::as_array).unwrap_or_default() {
            match (self.parts.last_mut(), plain_text(part)) {
                (Some(last), Some(text)) if continues(last, part) => append(last, text),
                _ => self.parts.push(part.clone()),
            }
        }
    }

    fn finish(self) -> Json {
        let Self { mut head, role, parts } = self;
        let mut content = Object::new();
        content.insert("parts", parts);
        if let Some(role) = role {
            content.insert("role", role);
        }
        head.insert("content", content);
        head.into()
    }
}

/// The text of a part that holds no more than text, or a thought's.
fn plain_text(part: &Json) -> Option<&str> {
    let fields = part.as_object()?;
    let is_plain = fields.iter().all(|(key, _)| matches!(key, "text" | "thought"));
    part.get("text").and_then(Json::as_str).filter(|_| is_plain)
}

/// Whether a part goes on with the text of the last one; signed parts stay by themselves.
fn continues(last: &Json, part: &Json) -> bool {
    let is_thought = |part: &Json| part.get("thought").and_then(Json::as_bool).unwrap_or_default();
    plain_text(last).is_some() && is_thought(last) == is_thought(part)
}

fn append(last: &mut Json, more: &str) {
    if let Json::Object(fields) = last
        && let Some(Json::String(text)) = fields.get_mut("text")
    {
        let begun: &mut String = text;
        begun.push_str(more);
    }
}
