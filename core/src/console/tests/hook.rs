use super::{Desk, Pieces, block_on};
use crate::{
    console::{
        Answer, HookSystem, Surroundings,
        arguments::{self, Parsed},
        place::Place,
    },
    host::{FileFault, StorageError},
    time::Timestamp,
};
use alloc::{format, string::String, sync::Arc, vec::Vec};

impl HookSystem for Desk {
    type Log = Pieces;

    fn moment(&self, now: Option<Timestamp>) -> (Timestamp, [u8; 16]) {
        // Each call is another process.
        let number = u8::try_from(self.millis.replace(self.millis.get() + 1) % 256).unwrap();
        (now.unwrap_or(Timestamp::EPOCH), [number; 16])
    }

    fn elapsed_millis(&self) -> u64 {
        self.millis.set(self.millis.get() + self.pace);
        self.millis.get()
    }

    fn has_drives(&self) -> bool {
        false
    }

    async fn names(&self, folder: &str) -> Result<Vec<String>, FileFault> {
        let first = |rest: &str| rest.split('/').next().map(String::from);
        let inside = |path: &String| first(path.strip_prefix(folder)?.strip_prefix('/')?);
        let mut names: Vec<String> = self.kept.borrow().keys().filter_map(inside).collect();
        names.dedup();
        Ok(names)
    }

    async fn keep(&self, path: &str, bytes: &[u8], _lasting: bool) -> Result<(), FileFault> {
        self.kept.borrow_mut().insert(path.into(), bytes.to_vec());
        Ok(())
    }

    async fn discard(&self, path: &str) -> Result<(), FileFault> {
        self.kept.borrow_mut().remove(path);
        Ok(())
    }

    async fn discard_folder(&self, _path: &str) -> Result<(), FileFault> {
        Ok(())
    }

    async fn log(&self, path: &str, from: u64) -> Result<(u64, Pieces), FileFault> {
        if let Some(fault) = &self.unreadable {
            return Err(fault.clone());
        }
        let file = self.file(path).await?;
        let rest = file.0.iter().skip(from as usize).copied().collect();
        Ok((file.0.len() as u64, Pieces(rest)))
    }
}

#[test]
fn a_hook_never_fails() {
    let event =
        br#"{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "password=hunter2"}"#;
    let mut desk = Desk::at_home();
    desk.files.insert("-", event);
    assert_eq!(desk.run("hook"), Answer::default());
    for (line, code) in [
        ("hook --no-such-flag", "unknown_flag"),
        ("--store x.db hook", "store_invalid"),
        ("hook --harness emacs", "harness_unsupported"),
        ("hook extra --json", "unknown_argument"),
    ] {
        let (exit, said) = desk.err(line);
        assert_eq!(exit, 0, "{line}");
        assert!(said.starts_with(&format!("throughline: {code}: ")), "{line}: {said}");
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
    }
    desk.files.insert("-", b"no json");
    assert!(desk.err("hook").1.starts_with("throughline: json_invalid: "));
}

#[test]
fn what_the_store_refuses_is_kept_scrubbed() {
    let event =
        br#"{"session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "password=hunter2"}"#;
    let mut desk = Desk::at_home();
    desk.files.insert("-", event);
    desk.refused = Some(StorageError::Locked { why: "busy".into() });
    let (exit, said) = desk.err("hook");
    assert_eq!((exit, said.lines().count()), (0, 1), "{said}");
    let kept = desk.kept.borrow();
    let (path, file) = kept.first_key_value().unwrap();
    assert!(path.starts_with("/home/ada/.throughline/spool/"), "{path}");
    let file = String::from_utf8_lossy(file);
    assert!(!file.contains("hunter2") && file.contains("[REDACTED:assignment]"), "{file}");
}

/// A desk with one store for all its hooks.
fn lasting() -> Desk {
    Desk { store: Some(Arc::default()), ..Desk::at_home() }
}

