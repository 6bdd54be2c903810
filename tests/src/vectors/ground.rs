//! Answers of floor 0: text, time, JSON, identities.
use super::{Answer, number, text};
use serde_json::{Value, json};
use throughline_core::id::{BatchId, Project, RowId, SessionId};
use throughline_core::json::{
    Json, JsonError, Number, Options, Reader, Repairs, canonical, merge, parse, text as compact,
};
use throughline_core::text as cut;
use throughline_core::time::{Timestamp, minutes_text};

pub(super) fn answer(group: &str) -> Option<Answer> {
    Some(match group {
        "timestamp_key" => timestamp_key,
        "unix_time" => unix_time,
        "order_key" => order_key,
        "duration_text" => duration_text,
        "text_cut" => text_cut,
        "canonical_json" => canonical_json,
        "canonical_double" => canonical_double,
        "deep_merge" => deep_merge,
        "json_reader" => json_reader,
        "project_path" => project_path,
        "identity" => identity,
        _ => return None,
    })
}

fn timestamp_key(input: &Value) -> Value {
    match Timestamp::parse(text(input, "date")) {
        Ok(at) => json!({"key": at.order_key(), "written": at.to_string()}),
        Err(error) => json!({"error": error.code()}),
    }
}

fn unix_time(input: &Value) -> Value {
    let time = match (input["seconds"].as_i64(), input["millis"].as_i64()) {
        (Some(seconds), _) => Timestamp::from_unix_seconds(seconds),
        (_, millis) => Timestamp::from_unix_millis(millis.unwrap_or_default()),
    };
    match time {
        Ok(at) => json!({"key": at.order_key(), "millis": at.unix_millis()}),
        Err(error) => json!({"error": error.code()}),
    }
}

fn order_key(input: &Value) -> Value {
    match Timestamp::from_order_key(text(input, "key")) {
        Ok(at) => json!({"written": at.to_string()}),
        Err(error) => json!({"error": error.code()}),
    }
}

fn duration_text(input: &Value) -> Value {
    json!({"text": minutes_text(input["minutes"].as_i64().unwrap_or_default())})
}

fn text_cut(input: &Value) -> Value {
    let (source, max) = (text(input, "text"), number(input, "max"));
    let answer = match text(input, "cut") {
        "head" => cut::head(source, max).into(),
        "tail" => cut::tail(source, max).into(),
        "clip" => cut::clip(source, max),
        "excerpt" => cut::excerpt(source, max),
        "head_bytes" => cut::head_bytes(source, max).into(),
        "tail_bytes" => cut::tail_bytes(source, max).into(),
        "fold_line_ends" => cut::fold_line_ends(source),
        other => format!("unknown cut `{other}`").into(),
    };
    json!({"text": answer, "chars": cut::chars(&answer), "utf16": cut::utf16_len(&answer)})
}

fn canonical_json(input: &Value) -> Value {
    match parse(text(input, "json")) {
        Ok(value) => json!({"canonical": canonical(&value)}),
        Err(error) => json_error(&error),
    }
}

/// A double of its bits, as canonical JSON; infinities and NaN have none.
fn canonical_double(input: &Value) -> Value {
    let bits = u64::from_str_radix(text(input, "bits"), 16).unwrap_or(u64::MAX);
    let number = Number::from_f64(f64::from_bits(bits));
    json!({"canonical": number.map(|number| canonical(&Json::Number(number)))})
}

/// Layers come as JSON texts, in which the order of keys stays.
fn deep_merge(input: &Value) -> Value {
    let layers = input["layers"].as_array().into_iter().flatten();
    match layers.map(|layer| parse(layer.as_str().unwrap_or_default())).collect::<Result<Vec<Json>, _>>() {
        Ok(layers) => json!({"merged": compact(&merge(&layers))}),
        Err(error) => json_error(&error),
    }
}

/// Reads one value after another until the input ends or one is refused.
fn json_reader(input: &Value) -> Value {
    let bytes = match input["hex"].as_str() {
        Some(hex) => from_hex(hex),
        None => text(input, "json").into(),
    };
    let max_depth = input["max_depth"].as_u64().map_or(128, |_| number(input, "max_depth"));
    let skip: Vec<&str> = input["skip"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let lenient = input["lenient"].as_bool().unwrap_or_default();
    let mut reader = Reader::new(&bytes, Options { lenient, max_depth });
    let mut values = Vec::new();
    let mut answer = loop {
        reader.skip_whitespace();
        if reader.at_end() && !values.is_empty() {
            break json!({});
        }
        match reader.object_without(&skip) {
            Ok(value) => values.push(compact(&value)),
            Err(error) => break json_error(&error),
        }
    };
    answer["values"] = json!(values);
    answer["position"] = json!(reader.position());
    let Repairs { surrogates, nuls, utf8, duplicate_keys, .. } = reader.repairs();
    for (name, count) in
        [("surrogates", surrogates), ("nuls", nuls), ("utf8", utf8), ("duplicate_keys", duplicate_keys)]
    {
        if count > 0 {
            answer[name] = json!(count);
        }
    }
    answer
}

fn json_error(error: &JsonError) -> Value {
    let at = error.place();
    json!({"error": error.code(), "offset": at.offset, "line": at.line, "column": at.column})
}

fn project_path(input: &Value) -> Value {
    match Project::new(text(input, "path")) {
        Some(project) => json!({"normalized": project.normalized(), "hash": project.hash()}),
        None => json!({"normalized": null}),
    }
}

fn identity(input: &Value) -> Value {
    if input["millis"].is_i64() {
        let entropy = from_hex(text(input, "entropy")).try_into().unwrap_or_default();
        let now = Timestamp::from_unix_millis(input["millis"].as_i64().unwrap_or_default());
        return match now {
            Ok(now) => json!({"uuid": BatchId::generate(now, entropy).as_str()}),
            Err(error) => json!({"error": error.code()}),
        };
    }
    if let Some(id) = input["batch"].as_str() {
        return match BatchId::parse(id) {
            Ok(id) => json!({"uuid": id.as_str()}),
            Err(error) => json!({"error": error.code(), "field": error.field()}),
        };
    }
    if let Some(id) = input["row"].as_str() {
        return match RowId::new(id) {
            Ok(id) => json!({"row": id.as_str()}),
            Err(error) => json!({"error": error.code(), "field": error.field()}),
        };
    }
    match SessionId::new(text(input, "harness"), text(input, "agent"), text(input, "key")) {
        Ok(id) => json!({"shown": id.to_string(), "storage_key": id.storage_key(), "token": id.token()}),
        Err(error) => json!({"error": error.code(), "field": error.field()}),
    }
}

/// The bytes of an even number of hexadecimal digits; anything else counts as no bytes.
fn from_hex(text: &str) -> Vec<u8> {
    let digits: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(16)?.try_into().ok()).collect();
    digits.unwrap_or_default().chunks_exact(2).map(|pair| pair[0] * 16 + pair[1]).collect()
}
