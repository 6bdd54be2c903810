//! The end of a log that grows: what was read before is not read again.
use super::{
    Engine, EngineError, Ids,
    commit::{Loaded, Needs},
    ingest::{End, Import, Progress},
};
use crate::{
    host::{Host, StorageError},
    id::{Project, RowId, SessionId, sha256_hex},
    json::{Json, parse},
    model::{Arguments, PartBody, RowKind},
    text::excerpt,
    time::Timestamp,
    transcript::{ClaudeCodeReader, Item, ReaderState},
};
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// How much of the newest answer is kept, in characters.
const ANSWER_CHARS: usize = 4_000;
/// How many edited paths are kept.
const EDITED: usize = 10;
/// Tools that edit a file, and what they call its path.
const EDITORS: [(&str, &str); 4] = [
    ("Edit", "file_path"),
    ("Write", "file_path"),
    ("MultiEdit", "file_path"),
    ("NotebookEdit", "notebook_path"),
];

/// How far a log was read, and what is needed to go on there. It is no more than a note: without it the log is
/// read from its beginning, and what is stored stays as it is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct LogCursor {
    /// How many bytes were read: whole lines.
    pub offset: u64,
    /// Whether the log is read from its beginning although something of it is stored.
    #[serde(default)]
    pub again: bool,
    /// How long the log was when it was last read from its beginning once more.
    #[serde(default)]
    pub reread_at: u64,
    /// When it was read last, for who removes what nobody reads any more.
    #[serde(default)]
    pub read_at: Option<Timestamp>,
    /// The place of the session's newest row at that time: a store without it is another one.
    #[serde(default)]
    stamp: Option<Timestamp>,
    #[serde(default)]
    reader: Option<ReaderState>,
    #[serde(default)]
    parts: BTreeMap<RowId, u32>,
    /// What the session works on.
    #[serde(default)]
    pub glimpse: Glimpse,
    /// What stands directly before the offset.
    #[serde(default)]
    mark: Option<Mark>,
}

/// The last bytes that were read, for who wants to know whether a log is still the same one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Mark {
    bytes: u64,
    sha256: String,
}

impl Mark {
    fn of(bytes: &[u8]) -> Self {
        let last = bytes.get(bytes.len().saturating_sub(LogCursor::MARK)..).unwrap_or(bytes);
        Self { bytes: u64::try_from(last.len()).unwrap_or_default(), sha256: sha256_hex(last) }
    }
}

impl LogCursor {
    /// How many bytes before its offset a cursor knows at most.
    pub const MARK: usize = 64;

    /// Where the bytes begin that it knows.
    #[must_use]
    pub fn mark_at(&self) -> u64 {
        self.offset.saturating_sub(self.mark.as_ref().map_or(0, |mark| mark.bytes))
    }

    /// Whether the log is the one that was read, by its bytes from [`mark_at`](Self::mark_at) on: no fewer than
    /// [`MARK`](Self::MARK), where it has them.
    #[must_use]
    pub fn follows(&self, bytes: &[u8]) -> bool {
        let Some(mark) = &self.mark else { return true };
        let known = usize::try_from(mark.bytes).ok().and_then(|count| bytes.get(..count));
        known.is_some_and(|known| sha256_hex(known) == mark.sha256)
    }
}

/// What a session works on, as its log tells: scrubbed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Glimpse {
    answer: Option<(Timestamp, String)>,
    edited: Vec<(Timestamp, String)>,
    /// The assistant row that may still grow.
    row: Option<RowId>,
}

