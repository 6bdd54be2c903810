//! The command from outside: its answers, its errors and their statuses.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic,
    reason = "a test ends at the first surprise"
)]

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};
use tempfile::TempDir;
use throughline_core::json::{self, Json};

const COMMANDS: [&str; 20] = [
    "redact",
    "rules",
    "ingest",
    "sessions",
    "checkpoint",
    "checkpoints",
    "show",
    "recover",
    "prompt",
    "options",
    "compact",
    "prune",
    "clear",
    "forget",
    "doctor",
    "diff",
    "install",
    "uninstall",
    "watch",
    "hook",
];

/// A home folder of its own, and the command in it.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name).display().to_string()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
        command.args(words).env("THROUGHLINE_HOME", self.path("home")).env_remove("THROUGHLINE_STORE");
        command
    }

    fn run(&self, words: &[&str]) -> Ran {
        Ran::new(words, self.command(words).stdin(Stdio::null()).output().unwrap())
    }

    fn with_input(&self, words: &[&str], input: &[u8]) -> Ran {
        let mut command = self.command(words);
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        Ran::new(words, child.wait_with_output().unwrap())
    }

    /// The JSON answer: one value in canonical form and a newline.
    fn json(&self, words: &[&str]) -> Json {
        self.run(&[words, &["--json"]].concat()).ok().json()
    }
}

struct Ran {
    words: String,
    status: i32,
    out: Vec<u8>,
    err: String,
}

impl Ran {
    fn new(words: &[&str], output: Output) -> Self {
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(!err.contains("panicked"), "{words:?}: {err}");
        Self { words: words.join(" "), status: output.status.code().unwrap_or(-1), out: output.stdout, err }
    }

    fn out(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    fn ok(self) -> Self {
        assert_eq!((self.status, self.err.as_str()), (0, ""), "{}", self.words);
        self
    }

    fn json(&self) -> Json {
        let value = json::parse(self.out()).unwrap_or_else(|error| panic!("{}: {error}", self.words));
        assert_eq!(self.out(), json::canonical(&value) + "\n", "{}", self.words);
        value
    }

    /// One line with this code, nothing on standard output.
    fn fails(self, status: i32, code: &str) -> Self {
        assert_eq!(self.status, status, "{}: {}", self.words, self.err);
        assert_eq!(self.out(), "", "{}", self.words);
        let mut lines = self.err.lines();
        let line = lines.next().unwrap_or_default();
        assert!(line.starts_with(&format!("throughline: {code}: ")), "{}: {line}", self.words);
        for word in ["rusqlite", "Error(", "::", "os error", "StorageError"] {
            assert!(!line.contains(word), "{}: {line}", self.words);
        }
        if self.words.contains("--json") {
            let error = json::parse(lines.next().unwrap()).unwrap();
            assert_eq!(error.get("error").unwrap().get("code").unwrap().as_str(), Some(code));
            assert!(error.get("error").unwrap().get("path").is_some());
        }
        assert_eq!(lines.next(), None, "{}: {}", self.words, self.err);
        self
    }

    fn says(self, words: &str) -> Self {
        assert!(self.err.contains(words), "{}: {}", self.words, self.err);
        self
    }
}

fn text<'a>(value: &'a Json, key: &str) -> &'a str {
    value.get(key).and_then(Json::as_str).unwrap_or_else(|| panic!("no text `{key}` in {value:?}"))
}

fn number(value: &Json, key: &str) -> u64 {
    value.get(key).and_then(Json::as_u64).unwrap_or_else(|| panic!("no number `{key}` in {value:?}"))
}

