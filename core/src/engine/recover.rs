use super::{
    Engine, EngineError, Ids,
    commit::{Loaded, Needs, unexpected},
    step::Step,
};
use crate::{
    checkpoint::{Candidate, Recovery, choose, recovery},
    host::{Clock, Host, Storage},
    id::{Project, SessionId},
    model::{Answer, CheckpointRow, Query, SessionCursor, SessionRow, Status},
    time::Timestamp,
};
use alloc::{string::String, vec::Vec};

/// How many sessions of a project are looked at.
const CANDIDATES: usize = 5;
/// How many sessions are read at once while they are looked for.
const PAGE: u32 = 50;

/// Whose work is to be recovered for a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Whose {
    /// Its own, and where there is none that of its project.
    #[default]
    Any,
    /// Its own.
    Own,
    /// That of others in the project.
    Others,
}

/// What is to be recovered.
#[derive(Debug, Clone, Default)]
pub struct RecoverRequest {
    /// This session. Where nothing is stored of it, and without it, one of the project is taken; without
    /// either the newest session of the store.
    pub session: Option<SessionId>,
    /// Whether the session's own work is meant, that of others, or either.
    pub whose: Whose,
    /// The project; the session's own when absent.
    pub project: Option<Project>,
    /// Only sessions of this harness.
    pub harness: Option<String>,
    /// Only sessions of this agent. When a project is asked for, absent means the session's agent, else none;
    /// when the whole store is, it means any.
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
        let budget = request.budget.unwrap_or(self.budget());
        let own = match &request.session {
            Some(session) if request.whose != Whose::Others => self.settle(session).await?,
            _ => None,
        };
        let found = match own {
            Some(found) => Some(found),
            None if request.whose == Whose::Own => None,
            None => self.newest_of(request).await?,
        };
        Ok(found.map(|(session, checkpoint)| {
            let ended = session.status == Status::Ended;
            let recovery = recovery(&checkpoint, session.last_activity, ended, budget);
            Recovered { session: session.id, checkpoint, recovery }
        }))
    }

    /// The newest work of the project and agent, or of the whole store.
    async fn newest_of(
        &self,
        request: &RecoverRequest,
    ) -> Result<Option<(SessionRow, CheckpointRow)>, EngineError> {
        let now = self.host.clock().now();
        let own = match &request.session {
            Some(session) => self.session_row(session).await?.and_then(|row| row.project_hash),
            None => None,
        };
        let project_hash = request.project.as_ref().map(Project::hash).or(own);
        if project_hash.is_none() && request.session.is_some() {
            return Ok(None);
        }
        let mut settled = Vec::new();
        for session in self.candidates(request, project_hash.as_ref(), now).await? {
            settled.extend(self.settle(&session).await?);
        }
        if project_hash.is_none() {
            // The person asked about this store: its newest work, however old.
            return Ok(settled.into_iter().next());
        }
        let candidates: Vec<Candidate> =
            settled.iter().map(|(session, checkpoint)| candidate(session, checkpoint)).collect();
        let chosen = choose(&candidates, now, self.options.recovery_window_millis);
        let chosen = chosen.map(|chosen| chosen.checkpoint.clone());
        Ok(settled.into_iter().find(|(_, checkpoint)| Some(&checkpoint.id) == chosen.as_ref()))
    }

    /// The newest sessions that may be taken: of a project, those that were active within the window.
    async fn candidates(
        &self,
        request: &RecoverRequest,
        project_hash: Option<&String>,
        now: Timestamp,
    ) -> Result<Vec<SessionId>, EngineError> {
        let same = |asked: &Option<String>, otherwise: Option<&str>, own: &str| {
            asked.as_deref().or(otherwise).is_none_or(|asked| asked == own)
        };
        let of_session = request.session.as_ref().map_or("", SessionId::agent);
        let agent = project_hash.map(|_| of_session);
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let query =
                Query::Sessions { key: None, project_hash: project_hash.cloned(), after, limit: PAGE };
            let page = self.session_rows(&query).await?;
            for row in &page {
                let is_old = now.millis_since(row.last_activity) > self.options.recovery_window_millis;
                if found.len() == CANDIDATES || (project_hash.is_some() && is_old) {
                    return Ok(found);
                }
                let left_out = request.whose == Whose::Others && request.session.as_ref() == Some(&row.id);
                if !left_out
                    && same(&request.harness, None, row.id.harness())
                    && same(&request.agent, agent, row.id.agent())
                {
                    found.push(row.id.clone());
                }
            }
            after = match page.last() {
                Some(last) if page.len() == usize::try_from(PAGE).unwrap_or(usize::MAX) => {
                    Some(SessionCursor {
                        last_activity: last.last_activity,
                        storage_key: last.id.storage_key(),
                    })
                }
                _ => return Ok(found),
            };
        }
    }

    fn budget(&self) -> usize {
        usize::try_from(self.policy.continuity.recovery_budget_chars).unwrap_or(usize::MAX)
    }

    /// Writes what waits and what is new as one checkpoint, and gives the session with its newest one.
    async fn settle(&self, id: &SessionId) -> Result<Option<(SessionRow, CheckpointRow)>, EngineError> {
        self.write_buffered(id).await?;
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let Some(session) = loaded.session else { return Ok((None, ())) };
            let mut step = Step::new(session.state(), &self.policy, None);
            step.settle(ids);
            let plan = if step.is_empty(session.state()) { None } else { Some(step.into_plan(ids)) };
            Ok((plan, ()))
        };
        self.transact(id, Needs::default(), self.ids(), plan).await?;
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