impl Desk {
    /// Runs the hook on an event of the session `s1`, at a second.
    fn event(&mut self, second: u32, rest: &str) -> Answer {
        let event = format!(r#"{{"session_id": "s1", "cwd": "/work/app", {rest}}}"#);
        self.files.insert("-", event.into_bytes().leak());
        self.run(&format!("hook --now 2026-03-02T09:00:{second:02}Z"))
    }

    fn prompt(&mut self, second: u32, text: &str) -> Answer {
        self.event(second, &format!(r#""hook_event_name": "UserPromptSubmit", "prompt": "{text}""#))
    }

    /// How many files there are in a folder of the home folder.
    fn files_in(&self, folder: &str) -> usize {
        let folder = format!("/home/ada/.throughline/{folder}/");
        self.kept.borrow().keys().filter(|path| path.starts_with(&folder)).count()
    }

    /// The newest checkpoint, as JSON.
    fn newest(&self) -> String {
        let list: serde_json::Value = serde_json::from_str(&self.out("checkpoints s1 --json")).unwrap();
        self.out(&format!("show {} --json", list[0]["id"].as_str().unwrap()))
    }
}

fn locked() -> Option<StorageError> {
    Some(StorageError::Locked { why: "busy".into() })
}

#[test]
fn an_event_behind_many_that_wait_is_not_lost() {
    let mut desk = lasting();
    desk.refused = locked();
    (0..9).for_each(|second| assert!(!desk.prompt(second, &format!("prompt {second}")).stderr.is_empty()));
    desk.refused = None;
    assert_eq!(desk.files_in("spool"), 9);
    desk.pace = 100;
    assert_eq!(desk.prompt(10, "the last"), Answer::default());
    assert_eq!(desk.files_in("spool"), 9 - 2 + 1);
    desk.pace = 0;
    assert_eq!(desk.event(11, r#""hook_event_name": "SessionEnd", "reason": "other""#), Answer::default());
    assert_eq!(desk.files_in("spool"), 0);
    let newest = desk.newest();
    let of = |text: &str| newest.find(text).unwrap_or_else(|| panic!("{text}: {newest}"));
    assert!(of("prompt 6") < of("prompt 8") && of("prompt 8") < of("the last"), "{newest}");
}

#[test]
fn an_event_that_only_reads_is_not_kept() {
    let mut desk = lasting();
    desk.refused = locked();
    assert!(desk.event(0, r#""hook_event_name": "Stop""#).stderr.contains("storage_locked"));
    assert_eq!(desk.files_in("spool"), 0);
}

const ANSWER: &str = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","timestamp":"2026-03-02T09:00:01Z","message":{"role":"user","content":"a prompt"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s1","timestamp":"2026-03-02T09:00:02Z","message":{"id":"m1","role":"assistant","model":"claude-test-1","content":[{"type":"text","text":"The parser is done."}],"stop_reason":"end_turn"}}
"#;

/// An event of the session `s1` with its log.
fn of_log(rest: &str) -> String {
    format!(r#""transcript_path": "/logs/s1.jsonl", {rest}"#)
}

#[test]
fn before_a_compaction_what_was_known_of_a_log_stays() {
    let mut desk = lasting();
    desk.files.insert("/logs/s1.jsonl", ANSWER.as_bytes());
    desk.prompt(0, "a prompt");
    assert_eq!(desk.event(3, &of_log(r#""hook_event_name": "Stop""#)), Answer::default());
    desk.unreadable = Some(FileFault::Denied);
    let said = desk.event(4, &of_log(r#""hook_event_name": "PreCompact""#)).stderr;
    assert!(said.starts_with("throughline: input_unreadable: permission denied"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(desk.newest().contains("The parser is done."), "{}", desk.newest());
}

#[test]
fn a_log_in_the_place_of_another_is_read_from_its_beginning() {
    let mut desk = lasting();
    desk.files.insert("/logs/s1.jsonl", ANSWER.as_bytes());
    desk.prompt(0, "a prompt");
    desk.event(3, &of_log(r#""hook_event_name": "Stop""#));
    let other = ANSWER.replace("The parser is done.", "The lexer is ready.").replace("m1", "m2");
    let other = format!("{}\n", other.replace("a1", "a2").trim_end().replace("end_turn", "max_tokn"));
    assert_eq!(other.len(), ANSWER.len());
    desk.files.insert("/logs/s1.jsonl", other.into_bytes().leak());
    assert_eq!(desk.event(4, &of_log(r#""hook_event_name": "PreCompact""#)), Answer::default());
    assert!(desk.newest().contains("The lexer is ready."), "{}", desk.newest());
}

#[test]
fn a_line_that_takes_long_is_read() {
    let mut desk = lasting();
    desk.files.insert("/logs/s1.jsonl", ANSWER.as_bytes());
    desk.pace = 100;
    for second in 3..5 {
        assert_eq!(desk.event(second, &of_log(r#""hook_event_name": "Stop""#)), Answer::default());
    }
    let sessions: serde_json::Value = serde_json::from_str(&desk.out("sessions --json")).unwrap();
    assert_eq!(sessions[0]["messages"], 2, "{sessions}");
}

#[test]
fn what_nobody_asks_for_any_more_is_pruned() {
    let mut desk = lasting();
    desk.files.insert("/logs/s1.jsonl", ANSWER.as_bytes());
    desk.event(3, &of_log(r#""hook_event_name": "Stop""#));
    desk.refused = locked();
    desk.prompt(4, "a prompt");
    desk.refused = None;
    let half = |desk: &Desk| {
        let names: Vec<String> = desk.kept.borrow().keys().cloned().collect();
        names.iter().for_each(|name| {
            let file = desk.kept.borrow()[name].clone();
            desk.kept.borrow_mut().insert(format!("{name}.1f.tmp"), file);
        });
    };
    half(&desk);
    let prune = |now: &str| {
        let gone: serde_json::Value =
            serde_json::from_str(&desk.out(&format!("prune --json --now {now}"))).unwrap();
        (gone["files"].as_u64().unwrap(), desk.files_in("spool"), desk.files_in("cursors"))
    };
    assert_eq!(prune("2026-03-02T09:50:00Z"), (0, 2, 2));
    assert_eq!(prune("2026-03-02T10:50:00Z"), (2, 1, 1));
    assert_eq!(prune("2026-03-09T09:00:03Z"), (0, 1, 1));
    assert_eq!(prune("2026-03-09T09:00:05Z"), (2, 0, 0));
}

#[test]
fn a_checkpoint_is_shown_from_its_store() {
    let desk = Desk { folder: Some("/work/my app"), ..Desk::at_home() };
    for (words, command) in [
        ("hook", "throughline show c1"),
        ("hook --store sqlite:/home/ada/.throughline/throughline.db", "throughline show c1"),
        ("hook --store sqlite:a.db", "throughline show c1 --store 'sqlite:/work/my app/a.db'"),
        (
            "hook --store postgres://ada:hunter2@db/work",
            "throughline show c1 --store postgres://ada@db:5432/work",
        ),
    ] {
        let Parsed::Call(call) = arguments::read(&super::words(words)).unwrap() else { panic!("a command") };
        let place = block_on(Place::find(&call, &desk)).unwrap();
        assert_eq!(place.show("c1"), command);
    }
}

#[test]
fn a_subagent_queues_no_checkpoint_of_its_session() {
    for (agent, queued) in [(r#""agent_id": "a7", "#, 0), ("", 1)] {
        let mut desk = lasting();
        desk.prompt(0, "a prompt");
        // Long enough for a checkpoint by time, and then for its window.
        for minute in [31, 59] {
            let event = format!(r#"{{"session_id": "s1", {agent}"hook_event_name": "Stop"}}"#);
            desk.files.insert("-", event.into_bytes().leak());
            desk.out(&format!("hook --now 2026-03-02T09:{minute}:00Z"));
        }
        let list: serde_json::Value = serde_json::from_str(&desk.out("checkpoints s1 --json")).unwrap();
        assert_eq!(list.as_array().unwrap().len(), queued, "{list}");
    }
}
