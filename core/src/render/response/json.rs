//! An answer as JSON.
use super::value::{Block, Call, Response};
use crate::{
    json::{self, Json, Object},
    prompt::{Diagnostic, HeldThinking},
};
use alloc::{string::String, vec::Vec};
use serde::Serialize;

impl Response {
    /// The answer as a JSON value: `{id, issuer, blocks: [{body, replay, provider_data?}], calls: [{block, id, name,
    /// arguments}], held: [{block, pieces, provider_data}], stop_reason, usage, context_tokens, diagnostics}`. The
    /// arguments of `calls` and the pieces of `held` are not scrubbed, and for memory alone; the rest is scrubbed.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let mut out = Object::new();
        out.insert("id", text(self.id.as_ref().map(|id| id.as_str())));
        out.insert("issuer", of(&self.issuer));
        out.insert("blocks", self.blocks.iter().map(block).collect::<Vec<Json>>());
        out.insert("calls", self.calls.iter().map(call).collect::<Vec<Json>>());
        out.insert("held", self.held.iter().map(held).collect::<Vec<Json>>());
        out.insert("stop_reason", text(self.stop_reason.as_ref().map(|reason| reason.as_str())));
        out.insert("usage", of(&self.usage));
        out.insert("context_tokens", self.context_tokens.map_or(Json::Null, Json::from));
        out.insert("diagnostics", self.diagnostics.iter().map(of::<Diagnostic>).collect::<Vec<Json>>());
        out.into()
    }
}

fn text(text: Option<&str>) -> Json {
    text.map_or(Json::Null, Json::from)
}

/// A value that holds no JSON of others: it goes through its text unharmed.
fn of<T: Serialize>(value: &T) -> Json {
    let text: String = serde_json::to_string(value).unwrap_or_default();
    json::parse(&text).unwrap_or(Json::Null)
}

fn block(block: &Block) -> Json {
    let mut out = Object::new();
    out.insert("body", of(&block.body));
    out.insert("replay", block.replay);
    if let Some(data) = &block.provider_data {
        out.insert("provider_data", of(data));
    }
    out.into()
}

fn held(held: &HeldThinking) -> Json {
    let mut out = Object::new();
    out.insert("block", u64::try_from(held.block).unwrap_or(u64::MAX));
    out.insert("pieces", held.pieces.iter().map(|piece| piece.as_str().into()).collect::<Vec<Json>>());
    out.insert("provider_data", of(&held.provider_data));
    out.into()
}

fn call(call: &Call) -> Json {
    let mut out = Object::new();
    out.insert("block", u64::try_from(call.block).unwrap_or(u64::MAX));
    out.insert("id", call.id.as_str());
    out.insert("name", call.name.as_str());
    out.insert("arguments", call.arguments.clone());
    out.into()
}
