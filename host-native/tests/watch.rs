//! `watch` over a real folder: logs that grow, are torn, move, go, and come in new folders.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends at the first surprise"
)]

use serde_json::{Value, json};
use std::{
    fs::{self, OpenOptions},
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    time::Duration,
};
use tempfile::TempDir;

/// How long an event is waited for on a busy machine.
const LONG: Duration = Duration::from_secs(60);

fn record(key: &str, number: u32) -> String {
    let parent = number.checked_sub(1).map(|number| format!("{key}-{number}"));
    let record = json!({
        "type": "user", "uuid": format!("{key}-{number}"), "parentUuid": parent, "sessionId": key,
        "cwd": "/home/ada/app", "timestamp": format!("2026-03-01T09:00:{number:02}Z"),
        "message": {"role": "user", "content": format!("prompt {number} of {key}")},
    });
    format!("{record}\n")
}

struct Watch {
    folder: TempDir,
    child: Child,
    lines: Receiver<Value>,
}

impl Watch {
    fn start(prepare: impl FnOnce(&Watch)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("logs")).unwrap();
        let (_, lines) = channel();
        let idle = Command::new("true").spawn().unwrap();
        let mut watch = Self { folder, child: idle, lines };
        watch.child.wait().unwrap();
        prepare(&watch);
        watch.begin();
        watch
    }

    fn begin(&mut self) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_throughline"))
            .args(["watch", "logs", "--store", "sqlite:watch.db"])
            .current_dir(self.folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let _ = send.send(serde_json::from_str(&line.unwrap()).unwrap());
            }
        });
        (self.child, self.lines) = (child, lines);
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("logs").join(name)
    }

    fn append(&self, name: &str, text: &str) {
        fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        let mut file = OpenOptions::new().create(true).append(true).open(self.path(name)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    /// The next event, which is of this file.
    fn next(&self, name: &str) -> Value {
        let event = self.lines.recv_timeout(LONG).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(event["file"], format!("logs/{name}"), "{event}");
        assert!(event["at"].as_str().unwrap().ends_with('Z'));
        event
    }

    /// Until so many parts were added; a log may be read in several steps.
    fn added(&self, name: &str, count: u64) {
        let mut added = 0;
        while added < count {
            let event = self.next(name);
            added += event["added"].as_u64().unwrap_or_else(|| panic!("{event}"));
        }
        assert_eq!(added, count, "{name}");
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
    }

    /// The events until the end, which is a good one.
    fn end(&mut self, signal: &str) -> Vec<Value> {
        self.signal(signal);
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
        self.lines.iter().collect()
    }

    fn prompts(&self, session: &str) -> usize {
        let output = Command::new(env!("CARGO_BIN_EXE_throughline"))
            .args(["prompt", session, "--json", "--store", "sqlite:watch.db"])
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        let prompt: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        prompt["messages"].as_array().map_or(0, Vec::len)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn logs_are_read_as_they_grow() {
    let mut watch = Watch::start(|watch| {
        watch.append("a.jsonl", &(record("a", 0) + &record("a", 1)));
        watch.append("notes.txt", "no log\n");
    });
    let first = watch.next("a.jsonl");
    assert_eq!((&first["session"], &first["added"]), (&"a".into(), &2.into()));
    assert!(first["checkpoint"].is_string(), "what was there at the start is read as `ingest` reads it");
    watch.append("a.jsonl", &record("a", 2));
    watch.added("a.jsonl", 1);
    // A torn line waits for its end.
    let torn = record("a", 3);
    let (head, tail) = torn.split_at(40);
    watch.append("a.jsonl", head);
    assert_eq!(watch.lines.recv_timeout(Duration::from_secs(2)).unwrap_err(), RecvTimeoutError::Timeout);
    watch.append("a.jsonl", tail);
    watch.added("a.jsonl", 1);
    // Folders and files that come later.
    watch.append("new/deep/b.jsonl", &record("b", 0));
    watch.added("new/deep/b.jsonl", 1);
    watch.append("new/deep/b.jsonl", &record("b", 1));
    watch.added("new/deep/b.jsonl", 1);
    // What is no log is said once, whatever becomes of it.
    watch.append("other.jsonl", "{\"role\": \"user\", \"content\": \"x\"}\n");
    let event = watch.next("other.jsonl");
    assert_eq!(event["error"]["code"], "format_unknown", "{event}");
    watch.append("other.jsonl", "{\"role\": \"user\", \"content\": \"y\"}\n");
    // Another log under the name of one that was read.
    fs::rename(watch.path("a.jsonl"), watch.path("a.old")).unwrap();
    fs::write(watch.path("a.jsonl"), record("c", 0) + &record("c", 1)).unwrap();
    watch.added("a.jsonl", 2);
    // Gone, with the checkpoint of what was added.
    fs::remove_file(watch.path("new/deep/b.jsonl")).unwrap();
    let event = watch.next("new/deep/b.jsonl");
    assert!(event["checkpoint"].is_string() && event["added"] == 0, "{event}");
    watch.append("a.jsonl", &record("c", 2));
    watch.added("a.jsonl", 1);
    let last = watch.end("TERM");
    assert_eq!(last.len(), 1, "{last:?}");
    assert!(last[0]["checkpoint"].is_string() && last[0]["session"] == "c");
    assert_eq!([watch.prompts("a"), watch.prompts("b"), watch.prompts("c")], [4, 2, 3]);
}

#[test]
fn what_grew_while_nobody_watched_is_read_at_the_next_start() {
    let mut watch = Watch::start(|watch| watch.append("p/a.jsonl", &record("a", 0)));
    watch.added("p/a.jsonl", 1);
    assert_eq!(watch.end("INT"), [Value::Null; 0]);
    watch.append("p/a.jsonl", &record("a", 1));
    watch.begin();
    watch.added("p/a.jsonl", 1);
    // The folder itself goes, and comes back.
    fs::remove_dir_all(watch.path("")).unwrap();
    let event = watch.lines.recv_timeout(LONG).unwrap();
    assert_eq!((&event["file"], &event["error"]["code"]), (&"logs".into(), &"input_unreadable".into()));
    watch.append("p/a.jsonl", &(record("a", 0) + &record("a", 1) + &record("a", 2)));
    watch.added("p/a.jsonl", 1);
    watch.end("TERM");
    assert_eq!(watch.prompts("a"), 3);
}

#[test]
fn what_is_written_just_before_the_end_is_read() {
    let mut watch = Watch::start(|watch| watch.append("a.jsonl", &record("a", 0)));
    watch.added("a.jsonl", 1);
    watch.append("a.jsonl", &record("a", 1));
    let last = watch.end("TERM");
    assert!(last.iter().any(|event| event["checkpoint"].is_string()), "{last:?}");
    assert_eq!(last.iter().filter_map(|event| event["added"].as_u64()).sum::<u64>(), 1, "{last:?}");
    assert_eq!(watch.prompts("a"), 2);
}

#[test]
fn another_file_under_the_name_does_not_cost_a_checkpoint() {
    let watch = Watch::start(|watch| watch.append("a.jsonl", &record("a", 0)));
    watch.added("a.jsonl", 1);
    watch.append("a.jsonl", &record("a", 1));
    watch.added("a.jsonl", 1);
    fs::write(watch.path("other"), record("c", 0) + &record("c", 1) + &record("c", 2)).unwrap();
    fs::rename(watch.path("other"), watch.path("a.jsonl")).unwrap();
    let event = watch.next("a.jsonl");
    assert!(event["checkpoint"].is_string() && event["session"] == "a", "{event}");
    watch.added("a.jsonl", 3);
}

#[test]
fn a_checkpoint_that_a_store_refused_is_taken_later() {
    let watch = Watch::start(|watch| watch.append("a.jsonl", &record("a", 0)));
    watch.added("a.jsonl", 1);
    watch.append("a.jsonl", &record("a", 1));
    watch.added("a.jsonl", 1);
    let store = rusqlite::Connection::open(watch.folder.path().join("watch.db")).unwrap();
    store.execute_batch("BEGIN EXCLUSIVE").unwrap();
    fs::remove_file(watch.path("a.jsonl")).unwrap();
    let event = watch.next("a.jsonl");
    assert!(event["error"].is_object(), "{event}");
    store.execute_batch("ROLLBACK").unwrap();
    let event = watch.next("a.jsonl");
    assert!(event["checkpoint"].is_string() && event["session"] == "a", "{event}");
}

#[test]
fn a_name_that_is_no_text_is_said_once() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let name = |bytes: &'static [u8]| OsStr::from_bytes(bytes);
    let mut watch = Watch::start(|watch| {
        fs::write(watch.path("").join(name(b"caf\xe9.jsonl")), record("a", 0)).unwrap();
        fs::write(watch.path("").join(name(b"caf\xe9.txt")), "no log").unwrap();
        fs::create_dir(watch.path("").join(name(b"p\xff"))).unwrap();
        fs::write(watch.path("").join(name(b"p\xff")).join("a.jsonl"), record("b", 0)).unwrap();
    });
    let mut said = [0; 2].map(|_| watch.lines.recv_timeout(LONG).unwrap());
    said.sort_by_key(|event| event["file"].to_string());
    assert_eq!(said.each_ref().map(|event| &event["file"]), ["logs/caf\u{fffd}.jsonl", "logs/p\u{fffd}"]);
    assert!(said.iter().all(|event| event["error"]["code"] == "input_unreadable"), "{said:?}");
    watch.append("c.jsonl", &record("c", 0));
    watch.added("c.jsonl", 1);
    let last = watch.end("TERM");
    assert!(last.iter().all(|event| event["error"].is_null()), "{last:?}");
}

#[test]
fn a_reader_that_goes_ends_it() {
    let script =
        format!("{} watch logs --store sqlite:watch.db | head -n 1", env!("CARGO_BIN_EXE_throughline"));
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("logs")).unwrap();
    for key in ["a", "b", "c"] {
        fs::write(folder.path().join(format!("logs/{key}.jsonl")), record(key, 0)).unwrap();
    }
    let log = folder.path().join("logs/d.jsonl");
    let child =
        Command::new("bash").args(["-o", "pipefail", "-c", &script]).current_dir(folder.path()).spawn();
    let mut child = child.unwrap();
    for number in 0..600 {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            return;
        }
        let mut file = OpenOptions::new().create(true).append(true).open(&log).unwrap();
        file.write_all(record("d", number % 60).as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(100));
    }
    let _ = child.kill();
    panic!("it goes on");
}
