mod hook;
mod layers;

use super::{
    Answer, Failure, FolderWatch, LogFile, SeenLog, StoreFacts, Surroundings, Waited,
    arguments::{self, Parsed},
    commands::COMMANDS,
    place::Place,
    run,
    store::Store,
    unwritten,
};
use crate::{
    engine::{Engine, Options},
    host::{DynStorage, FileFault, FixedClock, MemoryStorage, Parts, StorageError},
    redact::Redactor,
    time::Timestamp,
};
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    sync::Arc,
    vec::Vec,
};
use core::{
    cell::{Cell, RefCell},
    future::Future,
    pin::pin,
    sync::atomic::{AtomicU64, Ordering},
    task::{Context, Poll, Waker},
};

mod settings;

type Host = Parts<Arc<dyn DynStorage>, FixedClock, fn() -> [u8; 16]>;

/// A program with nothing but these files and variables, and a new store for each command unless it has one.
#[derive(Default)]
struct Desk {
    files: BTreeMap<&'static str, &'static [u8]>,
    variables: BTreeMap<&'static str, &'static str>,
    home: Option<&'static str>,
    folder: Option<&'static str>,
    opened: Cell<Option<String>>,
    written: RefCell<Vec<Vec<u8>>>,
    /// What writing says, when it fails.
    full: Option<FileFault>,
    /// What opening the store says, when it fails.
    refused: Option<StorageError>,
    /// What opening a log says, when it fails.
    unreadable: Option<FileFault>,
    /// Files that were written.
    kept: RefCell<BTreeMap<String, Vec<u8>>>,
    /// The store of all commands.
    store: Option<Arc<MemoryStorage>>,
    /// The time that went by, and how much goes by whenever it is asked for.
    millis: Cell<u64>,
    pace: u64,
}

/// Bytes that were not given before: a store takes each batch once.
fn another() -> [u8; 16] {
    static GIVEN: AtomicU64 = AtomicU64::new(0);
    let number = GIVEN.fetch_add(1, Ordering::Relaxed).to_be_bytes();
    core::array::from_fn(|at| number[at % 8])
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
    type Folder = NoFolder;

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).map(ToString::to_string)
    }

    fn home(&self) -> Option<String> {
        self.home.map(String::from)
    }

    fn folder(&self) -> Option<String> {
        self.folder.map(String::from)
    }

    async fn open(
        &self,
        store: &Store,
        now: Option<Timestamp>,
        _wait_millis: Option<u32>,
    ) -> Result<Engine<Host>, Failure> {
        if let Some(fault) = &self.refused {
            return Err(Failure::from(fault.clone()));
        }
        self.opened.set(Some(store.to_string()));
        let clock = FixedClock(now.unwrap_or(Timestamp::EPOCH));
        let storage: Arc<dyn DynStorage> = self.store.clone().unwrap_or_default();
        let entropy: fn() -> [u8; 16] = if self.store.is_some() { another } else { || [7; 16] };
        let host = Parts { storage, clock, entropy };
        Ok(Engine::new(host, Redactor::standard(), Options::default()))
    }

    async fn facts(&self, _store: &Store) -> Result<Option<StoreFacts>, Failure> {
        Ok(None)
    }

    async fn file(&self, path: &str) -> Result<Pieces, FileFault> {
        let given = self.files.get(path).map(|bytes| bytes.to_vec());
        given.or_else(|| self.kept.borrow().get(path).cloned()).map(Pieces).ok_or(FileFault::NotFound)
    }

    async fn write(&self, bytes: &[u8]) -> Result<(), FileFault> {
        self.written.borrow_mut().push(bytes.to_vec());
        self.full.clone().map_or(Ok(()), Err)
    }

    fn program(&self) -> Option<Vec<String>> {
        Some(["/opt/my tools/throughline".into()].into())
    }

    async fn replace(&self, _path: &str, _bytes: &[u8], _like: &str) -> Result<(), FileFault> {
        Err(FileFault::ReadOnly)
    }

    async fn remove(&self, _path: &str) -> Result<(), FileFault> {
        Err(FileFault::ReadOnly)
    }

    async fn tail(&self, path: &str, _offset: u64) -> Result<Pieces, FileFault> {
        self.file(path).await
    }

    async fn watch(&self, _folder: &str) -> Result<NoFolder, FileFault> {
        Err(FileFault::NotFound)
    }
}

