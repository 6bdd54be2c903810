//! Short ways to rows.
use crate::{
    id::RowId,
    model::{
        Arguments, Boundary, BoundaryMode, Issuer, Part, PartBody, PartSource, ProviderData, ResultStatus,
        Round, Row, RowKind, StoredRow,
    },
    prompt::{Input, Prompt, Request, assemble},
    redact::{Clean, Opaque},
    time::Timestamp,
};
use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};

pub(crate) fn clean(text: &str) -> Clean {
    Clean::from_store(text.into())
}

pub(crate) fn id(text: &str) -> RowId {
    RowId::new(text).unwrap()
}

pub(crate) fn at(place: usize) -> Timestamp {
    Timestamp::from_unix_seconds(place as i64).unwrap()
}

pub(crate) fn part(row: &str, index: u32, body: PartBody) -> Part {
    Part { row: id(row), index, body, replay: true, provider_data: None, source: None }
}

pub(crate) fn text(text: &str) -> PartBody {
    PartBody::Text { text: clean(text) }
}

pub(crate) fn thinking(row: &str, index: u32, words: &str, signature: &str) -> Part {
    let body = PartBody::Thinking { text: clean(words), redacted: false };
    let signature = Some(Opaque::from_store(signature.into()));
    let provider_data = Some(ProviderData { signature, data: None, item_id: None });
    Part { provider_data, ..part(row, index, body) }
}

pub(crate) fn stopped(mut part: Part) -> Part {
    part.source = Some(PartSource { id: None, at: None, usage: None, stop_reason: Some("end_turn".into()) });
    part
}

pub(crate) fn row(kind: RowKind, name: &str, place: usize) -> StoredRow {
    StoredRow { row: Row::new(id(name), kind, at(place)), parts: Vec::new() }
}

pub(crate) fn said(kind: RowKind, name: &str, place: usize, words: &str) -> StoredRow {
    StoredRow { parts: vec![part(name, 0, text(words))], ..row(kind, name, place) }
}

pub(crate) fn user(name: &str, place: usize) -> StoredRow {
    said(RowKind::User, name, place, &(String::from("says ") + name))
}

pub(crate) fn note(name: &str, place: usize) -> StoredRow {
    said(RowKind::Developer, name, place, &(String::from("note ") + name))
}

pub(crate) fn assistant(name: &str, place: usize) -> StoredRow {
    said(RowKind::Assistant, name, place, &(String::from("answers ") + name))
}

/// A call of a round; its id is the row's with `id-` before it.
pub(crate) fn call(name: &str, place: usize, round: Option<(&str, u32)>) -> StoredRow {
    let mut stored = row(RowKind::Function, name, place);
    stored.row.round = round.map(|(message, index)| Round { row: id(message), index });
    let call_id = String::from("id-") + name;
    let arguments = Arguments::Json(clean(r#"{"n":1}"#));
    stored.parts.push(part(name, 0, PartBody::ToolCall { call_id, name: clean("tool"), arguments }));
    stored
}

pub(crate) fn result(name: &str, status: ResultStatus, words: &str) -> Part {
    let call_id = String::from("id-") + name;
    part(name, 1, PartBody::ToolResult { call_id, status, content: vec![text(words)] })
}

pub(crate) fn done(mut call: StoredRow) -> StoredRow {
    let name = call.row.id.to_string();
    call.parts.push(result(&name, ResultStatus::Success, &(String::from("gave ") + &name)));
    call
}

pub(crate) fn imported(mut stored: StoredRow) -> StoredRow {
    stored.row.imported = true;
    stored
}

pub(crate) fn by(model: &str) -> Issuer {
    Issuer { provider: clean("anthropic"), model: clean(model) }
}

pub(crate) fn boundary(anchor: &str, place: usize, mode: BoundaryMode) -> Boundary {
    Boundary {
        id: id("cut"),
        seq: 1,
        anchor: id(anchor),
        anchor_at: at(place),
        rows_from: None,
        mode,
        summary: clean("so far"),
        created_at: at(place),
        metadata: None,
    }
}

pub(crate) fn prompt(rows: Vec<StoredRow>) -> Prompt {
    assemble(Input { rows, ..Input::default() })
}

pub(crate) fn prompt_with(rows: Vec<StoredRow>, boundary: Option<Boundary>, request: Request) -> Prompt {
    assemble(Input { rows, boundary, request, ..Input::default() })
}
