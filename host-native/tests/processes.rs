//! Several processes of the command on one store: every acknowledged row is there, once.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::expect_used,
    clippy::arithmetic_side_effects,
    reason = "a test target"
)]

use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

fn throughline(store: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
    command.args(words).args(["--json", "--store", &format!("sqlite:{}", store.display())]);
    command.env_remove("THROUGHLINE_STORE").env_remove("THROUGHLINE_HOME");
    command
}

fn start(store: &Path, words: &[&str]) -> Child {
    throughline(store, words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn answer(child: Child) -> Value {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A log of `rounds` rounds: a prompt, an answer and a call with its result.
fn log(folder: &Path, session: &str, rounds: usize) -> PathBuf {
    let mut lines = Vec::new();
    let mut parent = Value::Null;
    let mut record = |kind: &str, uuid: String, message: Value| {
        let line = json!({"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": session,
            "timestamp": "2026-05-01T10:00:00Z", "cwd": "/home/dev/parcel", "message": message});
        parent = uuid.into();
        lines.push(line.to_string());
    };
    for round in 0..rounds {
        let (message, call) = (format!("msg_{round}"), format!("toolu_{round}"));
        record("user", format!("u{round}"), json!({"role": "user", "content": format!("prompt {round}")}));
        let said = json!({"type": "text", "text": format!("answer {round}")});
        record("assistant", format!("a{round}"), json!({"id": message, "model": "m", "content": [said]}));
        let asked = json!({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "ls"}});
        record("assistant", format!("b{round}"), json!({"id": message, "model": "m", "content": [asked]}));
        let gave = json!({"type": "tool_result", "tool_use_id": call, "content": "ok"});
        record("user", format!("r{round}"), json!({"role": "user", "content": [gave]}));
    }
    let file = folder.join(format!("{session}.jsonl"));
    fs::write(&file, lines.join("\n")).unwrap();
    file
}

fn name(file: &Path) -> &str {
    file.to_str().unwrap()
}

#[test]
fn three_processes_on_one_store_lose_nothing_and_double_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store.db");
    let own: Vec<PathBuf> = (0..3).map(|number| log(folder.path(), &format!("own-{number}"), 40)).collect();
    let shared = log(folder.path(), "shared", 60);
    // Each reads a log of its own and, at the same time as the others, the same log.
    let running: Vec<Child> =
        own.iter().map(|own| start(&store, &["ingest", name(&shared), name(own), name(&shared)])).collect();
    let reports: Vec<Value> = running.into_iter().map(answer).collect();
    let added = |at: usize| reports.iter().map(|report| report[at]["added"].as_u64().unwrap()).sum::<u64>();
    assert_eq!(added(0) + added(2), 60 * 4, "the shared log is added once");
    assert_eq!(added(1), 3 * 40 * 4);
    for (session, rounds) in [("own-0", 40), ("own-1", 40), ("own-2", 40), ("shared", 60)] {
        let prompt = answer(start(&store, &["prompt", session]));
        let messages = prompt["messages"].as_array().unwrap();
        let texts = messages.iter().filter_map(|message| message["parts"][0]["text"].as_str());
        let prompts: Vec<&str> = texts.filter(|text| text.starts_with("prompt ")).collect();
        let expected: Vec<String> = (0..rounds).map(|round| format!("prompt {round}")).collect();
        assert_eq!(prompts, expected, "{session}");
        assert_eq!(messages.len(), rounds * 3, "{session}");
    }
    let sessions = answer(start(&store, &["sessions"]));
    assert_eq!(sessions.as_array().unwrap().len(), 4);
}
