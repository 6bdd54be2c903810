//! Facts that are shared between projects, in `../shared/cases`, asked of the core by the functions that answer
//! the vectors. The vectors hold the same cases, in this project's own data model.
#![cfg(not(target_family = "wasm"))]
#![allow(missing_docs, reason = "a test target")]

use serde_json::{Value, json};
use std::path::Path;
use throughline_tests::vectors::ask;

fn cases() -> Option<Vec<Value>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/cases/session-core.json");
    let Ok(text) = std::fs::read_to_string(&file) else {
        assert!(std::env::var_os("CI").is_none(), "no cases at {}", file.display());
        println!("skipped: no cases at {}", file.display());
        return None;
    };
    let file: Value = serde_json::from_str(&text).unwrap();
    Some(file["cases"].as_array().unwrap().clone())
}

/// Whether `found` holds all that `wanted` says; texts of a fact in place of a number say nothing.
fn holds(found: &Value, wanted: &Value) -> bool {
    match wanted {
        Value::Object(wanted) => wanted.iter().all(|(key, wanted)| holds(&found[key], wanted)),
        Value::String(text) if found.is_number() => !text.is_empty(),
        wanted => found == wanted,
    }
}

/// The answer to a case, in the words of its `expected`.
fn answer(group: &str, input: &Value) -> Value {
    let ask = |group: &str, input: Value| ask(group, &input).unwrap();
    match group {
        "deep_merge" => {
            let layers = json!([input["base"].to_string(), input["override"].to_string()]);
            let merged = ask("deep_merge", json!({"layers": layers}));
            serde_json::from_str(merged["merged"].as_str().unwrap()).unwrap()
        }
        "checkpoint_options" if input["queue_then_mutate"].is_object() => {
            snapshot(&input["queue_then_mutate"])
        }
        "checkpoint_options" => ask("compaction_options", input.clone())["options"].take(),
        "checkpoint_trigger" => {
            let mut input = input.clone();
            input["estimate"] = 150_001.into();
            ask("compaction_trigger", input)
        }
        "checkpoint_anchor" => ask("compaction_anchor", input.clone()),
        "binding" => binding(input),
        "checkpoint_commit" => commit(input),
        "summarizer_config" => summarizer(input),
        other => panic!("no answer to {other}"),
    }
}

fn snapshot(input: &Value) -> Value {
    let [max_tokens, function] =
        ["agent.max_tokens", "session.checkpoint_function_id"].map(|name| &input[name]);
    let resolved = |at: usize| {
        let session = json!({"checkpoint_function_id": function[at]});
        ask(
            "compaction_options",
            &json!({"session": session, "agent": {"max_tokens": max_tokens[at]}, "persisted": null}),
        )
        .unwrap()
    };
    // The options of an operation are a value: what is resolved later is another one.
    let (queued, later) = (resolved(0), resolved(1));
    assert_ne!(queued, later);
    json!({"dispatched_max_tokens": queued["options"]["max_tokens"],
        "dispatched_function_id_unchanged": queued["options"]["function_id"] == function[0]})
}

fn binding(input: &Value) -> Value {
    let found = ask("compaction_attempts", input).unwrap();
    let failed = found["error"].is_string();
    let errors = &found["errors"];
    let called = found["called"].as_array().unwrap();
    let function = called.iter().any(|id| *id == input["function"]);
    let mut answer = json!({"called": called, "applied": found["applied"], "errors": errors, "summary": found["summary"],
        "source": found["source"], "calls": called.len(), "function_called": function, "state_written": !failed,
        "error": failed});
    if found["error"] == "host_required" {
        answer["error"] = "host required".into();
    }
    if failed {
        // Where nothing was applied, a fact counts the failures.
        answer["errors"] = errors.as_array().map_or(0, Vec::len).into();
    }
    let name = "checkpoint_binding_errors";
    answer[if errors.as_array().is_none_or(Vec::is_empty) {
        "anchor_metadata_lacks"
    } else {
        "anchor_metadata_has"
    }] = name.into();
    answer
}

