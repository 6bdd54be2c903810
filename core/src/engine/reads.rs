use super::{Engine, EngineError, commit::unexpected};
use crate::{
    host::{Host, Storage, StorageError},
    id::{CheckpointId, SessionId},
    model::{Answer, Boundary, CheckpointRow, Query, SessionCursor, SessionRow, StoredRow, Trigger},
    prompt::{Input, Prompt, Request, assemble},
    redact::Clean,
    text::chars,
    time::Timestamp,
};
use alloc::{format, string::String, vec::Vec};
use serde::Serialize;

/// How many sessions are named when a bare key is not unique.
const NAMED: usize = 5;

/// A session as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionSummary {
    /// Its key.
    pub session: String,
    /// Its harness.
    pub harness: String,
    /// Its agent, or `""`.
    pub agent: String,
    /// Its project, scrubbed.
    pub project: Option<Clean>,
    /// Time of its first event.
    pub started_at: Timestamp,
    /// Time of its last event.
    pub last_activity: Timestamp,
    /// What users typed and what models answered.
    pub messages: u64,
    /// Checkpoints that are kept.
    pub checkpoints: u64,
    /// Where it stands, such as `idle`.
    pub status: &'static str,
}

/// A page of sessions, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionPage {
    /// The sessions.
    pub sessions: Vec<SessionSummary>,
    /// Where the next page begins; `None` on the last one.
    pub next: Option<SessionCursor>,
}

/// A checkpoint as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckpointSummary {
    /// Its id.
    pub id: CheckpointId,
    /// Its session's key.
    pub session: String,
    /// Why it was taken.
    pub trigger: Trigger,
    /// Its number in the session.
    pub seq: u64,
    /// Time of the last event in it.
    pub created_at: Timestamp,
    /// Prompts since the one before it.
    pub prompt_count: u64,
    /// Length of its digest in characters.
    pub digest_chars: usize,
}

impl From<&SessionRow> for SessionSummary {
    fn from(row: &SessionRow) -> Self {
        Self {
            session: row.id.key().into(),
            harness: row.id.harness().into(),
            agent: row.id.agent().into(),
            project: row.project.clone(),
            started_at: row.started_at,
            last_activity: row.last_activity,
            messages: row.counts.user.saturating_add(row.counts.assistant),
            checkpoints: row.counts.checkpoints,
            status: row.status.as_str(),
        }
    }
}

impl From<&CheckpointRow> for CheckpointSummary {
    fn from(row: &CheckpointRow) -> Self {
        Self {
            id: row.id.clone(),
            session: row.session.key().into(),
            trigger: row.trigger,
            seq: row.seq,
            created_at: row.created_at,
            prompt_count: row.prompt_count,
            digest_chars: chars(row.digest.as_str()),
        }
    }
}

impl<H: Host> Engine<H> {
    /// Sessions, newest first, at most `limit` (1 to 1000) from the cursor on.
    ///
    /// # Errors
    /// The codes of the storage.
    pub async fn sessions(
        &self,
        limit: u32,
        after: Option<SessionCursor>,
    ) -> Result<SessionPage, EngineError> {
        let limit = limit.clamp(1, 1000);
        let query = Query::Sessions { key: None, project_hash: None, after, limit: limit.saturating_add(1) };
        let mut rows = self.session_rows(&query).await?;
        let more = rows.len() > usize::try_from(limit).unwrap_or(usize::MAX);
        rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        let next = rows
            .last()
            .filter(|_| more)
            .map(|row| SessionCursor { last_activity: row.last_activity, storage_key: row.id.storage_key() });
        Ok(SessionPage { sessions: rows.iter().map(SessionSummary::from).collect(), next })
    }

