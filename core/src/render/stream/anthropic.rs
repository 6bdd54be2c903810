//! Events of Anthropic's Messages API.
use super::super::RenderError;
use super::event::{Notes, index, invalid, object, overlay, same_answer, text};
use crate::{
    json::{self, Json, Object},
    prompt::Diagnostic,
};
use alloc::{collections::BTreeMap, string::String, vec::Vec};

#[derive(Debug, Clone, Default)]
pub(super) struct Merge {
    message: Option<Object>,
    blocks: BTreeMap<u64, Block>,
    is_stopped: bool,
}

#[derive(Debug, Clone, Default)]
struct Block {
    start: Object,
    /// What comes behind the start: text, thinking, or the JSON of arguments.
    text: String,
    signature: Option<String>,
    citations: Vec<Json>,
    is_stopped: bool,
}

impl Merge {
    pub(super) fn push(&mut self, event: &Json, notes: &mut Notes) -> Result<(), RenderError> {
        let kind = text(event, "type", "type")?;
        if kind == "message_start" {
            let message = object(event, "message", "message")?;
            let known = self.message.as_ref().and_then(|known| known.get("id"));
            same_answer(known, message.get("id"), "message.id")?;
            // The same answer once more from its start: what had come of it comes again.
            *self = Self { message: Some(message.clone()), ..Self::default() };
            return Ok(());
        }
        match kind {
            "content_block_start"
            | "content_block_delta"
            | "content_block_stop"
            | "message_delta"
            | "message_stop"
                if self.message.is_none() =>
            {
                Err(invalid("type", "message_start comes first"))
            }
            "content_block_start" => {
                let at = index(event, "index", "index")?;
                let start = object(event, "content_block", "content_block")?.clone();
                self.blocks.insert(at, Block { start, ..Block::default() });
                Ok(())
            }
            "content_block_delta" => {
                let at = index(event, "index", "index")?;
                let unknown = || invalid("index", "the index of a block that was started");
                let block = self.blocks.get_mut(&at).ok_or_else(unknown)?;
                block.push(event.get("delta").unwrap_or(&Json::Null), notes)
            }
            "content_block_stop" => {
                let at = index(event, "index", "index")?;
                if let Some(block) = self.blocks.get_mut(&at) {
                    block.is_stopped = true;
                }
                Ok(())
            }
            "message_delta" => self.delta(event),
            "message_stop" => {
                self.is_stopped = true;
                Ok(())
            }
            "ping" => Ok(()),
            _ => {
                notes.unknown();
                Ok(())
            }
        }
    }

    fn delta(&mut self, event: &Json) -> Result<(), RenderError> {
        let delta = object(event, "delta", "delta")?;
        let Some(message) = &mut self.message else { return Ok(()) };
        overlay(message, delta);
        if let Some(Json::Object(usage)) = event.get("usage") {
            let mut merged = message.get("usage").and_then(Json::as_object).cloned().unwrap_or_default();
            overlay(&mut merged, usage);
            message.insert("usage", merged);
        }
        if let Some(changes) = event.get("input_transformations").filter(|changes| !changes.is_null()) {
            message.insert("input_transformations", changes.clone());
        }
        Ok(())
    }

    pub(super) fn finish(self, notes: &mut Notes) -> (Option<Json>, bool) {
        let Some(mut message) = self.message else { return (None, false) };
        let mut content = message.get("content").and_then(Json::as_array).unwrap_or_default().to_vec();
        for (at, block) in self.blocks {
            match block.finish() {
                Some(block) => content.push(block),
                None => {
                    let note = "a call whose arguments had not come whole is left out";
                    let index = usize::try_from(at).unwrap_or(usize::MAX);
                    notes.list.push(Diagnostic::new("call_cut", note).index(index));
                }
            }
        }
        message.insert("content", content);
        (Some(message.into()), self.is_stopped)
    }
}

impl Block {
    fn push(&mut self, delta: &Json, notes: &mut Notes) -> Result<(), RenderError> {
        match text(delta, "delta.type", "type")? {
            "text_delta" => self.text.push_str(text(delta, "delta.text", "text")?),
            "thinking_delta" => self.text.push_str(text(delta, "delta.thinking", "thinking")?),
            "input_json_delta" => self.text.push_str(text(delta, "delta.partial_json", "partial_json")?),
            "signature_delta" => self.signature = Some(text(delta, "delta.signature", "signature")?.into()),
            "citations_delta" => self.citations.extend(delta.get("citation").cloned()),
            _ => notes.unknown(),
        }
        Ok(())
    }

    /// The block; `None` for a call that was cut.
    fn finish(self) -> Option<Json> {
        let Self { mut start, text, signature, citations, is_stopped } = self;
        let kind = start.get("type").and_then(Json::as_str).map(String::from).unwrap_or_default();
        let key = match kind.as_str() {
            "thinking" => "thinking",
            "tool_use" | "server_tool_use" => {
                if !is_stopped {
                    return None;
                }
                if !text.is_empty() {
                    // What is no JSON stays as the text that it is.
                    start.insert("input", json::parse(&text).unwrap_or_else(|_| text.into()));
                }
                return Some(start.into());
            }
            _ => "text",
        };
        if !text.is_empty() {
            let begun = start.get(key).and_then(Json::as_str).unwrap_or_default();
            start.insert(key, [begun, &text].concat());
        }
        if let Some(signature) = signature {
            start.insert("signature", signature);
        }
        if !citations.is_empty() {
            start.insert("citations", citations);
        }
        Some(start.into())
    }
}
