//! Hooks: an event's JSON in; the event, what it decides and the answer out.
use super::{Answer, text};
use serde_json::{Value, json};
use throughline_core::{
    hook::{Section, adapter, decide, fit},
    redact::Redactor,
};

pub(super) fn answer(group: &str) -> Option<Answer> {
    Some(match group {
        "hook_event" => event,
        "hook_answer" => fitted,
        _ => return None,
    })
}

fn event(input: &Value) -> Value {
    let Some(adapter) = adapter(text(input, "harness")) else { return json!({ "error": "unknown" }) };
    let bytes = match &input["event"] {
        Value::String(text) => text.clone(),
        event => event.to_string(),
    };
    match adapter.read(bytes.as_bytes()) {
        Err(error) => json!({ "error": error.code() }),
        Ok(event) => {
            let told = adapter.answer(&event, &Redactor::standard().clean(text(input, "tell")));
            json!({ "event": event, "decisions": decide(&event), "answer": told })
        }
    }
}

/// Sections of a text that is repeated.
fn fitted(input: &Value) -> Value {
    let clean = |text: &str| Redactor::standard().clean(text);
    let sections: Vec<Section> = input["sections"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|section| Section {
            text: clean(&text(section, "text").repeat(super::number(section, "times").max(1))),
            whole: clean(text(section, "whole")),
        })
        .collect();
    let fitted = fit(&sections);
    let fitted = fitted.as_str();
    let ends: String = fitted.chars().rev().take(60).collect::<Vec<_>>().into_iter().rev().collect();
    json!({
        "units": fitted.encode_utf16().count(),
        "lines": fitted.lines().count(),
        "begins": fitted.chars().take(40).collect::<String>(),
        "ends": ends,
    })
}