struct NoFolder;

impl FolderWatch for NoFolder {
    async fn wait(&mut self, _most: u32) -> Waited {
        Waited { millis: 0, stopped: true }
    }

    async fn logs(&mut self) -> Result<Vec<SeenLog>, FileFault> {
        Ok(Vec::new())
    }

    fn stopped(&self) -> bool {
        true
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

    /// With what was written before the answer.
    fn run(&self, line: &str) -> Answer {
        let mut answer = block_on(run(&words(line), self));
        let written = self.written.take().concat();
        answer.stdout.splice(0..0, written);
        answer
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
            "argument_invalid: a value is missing; accepted: anthropic, openai-responses, openai-chat, gemini [--format <FORMAT>]",
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
    assert_eq!(opens("X", "", "sessions --store postgres://ada:hunter2@h/d"), "postgres://ada@h:5432/d");
    assert_eq!(opens("PGUSER", "pg", "sessions --store postgresql://h"), "postgres://pg@h:5432/pg");
    let desk = Desk::at_home();
    for store in
        ["postgres://u:hunter2#@h", "postgres:hunter2", "mysql://u:hunter2@h/d", "postgres://u:hunter2@h/d?x"]
    {
        let (exit, stderr) = desk.err(&format!("sessions --store {store}"));
        assert!(exit == 2 && !stderr.contains("hunter2"), "{stderr}");
    }
    assert_eq!(desk.opened.take(), None);
    assert_eq!(
        desk.err("sessions --store postgres://ada:hunter2@h/d").1,
        "no sessions in postgres://ada@h:5432/d\n"
    );
    assert_eq!(desk.err("sessions").1, "no sessions in /home/ada/.throughline/throughline.db\n");
}

#[test]
fn continuity_is_read_from_a_file() {
    let files = BTreeMap::from([
        ("off.json", &br#"{"enabled": false, "promptInterval": 5000, "retention_days": 30}"#[..]),
        ("wrong.json", br#"{"promptInterval": "10"}"#),
        ("torn.json", b"{"),
    ]);
    let desk = Desk { files, ..Desk::at_home() };
    let log = "sessions --continuity";
    assert_eq!(
        desk.err(&format!("{log} off.json")),
        (
            0,
            "no sessions in /home/ada/.throughline/throughline.db\n\
             continuity.promptInterval: 5000 is outside its range; 1000 is used [off.json]\n"
                .into()
        )
    );
    assert_eq!(
        desk.err(&format!("{log} wrong.json")),
        (
            2,
            "throughline: continuity_invalid: continuity.promptInterval is a string; accepted is a whole \
             number from 1 to 1000 [wrong.json]\n"
                .into()
        )
    );
    assert_eq!(desk.err(&format!("{log} torn.json")).0, 2);
    assert_eq!(desk.err(&format!("{log} none.json")).0, 2);
}

#[test]
fn a_relative_project_is_one_of_the_working_directory() {
    let desk = Desk { folder: Some("/w/a"), ..Desk::at_home() };
    let project = |given: &str| {
        let words = ["recover".into(), "--project".into(), given.into()];
        let Parsed::Call(call) = arguments::read(&words).unwrap() else { panic!("a command") };
        block_on(Place::find(&call, &desk)).unwrap().project().map(String::from)
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
fn a_text_is_scrubbed_as_it_is_read() {
    let log = ["one line\n", "password: hunter2\n", "and the rest"].concat();
    let files = BTreeMap::from([("-", log.leak().as_bytes())]);
    let desk = Desk { files, ..Desk::at_home() };
    block_on(run(&words("redact"), &desk));
    let written = desk.written.take();
    let texts: Vec<_> = written.iter().map(|bytes| str::from_utf8(bytes).unwrap()).collect();
    assert_eq!(texts, ["one line\n", "password: [REDACTED:assignment]\n", "and the rest"]);
    let report = desk.out("redact --json");
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!((&report["bytes_in"], &report["bytes_out"]), (&39.into(), &53.into()));
    assert_eq!((&report["findings"][0]["line"], &report["findings"][0]["column"]), (&2.into(), &11.into()));
    assert_eq!(report["truncated"], false);
    let looks: serde_json::Value =
        serde_json::from_str(&desk.out("redact --mode report_only --json")).unwrap();
    assert_eq!((&looks["bytes_out"], &looks["findings"][0]["out_length"]), (&39.into(), &7.into()));
    assert!(desk.out("redact --report").contains("assignment"));
    for (full, exit) in [(FileFault::Closed, 0), (FileFault::Full, 3)] {
        let desk = Desk { full: Some(full), files: desk.files.clone(), ..Desk::at_home() };
        assert_eq!(block_on(run(&words("redact"), &desk)).exit, exit);
        assert_eq!(desk.written.take().len(), 1);
    }
}

#[test]
fn what_a_redactor_is_set_up_with() {
    let files: [(&str, &[u8]); 13] = [
        ("-", b"password: hunter2\nuser.password: hunter2\nacme_code=k7-9a correct-horse-battery acme_0123456789abcdef\n"),
        ("key", b"0123456789abcdef\n"),
        ("short", b"0123\n"),
        ("exact", b"\ncorrect-horse-battery\n"),
        ("exact-short", b"\n\nabc\n"),
        ("rules", br#"[{"id": "acme-id", "keywords": ["acme_"], "alphabet": "hex", "min": 16}]"#),
        ("rules-bad", br#"[{"id": "acme-id", "keywords": ["acme_"], "alphabet": "hexes", "min": 16}]"#),
        ("rules-none", b"["),
        ("rules-odd", b"{}"),
        ("keys", br#"{"strong": ["acme-code"]}"#),
        ("allow", br#"{"keys": ["user.*"], "rules": []}"#),
        ("allow-odd", br#"{"names": []}"#),
        ("allow-bad", br#"{"rules": ["none"]}"#),
    ];
    let variables = BTreeMap::from([("SECRET", "correct-horse-battery"), ("TINY", "abc")]);
    let desk = Desk { files: BTreeMap::from(files), variables, ..Desk::at_home() };
    for (flags, wanted) in [
        ("", "password: [REDACTED:assignment]\n"),
        ("--mark=((gone))", "password: ((gone))\n"),
        ("--tag-key key", "password: [REDACTED:assignment:aaaaaaaa]\n"),
        ("--exact exact", "k7-9a [REDACTED:exact] acme_0123"),
        ("--exact-env SECRET", "k7-9a [REDACTED:exact] acme_0123"),
        ("--rules rules", "correct-horse-battery [REDACTED:acme-id]\n"),
        ("--keys keys", "acme_code=[REDACTED:assignment] correct"),
        ("--allow allow", "user.password: hunter2\n"),
        ("--paranoid --mode paranoid --pii --decode-depth 0", "password: [REDACTED:"),
    ] {
        let out = desk.out(&format!("redact {flags}"));
        assert!(out.contains(wanted), "{flags}: {out}");
    }
    for (flags, error) in [
        ("--tag-key short", "option_invalid: tag_key: 4 bytes; a key has at least 16 [short]"),
        ("--mark odd", "option_invalid: mark: starts or ends with a letter"),
        ("--exact exact-short", "exact_too_short: 3 bytes; an exact value has at least 6 [exact-short:3]"),
        ("--exact exact --exact-env TINY", "exact_too_short: 3 bytes; an exact value has at least 6 [$TINY]"),
        (
            "--exact-env NONE",
            "argument_invalid: the environment has no variable `NONE` [--exact-env <NAMES>]",
        ),
        ("--rules rules-bad", "option_invalid: rules[0].alphabet: no alphabet; it is one of alnum, "),
        ("--rules rules-none", "json_invalid: "),
        ("--rules rules-odd", "option_invalid: rules: not an array of rules [rules-odd]"),
        (
            "--allow allow-odd",
            "option_invalid: allow: not an object with lists of values, keys, rules [allow-odd]",
        ),
        ("--allow allow-bad", "option_invalid: allow.rules[0]: no rule has this id [allow-bad]"),
        ("--keys none", "input_unreadable: "),
        ("--paranoid --mode default", "argument_conflict: --paranoid is --mode paranoid"),
        ("--decode-depth 5", "argument_invalid: `5` is not accepted; accepted: a whole number from 0 to 4"),
    ] {
        let (exit, stderr) = desk.err(&format!("redact {flags}"));
        assert!(exit == 2 && stderr.starts_with(&format!("throughline: {error}")), "{flags}: {stderr}");
    }
}

#[test]
fn an_answer_that_cannot_be_written() {
    assert_eq!(unwritten(&[], &FileFault::Closed), Answer::default());
    let full = unwritten(&words("rules --json"), &FileFault::Full);
    assert_eq!((full.exit, full.stderr.lines().count()), (3, 2), "{}", full.stderr);
}

#[test]
fn prompts_in_files_are_compared() {
    let printed = |rows: &[&str]| {
        let messages: Vec<String> = rows
            .iter()
            .map(|row| {
                format!(
                    r#"{{"role":"user","row":"{row}","hash":"","parts":[{{"type":"text","text":"{row}"}}]}}"#
                )
            })
            .collect();
        let text = format!(
            r#"{{"model":null,"system":[],"tools":[],"settings":{{}},"stable_len":{},"boundary":null,"messages":[{}],"diagnostics":[]}}"#,
            rows.len(),
            messages.join(",")
        );
        &*text.leak()
    };
    let files = BTreeMap::from([
        ("one", printed(&["u"]).as_bytes()),
        ("two", printed(&["u", "v"]).as_bytes()),
        ("other", printed(&["u", "w"]).as_bytes()),
        ("torn", &b"{"[..]),
    ]);
    let desk = Desk { files, ..Desk::default() };
    let equal = desk.run("diff two two --json");
    assert_eq!((equal.exit, equal.stderr.as_str()), (0, ""));
    assert_eq!(
        desk.out("diff one two --json --prices 1,10"),
        "{\"cause\":null,\"cost\":0.000143,\"equal\":false,\"first_difference\":null,\"kept_tokens\":13,\
         \"longer\":\"B\",\"recomputed_tokens\":13}\n"
    );
    let parted = desk.run("diff two other");
    let expected = "they part in messages, item 1, byte 19\ncause        history rewound\nkept         13 tokens\n\
                    recomputed   13 tokens\n";
    assert_eq!((parted.exit, String::from_utf8(parted.stdout).unwrap().as_str()), (1, expected));
    assert_eq!(desk.run("diff two one").exit, 1, "what was promised is gone");
    assert!(desk.err("diff one").1.starts_with("throughline: argument_missing: "));
    assert!(desk.err("diff one two other").1.starts_with("throughline: unknown_argument: "));
    assert!(desk.err("diff one two --prices 1").1.starts_with("throughline: argument_invalid: "));
    assert!(desk.err("diff one torn").1.starts_with("throughline: prompt_invalid: "));
    assert_eq!(desk.opened.take(), None, "files need no store");
}
