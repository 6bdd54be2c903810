//! Claude Code's JSONL.
//!
//! One API message stands on several lines with one `message.id`; its blocks are parts and calls of one
//! assistant row, inserted as they come. Which rows are live follows from a tree of API messages and typed
//! records (`tree`). A message takes further blocks as long as it is open: while it is the newest one, and
//! it has calls without results or no note followed it. Blocks that come later start another row, so that
//! what was rendered once is never rendered otherwise.

mod assistant;
mod blocks;
mod key;
mod saved;
mod state;
mod tree;
mod user;

use super::{Format, Item, Summary, TranscriptError, lines::Lines};
use crate::{redact::Redactor, time::Timestamp};
use alloc::vec::Vec;
use core::fmt;
pub use saved::ReaderState;
use state::State;

/// How much of the beginning is kept to name the format of a log that is not ours.
const BEGINNING: usize = 4096;

/// Reads one log, in chunks of any size. Memory holds one line, and what links records to each other.
///
/// ```
/// use throughline_core::{redact::Redactor, transcript::{ClaudeCodeReader, Item}};
/// let log = br#"{"type":"user","uuid":"u1","sessionId":"s1","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"hello"}}"#;
/// let (redactor, mut items) = (Redactor::standard(), vec![]);
/// let mut reader = ClaudeCodeReader::new("file-stem");
/// reader.push(&redactor, log, &mut items);
/// reader.finish(&redactor, &mut items).unwrap();
/// assert_eq!(reader.session(), Some("s1"));
/// assert!(matches!(&items[..], [Item::Row(_), Item::Part(_), Item::Prompt(_)]));
/// ```
pub struct ClaudeCodeReader {
    lines: Lines,
    state: State,
    beginning: Vec<u8>,
}

// A line that is not read to its end, and the beginning of the log, have not been scrubbed.
impl fmt::Debug for ClaudeCodeReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (session, summary) = (self.session(), self.summary());
        f.debug_struct("ClaudeCodeReader")
            .field("session", &session)
            .field("summary", summary)
            .finish_non_exhaustive()
    }
}

impl ClaudeCodeReader {
    /// A reader at the start of a log. `fallback_key` is the session's key where no record names one: the
    /// stem of the file's name.
    #[must_use]
    pub fn new(fallback_key: &str) -> Self {
        let state = State { fallback_key: fallback_key.into(), ..State::default() };
        Self { lines: Lines::default(), state, beginning: Vec::new() }
    }

    /// Reads on, and adds what the bytes complete to `items`.
    pub fn push(&mut self, redactor: &Redactor, bytes: &[u8], items: &mut Vec<Item>) {
        let wanted = BEGINNING.saturating_sub(self.beginning.len());
        self.beginning.extend(bytes.iter().take(wanted));
        let Self { lines, state, .. } = self;
        lines.push(bytes, |number, line| state.line(redactor, number, line));
        if self.ready() {
            items.append(&mut self.state.items);
        }
    }

    /// Ends the log: reads a last line without a line end, and adds everything that was held back.
    ///
    /// # Errors
    /// `log_empty`, `format_unsupported` (another tool's log), `format_unknown`.
    pub fn finish(&mut self, redactor: &Redactor, items: &mut Vec<Item>) -> Result<(), TranscriptError> {
        let Self { lines, state, .. } = self;
        lines.finish(|number, line| state.line(redactor, number, line));
        let summary = &mut self.state.summary;
        summary.close();
        if summary.records == 0 && summary.skipped_lines == 0 {
            return Err(TranscriptError::Empty);
        }
        self.check()?;
        if self.state.known > 0 {
            items.append(&mut self.state.items);
        }
        Ok(())
    }

    /// Whether this is a log of Claude Code, by the records so far.
    ///
    /// # Errors
    /// `format_unsupported` (another tool's log), `format_unknown`.
    pub fn check(&self) -> Result<(), TranscriptError> {
        let summary = &self.state.summary;
        if self.state.known > 0 || (summary.records == 0 && summary.skipped_lines == 0) {
            return Ok(());
        }
        match Format::detect(&self.beginning) {
            // Torn before its first record ended.
            Some(Format::ClaudeCode) => Ok(()),
            Some(other) => Err(TranscriptError::Unsupported { found: other.as_str() }),
            None => Err(TranscriptError::Unknown),
        }
    }

    /// Whether what comes out can be placed: the session and a time are known.
    fn ready(&self) -> bool {
        self.state.session_key.is_some() && self.state.first_at.is_some()
    }

    /// The session's key: the first `sessionId`, else the fallback; `None` while no record has a message.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        (self.state.spoken > 0).then(|| self.state.session_key.as_deref().unwrap_or(&self.state.fallback_key))
    }

    /// The first working directory.
    #[must_use]
    pub fn cwd(&self) -> Option<&str> {
        self.state.cwd.as_deref()
    }

    /// The first readable time.
    #[must_use]
    pub fn first_at(&self) -> Option<Timestamp> {
        self.state.first_at
    }

    /// The latest time.
    #[must_use]
    pub fn last_at(&self) -> Option<Timestamp> {
        self.state.last_at
    }

    /// What was read so far.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.state.summary
    }
}
