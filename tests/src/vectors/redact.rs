//! Answers of the redactor. A text of an input is a string, or `{"parts": […]}` where it holds a made-up secret: no
//! file then holds a whole one.
use super::{Answer, text};
use serde_json::{Value, json};
use throughline_core::json::parse;
use throughline_core::redact::{Finding, Mode, Options, Redactor, rules};

pub(super) fn answer(group: &str) -> Option<Answer> {
    Some(match group {
        "redact_text" => redact_text,
        "redact_json" => redact_json,
        "redact_rules" => redact_rules,
        "redact_options" => redact_options,
        _ => return None,
    })
}

/// The text of a field: a string, or its parts joined.
fn joined(value: &Value) -> String {
    match value["parts"].as_array() {
        Some(parts) => parts.iter().filter_map(Value::as_str).collect(),
        None => value.as_str().unwrap_or_default().into(),
    }
}

fn options(input: &Value) -> Options {
    let mut options = Options::default();
    options.mode = match text(input, "mode") {
        "paranoid" => Mode::Paranoid,
        "report_only" => Mode::ReportOnly,
        _ => Mode::Default,
    };
    options.exact = input["exact"].as_array().map(|all| all.iter().map(joined).collect()).unwrap_or_default();
    options
}

fn redact_text(input: &Value) -> Value {
    match Redactor::new(options(input)) {
        Ok(redactor) => {
            let out = redactor.redact(&joined(&input["text"]));
            json!({"text": out.text, "findings": out.findings.iter().map(finding).collect::<Vec<_>>()})
        }
        Err(error) => json!({"error": error.code()}),
    }
}

/// A finding in a line: rule, confidence, place in the input, place in the output.
fn finding(found: &Finding) -> Value {
    let confidence = json!(found.confidence);
    let confidence = confidence.as_str().unwrap_or_default();
    json!(format!(
        "{} {confidence} {}:{} {}+{} {}+{}",
        found.rule, found.line, found.column, found.offset, found.length, found.out_offset, found.out_length
    ))
}

fn redact_json(input: &Value) -> Value {
    match parse(&joined(&input["json"])) {
        Ok(value) => {
            let (clean, findings) = Redactor::standard().redact_json(&value);
            json!({"json": clean.as_str(), "rules": findings.iter().map(|f| f.rule).collect::<Vec<_>>()})
        }
        Err(error) => json!({"error": error.code()}),
    }
}

/// The row of a rule, and whether it fires on all its examples.
fn redact_rules(input: &Value) -> Value {
    let Some(rule) = rules().iter().find(|rule| rule.id == text(input, "id")) else {
        return json!({"error": "no_such_rule"});
    };
    let mut options = Options::default();
    options.mode = Mode::Paranoid;
    let fires = Redactor::new(options).is_ok_and(|redactor| {
        let fires = |text: String| redactor.report(&text).iter().any(|found| found.rule == rule.id);
        rule.example.iter().all(|parts| fires(parts.concat()))
    });
    json!({"kind": rule.kind, "confidence": rule.confidence, "fires": fires})
}

fn redact_options(input: &Value) -> Value {
    match Redactor::new(options(input)) {
        Ok(_) => json!({}),
        Err(error) => json!({"error": error.code()}),
    }
}
