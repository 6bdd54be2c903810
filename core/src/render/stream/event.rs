//! What events have in common.
use super::super::RenderError;
use crate::{
    json::{Json, Object},
    prompt::Diagnostic,
};
use alloc::vec::Vec;

/// Diagnostics; kinds of events that are not known are reported once.
#[derive(Debug, Clone, Default)]
pub(super) struct Notes {
    pub(super) list: Vec<Diagnostic>,
    has_unknown: bool,
}

impl Notes {
    pub(super) fn unknown(&mut self) {
        if !core::mem::replace(&mut self.has_unknown, true) {
            let note = "an event of a kind that is not known is passed over";
            self.list.push(Diagnostic::new("event_unknown", note));
        }
    }
}

pub(super) fn invalid(path: &'static str, reason: &'static str) -> RenderError {
    RenderError::StreamInvalid { path, reason }
}

/// Whether an event says that the provider failed: `{"type": "error", …}` or `{"error": {…}}`.
pub(super) fn is_error(event: &Json) -> bool {
    let kind = event.get("type").and_then(Json::as_str);
    kind == Some("error") || (kind.is_none() && event.get("error").is_some_and(|error| !error.is_null()))
}

pub(super) fn text<'a>(json: &'a Json, path: &'static str, key: &str) -> Result<&'a str, RenderError> {
    json.get(key).and_then(Json::as_str).ok_or_else(|| invalid(path, "a string"))
}

pub(super) fn index(json: &Json, path: &'static str, key: &str) -> Result<u64, RenderError> {
    json.get(key).and_then(Json::as_u64).ok_or_else(|| invalid(path, "a whole number from 0"))
}

pub(super) fn object<'a>(json: &'a Json, path: &'static str, key: &str) -> Result<&'a Object, RenderError> {
    json.get(key).and_then(Json::as_object).ok_or_else(|| invalid(path, "an object"))
}

/// Takes over the fields that say something.
pub(super) fn overlay(onto: &mut Object, from: &Object) {
    for (key, value) in from.iter().filter(|(_, value)| !value.is_null()) {
        onto.insert(key, value.clone());
    }
}

/// Refuses an event of another answer; an id that is absent or empty says nothing.
pub(super) fn same_answer(
    known: Option<&Json>,
    new: Option<&Json>,
    path: &'static str,
) -> Result<(), RenderError> {
    let id = |json: Option<&Json>| {
        json.and_then(Json::as_str).filter(|id| !id.is_empty()).map(alloc::string::String::from)
    };
    match (id(known), id(new)) {
        (Some(known), Some(new)) if known != new => Err(RenderError::StreamMixed { path }),
        _ => Ok(()),
    }
}