fn commit(input: &Value) -> Value {
    let result = "line of code ".repeat(100);
    let call =
        |file: &str| json!({"call": {"tool": "Read", "arguments": {"file_path": file}, "result": result}});
    let rows = json!([{"user": "one"}, {"assistant": "ok"}, call("/1"), {"developer": "a note"}, {"user": "two"},
        {"assistant": "ok"}, call("/2"), {"user": "three"}, {"assistant": "ok"}]);
    let faulty = input["fault"] == "summary insert";
    let mut asked = json!({"rows": rows, "commit_times": input["commit_times"]});
    if faulty {
        asked["first"] = 7.into();
        asked["fault"] = 3.into();
    }
    let found = ask("compaction_commit", &asked).unwrap();
    let (before, after) = (&found["before"], &found["after"]);
    if faulty {
        let same = |field: &str| if before[field] == after[field] { "old" } else { "new" };
        return json!({"anchor": same("anchor"), "checkpoint_requested": after["requested"], "summary": same("summary"),
            "anchor_metadata_unchanged": before == after});
    }
    json!({"audit_entries": after["audit_entries"], "anchor_set": after["anchor"].is_string(),
        "checkpoint_requested_removed": before["requested"] == true && after["requested"] == false,
        "other_context_keys_kept": before["config"].is_string() && before["config"] == after["config"],
        "summaries": after["seq"], "other_notes_kept": before["other_rows"] == after["other_rows"]})
}

fn summarizer(input: &Value) -> Value {
    let calls = |count: usize| {
        (1..=count).map(|n| json!({"call": {"tool": "T", "arguments": {}, "result": format!("r{n}")}}))
    };
    let built = |rows: Vec<Value>, options: Value, window: Value| {
        ask("compaction_input", &json!({"rows": rows, "options": options, "window": window})).unwrap()
    };
    if input["conversation"].is_string() {
        let found = built(
            vec![json!({"user": "x".repeat(9000)})],
            json!({}),
            json!({"tokens": 6000, "max_output": 3000}),
        );
        let failed = found["error"] == "summary_input_too_large";
        return json!({"error": failed, "summary_generated": !failed, "previous_state_kept": failed});
    }
    if input["key_tool_results"].is_string() {
        let found = built(calls(3).collect(), json!({"max_tool_results_chars": 1}), Value::Null);
        let omitted = !found["text"].as_str().unwrap().contains("## Key tool results");
        return json!({"section": if omitted { "omitted" } else { "there" }, "error": found["error"].is_string()});
    }
    if let Some(newest) = input["newest"].as_array() {
        let found =
            built(calls(newest.len()).collect(), json!({"max_tool_results": input["max"]}), Value::Null);
        let shown = found["text"].as_str().unwrap().split_once("## Key tool results\n\n").unwrap().1;
        let shown = shown.split_once("\n\n").unwrap().0;
        return json!({"kept": shown.lines().map(|line| line.trim_start_matches("[T] ")).collect::<Vec<_>>()});
    }
    ask("compaction_summarizer", input).unwrap()
}

#[test]
fn the_shared_cases_hold() {
    const GROUPS: [&str; 7] = [
        "deep_merge",
        "checkpoint_options",
        "checkpoint_trigger",
        "checkpoint_anchor",
        "checkpoint_commit",
        "binding",
        "summarizer_config",
    ];
    let Some(cases) = cases() else { return };
    let mut asked = 0;
    for case in &cases {
        let group = case["group"].as_str().unwrap();
        if !GROUPS.contains(&group) {
            continue;
        }
        asked += 1;
        let found = answer(group, &case["input"]);
        let expected = &case["expected"];
        let told = format!("{}: {} gives {found}, expected {expected}", case["id"], case["input"]);
        match group {
            "deep_merge" | "checkpoint_options" if case["input"]["queue_then_mutate"].is_null() => {
                assert_eq!(&found, expected, "{told}");
            }
            _ => assert!(holds(&found, expected), "{told}"),
        }
    }
    assert_eq!(asked, 35, "cases of {GROUPS:?}");
}
