//! Checkpoints from the command line: taken, shown, cleared, pruned, and looked after.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends at the first surprise"
)]

use std::{fs, process::Command};
use tempfile::TempDir;
use throughline_core::json::{self, Json};

/// A home folder of its own with one session in it.
struct Home(TempDir);

const LOG: &str = r#"{"type":"user","uuid":"u1","sessionId":"s1","cwd":"/work/app","timestamp":"2026-01-01T00:00:00Z","message":{"content":"Fix the parser."}}
{"type":"user","uuid":"u2","sessionId":"s1","cwd":"/work/app","timestamp":"2026-01-01T00:10:00Z","message":{"content":"And the lexer."}}
"#;

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        fs::write(home.0.path().join("s1.jsonl"), LOG).unwrap();
        home.ok("2026-01-01T00:10:00Z", &["ingest", home.file("s1.jsonl").as_str()]);
        home
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn run(&self, now: &str, words: &[&str]) -> (i32, String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        command.args(words).args(["--now", now]).env("THROUGHLINE_HOME", self.file("home"));
        let output = command.env_remove("THROUGHLINE_STORE").output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn ok(&self, now: &str, words: &[&str]) -> String {
        let (exit, stdout, stderr) = self.run(now, words);
        assert_eq!(exit, 0, "{words:?}: {stderr}");
        stdout
    }

    fn json(&self, now: &str, words: &[&str]) -> Json {
        json::parse(self.ok(now, &[words, &["--json"]].concat()).trim_end()).unwrap()
    }
}

fn text<'a>(value: &'a Json, key: &str) -> &'a str {
    value.get(key).and_then(Json::as_str).unwrap_or_else(|| panic!("{key} of {value:?}"))
}

fn number(value: &Json, key: &str) -> u64 {
    value.get(key).and_then(Json::as_u64).unwrap_or_else(|| panic!("{key} of {value:?}"))
}

const SOON: &str = "2026-01-01T00:20:00Z";

#[test]
fn all_five_triggers_are_taken_and_shown() {
    let home = Home::new();
    fs::write(home.file("context.txt"), "The parser is half done.\r\n# Next: the lexer.").unwrap();
    let context = home.file("context.txt");
    for (trigger, words, heading) in [
        ("explicit", &["--note", "half way"][..], "## Explicit Checkpoint"),
        ("pre_compaction", &["--context", context.as_str()], "## Pre-Compaction Checkpoint"),
        ("session_end", &[], "## Session End Checkpoint"),
    ] {
        let taken = home.json(SOON, &[&["checkpoint", "s1", "--trigger", trigger], words].concat());
        assert_eq!((text(&taken, "session"), text(&taken, "trigger")), ("s1", trigger));
        assert_eq!(taken.get("written"), Some(&Json::Bool(true)));
        assert!(taken.get("reason").is_some_and(Json::is_null));
        let id = text(&taken, "id");
        let digest = home.ok(SOON, &["show", id]);
        assert!(digest.starts_with(&format!("{heading}\nProject: /work/app\n")), "{digest}");
        assert!(digest.contains("- Fix the parser.\n- And the lexer."), "{digest}");
        let row = home.json(SOON, &["show", id]);
        assert_eq!((text(&row, "created_at"), text(&row, "digest")), (SOON, digest.trim_end()));
    }
    // Nothing is new for the two that ask for news.
    for trigger in ["periodic", "agent"] {
        let taken = home.json(SOON, &["checkpoint", "s1", "--trigger", trigger]);
        assert_eq!((taken.get("written"), text(&taken, "reason")), (Some(&Json::Bool(false)), "nothing_new"));
    }
    let listed = home.json(SOON, &["checkpoints", "s1"]);
    let listed: Vec<_> = listed.as_array().unwrap().iter().map(|row| text(row, "trigger")).collect();
    assert_eq!(listed, ["session_end", "pre_compaction", "explicit", "explicit"]);
    let sessions = home.json(SOON, &["sessions"]);
    assert_eq!(text(&sessions.as_array().unwrap()[0], "status"), "ended");
    let digest = home.ok(SOON, &["recover", "--session", "s1"]);
    assert!(digest.contains(", ended.") && digest.contains("## Session End Checkpoint"), "{digest}");
}

#[test]
fn what_a_trigger_needs_is_said() {
    let home = Home::new();
    for (words, exit, code) in [
        (&["checkpoint", "s1"][..], 2, "argument_missing"),
        (&["checkpoint", "s1", "--trigger", "sometimes"], 2, "argument_invalid"),
        (&["checkpoint", "nobody", "--trigger", "explicit"], 1, "session_unknown"),
        (&["checkpoint", "s1", "--trigger", "explicit", "--context", "/none"], 2, "input_unreadable"),
        (&["clear", "nobody"], 1, "session_unknown"),
        (&["forget"], 2, "argument_missing"),
    ] {
        let (status, out, err) = home.run(SOON, words);
        assert_eq!((status, out.as_str()), (exit, ""), "{words:?}");
        assert!(err.starts_with(&format!("throughline: {code}: ")), "{err}");
    }
}

