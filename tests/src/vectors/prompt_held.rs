//! Answers about thinking that is in memory alone.
use super::{
    Answer,
    prompt_rules::{codes, edit, input, read},
    text,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use throughline_core::{
    id::RowId,
    json::{Json, canonical},
    model::ProviderData,
    prompt::{Conversation, HeldThinking, assemble},
    redact::Redactor,
    render::{self, Api, Options},
};

pub(super) fn answer(group: &str) -> Option<Answer> {
    (group == "prompt_held").then_some(|input| steps(input).unwrap_or_else(|error| json!({"error": error})))
}

#[derive(Deserialize)]
struct Held {
    block: usize,
    pieces: Vec<String>,
    provider_data: ProviderData<String>,
}

/// The held thinking of an answer.
pub(super) fn held(value: &Value, redactor: &Redactor) -> Result<Vec<HeldThinking>, String> {
    let restored = |Held { block, pieces, provider_data }: Held| HeldThinking {
        block,
        pieces,
        provider_data: provider_data.restore(redactor),
    };
    Ok(read::<Vec<Held>>(value)?.into_iter().map(restored).collect())
}

/// The held thinking of answers by their rows.
pub(super) fn by_row(
    value: &Value,
    redactor: &Redactor,
) -> Result<BTreeMap<RowId, Vec<HeldThinking>>, String> {
    let row = |(row, blocks): (&String, &Value)| {
        Ok((RowId::new(row.as_str()).map_err(|error| error.to_string())?, held(blocks, redactor)?))
    };
    value.as_object().into_iter().flatten().map(row).collect()
}

fn steps(value: &Value) -> Result<Value, String> {
    let redactor = Redactor::standard();
    let api = Api::parse(text(value, "api")).ok_or("no such interface")?;
    let mut options = Options::default();
    options.cache_markers = false;
    let mut conversation = Conversation::new(input(&value["start"], &redactor)?);
    let mut steps = Vec::new();
    for op in value["steps"].as_array().into_iter().flatten() {
        let change = edit(&mut conversation, op, &redactor)?;
        let prompt = conversation.prompt();
        if *prompt != assemble(conversation.input()) {
            return Err("it differs from what is assembled in one go".into());
        }
        let sent = render::render(api, prompt, &options);
        let told = format!("{}{prompt:?}{conversation:?}{sent:?}", prompt.json_text());
        if told.contains("hunter2") {
            return Err("the text is told".into());
        }
        steps.push(json!({
            "kept": change.kept,
            "edit": change.edit.map(|edit| edit.as_str()),
            "thinking": thinking(&sent.body),
            "thinking_off": prompt.thinking_off,
            "diagnostics": codes(&prompt.diagnostics),
        }));
    }
    Ok(json!({"steps": steps, "tail_hash": conversation.prompt().tail_hash}))
}

/// The thinking in a request's body, of any interface.
fn thinking(body: &Json) -> Vec<Value> {
    let is_thinking = |part: &&Json| {
        let kind = part.get("type").and_then(Json::as_str).unwrap_or_default();
        let is_thought = part.get("thought").and_then(Json::as_bool) == Some(true);
        is_thought || ["thinking", "redacted_thinking", "reasoning"].contains(&kind)
    };
    let list = |json: &Json, key: &str| json.get(key).and_then(Json::as_array).unwrap_or_default().to_vec();
    let items = [list(body, "messages"), list(body, "contents"), list(body, "input")].concat();
    let parts =
        items.iter().flat_map(|item| [vec![item.clone()], list(item, "content"), list(item, "parts")]);
    let parts: Vec<Json> = parts.flatten().collect();
    let plain = |part: &Json| serde_json::from_str(&canonical(part)).unwrap_or_default();
    parts.iter().filter(is_thinking).map(plain).collect()
}
