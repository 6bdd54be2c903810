//! Lines of one API message: an assistant row, its parts, and its calls.

use super::{
    blocks,
    state::{Call, Message, Record, State, opaque_id, source},
};
use crate::{
    json::Json,
    model::{Issuer, Part, PartBody, ProviderData, Round, RowKind},
    redact::{Clean, CleanBuf, Opaque, Redactor},
};
use alloc::string::{String, ToString};

/// The harness's own messages are no API messages.
const SYNTHETIC: &str = "<synthetic>";

impl State {
    pub(super) fn assistant(&mut self, redactor: &Redactor, record: &Record<'_>) {
        let Some(message) = record.json.get("message") else { return };
        let text = |key: &str| message.get(key).and_then(Json::as_str);
        if text("model") == Some(SYNTHETIC) {
            self.other(record);
            return;
        }
        self.spoken = self.spoken.saturating_add(1);
        let own = text("id").or(record.uuid);
        let key = own.map_or_else(|| record.number.to_string(), String::from);
        self.open_message(redactor, record, &key, text("model"));
        match message.get("content") {
            Some(Json::String(text)) => self.text_block(redactor, record, &key, text),
            Some(Json::Array(content)) => {
                content.iter().for_each(|block| self.block(redactor, record, &key, block));
            }
            _ => {}
        }
    }

    /// Finds or makes the row that takes the blocks of this line.
    fn open_message(&mut self, redactor: &Redactor, record: &Record<'_>, key: &str, model: Option<&str>) {
        let known = self.messages.get(key).map(|message| (message.node, message.row.clone()));
        let is_new = known.is_none();
        let newest = self.newest.as_deref() == Some(key);
        let may_grow = |message: &Message| message.waiting > 0 || !(self.noted || message.stopped);
        let open = record.sidechain || (newest && self.messages.get(key).is_some_and(may_grow));
        if let Some((node, row)) = known.clone().filter(|_| open) {
            let follows = node.map(|node| self.tree.end_of(node)).or(self.tree.node_of(record.parent));
            self.tree.attach(record.uuid, follows);
            if let Some(uuid) = record.uuid {
                self.row_of.insert(super::key::key(uuid), row);
            }
            return;
        }
        let node = match known {
            Some((node, _)) => node,
            None if record.sidechain => None,
            None => Some(self.grow(record)),
        };
        if is_new {
            self.summary.messages.assistant = self.summary.messages.assistant.saturating_add(1);
        }
        // A block behind a prompt that was typed meanwhile belongs to its message, and what follows it to the
        // end of the conversation: no rewind.
        let follows = node.map(|node| if is_new { node } else { self.tree.end_of(node) });
        // A sub-agent's record has no node of its own, and what follows it is no rewind.
        self.tree.attach(record.uuid, follows.or(self.tree.node_of(record.parent)));
        let id = self.linkage(redactor, Some(key), "message", record.number);
        let mut row = self.give_row(record, node, id.clone(), RowKind::Assistant);
        row.issuer = model.map(|model| Issuer { provider: anthropic(), model: redactor.clean(model) });
        row.generation_checkpoint_id = Some(self.generation.clone());
        if !record.sidechain {
            self.newest = Some(key.into());
            self.noted = false;
        }
        let calls = self.messages.remove(key).map(|message| message.calls).unwrap_or_default();
        let last = record.number;
        let message =
            Message { row: id, node, next: 0, calls, waiting: 0, stopped: false, altered: false, last };
        self.messages.insert(key.into(), message);
        self.push_row(row);
    }

    fn block(&mut self, redactor: &Redactor, record: &Record<'_>, key: &str, block: &Json) {
        let text = |key: &str| block.get(key).and_then(Json::as_str);
        match text("type") {
            Some("text") => self.text_block(redactor, record, key, text("text").unwrap_or_default()),
            Some("thinking") => {
                let (thinking, signature) = (text("thinking").unwrap_or_default(), text("signature"));
                self.thinking_block(redactor, record, key, thinking, signature);
            }
            Some("redacted_thinking") => self.encrypted_block(redactor, record, key, text("data")),
            Some("tool_use") => self.call_block(redactor, record, key, block),
            _ => self.summary.opaque_blocks = self.summary.opaque_blocks.saturating_add(1),
        }
    }

    fn text_block(&mut self, redactor: &Redactor, record: &Record<'_>, key: &str, text: &str) {
        let (text, altered) = self.scrub(redactor, |scrub| scrub.text(text));
        self.add(redactor, record, key, Block::new(PartBody::Text { text }));
        self.note_altered(key, altered);
    }

