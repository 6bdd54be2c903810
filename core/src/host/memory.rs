use super::{Committed, Storage, StorageError};
use crate::{
    id::{BatchId, CheckpointId, RowId, SessionId},
    model::{
        Answer, Batch, Boundary, CheckpointRow, Op, Part, Precondition, Query, Row, RowPlace, RowSummary,
        SessionRow, StoredRow,
    },
};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};
use async_lock::Mutex;
use serde::{Serialize, de::DeserializeOwned};

/// A storage in memory: for tests, previews and harnesses that keep their own state.
///
/// It stores what a database would store (text, not Rust values), so that what reads back here reads back
/// from any storage.
#[derive(Debug, Default)]
pub struct MemoryStorage {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    sessions: BTreeMap<SessionId, Session>,
    checkpoints: BTreeMap<CheckpointId, SessionId>,
    batches: BTreeSet<BatchId>,
}

#[derive(Debug, Default)]
struct Session {
    version: u64,
    body: String,
    rows: BTreeMap<RowPlace, StoredText>,
    places: BTreeMap<RowId, RowPlace>,
    boundaries: BTreeMap<u64, StoredBoundary>,
    checkpoints: BTreeMap<u64, (CheckpointId, String)>,
}

/// How one applied operation is taken back.
#[derive(Debug)]
enum Undo {
    Session(SessionId, Option<(u64, String)>),
    Row(SessionId, RowId),
    Part(SessionId, RowId, u32),
    Live(SessionId, RowId, bool),
    Boundary(SessionId, u64),
    Checkpoint(SessionId, u64, CheckpointId),
}

#[derive(Debug)]
struct StoredBoundary {
    id: RowId,
    anchor: RowId,
    body: String,
}

#[derive(Debug, Default)]
struct StoredText {
    row: String,
    live: bool,
    parts: BTreeMap<u32, String>,
}

fn write<T: Serialize>(value: &T) -> Result<String, StorageError> {
    serde_json::to_string(value).map_err(|error| StorageError::Unavailable { why: format!("{error}") })
}

fn read_back<T: DeserializeOwned>(text: &str, expected: &'static str) -> Result<T, StorageError> {
    serde_json::from_str(text).map_err(|error| StorageError::Corrupt { what: format!("{error}"), expected })
}

fn conflict(what: String) -> StorageError {
    StorageError::Conflict { what }
}

impl Session {
    fn insert_row(&mut self, row: &Row) -> Result<(), StorageError> {
        if self.places.contains_key(&row.id) {
            return Err(conflict(format!("row {} is there already", row.id.as_str())));
        }
        let place = RowPlace { created_at: row.created_at, id: row.id.clone() };
        let text = StoredText { row: write(row)?, live: row.live, parts: BTreeMap::new() };
        self.places.insert(row.id.clone(), place.clone());
        self.rows.insert(place, text);
        Ok(())
    }

    fn row(&mut self, id: &RowId) -> Result<&mut StoredText, StorageError> {
        self.places
            .get(id)
            .and_then(|place| self.rows.get_mut(place))
            .ok_or_else(|| conflict(format!("there is no row {}", id.as_str())))
    }

    fn insert_part(&mut self, part: &Part) -> Result<(), StorageError> {
        let text = write(part)?;
        let parts = &mut self.row(&part.row)?.parts;
        if parts.contains_key(&part.index) {
            let what = format!("part {} of row {} is there already", part.index, part.row.as_str());
            return Err(conflict(what));
        }
        parts.insert(part.index, text);
        Ok(())
    }

    fn insert_boundary(&mut self, boundary: &Boundary) -> Result<(), StorageError> {
        let taken = self.boundaries.contains_key(&boundary.seq)
            || self.boundaries.values().any(|stored| stored.id == boundary.id);
        if taken {
            return Err(conflict(format!("boundary {} is there already", boundary.id.as_str())));
        }
        let (id, anchor) = (boundary.id.clone(), boundary.anchor.clone());
        self.boundaries.insert(boundary.seq, StoredBoundary { id, anchor, body: write(boundary)? });
        Ok(())
    }

    fn insert_checkpoint(&mut self, checkpoint: &CheckpointRow) -> Result<(), StorageError> {
        if self.checkpoints.contains_key(&checkpoint.seq) {
            return Err(conflict(format!("checkpoint {} of the session is there already", checkpoint.seq)));
        }
        let entry = (checkpoint.id.clone(), write(checkpoint)?);
        self.checkpoints.insert(checkpoint.seq, entry);
        Ok(())
    }

