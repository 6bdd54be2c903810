//! Answers of the prompt room: rows, edits of a conversation, explanations, what is refused on arrival.
use super::{Answer, number, text};
use crate::histories;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use throughline_core::{
    id::RowId,
    json::parse,
    model::{Boundary, InputState, PartBody, RowKind, StoredRow},
    prompt::{
        Applying, Change, Contexts, Conversation, Diagnostic, Input, LifecycleNote, Prices, Prompt, Provider,
        Removal, Request, Turn, Upload, assemble, check_message, explain, restored_request,
    },
    redact::{Clean, Redactor},
    time::Timestamp,
};

pub(super) fn answer(group: &str) -> Option<Answer> {
    Some(match group {
        "prompt_rows" => |input| told(rows(input)),
        "prompt_edits" => |input| told(edits(input)),
        "prompt_explain" => |input| told(explained(input)),
        "prompt_restored" => restored,
        "prompt_arrival" => |input| told(arrival(input)),
        "prompt_history" => history,
        _ => return None,
    })
}

type Told = Result<Value, String>;

fn told(answer: Told) -> Value {
    answer.unwrap_or_else(|error| json!({"error": error}))
}

pub(super) fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}

fn stored(value: &Value, redactor: &Redactor) -> Result<StoredRow, String> {
    Ok(read::<StoredRow<String>>(value)?.restore(redactor))
}

fn stored_rows(value: &Value, redactor: &Redactor) -> Result<Vec<StoredRow>, String> {
    value.as_array().into_iter().flatten().map(|row| stored(row, redactor)).collect()
}

fn boundary(value: &Value, redactor: &Redactor) -> Result<Option<Boundary>, String> {
    Ok(read::<Option<Boundary<String>>>(value)?.map(|boundary| boundary.restore(redactor)))
}

fn request(value: &Value, redactor: &Redactor) -> Result<Request, String> {
    let json = parse(&value.to_string()).map_err(|error| error.to_string())?;
    Request::from_json(&json, redactor).map_err(|error| error.to_string())
}

fn contexts(value: &Value, redactor: &Redactor) -> Contexts {
    let clean = |value: &Value| value.as_str().map(|text| redactor.clean(text));
    let named = value["named"].as_object().into_iter().flatten();
    Contexts {
        named: named.filter_map(|(name, text)| Some((name.clone(), clean(text)?))).collect(),
        memory: clean(&value["memory"]),
    }
}

fn uploads(value: &Value, redactor: &Redactor) -> BTreeMap<String, Upload> {
    let clean = |value: &Value| -> Option<Clean> { value.as_str().map(|text| redactor.clean(text)) };
    let upload = |value: &Value| Upload {
        name: clean(&value["name"]),
        media_type: clean(&value["media_type"]),
        size: value["size"].as_u64(),
    };
    let all = value.as_object().into_iter().flatten();
    all.map(|(id, known)| (id.clone(), upload(known))).collect()
}

fn row_id(value: &Value) -> Result<Option<RowId>, String> {
    value.as_str().map(|id| RowId::new(id).map_err(|error| error.to_string())).transpose()
}

fn row_ids(value: &Value) -> Result<Vec<RowId>, String> {
    let all = value.as_array().into_iter().flatten();
    all.map(|id| row_id(id)?.ok_or_else(|| "a row id is no text".to_owned())).collect()
}

pub(super) fn input(value: &Value, redactor: &Redactor) -> Result<Input, String> {
    let turn = match value["turn"].is_object() {
        false => None,
        true => Some(Turn {
            opening: stored(&value["turn"]["opening"], redactor)?,
            note: match value["turn"]["note"].is_object() {
                false => None,
                true => Some(stored(&value["turn"]["note"], redactor)?),
            },
        }),
    };
    let applying = match value["applying"].is_object() {
        false => None,
        true => Some(Applying {
            rows: row_ids(&value["applying"]["rows"])?,
            after: row_id(&value["applying"]["after"])?,
        }),
    };
    Ok(Input {
        rows: stored_rows(&value["rows"], redactor)?,
        boundary: boundary(&value["boundary"], redactor)?,
        request: request(&value["request"], redactor)?,
        contexts: contexts(&value["contexts"], redactor),
        uploads: uploads(&value["uploads"], redactor),
        held: super::prompt_held::by_row(&value["held"], redactor)?,
        turn,
        applying,
        ..Input::default()
    })
}

pub(super) fn codes(diagnostics: &[Diagnostic]) -> Value {
    let line = |note: &Diagnostic| match &note.row {
        Some(row) => format!("{} {row}", note.code),
        None => note.code.to_owned(),
    };
    diagnostics.iter().map(|note| Value::from(line(note))).collect()
}

fn fields(prompt: &Prompt, wanted: &[&str]) -> Value {
    let neutral: Value = serde_json::from_str(&prompt.json_text()).unwrap_or_default();
    let mut answer: Map<String, Value> =
        wanted.iter().map(|field| ((*field).to_owned(), neutral[*field].clone())).collect();
    answer.insert("diagnostics".to_owned(), codes(&prompt.diagnostics));
    answer.into()
}

fn rows(value: &Value) -> Told {
    let prompt = assemble(input(value, &Redactor::standard())?);
    let wanted = [
        "fingerprint",
        "sections",
        "system",
        "messages",
        "stable_len",
        "stable_hash",
        "tail_hash",
        "boundary",
    ];
    Ok(fields(&prompt, &wanted))
}

