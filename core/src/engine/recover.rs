use super::{Engine, EngineError, unexpected};
use crate::{
    checkpoint::{Candidate, Recovery, choose, recovery},
    host::{Clock, Host, Storage},
    id::{Project, SessionId},
    model::{Answer, CheckpointRow, Query, SessionRow, Status, Trigger},
};
use alloc::{string::String, vec::Vec};

/// How many sessions of a project are looked at.
const CANDIDATES: u32 = 5;

/// What is to be recovered.
#[derive(Debug, Clone, Default)]
pub struct RecoverRequest {
    /// This session; else one of the project; without either the newest session of the store.
    pub session: Option<SessionId>,
    /// The project.
    pub project: Option<Project>,
    /// Only sessions of this agent, when a project is asked for.
    pub agent: Option<String>,
    /// Length of the text in characters; the engine's own budget when absent.
    pub budget: Option<usize>,
}

/// A recovery text and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recovered {
    /// The session whose work it tells.
    pub session: SessionId,
    /// The checkpoint that it was written from.
    pub checkpoint: CheckpointRow,
    /// The text, and what it had no room for.
    pub recovery: Recovery,
}

impl<H: Host> Engine<H> {
    /// The recovery text of a session, or of the project's newest work (`spec/checkpoints.md`, "Recovery").
    ///
    /// It settles first: where something is new since a session's last checkpoint, a periodic checkpoint is
    /// written, so that a host which was killed loses nothing that was acknowledged. `None` when there is
    /// nothing to recover. No delivery is recorded.
    ///
    /// # Errors
    /// The codes of the storage.
    pub async fn recover(&self, request: &RecoverRequest) -> Result<Option<Recovered>, EngineError> {
        let budget = request.budget.unwrap_or(self.options.recovery_budget);
        let found = match &request.session {
            Some(session) => self.settle(session).await?,
            None => self.newest_of(request).await?,
        };
        Ok(found.map(|(session, checkpoint)| {
            let ended = session.status == Status::Ended;
            let recovery = recovery(&checkpoint, session.last_activity, ended, budget);
            Recovered { session: session.id, checkpoint, recovery }
        }))
    }

    /// The newest work of the project, or of the whole store.
    async fn newest_of(
        &self,
        request: &RecoverRequest,
    ) -> Result<Option<(SessionRow, CheckpointRow)>, EngineError> {
        let now = self.host.clock().now();
        let project_hash = request.project.as_ref().map(Project::hash);
        let by_project = project_hash.is_some();
        let query = Query::Sessions { key: None, project_hash, after: None, limit: CANDIDATES };
        let mut settled = Vec::new();
        for session in self.session_rows(&query).await? {
            if request.agent.as_ref().is_none_or(|agent| agent == session.id.agent()) {
                settled.extend(self.settle(&session.id).await?);
            }
        }
        if !by_project {
            // The person asked about this store: its newest work, however old.
            return Ok(settled.into_iter().next());
        }
        let candidates: Vec<Candidate> =
            settled.iter().map(|(session, checkpoint)| candidate(session, checkpoint)).collect();
        let chosen = choose(&candidates, now, self.options.recovery_window_millis)
            .map(|chosen| chosen.checkpoint.clone());
        Ok(settled.into_iter().find(|(_, checkpoint)| Some(&checkpoint.id) == chosen.as_ref()))
    }

    /// Writes what is new as a periodic checkpoint, and gives the session with its newest checkpoint.
    async fn settle(&self, id: &SessionId) -> Result<Option<(SessionRow, CheckpointRow)>, EngineError> {
        match self.take_checkpoint(id, Trigger::Periodic, None, None).await {
            Ok(_) => {}
            Err(EngineError::SessionUnknown { .. }) => return Ok(None),
            Err(error) => return Err(error),
        }
        let Some(session) = self.session_row(id).await? else { return Ok(None) };
        let query = Query::Checkpoints { session: Some(id.clone()), limit: 1 };
        match self.host.storage().read(&query).await? {
            Answer::Checkpoints(found) => {
                Ok(found.into_iter().next().map(|checkpoint| (session, checkpoint.open())))
            }
            other => Err(unexpected(&other, "checkpoints").into()),
        }
    }
}

fn candidate(session: &SessionRow, checkpoint: &CheckpointRow) -> Candidate {
    Candidate {
        session: session.id.clone(),
        checkpoint: checkpoint.id.clone(),
        created_at: checkpoint.created_at,
        last_activity: session.last_activity,
        ended: session.status == Status::Ended,
    }
}