    /// The session that a bare key names.
    ///
    /// # Errors
    /// `session_unknown`, `session_ambiguous`; the codes of the storage.
    pub async fn find_session(
        &self,
        key: &str,
        harness: Option<&str>,
        agent: Option<&str>,
    ) -> Result<SessionId, EngineError> {
        let query = Query::Sessions { key: Some(key.into()), project_hash: None, after: None, limit: 100 };
        let mut found: Vec<SessionId> =
            self.session_rows(&query).await?.into_iter().map(|row| row.id).collect();
        found.retain(|id| {
            harness.is_none_or(|harness| harness == id.harness())
                && agent.is_none_or(|agent| agent == id.agent())
        });
        match found.len() {
            0 => Err(EngineError::SessionUnknown { session: key.into() }),
            1 => found.pop().ok_or_else(|| EngineError::SessionUnknown { session: key.into() }),
            count => {
                let names: Vec<String> = found.iter().take(NAMED).map(|id| format!("{id}")).collect();
                Err(EngineError::SessionAmbiguous { key: key.into(), count, sessions: names.join(", ") })
            }
        }
    }

    /// Checkpoints of one session by `seq`, or of all by time, newest first, at most `limit` (1 to 1000).
    ///
    /// # Errors
    /// The codes of the storage.
    pub async fn checkpoints(
        &self,
        session: Option<&SessionId>,
        limit: u32,
    ) -> Result<Vec<CheckpointSummary>, EngineError> {
        let query = Query::Checkpoints { session: session.cloned(), limit: limit.clamp(1, 1000) };
        let rows = self.checkpoint_rows(&query).await?;
        Ok(rows.iter().map(CheckpointSummary::from).collect())
    }

    /// One checkpoint.
    ///
    /// # Errors
    /// `checkpoint_unknown`; the codes of the storage.
    pub async fn checkpoint(&self, id: &CheckpointId) -> Result<CheckpointRow, EngineError> {
        let found = self.checkpoint_rows(&Query::Checkpoint { id: id.clone() }).await?;
        found
            .into_iter()
            .next()
            .ok_or_else(|| EngineError::CheckpointUnknown { checkpoint: id.as_str().into() })
    }

    /// The prompt that goes on with a session: its rows from the boundary in force on, under the agent's own
    /// parts (`spec/prompt.md`).
    ///
    /// # Errors
    /// `session_unknown`; the codes of the storage.
    pub async fn prompt(&self, session: &SessionId, request: &Request) -> Result<Prompt, EngineError> {
        if self.session_row(session).await?.is_none() {
            return Err(EngineError::unknown(session));
        }
        let (boundary, rows) = self.conversation(session).await?;
        Ok(assemble(Input { rows, boundary, request: request.clone(), ..Input::default() }))
    }

    /// The boundary in force, and the rows that may replay under it: from its anchor on, or from input before it.
    pub(super) async fn conversation(
        &self,
        session: &SessionId,
    ) -> Result<(Option<Boundary>, Vec<StoredRow>), StorageError> {
        let boundary = self.boundary(session).await?;
        let from = boundary.as_ref().map(Boundary::reads_from);
        match self.host.storage().read(&Query::Rows { session: session.clone(), from }).await? {
            Answer::Rows(rows) => Ok((boundary, rows.into_iter().map(StoredRow::open).collect())),
            other => Err(unexpected(&other, "rows")),
        }
    }

    /// The boundary in force.
    pub(super) async fn boundary(&self, session: &SessionId) -> Result<Option<Boundary>, StorageError> {
        match self.host.storage().read(&Query::Boundary { session: session.clone() }).await? {
            Answer::Boundary(found) => Ok(found.map(|boundary| boundary.open())),
            other => Err(unexpected(&other, "a boundary")),
        }
    }

    pub(super) async fn session_row(&self, id: &SessionId) -> Result<Option<SessionRow>, StorageError> {
        Ok(self.load(id).await?.map(|session| session.row().clone()))
    }

    pub(super) async fn session_rows(&self, query: &Query) -> Result<Vec<SessionRow>, StorageError> {
        match self.host.storage().read(query).await? {
            Answer::Sessions(rows) => Ok(rows.into_iter().map(SessionRow::open).collect()),
            other => Err(unexpected(&other, "sessions")),
        }
    }

    async fn checkpoint_rows(&self, query: &Query) -> Result<Vec<CheckpointRow>, StorageError> {
        match self.host.storage().read(query).await? {
            Answer::Checkpoints(rows) => Ok(rows.into_iter().map(CheckpointRow::open).collect()),
            other => Err(unexpected(&other, "checkpoints")),
        }
    }
}