    fn thinking_block(
        &mut self,
        redactor: &Redactor,
        record: &Record<'_>,
        key: &str,
        text: &str,
        signature: Option<&str>,
    ) {
        self.summary.thinking = self.summary.thinking.saturating_add(1);
        let signature = signature.and_then(Opaque::signature);
        if signature.is_none() {
            // An aborted stream leaves it without signature: kept for people, never sent again.
            let (text, _) = self.scrub(redactor, |scrub| scrub.text(text));
            let body = PartBody::Thinking { text, redacted: false };
            self.add(redactor, record, key, Block { replay: false, ..Block::new(body) });
            return;
        }
        let Some(text) = self.secrets.verbatim(redactor, text) else {
            self.summary.thinking_withheld = self.summary.thinking_withheld.saturating_add(1);
            self.note_altered(key, true);
            // The row says that it was there: its round is asked without thinking.
            let provider_data = Some(ProviderData::NOTHING);
            let body = PartBody::Thinking { text: Clean::default(), redacted: false };
            self.add(redactor, record, key, Block { body, replay: false, provider_data });
            return;
        };
        let provider_data = Some(ProviderData { signature, data: None, item_id: None });
        let body = PartBody::Thinking { text, redacted: false };
        self.add_thinking(redactor, record, key, Block { provider_data, ..Block::new(body) });
    }

    fn encrypted_block(&mut self, redactor: &Redactor, record: &Record<'_>, key: &str, data: Option<&str>) {
        self.summary.thinking = self.summary.thinking.saturating_add(1);
        let Some(data) = data.and_then(Opaque::signature) else { return };
        let provider_data = Some(ProviderData { signature: None, data: Some(data), item_id: None });
        let body = PartBody::Thinking { text: Clean::default(), redacted: true };
        self.add_thinking(redactor, record, key, Block { provider_data, ..Block::new(body) });
    }

    /// A provider refuses thinking behind a part that is not as it was.
    fn add_thinking(&mut self, redactor: &Redactor, record: &Record<'_>, key: &str, block: Block) {
        let replay = !self.messages.get(key).is_some_and(|message| message.altered);
        self.add(redactor, record, key, Block { replay, ..block });
    }

    fn note_altered(&mut self, key: &str, altered: bool) {
        if let Some(message) = self.messages.get_mut(key) {
            message.altered |= altered;
        }
    }

    fn add(&mut self, redactor: &Redactor, record: &Record<'_>, key: &str, block: Block) {
        let Some(message) = self.messages.get_mut(key) else { return };
        let (row, index) = (message.row.clone(), message.next);
        message.next = message.next.saturating_add(1);
        message.last = record.number;
        let source = source(redactor, record, &block.body);
        message.stopped |= source.stop_reason.is_some();
        self.push_part(Part {
            row,
            index,
            body: block.body,
            replay: block.replay,
            provider_data: block.provider_data,
            source: Some(source),
        });
    }

    /// A call is a row of its own, so that its result can be added to it.
    fn call_block(&mut self, redactor: &Redactor, record: &Record<'_>, key: &str, block: &Json) {
        let own = block.get("id").and_then(Json::as_str);
        let call_id = own.map_or_else(
            || alloc::format!("call:{}:{}", record.number, self.calls.len()),
            |own| opaque_id(redactor, own),
        );
        let Some(message) = self.messages.get_mut(key) else { return };
        if !message.calls.insert(call_id.clone()) {
            return; // stored twice by a resumed log
        }
        let (round, index, node) = (message.row.clone(), message.next, message.node);
        message.next = message.next.saturating_add(1);
        message.last = record.number;
        message.waiting = message.waiting.saturating_add(1);
        self.summary.tool_calls = self.summary.tool_calls.saturating_add(1);
        let row_id = self.linkage(redactor, Some(&call_id), "call", record.number);
        let mut row = self.give_row(record, node, row_id.clone(), RowKind::Function);
        row.round = Some(Round { row: round.clone(), index });
        self.push_row(row);
        let name = redactor.clean(block.get("name").and_then(Json::as_str).unwrap_or_default());
        let input = block.get("input").unwrap_or(&Json::Null);
        let (arguments, altered) = self.scrub(redactor, |scrub| blocks::arguments(scrub, input));
        self.note_altered(key, altered);
        let body = PartBody::ToolCall { call_id: call_id.clone(), name, arguments };
        let source = source(redactor, record, &body);
        if let Some(message) = self.messages.get_mut(key) {
            message.stopped |= source.stop_reason.is_some();
        }
        self.push_part(Part { source: Some(source), ..Part::new(row_id.clone(), 0, body) });
        let call = Call { row: row_id, round, message: key.into(), answered: false };
        self.calls.insert(call_id, call);
    }
}

/// A block of an API message that is no call.
struct Block {
    body: PartBody,
    replay: bool,
    provider_data: Option<ProviderData>,
}

impl Block {
    fn new(body: PartBody) -> Self {
        Self { body, replay: true, provider_data: None }
    }
}

fn anthropic() -> Clean {
    let mut name = CleanBuf::new();
    name.lit("anthropic");
    name.finish()
}