#[test]
fn what_was_cleared_does_not_come_back_with_its_log() {
    let home = Home::new();
    home.ok(SOON, &["checkpoint", "s1", "--trigger", "explicit"]);
    let gone = home.json(SOON, &["clear", "s1"]);
    assert_eq!((number(&gone, "checkpoints"), number(&gone, "messages")), (2, 0));
    let (exit, out, _) = home.run(SOON, &["recover", "--session", "s1"]);
    assert_eq!((exit, out.as_str()), (1, ""));
    let again = home.json(SOON, &["ingest", home.file("s1.jsonl").as_str()]);
    assert!(again.as_array().unwrap()[0].get("checkpoint").is_some_and(Json::is_null));
    assert_eq!(home.run(SOON, &["recover", "--session", "s1"]).0, 1);
    let prompt = home.json(SOON, &["prompt", "s1"]);
    assert!(prompt.get("messages").unwrap().as_array().is_some_and(|messages| !messages.is_empty()));
    let later = "2026-01-01T00:30:00Z";
    let more = r#"{"type":"user","uuid":"u3","sessionId":"s1","timestamp":"2026-01-01T00:25:00Z","message":{"content":"A new beginning."}}"#;
    fs::write(home.file("s1.jsonl"), format!("{LOG}{more}\n")).unwrap();
    home.ok(later, &["ingest", home.file("s1.jsonl").as_str()]);
    let text = home.ok(later, &["recover", "--session", "s1"]);
    assert!(text.contains("A new beginning.") && !text.contains("parser"), "{text}");
    assert_eq!(home.ok(later, &["clear", "s1"]), "removed: 1 checkpoint\n");
    let gone = home.json(later, &["forget", "s1"]);
    assert_eq!(number(&gone, "messages"), 3);
    assert_eq!(home.run(later, &["forget", "s1"]).0, 1);
}

#[test]
fn what_is_older_than_a_week_is_pruned() {
    let home = Home::new();
    let week = "2026-01-08T00:10:00Z";
    assert_eq!(home.ok(week, &["prune"]), "removed: nothing\n");
    let gone = home.json("2026-01-08T00:10:00.001Z", &["prune"]);
    assert_eq!((number(&gone, "checkpoints"), number(&gone, "states")), (1, 1));
    for key in ["messages", "transcripts", "artifacts", "files"] {
        assert_eq!(number(&gone, key), 0);
    }
    assert_eq!(home.json(week, &["checkpoints"]), Json::Array(Vec::new()));
}

#[test]
fn the_doctor_finds_what_is_wrong() {
    let home = Home::new();
    let report = home.json(SOON, &["doctor"]);
    assert_eq!((report.get("ok"), number(&report, "schema")), (Some(&Json::Bool(true)), 1));
    assert!(text(&report, "store").starts_with("sqlite:") && number(&report, "bytes") > 4096);
    let counts = report.get("counts").unwrap();
    assert_eq!(
        [number(counts, "sessions"), number(counts, "messages"), number(counts, "checkpoints")],
        [1, 2, 1]
    );
    assert_eq!(report.get("secrets_at_rest"), Some(&Json::Array(Vec::new())));
    let table = home.ok(SOON, &["doctor"]);
    assert!(table.contains("integrity") && !table.contains("WRONG"), "{table}");

    // A secret that another program has written into the store.
    let secret = ["ghp_", "R4nd0mFakeValueForTestsOnly012345678"].concat();
    let store = rusqlite::Connection::open(home.file("home/throughline.db")).unwrap();
    store
        .execute(
            "UPDATE checkpoints SET body = REPLACE(body, 'Fix the parser.', ?)",
            [format!("use {secret} now")],
        )
        .unwrap();
    drop(store);
    let (exit, out, _) = home.run(SOON, &["doctor", "--json"]);
    let report = json::parse(out.trim_end()).unwrap();
    assert_eq!((exit, report.get("ok")), (1, Some(&Json::Bool(false))));
    let found = report.get("secrets_at_rest").unwrap().as_array().unwrap();
    let places: Vec<_> = found.iter().map(|secret| (text(secret, "table"), text(secret, "column"))).collect();
    assert_eq!(places, [("checkpoints", "digest"), ("checkpoints", "recent_prompts[0].text")]);
    assert!(text(&found[0], "rule").starts_with("github"), "{found:?}");
    assert!(!out.contains(&secret), "its value is not repeated");
    assert!(home.run(SOON, &["doctor"]).1.contains("WRONG"));
}

#[test]
fn a_store_that_is_not_there_is_well() {
    let home = Home(tempfile::tempdir().unwrap());
    let report = home.json(SOON, &["doctor"]);
    assert!(report.get("schema").is_some_and(Json::is_null) && report.get("ok") == Some(&Json::Bool(true)));
    assert!(!fs::exists(home.file("home")).unwrap(), "and is not made");
}

#[test]
fn the_configuration_of_checkpoints_is_a_file() {
    let home = Home::new();
    let config = home.file("continuity.json");
    fs::write(&config, r#"{"enabled": false}"#).unwrap();
    let words = ["checkpoint", "s1", "--trigger", "explicit"];
    let taken = home.json(SOON, &[&words[..], &["--continuity", config.as_str()]].concat());
    assert_eq!((taken.get("written"), text(&taken, "reason")), (Some(&Json::Bool(false)), "disabled"));
    fs::write(&config, r#"{"maxCheckpointsPerSession": 2, "recovery_budget_chars": 300}"#).unwrap();
    for _ in 0..4 {
        home.ok(SOON, &[&words[..], &["--continuity", config.as_str()]].concat());
    }
    let Json::Array(kept) = home.json(SOON, &["checkpoints", "s1"]) else { panic!("a list") };
    assert_eq!(kept.len(), 2);
    let recovered = home.ok(SOON, &["recover", "--session", "s1", "--continuity", config.as_str()]);
    assert!((100..=301).contains(&recovered.chars().count()), "{recovered}");
}
