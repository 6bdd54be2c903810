use super::{
    Answer, Failure, LogFile, Surroundings,
    arguments::{self, Parsed},
    commands::COMMANDS,
    place::Place,
    run, unwritten,
};
use crate::{
    engine::{Engine, Options},
    host::{FileFault, FixedClock, MemoryStorage, Parts},
    redact::Redactor,
    time::Timestamp,
};
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{
    cell::Cell,
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

type Host = Parts<MemoryStorage, FixedClock, fn() -> [u8; 16]>;

/// A program with nothing but these files and variables, and a new store for each command.
#[derive(Default)]
struct Desk {
    files: BTreeMap<&'static str, &'static [u8]>,
    variables: BTreeMap<&'static str, &'static str>,
    home: Option<&'static str>,
    folder: Option<&'static str>,
    opened: Cell<Option<String>>,
}

struct Pieces(Vec<u8>);

impl LogFile for Pieces {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, FileFault> {
        let rest = self.0.split_off(self.0.len().min(7));
        let piece = core::mem::replace(&mut self.0, rest);
        Ok(Some(piece).filter(|piece| !piece.is_empty()))
    }
}

impl Surroundings for Desk {
    type Host = Host;
    type File = Pieces;

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).map(ToString::to_string)
    }

    fn home(&self) -> Option<String> {
        self.home.map(String::from)
    }

    fn folder(&self) -> Option<String> {
        self.folder.map(String::from)
    }

    async fn open(&self, path: &str, now: Option<Timestamp>) -> Result<Engine<Host>, Failure> {
        self.opened.set(Some(path.into()));
        let clock = FixedClock(now.unwrap_or(Timestamp::EPOCH));
        let host = Parts { storage: MemoryStorage::default(), clock, entropy: (|| [7; 16]) as fn() -> _ };
        Ok(Engine::new(host, Redactor::standard(), Options::default()))
    }

    async fn file(&self, path: &str) -> Result<Pieces, FileFault> {
        self.files.get(path).map(|bytes| Pieces(bytes.to_vec())).ok_or(FileFault::NotFound)
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(String::from).collect()
}

impl Desk {
    fn at_home() -> Self {
        Self { home: Some("/home/ada"), ..Self::default() }
    }

    fn run(&self, line: &str) -> Answer {
        block_on(run(&words(line), self))
    }

    fn out(&self, line: &str) -> String {
        String::from_utf8(self.run(line).stdout).unwrap()
    }

    /// Exit status and error of a command that prints nothing else.
    fn err(&self, line: &str) -> (u8, String) {
        let answer = self.run(line);
        assert!(answer.stdout.is_empty(), "{line}");
        (answer.exit, answer.stderr)
    }
}

#[test]
fn wrong_words_are_named_with_what_is_accepted() {
    let desk = Desk::at_home();
    for (line, error) in [
        ("sesions", "unknown_command: there is no command `sesions`; did you mean sessions? [sesions]"),
        (
            "sessions --limitt=3",
            "unknown_flag: there is no flag `--limitt` here; did you mean --limit? [--limitt]",
        ),
        (
            "rules -x",
            "unknown_flag: there is no flag `-x` here; `throughline rules --help` lists what is accepted [-x]",
        ),
        (
            "rules a b",
            "unknown_argument: there is no argument `b` here; `throughline rules --help` lists what is accepted [b]",
        ),
        ("show", "argument_missing: <ID> is missing; see `throughline show --help` [<ID>]"),
        (
            "sessions --limit 0",
            "argument_invalid: `0` is not accepted; accepted: a whole number from 1 to 1000 [--limit <N>]",
        ),
        (
            "recover --budget +300",
            "argument_invalid: `+300` is not accepted; accepted: a whole number from 200 to 10000 [--budget <N>]",
        ),
        (
            "redact --mode odd",
            "argument_invalid: `odd` is not accepted; accepted: default, paranoid, report_only [--mode <MODE>]",
        ),
        (
            "prompt s --format",
            "argument_invalid: a value is missing; accepted: anthropic [--format <FORMAT>]",
        ),
        ("rules --json=1", "argument_invalid: --json takes no value [--json]"),
        ("--json sessions --json", "argument_conflict: --json is given twice [--json]"),
        ("sessions --now then", "timestamp_invalid: "),
    ] {
        let (exit, stderr) = desk.err(line);
        let first = stderr.lines().next().unwrap();
        assert!(first.starts_with(&format!("throughline: {error}")), "{line}: {stderr}");
        assert_eq!(exit, 2, "{line}");
        assert_eq!(
            stderr.lines().count(),
            if words(line).contains(&"--json".into()) { 2 } else { 1 },
            "{line}"
        );
    }
    assert_eq!(desk.opened.take(), None, "none of them opens a store");
    assert_eq!(desk.err("").0, 2);
}

#[test]
fn flags_stand_anywhere_and_end_at_two_dashes() {
    let desk = Desk::at_home();
    let all = desk.out("rules --json");
    assert_eq!(desk.out("--json rules"), all);
    assert_eq!(desk.out("--project=/a rules --json"), all);
    let (exit, stderr) = desk.err("rules -- --json");
    assert_eq!((exit, stderr.lines().count()), (1, 1), "{stderr}");
}

#[test]
fn every_command_has_help_and_an_example_that_is_read() {
    let desk = Desk::at_home();
    let general = desk.out("--help");
    assert_eq!(desk.out("-h"), general);
    for command in COMMANDS {
        assert!(general.contains(&format!("\n  {:<11}  {}\n", command.name, command.about)), "{general}");
        let help = desk.out(&format!("{} --help", command.name));
        assert!(help.ends_with(&format!("Example:\n  {}\n", command.example)), "{help}");
        assert!(command.flags.iter().all(|flag| help.contains(flag.name)));
        let line = command.example.split(" > ").next().unwrap().trim_start_matches("throughline");
        assert!(arguments::read(&words(line)).is_ok(), "{line}");
    }
    assert_eq!(desk.out("-V"), desk.out("--version"));
}

