//! Answers of the prompt room.
use super::Answer;
use serde_json::{Value, json};
use throughline_core::json::{parse, text};
use throughline_core::model::{Boundary, StoredRow};
use throughline_core::prompt::{Diagnostic, Input, Prompt, Request, assemble};
use throughline_core::redact::Redactor;
use throughline_core::render;

pub(super) fn answer(group: &str) -> Option<Answer> {
    Some(match group {
        "prompt_assembly" => prompt_assembly,
        "prompt_anthropic" => prompt_anthropic,
        _ => return None,
    })
}

fn prompt_assembly(input: &Value) -> Value {
    let prompt = match prompt(input) {
        Ok(prompt) => prompt,
        Err(error) => return json!({"error": error}),
    };
    let neutral: Value = serde_json::from_str(&prompt.json_text()).unwrap_or_default();
    let fields = [
        "fingerprint",
        "sections",
        "system",
        "messages",
        "stable_len",
        "stable_hash",
        "tail_hash",
        "boundary",
    ];
    let mut answer: Value = fields.iter().map(|field| (field.to_string(), neutral[field].clone())).collect();
    answer["diagnostics"] = codes(&prompt.diagnostics);
    answer
}

fn prompt_anthropic(input: &Value) -> Value {
    let prompt = match prompt(input) {
        Ok(prompt) => prompt,
        Err(error) => return json!({"error": error}),
    };
    let rendered = render::anthropic(&prompt, &render::Options::default());
    let body: Value = serde_json::from_str(&text(&rendered.body)).unwrap_or_default();
    let renamed: Value =
        rendered.renamed.iter().map(|id| json!([id.row.as_str(), id.call_id, id.sent])).collect();
    json!({"body": body, "renamed": renamed, "diagnostics": codes(&rendered.diagnostics)})
}

/// Each code with its row.
fn codes(diagnostics: &[Diagnostic]) -> Value {
    let line = |note: &Diagnostic| match &note.row {
        Some(row) => format!("{} {row}", note.code),
        None => note.code.to_owned(),
    };
    diagnostics.iter().map(|note| Value::from(line(note))).collect()
}

pub(super) fn prompt(input: &Value) -> Result<Prompt, String> {
    let redactor = Redactor::standard();
    let read = |value: &Value| parse(&value.to_string()).map_err(|error| error.to_string());
    let rows: Vec<StoredRow<String>> =
        serde_json::from_value(input["rows"].clone()).map_err(|error| error.to_string())?;
    let boundary: Option<Boundary<String>> =
        serde_json::from_value(input["boundary"].clone()).map_err(|error| error.to_string())?;
    let request =
        Request::from_json(&read(&input["request"])?, &redactor).map_err(|error| error.to_string())?;
    let prompt = assemble(Input {
        rows: rows.into_iter().map(|row| row.restore(&redactor)).collect(),
        boundary: boundary.map(|boundary| boundary.restore(&redactor)),
        request,
        ..Input::default()
    });
    // The value and the text are the same thing in two forms.
    match text(&prompt.to_json()) == prompt.json_text() {
        true => Ok(prompt),
        false => Err("the value and the text of the prompt differ".into()),
    }
}
