//! `compact` from outside: what it would do, what it does, and the prompt after it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends at the first surprise"
)]

use std::{fs, process::Command};
use throughline_core::json::{self, Json};

struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn run(home: &std::path::Path, words: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
    command.args(words).env("THROUGHLINE_HOME", home).env_remove("THROUGHLINE_STORE");
    let output = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ran { status: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

fn answer(home: &std::path::Path, words: &[&str]) -> Json {
    let ran = run(home, words);
    assert_eq!(ran.status, 0, "{words:?}: {}", ran.err);
    json::parse(ran.out.trim_end()).unwrap()
}

fn number(value: &Json, key: &str) -> u64 {
    value.get(key).and_then(Json::as_u64).unwrap_or_else(|| panic!("no number {key}"))
}

/// A Claude Code log of turns with a long answer each.
fn log(turns: usize) -> String {
    let words = "line of code ".repeat(300);
    let record = |kind: &str, name: String, parent: Option<String>, message: String| {
        let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
        format!(
            r#"{{"type":"{kind}","uuid":"{name}","parentUuid":{parent},"sessionId":"s1","cwd":"/w","timestamp":"2026-03-01T09:00:00Z","message":{message}}}"#
        )
    };
    let mut lines = Vec::new();
    let mut parent = None;
    for turn in 0..turns {
        let asked = format!("u{turn}");
        lines.push(record(
            "user",
            asked.clone(),
            parent.take(),
            format!(r#"{{"content":"request {turn}"}}"#),
        ));
        let told = format!("a{turn}");
        let message = format!(
            r#"{{"id":"m{turn}","model":"m","role":"assistant","stop_reason":"end_turn","content":[{{"type":"text","text":"{words}"}}]}}"#
        );
        lines.push(record("assistant", told.clone(), Some(asked), message));
        parent = Some(told);
    }
    lines.join("\n") + "\n"
}

#[test]
fn compact_shows_first_and_then_folds() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let file = home.join("log.jsonl");
    fs::write(&file, log(5)).unwrap();
    answer(home, &["ingest", file.to_str().unwrap(), "--json"]);
    let before = answer(home, &["prompt", "s1", "--json"]);

    let dry = answer(home, &["compact", "s1", "--dry-run", "--json"]);
    assert_eq!(dry.get("applied").and_then(Json::as_bool), Some(false));
    assert_eq!(dry.get("checkpoint_id"), Some(&Json::Null));
    assert!(number(&dry, "after_tokens") * 2 < number(&dry, "before_tokens"));
    assert_eq!((number(&dry, "kept_user_texts"), number(&dry, "replaced_user_texts")), (4, 4));
    assert_eq!(dry.get("anchor").and_then(Json::as_str), Some("u4"));
    assert_eq!(answer(home, &["prompt", "s1", "--json"]), before, "nothing was written");
    let shown = run(home, &["compact", "s1", "--dry-run"]);
    for line in ["before    ", "user      4 of 4 texts in the summary", "boundary  none: nothing was written"]
    {
        assert!(shown.out.contains(line), "{}", shown.out);
    }

    let done = answer(home, &["compact", "s1", "--json"]);
    assert_eq!(done.get("applied").and_then(Json::as_bool), Some(true));
    for key in ["before_tokens", "after_tokens", "summary_chars"] {
        assert_eq!(number(&done, key), number(&dry, key), "{key} as it was shown");
    }
    let after = answer(home, &["prompt", "s1", "--json"]);
    assert_eq!(after.get("boundary"), done.get("checkpoint_id"));
    let system = json::text(after.get("system").unwrap());
    assert!((0..4).all(|turn| system.contains(&format!("User: request {turn}"))), "{system}");

    let again = run(home, &["compact", "s1", "--json"]);
    assert_eq!((again.status, again.out.as_str()), (1, ""), "{}", again.err);
    assert!(again.err.starts_with("throughline: nothing_to_compact: "), "{}", again.err);
    assert_eq!(run(home, &["compact", "nobody"]).status, 1);

    // The log grows: what is new is read, and the boundary stays in force.
    fs::write(&file, log(7)).unwrap();
    answer(home, &["ingest", file.to_str().unwrap(), "--json"]);
    let grown = answer(home, &["prompt", "s1", "--json"]);
    assert_eq!(grown.get("boundary"), done.get("checkpoint_id"));
    let folded = answer(home, &["compact", "s1", "--json"]);
    assert_eq!(folded.get("anchor").and_then(Json::as_str), Some("u6"));
}
