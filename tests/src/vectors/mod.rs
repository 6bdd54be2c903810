//! Vectors: facts in JSON files that the native build, wasm in Node and wasm in a browser must all answer
//! with the same bytes.
//!
//! A file is `{"group", "source", "cases": [{"id", "input", "expect", "note"?}]}`. The group chooses the
//! function that answers an input; the answer must equal `expect`. Files are embedded, in the order of
//! their names.
use serde_json::Value;
use std::collections::BTreeSet;

mod checkpoint;
mod compaction;
mod continuity;
mod engine;
mod ground;
mod hook;
mod prompt;
mod prompt_held;
mod prompt_rules;
mod redact;
mod render;
mod settings;
mod transcript;

/// Every vector file: its name and its text.
const FILES: &[(&str, &str)] = &include!(concat!(env!("OUT_DIR"), "/vectors.rs"));

/// Answers the input of a case.
type Answer = fn(&Value) -> Value;

/// One function for each floor or room: the answer of a group that belongs to it.
const ROOMS: &[fn(&str) -> Option<Answer>] = &[
    ground::answer,
    redact::answer,
    checkpoint::answer,
    compaction::answer,
    prompt::answer,
    continuity::answer,
    prompt::answer,
    prompt_held::answer,
    prompt_rules::answer,
    render::answer,
    settings::answer,
    transcript::answer,
    hook::answer,
    engine::answer,
];

/// What a run of all vectors came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// How many cases were asked.
    pub cases: usize,
    /// What differs, one line each: file, case, what was expected, what came.
    pub differences: Vec<String>,
}

/// The answer to one input of a group; `None` when nothing answers the group.
pub fn ask(group: &str, input: &Value) -> Option<Value> {
    ROOMS.iter().find_map(|room| room(group)).map(|answer| answer(input))
}

/// Asks every case of every file.
pub fn run() -> Report {
    let mut report = Report::default();
    for (name, text) in FILES {
        match serde_json::from_str(text) {
            Ok(file) => run_file(name, &file, &mut report),
            Err(error) => report.differences.push(format!("{name}: no JSON: {error}")),
        }
    }
    report
}

fn run_file(name: &str, file: &Value, report: &mut Report) {
    let group = file["group"].as_str().unwrap_or_default();
    let Some(answer) = ROOMS.iter().find_map(|room| room(group)) else {
        report.differences.push(format!("{name}: nothing answers the group `{group}`"));
        return;
    };
    let cases = file["cases"].as_array().map_or(&[][..], Vec::as_slice);
    if cases.is_empty() || !file["source"].is_string() {
        report.differences.push(format!("{name}: a source and at least one case are needed"));
    }
    let mut ids = BTreeSet::new();
    for case in cases {
        report.cases += 1;
        let id = case["id"].as_str().unwrap_or_default();
        if id.is_empty() || !ids.insert(id) {
            report.differences.push(format!("{name}: the id `{id}` is empty or stands twice"));
        }
        let (answer, expected) = (answer(&case["input"]), &case["expect"]);
        if answer != *expected {
            report.differences.push(format!("{name}, {id}: expected {expected}, came {answer}"));
        }
    }
}

/// A text field of an input; absent and other types count as empty.
fn text<'a>(input: &'a Value, field: &str) -> &'a str {
    input[field].as_str().unwrap_or_default()
}

/// A whole number of an input; absent and other types count as zero.
fn number(input: &Value, field: &str) -> usize {
    input[field].as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_differs_is_reported() {
        let mut report = Report::default();
        let case =
            |id: &str, text: &str| json!({"id": id, "input": {"minutes": 61}, "expect": {"text": text}});
        let cases = [case("right", "1h 1m"), case("wrong", "61m"), case("wrong", "1h 1m")];
        run_file("f", &json!({"group": "duration_text", "source": "s", "cases": cases}), &mut report);
        run_file("g", &json!({"group": "unheard_of", "cases": []}), &mut report);
        assert_eq!(report.cases, 3);
        let expected = [
            r#"f, wrong: expected {"text":"61m"}, came {"text":"1h 1m"}"#,
            "f: the id `wrong` is empty or stands twice",
            "g: nothing answers the group `unheard_of`",
        ];
        assert_eq!(report.differences, expected);
    }
}
