//! Rows in a few words: `{"user": text}`, `{"assistant": text}`, `{"developer": text}`, `{"system": text}`,
//! `{"artifact": text}`,
//! `{"call": {tool, arguments, result?, failed?, withdrawn?}}`; each with an `id` where it matters, `at` for another
//! place than its index, `after` for one that came while a turn ran and renders behind that row.
use serde_json::Value;
use throughline_core::id::RowId;
use throughline_core::model::{
    Arguments, InputState, Metadata, Part, PartBody, ResultStatus, Round, Row, RowKind, Stale, StoredRow,
};
use throughline_core::redact::{Clean, Redactor};
use throughline_core::time::Timestamp;

pub(super) fn rows(list: &Value) -> Vec<StoredRow> {
    let list = list.as_array().map_or(&[][..], Vec::as_slice);
    let mut round = None;
    list.iter().enumerate().map(|(index, of)| row(index, of, &mut round)).collect()
}

fn clean(value: &Value) -> Clean {
    Redactor::standard().clean(value.as_str().unwrap_or_default())
}

fn row(index: usize, of: &Value, round: &mut Option<RowId>) -> StoredRow {
    const KINDS: [(&str, RowKind); 5] = [
        ("user", RowKind::User),
        ("assistant", RowKind::Assistant),
        ("developer", RowKind::Developer),
        ("system", RowKind::System),
        ("artifact", RowKind::Artifact),
    ];
    let id = of["id"].as_str().map_or_else(|| format!("row-{index:03}"), str::to_owned);
    let id = RowId::new(id).expect("an id of a case");
    let place = of["at"].as_i64().unwrap_or(i64::try_from(index).unwrap_or_default());
    let at = Timestamp::EPOCH.saturating_add_millis(place * 1000);
    let said = KINDS.into_iter().find(|(name, _)| of[name].is_string());
    let Some((name, kind)) = said else { return call(&of["call"], id, at, round.clone()) };
    if kind == RowKind::Assistant {
        *round = Some(id.clone());
    }
    let part = Part::new(id.clone(), 0, PartBody::Text { text: clean(&of[name]) });
    let mut row = Row::new(id, kind, at);
    if let Some(after) = of["after"].as_str() {
        let after = Some(RowId::new(after).expect("an id of a case"));
        row.metadata =
            Some(Box::new(Metadata { input: Some(InputState::Applied { after }), ..Metadata::default() }));
    }
    StoredRow { row, parts: vec![part] }
}

fn call(of: &Value, id: RowId, at: Timestamp, round: Option<RowId>) -> StoredRow {
    let arguments = throughline_core::json::parse(&of["arguments"].to_string()).expect("arguments of a case");
    let arguments = Arguments::Json(Redactor::standard().redact_json(&arguments).0.to_clean());
    let call_id = format!("call-{id}");
    let mut row = Row::new(id.clone(), RowKind::Function, at);
    row.round = round.map(|row| Round { row, index: 1 });
    if let Some(why) = of["withdrawn"].as_str() {
        let stale = Some(Stale::Because(Redactor::standard().clean(why)));
        row.metadata = Some(Box::new(Metadata { stale, ..Metadata::default() }));
    }
    let request = PartBody::ToolCall { call_id: call_id.clone(), name: clean(&of["tool"]), arguments };
    let mut parts = vec![Part::new(id.clone(), 0, request)];
    if of["result"].is_string() {
        let status = if of["failed"] == true { ResultStatus::Error } else { ResultStatus::Success };
        let content = vec![PartBody::Text { text: clean(&of["result"]) }];
        parts.push(Part::new(id, 1, PartBody::ToolResult { call_id, status, content }));
    }
    StoredRow { row, parts }
}