    fn rows_from(&self, from: Option<&RowPlace>) -> Result<Vec<StoredRow<String>>, StorageError> {
        let rows = self.rows.iter().filter(|(place, _)| from.is_none_or(|from| *place >= from));
        let mut found = Vec::new();
        for (_, text) in rows.filter(|(_, text)| text.live) {
            let mut row: Row<String> = read_back(&text.row, "a row")?;
            row.live = true;
            if row.sidechain {
                continue;
            }
            let parts: Result<_, _> = text.parts.values().map(|part| read_back(part, "a part")).collect();
            found.push(StoredRow { row, parts: parts? });
        }
        Ok(found)
    }

    fn boundary(&self) -> Result<Option<Boundary<String>>, StorageError> {
        let left = |anchor: &RowId| {
            self.places.get(anchor).and_then(|place| self.rows.get(place)).is_some_and(|row| !row.live)
        };
        let newest = self.boundaries.values().rev().find(|boundary| !left(&boundary.anchor));
        newest.map(|boundary| read_back(&boundary.body, "a boundary")).transpose()
    }

    fn row_index(&self) -> Result<Vec<RowSummary>, StorageError> {
        let summary = |(place, text): (&RowPlace, &StoredText)| {
            let row: Row<String> = read_back(&text.row, "a row")?;
            Ok(RowSummary {
                id: place.id.clone(),
                kind: row.kind,
                created_at: place.created_at,
                live: text.live,
                parts: u32::try_from(text.parts.len()).unwrap_or(u32::MAX),
            })
        };
        self.rows.iter().map(summary).collect()
    }
}

impl State {
    fn check(&self, precondition: &Precondition) -> Result<(), StorageError> {
        match precondition {
            Precondition::SessionVersion { session, is } => {
                let now = self.sessions.get(session).map_or(0, |session| session.version);
                if now == *is {
                    return Ok(());
                }
                Err(conflict(format!("session {session} is at version {now}, not {is}")))
            }
        }
    }

    fn session_mut(&mut self, id: &SessionId) -> Result<&mut Session, StorageError> {
        self.sessions.get_mut(id).ok_or_else(|| conflict(format!("there is no session {id}")))
    }

    /// Applies one operation and says how it is taken back.
    fn apply(&mut self, op: &Op) -> Result<Undo, StorageError> {
        match op {
            Op::PutSession { session } => {
                let body = write(session)?;
                let before = self.sessions.get(&session.id).map(|old| (old.version, old.body.clone()));
                let place = self.sessions.entry(session.id.clone()).or_default();
                (place.version, place.body) = (session.version, body);
                Ok(Undo::Session(session.id.clone(), before))
            }
            Op::InsertRow { session, row } => {
                self.session_mut(session)?.insert_row(row)?;
                Ok(Undo::Row(session.clone(), row.id.clone()))
            }
            Op::InsertPart { session, part } => {
                self.session_mut(session)?.insert_part(part)?;
                Ok(Undo::Part(session.clone(), part.row.clone(), part.index))
            }
            Op::SetLive { session, row, live } => {
                let stored = self.session_mut(session)?.row(row)?;
                let before = core::mem::replace(&mut stored.live, *live);
                Ok(Undo::Live(session.clone(), row.clone(), before))
            }
            Op::InsertBoundary { session, boundary } => {
                self.session_mut(session)?.insert_boundary(boundary)?;
                Ok(Undo::Boundary(session.clone(), boundary.seq))
            }
            Op::InsertCheckpoint { checkpoint } => {
                if self.checkpoints.contains_key(&checkpoint.id) {
                    return Err(conflict(format!("checkpoint {} is there already", checkpoint.id)));
                }
                self.session_mut(&checkpoint.session)?.insert_checkpoint(checkpoint)?;
                self.checkpoints.insert(checkpoint.id.clone(), checkpoint.session.clone());
                Ok(Undo::Checkpoint(checkpoint.session.clone(), checkpoint.seq, checkpoint.id.clone()))
            }
        }
    }

    fn take_back(&mut self, undo: Undo) {
        match undo {
            Undo::Session(id, None) => {
                self.sessions.remove(&id);
            }
            Undo::Session(id, Some((version, body))) => {
                if let Some(session) = self.sessions.get_mut(&id) {
                    (session.version, session.body) = (version, body);
                }
            }
            Undo::Row(id, row) => {
                if let Some(session) = self.sessions.get_mut(&id)
                    && let Some(place) = session.places.remove(&row)
                {
                    session.rows.remove(&place);
                }
            }
            Undo::Part(id, row, index) => {
                if let Some(Ok(row)) = self.sessions.get_mut(&id).map(|session| session.row(&row)) {
                    row.parts.remove(&index);
                }
            }
            Undo::Live(id, row, live) => {
                if let Some(Ok(row)) = self.sessions.get_mut(&id).map(|session| session.row(&row)) {
                    row.live = live;
                }
            }
            Undo::Boundary(id, seq) => {
                if let Some(session) = self.sessions.get_mut(&id) {
                    session.boundaries.remove(&seq);
                }
            }
            Undo::Checkpoint(id, seq, checkpoint) => {
                if let Some(session) = self.sessions.get_mut(&id) {
                    session.checkpoints.remove(&seq);
                }
                self.checkpoints.remove(&checkpoint);
            }
        }
    }

