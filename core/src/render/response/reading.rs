//! Blocks of an answer as they are read, scrubbed one after the other.
use super::{
    RenamedTool, RenderError,
    value::{Block, Call, Response},
};
use crate::{
    id::{RowId, sha256_hex},
    json::{self, Json, canonical},
    model::{Arguments, Issuer, PartBody, ProviderData, Usage},
    prompt::{Diagnostic, HeldThinking},
    redact::{Clean, Opaque, Redactor},
};
use alloc::{format, string::String, vec::Vec};

/// What of a block its issuer alone can read, as the answer gives it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Issued<'a> {
    pub(super) signature: Option<&'a str>,
    pub(super) data: Option<&'a str>,
    pub(super) item_id: Option<&'a str>,
}

/// The text of a field.
pub(super) fn text<'a>(json: &'a Json, key: &str) -> Option<&'a str> {
    json.get(key).and_then(Json::as_str)
}

/// A count; absent, `null` and negative count as not said.
pub(super) fn count(json: &Json, key: &str) -> Option<u64> {
    json.get(key).and_then(Json::as_u64)
}

/// Whether a field holds something: not `null`, and no empty list.
pub(super) fn holds(json: &Json, key: &str) -> bool {
    json.get(key)
        .is_some_and(|value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()))
}

pub(super) struct Reading<'a> {
    redactor: &'a Redactor,
    tools: &'a [RenamedTool],
    blocks: Vec<Block>,
    calls: Vec<Call>,
    held: Vec<HeldThinking>,
    pub(super) notes: Vec<Diagnostic>,
    /// Whether scrubbing changed a block: a provider refuses thinking behind it.
    is_altered: bool,
    /// Whether thinking is in memory alone, and what stands behind it with it.
    is_held: bool,
}

