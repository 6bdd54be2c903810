//! Answers of the redactor. A text of an input is a string, or `{"parts": […]}` where it holds a made-up secret: no
//! file then holds a whole one.
use super::{Answer, text};
use serde_json::{Value, json};
use throughline_core::json::{Json, parse};
use throughline_core::redact::{Finding, HostRule, Mode, Options, RedactError, Redactor, rules};

pub(super) fn answer(group: &str) -> Option<Answer> {
    Some(match group {
        "redact_text" => redact_text,
        "redact_row" => redact_row,
        "redact_json" => redact_json,
        "redact_rules" => redact_rules,
        "redact_options" => redact_options,
        "redact_host" => redact_text,
        "redact_stream" => redact_stream,
        "redact_state" => redact_state,
        "redact_json_text" => redact_json_text,
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

fn list(value: &Value) -> Vec<String> {
    value.as_array().map(|all| all.iter().map(joined).collect()).unwrap_or_default()
}

fn options(input: &Value) -> Result<Options, RedactError> {
    let mut options = Options::default();
    options.mode = match text(input, "mode") {
        "paranoid" => Mode::Paranoid,
        "report_only" => Mode::ReportOnly,
        _ => Mode::Default,
    };
    options.exact = list(&input["exact"]);
    options.tag_key = input["tag_key"].as_str().map(|key| key.into());
    options.mark = input["mark"].as_str().map(String::from);
    options.allow.values = list(&input["allow"]["values"]);
    options.allow.keys = list(&input["allow"]["keys"]);
    options.allow.rules = list(&input["allow"]["rules"]);
    options.keys.strong = list(&input["keys"]["strong"]);
    options.keys.weak = list(&input["keys"]["weak"]);
    if let Some(depth) = input["decode_depth"].as_u64() {
        options.decode_depth = u8::try_from(depth).unwrap_or(u8::MAX);
    }
    options.pii = input["pii"] == true;
    if !input["rules"].is_null() {
        let rows = parse(&input["rules"].to_string()).unwrap_or(Json::Null);
        options.rules = HostRule::list(&rows)?;
    }
    Ok(options)
}

fn redactor(input: &Value) -> Result<Redactor, Value> {
    let redactor = options(input).and_then(Redactor::new);
    redactor.map_err(|error| json!({"error": error.code(), "path": error.path()}))
}

fn redact_text(input: &Value) -> Value {
    match redactor(input) {
        Ok(redactor) => {
            let out = redactor.redact(&joined(&input["text"]));
            json!({"text": out.text, "findings": out.findings.iter().map(finding).collect::<Vec<_>>()})
        }
        Err(error) => error,
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

/// A string of a row.
fn redact_row(input: &Value) -> Value {
    let clean = |redactor: Redactor| json!({ "text": redactor.clean(&joined(&input["text"])) });
    redactor(input).map_or_else(|refused| refused, clean)
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
    redactor(input).map_or_else(|error| error, |_| json!({}))
}

/// The bytes of a chunk: a text, or `{"hex": …}`.
fn chunk(value: &Value) -> Vec<u8> {
    match value["hex"].as_str() {
        Some(hex) => hex.as_bytes().chunks(2).map(byte).collect(),
        None => joined(value).into_bytes(),
    }
}

fn byte(digits: &[u8]) -> u8 {
    std::str::from_utf8(digits)
        .ok()
        .and_then(|digits| u8::from_str_radix(digits, 16).ok())
        .unwrap_or_default()
}

/// Bytes as a text where they are one, else in hexadecimal digits.
fn shown(bytes: Vec<u8>) -> Value {
    match String::from_utf8(bytes) {
        Ok(text) => json!(text),
        Err(error) => json!({"hex": error.as_bytes().iter().map(|b| format!("{b:02x}")).collect::<String>()}),
    }
}

/// What comes out after each chunk, and at the end.
fn redact_stream(input: &Value) -> Value {
    let redactor = match redactor(input) {
        Ok(redactor) => redactor,
        Err(error) => return error,
    };
    let mut stream = redactor.stream();
    let mut out: Vec<Value> = Vec::new();
    for chunk in input["chunks"].as_array().into_iter().flatten().map(chunk) {
        let mut clean = Vec::new();
        stream.push(&chunk, &mut clean);
        out.push(shown(clean));
    }
    let mut rest = Vec::new();
    stream.finish(&mut rest);
    json!({
        "out": out, "rest": shown(rest),
        "findings": stream.take_findings().iter().map(finding).collect::<Vec<_>>(),
    })
}

/// The state of a stream after the first of two texts, and what the second becomes after going on with it; `before` is
/// what stands before the offset then, if it is something else.
fn redact_state(input: &Value) -> Value {
    let redactor = Redactor::standard();
    let (text, then) = (joined(&input["text"]), joined(&input["then"]));
    let (mut stream, mut out) = (redactor.stream(), Vec::new());
    for _ in 0..input["times"].as_u64().unwrap_or(1) {
        stream.push(text.as_bytes(), &mut out);
    }
    let state = stream.state();
    let whole = text.repeat(usize::try_from(input["times"].as_u64().unwrap_or(1)).unwrap_or_default());
    let offset = usize::try_from(state.offset).unwrap_or_default();
    let before =
        if input["before"].is_null() { whole[..offset].to_owned() } else { joined(&input["before"]) };
    let (mut stream, from) = redactor.resume(&state, before.as_bytes());
    let mut out = Vec::new();
    stream.push(&whole.as_bytes()[usize::try_from(from).unwrap_or_default()..], &mut out);
    stream.push(then.as_bytes(), &mut out);
    stream.finish(&mut out);
    json!({"state": state, "from": from, "then": shown(out)})
}

fn redact_json_text(input: &Value) -> Value {
    let redactor = match redactor(input) {
        Ok(redactor) => redactor,
        Err(error) => return error,
    };
    match redactor.redact_json_text(&joined(&input["json"])) {
        Ok(out) => {
            json!({"json": out.text, "findings": out.findings.iter().map(finding).collect::<Vec<_>>()})
        }
        Err(error) => json!({"error": error.code()}),
    }
}