    /// Whole or not at all: what was applied before a conflict is taken back.
    fn commit(&mut self, batch: &Batch) -> Result<Committed, StorageError> {
        if self.batches.contains(&batch.id) {
            return Ok(Committed { repeated: true });
        }
        for precondition in &batch.preconditions {
            self.check(precondition)?;
        }
        let mut done = Vec::with_capacity(batch.ops.len());
        for op in &batch.ops {
            match self.apply(op) {
                Ok(undo) => done.push(undo),
                Err(error) => {
                    done.into_iter().rev().for_each(|undo| self.take_back(undo));
                    return Err(error);
                }
            }
        }
        self.batches.insert(batch.id.clone());
        Ok(Committed { repeated: false })
    }

    fn sessions(&self, query: &Query) -> Result<Vec<SessionRow<String>>, StorageError> {
        let Query::Sessions { key, project_hash, after, limit } = query else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for session in self.sessions.values() {
            let row: SessionRow<String> = read_back(&session.body, "a session")?;
            let wanted = key.as_ref().is_none_or(|key| row.id.key() == key)
                && project_hash.as_ref().is_none_or(|hash| row.project_hash.as_ref() == Some(hash));
            if wanted {
                found.push((row.last_activity, row.id.storage_key(), row));
            }
        }
        found.sort_by(|a, b| (b.0, &b.1).cmp(&(a.0, &a.1)));
        let rest = found.into_iter().filter(|(at, key, _)| {
            after.as_ref().is_none_or(|after| (*at, key) < (after.last_activity, &after.storage_key))
        });
        Ok(rest.map(|(_, _, row)| row).take(usize::try_from(*limit).unwrap_or(usize::MAX)).collect())
    }

    fn checkpoints(
        &self,
        session: Option<&SessionId>,
        limit: u32,
    ) -> Result<Vec<CheckpointRow<String>>, StorageError> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        if let Some(id) = session {
            let Some(session) = self.sessions.get(id) else { return Ok(Vec::new()) };
            let newest = session.checkpoints.values().rev().take(limit);
            return newest.map(|(_, body)| read_back(body, "a checkpoint")).collect();
        }
        let bodies = self.sessions.values().flat_map(|session| session.checkpoints.values());
        let mut found: Vec<CheckpointRow<String>> =
            bodies.map(|(_, body)| read_back(body, "a checkpoint")).collect::<Result<_, _>>()?;
        found.sort_by(|a, b| (b.created_at, &b.id).cmp(&(a.created_at, &a.id)));
        found.truncate(limit);
        Ok(found)
    }

    fn checkpoint(&self, id: &CheckpointId) -> Result<Vec<CheckpointRow<String>>, StorageError> {
        let Some(session) = self.checkpoints.get(id).and_then(|session| self.sessions.get(session)) else {
            return Ok(Vec::new());
        };
        let found = session.checkpoints.values().filter(|(found, _)| found == id);
        found.map(|(_, body)| read_back(body, "a checkpoint")).collect()
    }

    fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        let session = |id: &SessionId| self.sessions.get(id);
        Ok(match query {
            Query::Batch { id } => Answer::Batch(self.batches.contains(id)),
            Query::Session { session: id } => {
                Answer::Session(session(id).map(|found| read_back(&found.body, "a session")).transpose()?)
            }
            Query::Sessions { .. } => Answer::Sessions(self.sessions(query)?),
            Query::Rows { session: id, from } => {
                Answer::Rows(session(id).map_or(Ok(Vec::new()), |found| found.rows_from(from.as_ref()))?)
            }
            Query::RowIndex { session: id } => {
                Answer::RowIndex(session(id).map_or(Ok(Vec::new()), Session::row_index)?)
            }
            Query::Boundary { session: id } => {
                Answer::Boundary(session(id).map_or(Ok(None), Session::boundary)?)
            }
            Query::Checkpoint { id } => Answer::Checkpoints(self.checkpoint(id)?),
            Query::Checkpoints { session, limit } => {
                Answer::Checkpoints(self.checkpoints(session.as_ref(), *limit)?)
            }
        })
    }
}

impl Storage for MemoryStorage {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        self.state.lock().await.commit(batch)
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        self.state.lock().await.read(query)
    }
}
