use super::{Desk, Pieces};
use crate::{
    console::{Answer, HookSystem, Surroundings},
    host::{FileFault, StorageError},
    time::Timestamp,
};
use alloc::{format, string::String, vec::Vec};

impl HookSystem for Desk {
    type Log = Pieces;

    fn moment(&self, now: Option<Timestamp>) -> (Timestamp, [u8; 16]) {
        (now.unwrap_or(Timestamp::EPOCH), [7; 16])
    }

    fn elapsed_millis(&self) -> u64 {
        0
    }

    async fn names(&self, folder: &str) -> Result<Vec<String>, FileFault> {
        let inside = |path: &String| path.strip_prefix(folder)?.strip_prefix('/').map(String::from);
        Ok(self.kept.borrow().keys().filter_map(inside).filter(|name| !name.contains('/')).collect())
    }

    async fn keep(&self, path: &str, bytes: &[u8], _lasting: bool) -> Result<(), FileFault> {
        self.kept.borrow_mut().insert(path.into(), bytes.to_vec());
        Ok(())
    }

    async fn discard(&self, path: &str) -> Result<(), FileFault> {
        self.kept.borrow_mut().remove(path);
        Ok(())
    }

    async fn log(&self, path: &str, from: u64) -> Result<(u64, Pieces), FileFault> {
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