impl Glimpse {
    /// The newest answer, then the last 10 edited paths, without what is older than `since`; `None` when
    /// there is neither.
    #[must_use]
    pub fn text(&self, since: Option<Timestamp>) -> Option<String> {
        let is_new = |at: &Timestamp| since.is_none_or(|since| *at > since);
        let mut text = String::new();
        if let Some((_, answer)) = self.answer.as_ref().filter(|(at, _)| is_new(at)) {
            text.push_str(answer);
        }
        let edited: Vec<&str> =
            self.edited.iter().filter(|(at, _)| is_new(at)).map(|(_, path)| path.as_str()).collect();
        if !edited.is_empty() {
            let gap = if text.is_empty() { "" } else { "\n\n" };
            text.push_str(&format!("{gap}Edited: {}", edited.join(", ")));
        }
        (!text.is_empty()).then_some(text)
    }

    /// A log that is read once more begins with what is old.
    fn answer(&mut self, at: Timestamp, text: &str) {
        if self.answer.as_ref().is_none_or(|(known, _)| at >= *known) {
            self.answer = Some((at, excerpt(text, ANSWER_CHARS).into_owned()));
        }
    }

    fn edit(&mut self, at: Timestamp, path: String) {
        let newer = |(known, named): &(Timestamp, String)| *named == path && *known > at;
        if self.edited.iter().any(newer) {
            return;
        }
        self.edited.retain(|(_, known)| *known != path);
        self.edited.push((at, path));
        self.edited.sort_by_key(|(at, _)| *at);
        let surplus = self.edited.len().saturating_sub(EDITED);
        self.edited.drain(..surplus);
    }

