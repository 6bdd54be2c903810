//! Answers of the readers: a log in, one line for each item out.
use super::{Answer, text};
use serde_json::{Value, json};
use throughline_core::model::{Arguments, MediaSource, Part, PartBody, Row};
use throughline_core::redact::Redactor;
use throughline_core::transcript::{ClaudeCodeReader, Item};

pub(super) fn answer(group: &str) -> Option<Answer> {
    (group == "claude_code_log").then_some(claude_code_log)
}

/// Reads `lines` (records as JSON values, or whole lines as text) and says what came, in short form.
fn claude_code_log(input: &Value) -> Value {
    let lines = input["lines"].as_array().map_or(&[][..], Vec::as_slice);
    let lines: Vec<String> =
        lines.iter().map(|line| line.as_str().map_or_else(|| line.to_string(), String::from)).collect();
    let log = lines.join("\n");
    let whole = read(log.as_bytes(), log.len().max(1));
    let pieces = read(log.as_bytes(), 7);
    if whole == pieces { whole } else { json!({"whole": whole, "in pieces": pieces}) }
}

fn read(log: &[u8], chunk: usize) -> Value {
    let (redactor, mut items) = (Redactor::standard(), Vec::new());
    let mut reader = ClaudeCodeReader::new("stem");
    log.chunks(chunk).for_each(|bytes| reader.push(&redactor, bytes, &mut items));
    if let Err(error) = reader.finish(&redactor, &mut items) {
        return json!({"error": error.code()});
    }
    let summary = reader.summary();
    let mut answer = json!({
        "session": reader.session(),
        "items": items.iter().map(item).collect::<Vec<_>>(),
        "records": summary.records,
        "messages": [summary.messages.user, summary.messages.assistant, summary.messages.developer],
        "blocks": [summary.tool_calls, summary.tool_results, summary.thinking],
    });
    let skipped: Vec<u64> = summary.skipped.iter().map(|skipped| skipped.line).collect();
    let optional = [
        ("opaque", summary.opaque.into()),
        ("opaque_blocks", summary.opaque_blocks.into()),
        ("repeated", summary.repeated.into()),
        ("repaired", summary.repaired.into()),
        ("late_results", summary.late_results.into()),
        ("thinking_withheld", summary.thinking_withheld.into()),
        ("findings", summary.findings.into()),
        ("compactions", summary.compactions.into()),
        ("skipped", json!(skipped)),
    ];
    for (name, value) in optional {
        if value != json!(0) && value != json!([]) {
            answer[name] = value;
        }
    }
    answer
}

fn item(item: &Item) -> String {
    match item {
        Item::Row(row) => row_text(row),
        Item::Part(part) => part_text(part),
        Item::Live { row, live: true } => format!("{row} joins"),
        Item::Live { row, live: false } => format!("{row} leaves"),
        Item::Boundary(boundary) => {
            format!("boundary {} at {}: {}", boundary.id, boundary.anchor, boundary.summary)
        }
        Item::Prompt(text) => format!("prompt: {text}"),
    }
}

fn row_text(row: &Row) -> String {
    let kind = format!("{:?}", row.kind).to_lowercase();
    let mut line = format!("{} {kind}", row.id);
    if let Some(round) = &row.round {
        line += &format!(" of {}.{}", round.row, round.index);
    }
    if let Some(generation) = row.generation_checkpoint_id.as_deref().filter(|id| !id.is_empty()) {
        line += &format!(" after {generation}");
    }
    if !row.live {
        line += " not live";
    }
    if row.sidechain {
        line += " sidechain";
    }
    line
}

fn part_text(part: &Part) -> String {
    let replay = if part.replay { "" } else { " (no replay)" };
    format!("{}.{} {}{replay}", part.row, part.index, body_text(&part.body))
}

fn body_text(body: &PartBody) -> String {
    match body {
        PartBody::Text { text } => format!("text: {text}"),
        PartBody::Thinking { text, redacted: false } => format!("thinking: {text}"),
        PartBody::Thinking { .. } => "encrypted thinking".into(),
        PartBody::ToolCall { call_id, name, arguments } => match arguments {
            Arguments::Json(json) => format!("call {call_id} {name} {json}"),
            Arguments::Text(text) => format!("call {call_id} {name} as text, {} bytes", text.len()),
        },
        PartBody::ToolResult { call_id, status, content } => {
            let status = format!("{status:?}").to_lowercase();
            let content: Vec<String> = content.iter().map(body_text).collect();
            format!("result {call_id} {status} [{}]", content.join(", "))
        }
        PartBody::Image { source, .. } => match source {
            MediaSource::Base64(data) => format!("image {}", data.as_str()),
            MediaSource::Url(at) | MediaSource::File(at) => format!("image at {at}"),
        },
        other => text(&serde_json::to_value(other).unwrap_or_default(), "type").into(),
    }
}
