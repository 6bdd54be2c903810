//! One item of a response as it comes.
use super::super::RenderError;
use super::event::{index, text};
use crate::json::{Json, Object};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

#[derive(Debug, Clone)]
pub(super) struct Item {
    item: Object,
    is_done: bool,
    content: BTreeMap<u64, Piece>,
    summary: BTreeMap<u64, Piece>,
    arguments: String,
}

/// A part of a list, its text apart.
#[derive(Debug, Clone, Default)]
struct Piece {
    part: Object,
    key: &'static str,
    text: String,
}

impl Item {
    pub(super) fn begin(item: Object) -> Self {
        let (content, summary) = (BTreeMap::new(), BTreeMap::new());
        Self { item, is_done: false, content, summary, arguments: String::new() }
    }

    pub(super) fn done(item: Object) -> Self {
        Self { is_done: true, ..Self::begin(item) }
    }

    /// Takes an event of this item; whether its kind is known.
    pub(super) fn push(&mut self, kind: &str, event: &Json) -> Result<bool, RenderError> {
        match kind {
            "response.function_call_arguments.delta" => {
                self.arguments.push_str(text(event, "delta", "delta")?);
            }
            "response.function_call_arguments.done" => {
                self.arguments = text(event, "arguments", "arguments")?.into();
            }
            "response.content_part.added" | "response.content_part.done" => {
                let piece = self.content.entry(index(event, "content_index", "content_index")?).or_default();
                piece.begin(event.get("part"));
            }
            "response.reasoning_summary_part.added" | "response.reasoning_summary_part.done" => {
                let piece = self.summary.entry(index(event, "summary_index", "summary_index")?).or_default();
                piece.begin(event.get("part"));
            }
            "response.output_text.delta" => self.delta(event, "output_text", "text")?,
            "response.output_text.done" => self.whole(event, "output_text", "text")?,
            "response.refusal.delta" => self.delta(event, "refusal", "refusal")?,
            "response.refusal.done" => self.whole(event, "refusal", "refusal")?,
            "response.reasoning_text.delta" => self.delta(event, "reasoning_text", "text")?,
            "response.reasoning_text.done" => self.whole(event, "reasoning_text", "text")?,
            "response.reasoning_summary_text.delta" => {
                let words = text(event, "delta", "delta")?;
                let piece = self.summary.entry(index(event, "summary_index", "summary_index")?).or_default();
                piece.of("summary_text", "text").text.push_str(words);
            }
            "response.reasoning_summary_text.done" => {
                let words = text(event, "text", "text")?;
                let piece = self.summary.entry(index(event, "summary_index", "summary_index")?).or_default();
                piece.of("summary_text", "text").text = words.into();
            }
            "response.output_text.annotation.added" => {
                let at = index(event, "content_index", "content_index")?;
                let piece = self.content.entry(at).or_default().of("output_text", "text");
                let mut list =
                    piece.part.get("annotations").and_then(Json::as_array).unwrap_or_default().to_vec();
                list.extend(event.get("annotation").cloned());
                piece.part.insert("annotations", list);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn delta(&mut self, event: &Json, kind: &'static str, key: &'static str) -> Result<(), RenderError> {
        let words = text(event, "delta", "delta")?;
        let piece = self.content.entry(index(event, "content_index", "content_index")?).or_default();
        piece.of(kind, key).text.push_str(words);
        Ok(())
    }

    fn whole(&mut self, event: &Json, kind: &'static str, key: &'static str) -> Result<(), RenderError> {
        let words = text(event, key, key)?;
        let piece = self.content.entry(index(event, "content_index", "content_index")?).or_default();
        piece.of(kind, key).text = words.into();
        Ok(())
    }

    pub(super) fn finish(self) -> Json {
        let Self { mut item, is_done, content, summary, arguments } = self;
        if is_done {
            return item.into();
        }
        if !arguments.is_empty() {
            item.insert("arguments", arguments);
        }
        for (key, pieces) in [("content", content), ("summary", summary)] {
            if !pieces.is_empty() {
                item.insert(key, pieces.into_values().map(Piece::finish).collect::<Vec<Json>>());
            }
        }
        item.insert("status", "incomplete");
        item.into()
    }
}

impl Piece {
    /// Takes a part as it was begun or came whole.
    fn begin(&mut self, part: Option<&Json>) {
        let Some(part) = part.and_then(Json::as_object) else { return };
        self.part = part.clone();
        let key = if part.get("type").and_then(Json::as_str) == Some("refusal") { "refusal" } else { "text" };
        self.key = key;
        if let Some(Json::String(text)) = self.part.remove(key).filter(|text| text.as_str() != Some("")) {
            self.text = text;
        }
    }

    fn of(&mut self, kind: &'static str, key: &'static str) -> &mut Self {
        if self.part.get("type").is_none() {
            self.part.insert("type", kind);
        }
        self.key = key;
        self
    }

    fn finish(self) -> Json {
        let Self { mut part, key, text } = self;
        part.insert(if key.is_empty() { "text" } else { key }, text);
        part.into()
    }
}
