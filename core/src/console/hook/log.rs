//! The log of a session: only what is new in it is read.

use super::{
    super::{
        failure::Failure,
        log_file::LogFile,
        surroundings::{Surroundings, whole},
    },
    visit::{CURSORS, Visit},
};
use crate::{
    engine::{Engine, Glimpse, LogCursor},
    hook::Log,
    host::FileFault,
    id::{Project, sha256_hex},
    text::head,
};
use alloc::{format, string::String, vec::Vec};

/// How much of a log one hook reads, in bytes and in milliseconds.
const MOST_BYTES: usize = 8 * 1024 * 1024;
const MOST_MILLIS: u64 = 30;

impl<S: Surroundings> Visit<'_, S> {
    /// Reads on in a log, commits what is new, and keeps the place. Gives what the session works on as far as it
    /// is known, and what went wrong.
    pub(super) async fn read_on(
        &self,
        engine: &Engine<S::Host>,
        project: Option<Project>,
        log: &Log,
    ) -> (Glimpse, Result<(), Failure>) {
        let place = self.cursor_path(log);
        let cursor = self.cursor(place.as_deref()).await;
        let known = cursor.glimpse.clone();
        let mut cursor = match self.read_from(cursor, engine, project, log).await {
            Ok(Some(cursor)) => cursor,
            Ok(None) => return (known, Ok(())),
            Err(failure) => return (known, Err(failure)),
        };
        cursor.read_at = Some(self.now);
        let Some(place) = place else { return (cursor.glimpse, Ok(())) };
        let file = serde_json::to_vec(&cursor).unwrap_or_default();
        let kept = self.surroundings.keep(&place, &file, false).await;
        (cursor.glimpse, kept.map_err(|fault| Failure::unkept(&place, &fault)))
    }

    /// The cursor to go on with; `None` where nothing is new.
    async fn read_from(
        &self,
        mut cursor: LogCursor,
        engine: &Engine<S::Host>,
        project: Option<Project>,
        log: &Log,
    ) -> Result<Option<LogCursor>, Failure> {
        let unreadable = |fault: FileFault| Failure::input(&log.path, &fault);
        if !is_absolute(&log.path, self.surroundings.has_drives()) {
            return Err(unreadable(FileFault::Other("is no absolute path".into())));
        }
        let (mut length, mut file) = match self.surroundings.log(&log.path, cursor.offset).await {
            Ok(opened) => opened,
            // Not there yet, or not any more.
            Err(FileFault::NotFound) => return Ok(None),
            Err(fault) => return Err(unreadable(fault)),
        };
        let expected = cursor.offset;
        if length < cursor.offset || !self.goes_on(&cursor, &log.path).await.map_err(unreadable)? {
            // Another file under the same name.
            cursor = LogCursor::default();
        } else if length == cursor.offset {
            return Ok(None);
        }
        let mut tail = engine.tail(self.id, project, cursor, log.subagent).await?;
        if tail.offset() != expected {
            (length, file) = self.surroundings.log(&log.path, tail.offset()).await.map_err(unreadable)?;
        }
        let started = self.surroundings.elapsed_millis();
        let (mut held, mut taken, mut read): (Vec<u8>, usize, bool) = (Vec::new(), 0, false);
        while taken < MOST_BYTES {
            let Some(piece) = file.next().await.map_err(unreadable)? else { break };
            let piece = piece.get(..MOST_BYTES.saturating_sub(taken)).unwrap_or(&piece);
            taken = taken.saturating_add(piece.len());
            held.extend_from_slice(piece);
            // A last line without its end is read when the end is there.
            if let Some(end) = memchr::memrchr(b'\n', piece) {
                let whole = held.len().saturating_sub(piece.len()).saturating_add(end).saturating_add(1);
                let rest = held.split_off(whole);
                tail.push(&held);
                (held, read) = (rest, true);
            }
            // A line that takes longer than that is read all the same, or no hook would come beyond it.
            if read && self.surroundings.elapsed_millis().saturating_sub(started) >= MOST_MILLIS {
                break;
            }
        }
        if held.len() >= MOST_BYTES {
            // No hook reads a line as long as that; `ingest` does.
            tail.skip(&held);
        }
        Ok(Some(tail.commit(length).await?))
    }

    /// Whether what was read last still stands before the cursor's place.
    async fn goes_on(&self, cursor: &LogCursor, path: &str) -> Result<bool, FileFault> {
        let (_, mut file) = self.surroundings.log(path, cursor.mark_at()).await?;
        let mut bytes = Vec::new();
        while bytes.len() < LogCursor::MARK {
            let Some(piece) = file.next().await? else { break };
            bytes.extend(piece);
        }
        Ok(cursor.follows(&bytes))
    }

    async fn cursor(&self, place: Option<&str>) -> LogCursor {
        let Some(place) = place else { return LogCursor::default() };
        let file = whole(self.surroundings, place).await.unwrap_or_default();
        serde_json::from_slice(&file).unwrap_or_default()
    }

    /// One file for each log of a session, and for each way of reading it.
    fn cursor_path(&self, log: &Log) -> Option<String> {
        let folder = self.folder(CURSORS)?;
        let kind = if log.subagent { "agent-" } else { "" };
        Some(format!("{folder}/{kind}{}.json", head(&sha256_hex(log.path.as_bytes()), 16)))
    }
}

/// Whether a path is the same in any folder, where paths have drives and where they have not.
fn is_absolute(path: &str, drives: bool) -> bool {
    let drive = matches!(path.as_bytes(), [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    if drives { drive || path.starts_with("\\\\") } else { path.starts_with('/') }
}

#[cfg(test)]
mod tests {
    use super::is_absolute;

    #[test]
    fn relative_paths_are_none() {
        assert!(is_absolute("/t.jsonl", false) && !is_absolute("/t.jsonl", true));
        for path in ["C:\\t.jsonl", "c:/t.jsonl", "\\\\server\\share\\t.jsonl"] {
            assert!(is_absolute(path, true) && !is_absolute(path, false), "{path}");
        }
        for path in ["", "t.jsonl", "./t.jsonl", "../t", "C:t.jsonl", "~/t.jsonl", "\\t.jsonl"] {
            assert!(!is_absolute(path, true) && !is_absolute(path, false), "{path}");
        }
    }
}