/// A log of two prompts and an answer, one second apart.
fn log(session: &str) -> String {
    let record = |kind: &str, uuid: &str, parent: &str, second: u32, message: &str| {
        format!(
            r#"{{"type":"{kind}","uuid":"{session}-{uuid}","parentUuid":{parent},"sessionId":"{session}","cwd":"/home/ada/app","timestamp":"2026-03-01T09:00:0{second}Z","message":{message}}}"#
        ) + "\n"
    };
    let user = |content: &str| format!(r#"{{"role":"user","content":"{content}"}}"#);
    let answer =
        r#"{"id":"msg_1","role":"assistant","model":"m-1","content":[{"type":"text","text":"done"}]}"#;
    record("user", "u1", "null", 1, &user("fix the parser, password: hunter2"))
        + &record("assistant", "a1", &format!("\"{session}-u1\""), 2, answer)
        + &record("user", "u2", &format!("\"{session}-a1\""), 3, &user("now the tests"))
}

#[test]
fn help_has_an_example_for_each_command() {
    let home = Home::new();
    let general = home.run(&["--help"]).ok();
    for command in COMMANDS {
        assert!(general.out().contains(&format!("\n  {command} ")), "{command}");
        let help = home.run(&[command, "--help"]).ok();
        assert!(help.out().contains(&format!("Example:\n  throughline {command}")), "{}", help.out());
    }
    assert!(home.run(&["--version"]).ok().out().starts_with("throughline "));
    assert!(!home.path("home").exists(), "help makes no store");
}

#[test]
fn unknown_words_are_refused_in_one_line() {
    let home = Home::new();
    home.run(&["sesions"]).fails(2, "unknown_command").says("did you mean sessions?");
    home.run(&["xyz"]).fails(2, "unknown_command").says("accepted: redact, rules");
    home.run(&[]).fails(2, "command_missing").says("accepted: redact, rules");
    home.run(&["sessions", "--limitt", "3"]).fails(2, "unknown_flag").says("did you mean --limit?");
    home.run(&["sessions", "--zzz"]).fails(2, "unknown_flag").says("throughline sessions --help");
    home.run(&["sessions", "-z", "--json"]).fails(2, "unknown_flag").says("[-z]");
    home.run(&["show"]).fails(2, "argument_missing").says("<ID>");
    home.run(&["ingest", "--json"]).fails(2, "argument_missing").says("<FILE>");
    home.run(&["show", "a", "b"]).fails(2, "unknown_argument");
    home.run(&["sessions", "--limit", "0"])
        .fails(2, "argument_invalid")
        .says("a whole number from 1 to 1000");
    home.run(&["sessions", "--limit", "1", "--limit", "2"]).fails(2, "argument_conflict").says("given twice");
    home.run(&["sessions", "--limit"]).fails(2, "argument_invalid").says("a value is missing");
    home.run(&["prompt", "s", "--format", "xml"]).fails(2, "argument_invalid").says("accepted: anthropic");
    home.run(&["recover", "--budget", "10"]).fails(2, "argument_invalid").says("200");
    home.run(&["sessions", "--now", "yesterday"]).fails(2, "timestamp_invalid").says("[--now]");
    home.run(&["sessions", "--cursor", "x"]).fails(2, "argument_invalid").says("[--cursor]");
    home.run(&["show", "x"]).fails(2, "identifier_invalid").says("[ID]");
    assert!(!home.path("home").exists(), "nothing of it makes a store");
}

#[test]
fn errors_repeat_no_secret() {
    let home = Home::new();
    let token = ["ghp_", "q9X2mN7pK4rT8wY1cV5bZ3dF6gH0jL2eR4tY"].concat();
    let missing = home.run(&["redact", &format!("/no/{token}"), "--json"]).fails(2, "input_unreadable");
    let unknown = home.run(&[&token]).fails(2, "unknown_command");
    for ran in [&missing, &unknown] {
        assert!(!ran.err.contains(&token) && ran.err.contains("[REDACTED:github-token]"), "{}", ran.err);
    }
}

#[test]
fn redact_gives_the_bytes_and_nothing_else() {
    let home = Home::new();
    let input = "Authorization: Bearer s3cr3t-t0k3n-value\r\nline two\n";
    let clean = "Authorization: Bearer [REDACTED:bearer]\r\nline two\n";
    assert_eq!(home.with_input(&["redact"], input.as_bytes()).ok().out(), clean);
    assert_eq!(home.with_input(&["redact", "-"], input.as_bytes()).ok().out(), clean);
    let file = home.file("a.log", input);
    assert_eq!(home.run(&["redact", &file]).ok().out(), clean);
    assert_eq!(home.with_input(&["redact"], b"\xff\0\n").ok().out, b"\xff\0\n");
    assert_eq!(home.with_input(&["redact"], b"").ok().out, b"");
    assert!(!home.path("home").exists(), "no store is needed");
    home.run(&["redact", "/no/such/file"]).fails(2, "input_unreadable").says("[/no/such/file]");
    home.run(&["redact", home.0.path().to_str().unwrap()]).fails(2, "input_unreadable").says("directory");
}

#[test]
fn redact_reports_what_it_finds() {
    let home = Home::new();
    let input = "é\npassword: hunter2\n";
    for words in [&["redact", "--report", "--json"][..], &["redact", "--json"]] {
        let report = home.with_input(words, input.as_bytes()).ok().json();
        let finding = &report.get("findings").and_then(Json::as_array).unwrap()[0];
        assert_eq!(text(finding, "kind"), "assignment");
        let place = ["line", "column", "offset", "length", "out_offset"].map(|key| number(finding, key));
        assert_eq!(place, [2, 11, 13, 7, 13]);
        assert_eq!(number(&report, "bytes_in"), 21);
        assert_eq!(number(&report, "bytes_out"), 21 - 7 + number(finding, "out_length"));
        assert_eq!(report.get("truncated"), Some(&Json::Bool(false)));
    }
    let table = home.with_input(&["redact", "--report"], input.as_bytes());
    assert!(table.out().starts_with("line  column  bytes  rule"), "{}", table.out());
    assert!(!table.out().contains("hunter2") && table.err.contains("1 finding in 21 bytes"));
    let only = ["redact", "--mode", "report_only", "--json"];
    let report = home.with_input(&only, input.as_bytes()).ok().json();
    assert_eq!(number(&report, "bytes_out"), 21);
    home.run(&["redact", "--mode", "report_only"]).fails(2, "argument_missing").says("[--mode]");
}

#[test]
fn redact_takes_exact_values_and_shows_none() {
    let home = Home::new();
    let exact = home.file("exact", "correct-horse\n\nbattery-staple\n");
    let out = home.with_input(&["redact", "--exact", &exact], b"say battery-staple\n").ok();
    assert_eq!(out.out(), "say [REDACTED:exact]\n");
    let short = home.file("short", "correct-horse\n\nabc\n");
    let ran = home.run(&["redact", "--exact", &short]).fails(2, "exact_too_short").says("short:3]");
    assert!(!ran.err.contains("abc"));
}

#[test]
fn rules_are_listed_and_shown() {
    let home = Home::new();
    let all = home.json(&["rules"]);
    let all = all.as_array().unwrap();
    assert!(!all.is_empty());
    let id = text(&all[0], "id");
    for key in ["kind", "confidence", "description"] {
        assert!(!text(&all[0], key).is_empty());
    }
    assert!(all[0].get("keywords").is_some() && all[0].get("example_parts").is_some());
    assert_eq!(home.json(&["rules", id]).as_array().unwrap(), &all[..1]);
    assert!(home.run(&["rules", id]).ok().out().starts_with(id));
    assert_eq!(home.run(&["rules"]).ok().out().lines().count(), all.len() + 1);
    home.run(&["rules", &format!("{id}-x"), "--json"]).fails(1, "rule_unknown").says(id);
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let home = Home::new();
    let file = home.file("long.log", "a line of text\n".repeat(500_000));
    let mut command = home.command(&["redact", &file]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let ran = Ran::new(&["redact"], child.wait_with_output().unwrap());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
}

#[test]
fn a_log_is_stored_once_and_leads_to_a_recovery_and_a_prompt() {
    let home = Home::new();
    let file = home.file("s1.jsonl", log("s1"));
    let ingested = home.json(&["ingest", &file]);
    let first = &ingested.as_array().unwrap()[0];
    assert_eq!((text(first, "session"), text(first, "file")), ("s1", file.as_str()));
    assert_eq!((number(first, "records"), number(first, "added")), (3, 3));
    let id = text(first, "checkpoint");
    let again = home.json(&["ingest", &file]);
    let again = &again.as_array().unwrap()[0];
    assert_eq!((number(again, "added"), number(again, "unchanged")), (0, 3));
    assert_eq!(again.get("checkpoint"), Some(&Json::Null));

    let sessions = home.json(&["sessions"]);
    let session = &sessions.as_array().unwrap()[0];
    assert_eq!((text(session, "session"), text(session, "harness")), ("s1", "claude-code"));
    assert_eq!(text(session, "project"), "/home/ada/app");
    assert_eq!((number(session, "messages"), number(session, "checkpoints")), (3, 1));

    let checkpoints = home.json(&["checkpoints", "s1"]);
    assert_eq!(text(&checkpoints.as_array().unwrap()[0], "id"), id);
    assert_eq!(checkpoints, home.json(&["checkpoints"]));
    let row = home.json(&["show", id]);
    assert_eq!(home.run(&["show", id]).ok().out(), format!("{}\n", text(&row, "digest")));

    let recovered = home.json(&["recover", "--session", "s1"]);
    assert_eq!(recovered.get("found"), Some(&Json::Bool(true)));
    assert_eq!((text(&recovered, "session"), text(&recovered, "checkpoint")), ("s1", id));
    assert!(text(&recovered, "text").contains("now the tests"));
    assert!(!text(&recovered, "text").contains("hunter2"));
    assert_eq!(home.run(&["recover"]).ok().out(), format!("{}\n", text(&recovered, "text")));
    let short = home.json(&["recover", "--session", "s1", "--budget", "200"]);
    assert!(number(&short, "chars") <= 200);

    let prompt = home.json(&["prompt", "s1"]);
    assert_eq!(prompt.get("messages").and_then(Json::as_array).unwrap().len(), 3);
    let request = home.file("request.json", r#"{"model": "m-1", "system": ["Be brief."]}"#);
    let body = home.run(&["prompt", "s1", "--format", "anthropic", "--request", &request]).ok().json();
    assert_eq!(text(&body, "model"), "m-1");
    for (format, messages, count) in [
        ("anthropic", "messages", 3),
        ("openai-responses", "input", 4),
        ("openai-chat", "messages", 4),
        ("gemini", "contents", 3),
    ] {
        let answer = home.run(&["prompt", "s1", "--format", format, "--request", &request, "--json"]).ok();
        assert_eq!(answer.json().get(messages).and_then(Json::as_array).unwrap().len(), count, "{format}");
        assert_eq!(answer.err, "", "the body and nothing else");
    }
    let request = home.file("wrong.json", r#"{"tools": [{"name": 7}]}"#);
    home.run(&["prompt", "s1", "--request", &request]).fails(2, "request_invalid").says("tools[0]");
    let request = home.file("torn.json", r#"{"tools": "#);
    let torn = home.run(&["prompt", "s1", "--request", &request]);
    assert_eq!((torn.status, torn.out()), (2, ""), "{}", torn.err);

    let explained = home.json(&["prompt", "s1", "--explain"]);
    assert!(explained.get("explain").and_then(|explain| explain.get("left_out")).is_some());
    assert_eq!(explained.get("messages"), prompt.get("messages"));
    let printed = home.file("s1.json", home.run(&["prompt", "s1", "--json"]).ok().out());
    let same = home.json(&["diff", "s1", &printed]);
    assert_eq!(same.get("equal"), Some(&Json::Bool(true)));
    let other = home.file("s2.jsonl", log("s2").replacen("parser", "lexer", 1));
    home.run(&["ingest", &other]).ok();
    assert_eq!(home.run(&["diff", "s1", "s2"]).status, 1);
    assert_eq!(home.run(&["diff", "s1", "nobody"]).fails(1, "session_unknown").status, 1);
}

#[test]
fn what_is_not_there_is_status_1() {
    let home = Home::new();
    let none = home.run(&["recover", "--json"]);
    assert_eq!((none.status, none.err.as_str()), (1, ""));
    assert_eq!(none.json().get("found"), Some(&Json::Bool(false)));
    let none = home.run(&["recover", "--session", "nobody"]);
    assert_eq!((none.status, none.out()), (1, ""));
    home.run(&["prompt", "nobody"]).fails(1, "session_unknown").says("nobody");
    home.run(&["checkpoints", "nobody", "--json"]).fails(1, "session_unknown");
    home.run(&["show", "01890a5d-ac96-774b-bcce-b302099a8057"]).fails(1, "checkpoint_unknown");
    assert_eq!(home.json(&["sessions"]), Json::Array(vec![]));
    assert_eq!(home.json(&["checkpoints"]), Json::Array(vec![]));
}

#[test]
fn every_log_that_can_be_read_is_read() {
    let home = Home::new();
    let (one, two) = (home.file("one.jsonl", log("one")), home.file("two.jsonl", log("two")));
    let empty = home.file("empty.jsonl", "");
    let ran = home.run(&["ingest", &one, &empty, "/no/such.jsonl", &two, "--json"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("throughline: log_empty: ") && ran.err.contains(&format!("[{empty}]")));
    assert!(ran.err.contains("throughline: input_unreadable: "), "{}", ran.err);
    assert_eq!(ran.json().as_array().unwrap().len(), 2);
    home.run(&["ingest", &empty]).fails(2, "log_empty");
    let piped = home.with_input(&["ingest", "-", "--json"], log("three").as_bytes()).ok().json();
    assert_eq!(text(&piped.as_array().unwrap()[0], "session"), "three");
    assert_eq!(home.run(&["sessions"]).ok().out().lines().count(), 4);
}

#[test]
fn sessions_are_paged_and_picked() {
    let home = Home::new();
    for name in ["one", "two", "three", "four", "five"] {
        let file = home.file(name, log(name));
        home.run(&["ingest", &file, "--agent", if name.starts_with('f') { "reviewer" } else { "coder" }])
            .ok();
    }
    let names = |value: &Json| -> Vec<String> {
        value.as_array().unwrap().iter().map(|session| text(session, "session").to_owned()).collect()
    };
    let all = names(&home.json(&["sessions"]));
    assert_eq!(all.len(), 5);
    let (mut paged, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let mut words = vec!["sessions", "--limit", "2"];
        words.extend(cursor.iter().flat_map(|cursor| ["--cursor", cursor]));
        let page = home.json(&words);
        let Some(last) = page.as_array().unwrap().last() else { break };
        cursor = Some(text(last, "cursor").to_owned());
        paged.extend(names(&page));
    }
    assert_eq!(paged, all);
    let shown = home.run(&["sessions", "--limit", "2"]);
    assert!(shown.err.starts_with("more: --cursor "), "{}", shown.err);
    let picked = names(&home.json(&["sessions", "--agent", "reviewer", "--limit", "1"]));
    assert!(picked.len() == 1 && picked[0].starts_with('f'));
    assert_eq!(names(&home.json(&["sessions", "--project", "/home/ada/./app/"])).len(), 5);
    assert!(names(&home.json(&["sessions", "--project", "/elsewhere"])).is_empty());
    let later = home.run(&["sessions", "--now", "2026-03-01T11:00:03Z"]).ok();
    assert!(later.out().lines().nth(1).unwrap().contains("2026-03-01 09:00Z  2h "), "{}", later.out());
}

#[test]
fn the_store_is_where_it_is_said_to_be() {
    let home = Home::new();
    let file = home.file("one.jsonl", log("one"));
    home.run(&["ingest", &file]).ok();
    assert!(home.path("home").join("throughline.db").exists());
    let named = format!("sqlite:{}", home.path("named.db").display());
    home.run(&["ingest", &file, "--store", &named]).ok();
    assert!(home.path("named.db").exists());
    let by_variable = |store: &str| {
        let output = home.command(&["sessions", "--json"]).env("THROUGHLINE_STORE", store).output().unwrap();
        Ran::new(&["sessions", "--json"], output)
    };
    assert_eq!(by_variable(&named).ok().json().as_array().unwrap().len(), 1);
    let other = format!("sqlite:{}", home.path("other.db").display());
    assert_eq!(by_variable(&other).ok().json(), Json::Array(vec![]));
    assert_eq!(by_variable("").ok().json().as_array().unwrap().len(), 1, "empty is not set");
    by_variable("x.db").fails(2, "store_invalid").says("[THROUGHLINE_STORE]");
    home.run(&["sessions", "--store", "x.db"]).fails(2, "store_invalid").says("did you mean sqlite:x.db?");
    home.run(&["sessions", "--store", "sqlite:"]).fails(2, "store_invalid");
    for (store, exit, code) in [
        ("postgres://ada:hunter2@127.0.0.1:1/db", 3, "storage_unavailable"),
        ("postgres://ada:hun#ter2@host/db", 2, "store_invalid"),
        ("mysql://ada:hunter2@host/db", 2, "store_unsupported"),
    ] {
        let error = home.run(&["sessions", "--store", store]).fails(exit, code).err;
        assert!(!error.contains("ter2") && !error.contains("hun"), "{error}");
    }
}

fn tree(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
        .into_iter()
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect()
}

#[test]
fn a_store_that_cannot_be_used_is_status_3_and_left_alone() {
    let home = Home::new();
    let log = home.file("one.jsonl", log("one"));
    let text = home.file("text.db", "not a database at all\n");
    let newer = home.path("newer.db").display().to_string();
    drop(throughline::SqliteStorage::open(&newer).unwrap());
    let mut bytes = fs::read(&newer).unwrap();
    bytes[63] = 99;
    fs::write(&newer, bytes).unwrap();
    let before = tree(home.0.path());
    for words in [&["ingest", log.as_str()][..], &["sessions"], &["recover"], &["sessions", "--json"]] {
        let on = |store: &str| home.run(&[words, &["--store", &format!("sqlite:{store}")]].concat());
        on(&text).fails(3, "storage_foreign").says("text.db]");
        on(&newer).fails(3, "schema_newer").says("schema 99");
        on("/proc/x.db").fails(3, "storage_unavailable").says("[/proc/x.db]");
        on(home.0.path().to_str().unwrap()).fails(3, "storage_unavailable").says("is a folder");
    }
    assert_eq!(tree(home.0.path()), before);
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_status_3() {
    let home = Home::new();
    let long: String =
        (0..300).map(|number| log(&format!("s{number}")).replace("done", &"d".repeat(900))).collect();
    let file =
        home.file("long.jsonl", long.replace("\"sessionId\":\"s", "\"sessionId\":\"one\",\"was\":\"s"));
    let limited = |blocks: &str| {
        let output = Command::new("sh")
            .args(["-c", "ulimit -f \"$1\" && shift && exec \"$@\"", "sh", blocks])
            .args([env!("CARGO_BIN_EXE_throughline"), "ingest", &file])
            .env("THROUGHLINE_HOME", home.path("home"))
            .output()
            .unwrap();
        Ran::new(&["ingest"], output)
    };
    limited("8").fails(3, "storage_full");
    limited("400").fails(3, "storage_full").says("the storage is full");
    let done = home.json(&["ingest", &file]);
    assert!(number(&done.as_array().unwrap()[0], "added") > 300);
}

#[test]
fn processes_at_once_store_every_log_once() {
    let home = Home::new();
    let files: Vec<String> =
        (0..4).map(|n| home.file(&format!("s{n}.jsonl"), log(&format!("s{n}")))).collect();
    // Two of them read each log, and all of them make the store.
    let children: Vec<_> = files
        .iter()
        .chain(&files)
        .map(|file| home.command(&["ingest", file, "--json"]).stdout(Stdio::piped()).spawn().unwrap())
        .collect();
    let mut added = 0;
    for child in children {
        let ran = Ran::new(&["ingest", "--json"], child.wait_with_output().unwrap()).ok();
        added += number(&ran.json().as_array().unwrap()[0], "added");
    }
    assert_eq!(added, 4 * 3);
    let checkpoints = home.json(&["checkpoints"]);
    assert_eq!(checkpoints.as_array().unwrap().len(), 4);
}