#[test]
fn the_store_is_named_by_flag_variable_or_home() {
    let mut desk = Desk::default();
    assert!(desk.err("sessions").1.starts_with("throughline: home_unknown: "));
    let mut opens = |name: &'static str, value: &'static str, line: &str| {
        desk.variables.insert(name, value);
        desk.run(line);
        desk.opened.take().unwrap()
    };
    assert_eq!(opens("THROUGHLINE_HOME", "/h/", "sessions"), "/h/throughline.db");
    assert_eq!(opens("THROUGHLINE_STORE", "", "sessions"), "/h/throughline.db");
    assert_eq!(opens("THROUGHLINE_STORE", "sqlite:a b.db", "sessions"), "a b.db");
    assert_eq!(opens("X", "", "sessions --store sqlite:c.db"), "c.db");
    let desk = Desk::at_home();
    assert_eq!(desk.err("sessions").1, "no sessions in /home/ada/.throughline/throughline.db\n");
}

#[test]
fn a_relative_project_is_one_of_the_working_directory() {
    let desk = Desk { folder: Some("/w/a"), ..Desk::at_home() };
    let project = |given: &str| {
        let words = ["recover".into(), "--project".into(), given.into()];
        let Parsed::Call(call) = arguments::read(&words).unwrap() else { panic!("a command") };
        Place::find(&call, &desk).unwrap().project().map(String::from)
    };
    for (given, whole) in [(".", "/w/a/."), ("../b", "/w/a/../b"), ("/c", "/c"), ("C:\\d", "C:\\d"), ("", "")]
    {
        assert_eq!(project(given).as_deref(), Some(whole));
    }
}

#[test]
fn files_are_read_and_named() {
    let files =
        BTreeMap::from([("a", &b"say password: hunter2\n"[..]), ("-", b"\xff"), ("no.json", b"\xff")]);
    let desk = Desk { files, ..Desk::at_home() };
    assert_eq!(desk.out("redact a"), "say password: [REDACTED:assignment]\n");
    assert_eq!(desk.run("redact").stdout, b"\xff");
    assert_eq!(
        desk.err("redact none"),
        (2, "throughline: input_unreadable: no such file or directory [none]\n".into())
    );
    assert_eq!(desk.err("ingest none").0, 2);
    assert_eq!(desk.opened.take(), None, "there was nothing to read");
    assert!(desk.err("prompt s --request no.json").1.contains("request_invalid: a request is UTF-8 text"));
}

#[test]
fn layers_of_options_are_resolved_without_a_store() {
    let files = BTreeMap::from([
        ("s", &br#"{"token_checkpoint_threshold": "60000", "checkpoint_function_id": "s:f"}"#[..]),
        (
            "a",
            br#"{"agent_options": {"checkpoint": {"max_tokens": 7, "m": {"a b": 1}}},
                "traits": [{"id": "t", "checkpoint": {"function_id": "t:f", "model": "m"}}, {"id": "u", "checkpoint": false}]}"#,
        ),
        ("c", br#"{"checkpoint": {"token_threshold": 9}}"#),
        ("wrong", br#"{"token_checkpoint_threshold": "many"}"#),
        ("torn", b"{"),
        ("list", b"[]"),
    ]);
    let desk = Desk { files, ..Desk::at_home() };
    assert_eq!(
        desk.out("options resolve --session s --agent a --config c --json"),
        concat!(
            r#"{"options":{"function_id":"t:f","m":{"a b":1},"max_tokens":7,"token_threshold":9},"#,
            r#""origins":{"function_id":"trait:t","m[\"a b\"]":"agent","max_tokens":"agent","token_threshold":"persisted"},"#,
            r#""warnings":["traits[0].checkpoint.model counts for nothing: of a trait only function_id, "#,
            "max_memory_chars, max_tokens, strict, token_threshold do\"]}\n"
        )
    );
    let table = desk.run("options resolve --session s --agent a");
    assert_eq!(
        String::from_utf8(table.stdout).unwrap(),
        "option           value  set by\n\
         function_id      \"t:f\"  trait:t\n\
         m[\"a b\"]         1      agent\n\
         max_tokens       7      agent\n\
         token_threshold  60000  session_default\n"
    );
    assert!(table.stderr.starts_with("traits[0].checkpoint.model counts for nothing"), "{}", table.stderr);
    assert_eq!(desk.out("options resolve").lines().count(), 2, "the packaged default");
    for (line, error) in [
        ("options", "argument_missing: <ACTION>"),
        ("options list", "argument_invalid: `list` is not known here; accepted: resolve [<ACTION>]"),
        ("options resolve --session none", "input_unreadable: "),
        (
            "options resolve --session wrong",
            "option_invalid: session.token_checkpoint_threshold: found a string",
        ),
        ("options resolve --agent list", "option_invalid: agent: accepted is an object [agent]"),
        ("options resolve --config torn", "json_invalid: "),
    ] {
        let (exit, stderr) = desk.err(line);
        assert!(stderr.starts_with(&format!("throughline: {error}")), "{line}: {stderr}");
        assert_eq!(exit, 2, "{line}");
    }
    assert_eq!(desk.opened.take(), None, "no store is opened");
}

#[test]
fn an_answer_that_cannot_be_written() {
    assert_eq!(unwritten(&[], &FileFault::Closed), Answer::default());
    let full = unwritten(&words("rules --json"), &FileFault::Full);
    assert_eq!((full.exit, full.stderr.lines().count()), (3, 2), "{}", full.stderr);
}
