//! Events of OpenAI's Responses API.
use super::super::RenderError;
use super::event::{Notes, index, object, same_answer, text};
use super::responses_item::Item;
use crate::json::{Json, Object};
use alloc::{collections::BTreeMap, vec::Vec};

#[derive(Debug, Clone, Default)]
pub(super) struct Merge {
    response: Option<Object>,
    items: BTreeMap<u64, Item>,
    /// Number of the last event, by which one that comes again is known.
    last: Option<u64>,
    is_ended: bool,
}

impl Merge {
    pub(super) fn push(&mut self, event: &Json, notes: &mut Notes) -> Result<(), RenderError> {
        let number = event.get("sequence_number").and_then(Json::as_u64);
        if number.is_some() && number <= self.last {
            return Ok(());
        }
        match text(event, "type", "type")? {
            kind @ ("response.created"
            | "response.queued"
            | "response.in_progress"
            | "response.completed"
            | "response.incomplete"
            | "response.failed") => {
                let response = object(event, "response", "response")?;
                let known = self.response.as_ref().and_then(|known| known.get("id"));
                same_answer(known, response.get("id"), "response.id")?;
                self.response = Some(response.clone());
                self.is_ended |=
                    matches!(kind, "response.completed" | "response.incomplete" | "response.failed");
            }
            "response.output_item.added" => {
                let (at, item) =
                    (index(event, "output_index", "output_index")?, object(event, "item", "item")?);
                self.items.insert(at, Item::begin(item.clone()));
            }
            "response.output_item.done" => {
                let (at, item) =
                    (index(event, "output_index", "output_index")?, object(event, "item", "item")?);
                self.items.insert(at, Item::done(item.clone()));
            }
            kind => {
                let at = event.get("output_index").and_then(Json::as_u64);
                match at.and_then(|at| self.items.get_mut(&at)) {
                    Some(item) => {
                        if !item.push(kind, event)? {
                            notes.unknown();
                        }
                    }
                    None => notes.unknown(),
                }
            }
        }
        self.last = number.or(self.last);
        Ok(())
    }

    pub(super) fn finish(self) -> (Option<Json>, bool) {
        if self.response.is_none() && self.items.is_empty() {
            return (None, false);
        }
        let mut response = self.response.unwrap_or_default();
        let has_output =
            response.get("output").and_then(Json::as_array).is_some_and(|output| !output.is_empty());
        if !(self.is_ended && has_output) {
            let output: Vec<Json> = self.items.into_values().map(Item::finish).collect();
            response.insert("output", output);
        }
        (Some(response.into()), self.is_ended)
    }
}