fn edits(value: &Value) -> Told {
    let redactor = Redactor::standard();
    let mut conversation = Conversation::new(input(&value["start"], &redactor)?);
    let mut changes = Vec::new();
    for op in value["edits"].as_array().into_iter().flatten() {
        let change = edit(&mut conversation, op, &redactor)?;
        let edit = change.edit.map(|edit| edit.as_str());
        changes.push(json!({"kept": change.kept, "edit": edit}));
        if *conversation.prompt() != assemble(conversation.input()) {
            return Err("it differs from what is assembled in one go".into());
        }
    }
    let mut answer = fields(conversation.prompt(), &["tail_hash", "stable_len", "stable_hash"]);
    answer["changes"] = changes.into();
    Ok(answer)
}

pub(super) fn edit(
    conversation: &mut Conversation,
    op: &Value,
    redactor: &Redactor,
) -> Result<Change, String> {
    let fault = |error: throughline_core::prompt::PromptError| error.code().to_owned();
    let (name, what) = op
        .as_object()
        .into_iter()
        .flatten()
        .find(|(name, _)| !["why", "after", "held"].contains(&name.as_str()))
        .ok_or("an edit is empty")?;
    let after = row_id(&op["after"])?;
    match name.as_str() {
        "put" => Ok(conversation.put(stored(what, redactor)?)),
        "put_all" => Ok(conversation.put_all(stored_rows(what, redactor)?)),
        "hold" => {
            let row = row_id(what)?.ok_or("no row")?;
            conversation.hold(&row, super::prompt_held::held(&op["held"], redactor)?).map_err(fault)
        }
        "withdraw" => {
            let row = row_id(what)?.ok_or("no row")?;
            conversation.withdraw(&row, op["why"].as_str().map(|why| redactor.clean(why))).map_err(fault)
        }
        "remove" => {
            let why = if text(op, "why") == "discarded" { Removal::Discarded } else { Removal::Rewound };
            conversation.remove(&row_ids(what)?, why).map_err(fault)
        }
        "apply" => conversation.apply_steering(&row_ids(what)?, after.as_ref()).map_err(fault),
        "give_back" => conversation.return_steering(&row_ids(what)?, after.as_ref()).map_err(fault),
        "boundary" => Ok(conversation.set_boundary(boundary(what, redactor)?)),
        "request" => Ok(conversation.set_request(request(what, redactor)?)),
        "contexts" => Ok(conversation.set_contexts(contexts(what, redactor))),
        other => Err(format!("no edit is called {other}")),
    }
}

fn explained(value: &Value) -> Told {
    let redactor = Redactor::standard();
    let prompt = |side: &str| Ok::<_, String>(assemble(input(&value[side], &redactor)?));
    let provider = Provider::parse(text(value, "provider")).ok_or("no such provider")?;
    let price = |at: usize| value["prices"][at].as_f64().unwrap_or_default();
    let prices = Prices { cached: price(0), uncached: price(1) };
    let found = explain(&prompt("previous")?, &prompt("next")?, provider, Some(prices));
    serde_json::from_str(&found.json_text()).map_err(|error| error.to_string())
}

fn restored(value: &Value) -> Value {
    let short = restored_request(&Redactor::standard().clean(text(value, "text")));
    json!({"text": short.as_str(), "bytes": short.len()})
}

fn arrival(value: &Value) -> Told {
    let redactor = Redactor::standard();
    if value["state"] != Value::Null {
        return Ok(json!({"valid": read::<InputState>(&value["state"]).is_ok()}));
    }
    if let Some(content) = value["message"].as_array() {
        let row = json!({"row": {"id": "m", "kind": "user", "created_at": "2026-01-01T00:00:00Z", "live": true, "rules": 1},
            "parts": content.iter().enumerate().map(|(index, body)| json!({"row": "m", "index": index, "body": body})).collect::<Vec<_>>()});
        let content: Vec<PartBody> =
            stored(&row, &redactor)?.parts.into_iter().map(|part| part.body).collect();
        return Ok(match check_message(&content) {
            Ok(()) => json!({}),
            Err(error) => json!({"error": error.code()}),
        });
    }
    let note = &value["lifecycle"];
    let note = LifecycleNote {
        phase: text(note, "phase").to_owned(),
        role: RowKind::parse(text(note, "role")).ok_or("no such role")?,
        text: redactor.clean(text(note, "text")),
        memory_ids: read(&note["memory_ids"])?,
    };
    let id = RowId::new("n").map_err(|error| error.to_string())?;
    Ok(match note.into_row(id, Timestamp::EPOCH) {
        Err(error) => json!({"error": error.code()}),
        Ok(None) => json!({"stored": false}),
        Ok(Some(stored)) => json!({"kind": stored.row.kind, "metadata": stored.row.metadata}),
    })
}

/// A whole random history; every host comes to the same hash.
fn history(value: &Value) -> Value {
    let any_time = value["any_time"].as_bool().unwrap_or_default();
    let seed = u64::try_from(number(value, "seed")).unwrap_or_default();
    let tally = histories::live(seed, number(value, "steps"), any_time);
    json!({
        "hash": tally.hash, "requests": tally.requests, "accepted": tally.accepted, "refused": tally.refused,
        "unexplained": tally.unexplained,
    })
}