    fn see(&mut self, item: &Item, otherwise: Timestamp) {
        match item {
            Item::Row(row) if row.sidechain || !row.live => self.row = None,
            Item::Row(row) if row.kind == RowKind::User => self.row = None,
            Item::Row(row) if row.kind == RowKind::Assistant => self.row = Some(row.id.clone()),
            Item::Part(part) => {
                let at = part.source.as_ref().and_then(|source| source.at).unwrap_or(otherwise);
                match &part.body {
                    PartBody::Text { text }
                        if self.row.as_ref() == Some(&part.row) && !text.as_str().trim().is_empty() =>
                    {
                        self.answer(at, text.as_str().trim());
                    }
                    PartBody::ToolCall { name, arguments: Arguments::Json(json), .. }
                        if self.row.is_some() =>
                    {
                        if let Some(path) = edited(name.as_str(), json.as_str()) {
                            self.edit(at, path);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// The path that a call edits.
fn edited(tool: &str, arguments: &str) -> Option<String> {
    let (_, key) = EDITORS.iter().find(|(name, _)| *name == tool)?;
    let arguments = parse(arguments).ok()?;
    arguments.get(key).and_then(Json::as_str).filter(|path| !path.is_empty()).map(String::from)
}

/// A piece of a log on its way in: [`push`](Self::push) whole lines, then [`commit`](Self::commit).
#[derive(Debug)]
pub struct Tail<'a, H> {
    engine: &'a Engine<H>,
    id: &'a SessionId,
    project: Option<Project>,
    cursor: LogCursor,
    reader: ClaudeCodeReader,
    items: Vec<Item>,
}

impl<H: Host> Engine<H> {
    /// Goes on reading a session's log at a cursor; at its beginning where the cursor is of another store.
    /// `subagent`: whether the log is a sub-agent's.
    ///
    /// # Errors
    /// `secret_in_identifier`; the codes of the storage.
    pub async fn tail<'a>(
        &'a self,
        id: &'a SessionId,
        project: Option<Project>,
        mut cursor: LogCursor,
        subagent: bool,
    ) -> Result<Tail<'a, H>, EngineError> {
        self.check_identity(id)?;
        if cursor.stamp.is_some() {
            let row = self.session_row(id).await?;
            if row.is_none_or(|row| row.last_created_at < cursor.stamp) {
                cursor = LogCursor::default();
            }
        }
        let reader = match cursor.reader.take() {
            Some(saved) => ClaudeCodeReader::resume(saved, id.key(), &self.redactor),
            None => ClaudeCodeReader::new(id.key()),
        };
        let reader = reader.of_subagent(subagent);
        Ok(Tail { engine: self, id, project, cursor, reader, items: Vec::new() })
    }
}

impl<H: Host> Tail<'_, H> {
    /// Where in the log the bytes that come next stand.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.cursor.offset
    }

    /// Reads whole lines.
    pub fn push(&mut self, lines: &[u8]) {
        self.reader.push(&self.engine.redactor, lines, &mut self.items);
        self.skip(lines);
    }

    /// Leaves bytes out: a part of a line that is too long.
    pub fn skip(&mut self, bytes: &[u8]) {
        let count = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.cursor.offset = self.cursor.offset.saturating_add(count);
        self.cursor.mark = Some(Mark::of(bytes));
    }

    /// Commits what was read, and gives the cursor to go on with; `length` is that of the whole log.
    ///
    /// # Errors
    /// The codes of the storage. Nothing is committed then, and the cursor of before still holds.
    pub async fn commit(mut self, length: u64) -> Result<LogCursor, EngineError> {
        self.reader.take_items(&mut self.items);
        let otherwise = self.reader.last_at().unwrap_or(Timestamp::EPOCH);
        self.items.iter().for_each(|item| self.cursor.glimpse.see(item, otherwise));
        let (progress, stamp) = self.store().await?;
        let mut cursor = self.cursor;
        if self.reader.lost() && length >= cursor.reread_at.saturating_mul(2) {
            // Which rows are live, only a reading from the beginning tells.
            return Ok(LogCursor {
                again: true,
                reread_at: length,
                glimpse: cursor.glimpse,
                ..LogCursor::default()
            });
        }
        let open = self.reader.open_rows();
        cursor.parts = progress.into_parts();
        cursor.parts.retain(|row, _| open.contains(row));
        cursor.again &= cursor.offset < length;
        cursor.stamp = stamp;
        cursor.reader = Some(self.reader.save(&self.engine.redactor, cursor.again));
        Ok(cursor)
    }

    /// What came together is new, unless another process was faster or ended before it wrote its cursor: then
    /// the storage refuses, and what is stored is looked at.
    async fn store(&self) -> Result<(Progress, Option<Timestamp>), EngineError> {
        if !self.cursor.again {
            match self.attempt(true).await {
                Err(EngineError::Storage(StorageError::Conflict { .. })) => {}
                done => return done,
            }
        }
        self.attempt(false).await
    }

    async fn attempt(&self, blind: bool) -> Result<(Progress, Option<Timestamp>), EngineError> {
        let before = Progress::after(self.cursor.parts.clone());
        let import = Import {
            engine: self.engine,
            id: self.id,
            project: self.project.clone(),
            items: &self.items,
            first_at: self.reader.first_at(),
            last_at: self.reader.last_at(),
            before: &before,
            end: End { settles: true, checkpoint: false },
            blind,
        };
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let (plan, progress, _) = import.plan(loaded, ids);
            let stored = loaded.session.and_then(|session| session.row().last_created_at);
            let stamp = match &plan {
                Some(plan) => plan.change.row.last_created_at,
                None => stored,
            };
            Ok((plan, (progress, stamp)))
        };
        let needs = Needs { index: !blind, ..Needs::default() };
        let ids = self.engine.ids();
        let (_, done) = self.engine.transact(self.id, needs, ids, plan).await?;
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::ToString};

    #[test]
    fn what_is_read_once_more_does_not_become_new() {
        let at = |second: u32| format!("2026-03-02T09:00:{second:02}Z").parse::<Timestamp>().unwrap();
        let mut glimpse = Glimpse::default();
        (0..12).for_each(|second| glimpse.edit(at(second), second.to_string()));
        let known = glimpse.clone();
        (0..12).for_each(|second| glimpse.edit(at(second), second.to_string()));
        glimpse.edit(at(1), "11".into());
        assert_eq!(glimpse, known);
        assert_eq!(glimpse.text(None).unwrap(), "Edited: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11");
    }
}