impl<'a> Reading<'a> {
    pub(super) fn new(redactor: &'a Redactor, tools: &'a [RenamedTool]) -> Self {
        let (blocks, calls, held, notes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { redactor, tools, blocks, calls, held, notes, is_altered: false, is_held: false }
    }

    pub(super) fn report(&mut self, code: &'static str, message: &str) {
        self.notes.push(Diagnostic::new(code, message).index(self.blocks.len()));
    }

    /// The report that a block is left out whose kind is not known.
    pub(super) fn unknown(&mut self) {
        self.report("block_unknown", "a block of a kind that is not known is left out");
    }

    fn data(&mut self, issued: Issued<'_>) -> Option<ProviderData> {
        let mut opaque = |text: Option<&str>| {
            let text = text.filter(|text| !text.is_empty())?;
            let opaque = Opaque::signature(text);
            if opaque.is_none() {
                self.report("signature_invalid", "a signature or encrypted content is no base64; not kept");
            }
            opaque
        };
        let (signature, data) = (opaque(issued.signature), opaque(issued.data));
        let item_id = issued.item_id.filter(|id| !id.is_empty()).and_then(|id| self.redactor.verbatim(id));
        let is_any = signature.is_some() || data.is_some() || item_id.is_some();
        is_any.then_some(ProviderData { signature, data, item_id })
    }

    pub(super) fn text(&mut self, text: &str, issued: Issued<'_>) {
        let provider_data = self.data(issued);
        let found = self.redactor.redact_record(text);
        self.is_altered |= !found.findings.is_empty();
        let body = PartBody::Text { text: found.text };
        self.blocks.push(Block { body, replay: true, provider_data });
    }

    /// Whether one of the texts of an item holds a secret.
    pub(super) fn holds_secret(&self, pieces: &[&str]) -> bool {
        pieces.iter().any(|text| self.redactor.verbatim(text).is_none())
    }

    /// Signed thinking that holds a secret: nothing of it is stored but that it was there. It stays in memory, unless
    /// its provider would refuse it behind what was scrubbed.
    pub(super) fn withhold(&mut self, pieces: &[&str], issued: Issued<'_>) {
        let signed = self.data(issued).filter(|data| data.signature.is_some() || data.data.is_some());
        self.report("thinking_withheld", "thinking that holds a secret is not stored");
        match signed.filter(|_| !self.is_altered) {
            Some(data) => self.hold(pieces, data),
            None => self.is_altered = true,
        }
        let body = PartBody::Thinking { text: Clean::default(), redacted: false };
        self.blocks.push(Block { body, replay: false, provider_data: Some(ProviderData::NOTHING) });
    }

    /// Keeps the next block in memory.
    fn hold(&mut self, pieces: &[&str], provider_data: ProviderData) {
        self.is_held = true;
        let pieces = pieces.iter().map(|piece| String::from(*piece)).collect();
        self.held.push(HeldThinking { block: self.blocks.len(), pieces, provider_data });
    }

    /// Thinking. Without a signature or encrypted content it is for people alone; `signs` says that the provider gives
    /// one with all of its thinking, so that one that is missing is worth a word.
    pub(super) fn thinking(&mut self, text: Option<&str>, issued: Issued<'_>, signs: bool) {
        let (words, redacted) = (text.unwrap_or_default(), text.is_none());
        let is_claimed = [issued.signature, issued.data].into_iter().flatten().any(is_signature);
        let is_issued = is_claimed || issued.item_id.is_some();
        if is_issued && self.holds_secret(&[words]) {
            return self.withhold(&[words], issued);
        }
        let provider_data = self.data(issued);
        let found = self.redactor.redact_record(words);
        self.is_altered |= !found.findings.is_empty();
        if signs && !is_issued {
            self.report("thinking_unsigned", "thinking without signature is stored and never sent again");
        }
        // What stands behind thinking that is in memory alone goes with it.
        if let Some(data) = provider_data.clone().filter(|_| is_issued && self.is_held && !self.is_altered) {
            self.hold(&[], data);
        }
        let replay = is_issued && !self.is_altered && !self.is_held;
        let body = PartBody::Thinking { text: found.text, redacted };
        self.blocks.push(Block { body, replay, provider_data });
    }

    /// An image or document that the model made.
    pub(super) fn image(&mut self, media_type: &str, source: crate::model::MediaSource, issued: Issued<'_>) {
        let provider_data = self.data(issued);
        let body = PartBody::Image { media_type: self.redactor.clean(media_type), source, name: None };
        self.blocks.push(Block { body, replay: true, provider_data });
    }

    /// A call with its decoded arguments, or a string that is no JSON.
    pub(super) fn call(&mut self, id: &str, name: &str, arguments: Json, issued: Issued<'_>) {
        let provider_data = self.data(issued);
        let stored = match &arguments {
            Json::String(text) => {
                let found = self.redactor.redact_record(text);
                self.is_altered |= !found.findings.is_empty();
                Arguments::Text(found.text)
            }
            // Arguments that nest deeper than the reader's limit are text.
            json if json::parse(&canonical(json)).is_err() => {
                let found = self.redactor.redact_record(&canonical(json));
                self.is_altered |= !found.findings.is_empty();
                Arguments::Text(found.text)
            }
            json => {
                let (clean, findings) = self.redactor.redact_json(json);
                self.is_altered |= !findings.is_empty();
                Arguments::Json(clean.to_clean())
            }
        };
        let known = self.tools.iter().find(|tool| tool.sent == name);
        let name = known.map_or(name, |tool| &tool.name);
        let call_id = self.linkage(id);
        let body = PartBody::ToolCall { call_id, name: self.redactor.clean(name), arguments: stored };
        let block = self.blocks.len();
        self.calls.push(Call { block, id: id.into(), name: name.into(), arguments });
        self.blocks.push(Block { body, replay: true, provider_data });
    }

    /// An id as it stands, or, where it cannot be an identifier or holds a secret, one made from it.
    fn linkage(&self, id: &str) -> String {
        let is_usable = id.is_empty() || (RowId::new(id).is_ok() && self.redactor.verbatim(id).is_some());
        if is_usable {
            id.into()
        } else {
            format!("tl_{}", crate::text::head(&sha256_hex(id.as_bytes()), 32))
        }
    }

    /// The whole: who wrote it, why it ended, and what it cost.
    pub(super) fn finish(mut self, provider: &str, head: Head<'_>, counted: Option<Counted>) -> Response {
        let context_tokens = counted.and_then(|counted| counted.context_tokens);
        if context_tokens.is_none() {
            let note = "the answer does not say how large the prompt was";
            self.notes.push(Diagnostic::new("context_tokens_missing", note));
        }
        let clean = |text: &str| self.redactor.clean(text);
        Response {
            id: head.id.and_then(|id| self.redactor.verbatim(id)),
            issuer: Issuer { provider: clean(provider), model: clean(head.model.unwrap_or_default()) },
            blocks: self.blocks,
            calls: self.calls,
            held: self.held,
            stop_reason: head.stop_reason.map(clean),
            usage: counted.map(|counted| counted.usage),
            context_tokens,
            diagnostics: self.notes,
        }
    }
}

/// Whether a text is a signature or encrypted content.
fn is_signature(text: &str) -> bool {
    Opaque::signature(text).is_some()
}

/// What stands beside the blocks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Head<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) model: Option<&'a str>,
    pub(super) stop_reason: Option<&'a str>,
}

/// Tokens, and the size of the prompt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    pub(super) usage: Usage,
    pub(super) context_tokens: Option<u64>,
}

impl Counted {
    /// From an input that counts the cached part in, as all but Anthropic do.
    pub(super) fn of_whole(
        input: Option<u64>,
        output: Option<u64>,
        read: Option<u64>,
        written: Option<u64>,
    ) -> Self {
        let (read, written) = (read.unwrap_or_default(), written.unwrap_or_default());
        let usage = Usage {
            input_tokens: input.unwrap_or_default().saturating_sub(read).saturating_sub(written),
            output_tokens: output.unwrap_or_default(),
            cache_creation_input_tokens: written,
            cache_read_input_tokens: read,
        };
        Self { usage, context_tokens: input }
    }
}

/// The provider's error, where the answer is one: `{"error": {…}}`, or an event of it, `{"type": "error", …}`.
pub(super) fn failure(response: &Json, redactor: &Redactor) -> Result<(), RenderError> {
    let inner = response.get("error").filter(|error| !error.is_null());
    let event = (text(response, "type") == Some("error")).then_some(response);
    let Some(error) = inner.or(event) else { return Ok(()) };
    let words = |keys: &[&str]| keys.iter().find_map(|key| text(error, key)).unwrap_or_default();
    let message = error.as_str().unwrap_or_else(|| words(&["message"]));
    let kinds: &[&str] = if inner.is_some() { &["type", "status", "code"] } else { &["code", "type"] };
    let kind: Clean = redactor.clean(words(kinds));
    Err(RenderError::ResponseFailed { kind, message: redactor.clean(message) })
}
