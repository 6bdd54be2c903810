use super::{
    Engine, EngineError, Ids,
    commit::{Loaded, Needs},
    step::Step,
};
use crate::{
    host::Host,
    id::{Project, SessionId},
    model::Effect,
    redact::Clean,
    time::Timestamp,
};
use alloc::{string::String, vec::Vec};

/// Something that counts, of a session whose messages are kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activity {
    /// A user's prompt.
    Prompt(String),
    /// A query to a memory.
    Query(String),
    /// Something that was remembered.
    Remember(String),
}

/// What is said of activities beside their texts.
#[derive(Debug, Clone, Default)]
pub struct RecordOptions {
    /// The project, where the session names none yet.
    pub project: Option<Project>,
    /// When it happened; now when absent. What happened at or before the time when the session was cleared
    /// does not count.
    pub at: Option<Timestamp>,
}

/// An activity with its text scrubbed.
enum Counted {
    Prompt(Clean),
    Query(Clean),
    Remember(Clean),
}

impl<H: Host> Engine<H> {
    /// Stores what a user sent, scrubbed, and counts it. It is stored when this returns; when it makes a
    /// periodic checkpoint due, that is queued by the same commit.
    ///
    /// # Errors
    /// `empty_message` for a blank text; `secret_in_identifier`; the codes of the storage.
    pub async fn submit_prompt(
        &self,
        id: &SessionId,
        project: Option<&Project>,
        text: &str,
    ) -> Result<Vec<Effect>, EngineError> {
        if text.trim().is_empty() {
            return Err(EngineError::EmptyMessage);
        }
        self.check_identity(id)?;
        let text = self.redactor.clean(text);
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let session = self.session_or_new(loaded, id, project, ids);
            Ok((Some(session.plan_prompt(text.clone(), &self.policy, ids)), ()))
        };
        Ok(self.transact(id, Needs::default(), self.ids(), plan).await?.0)
    }

    /// Counts activities, in one commit; when that makes a periodic checkpoint due, it is queued by the same
    /// commit. Nothing is stored but what a checkpoint keeps. Whether anything counted: not while checkpoints
    /// are turned off, nor what was cleared.
    ///
    /// # Errors
    /// `secret_in_identifier`; the codes of the storage.
    pub async fn record(
        &self,
        id: &SessionId,
        activities: &[Activity],
        options: &RecordOptions,
    ) -> Result<(bool, Vec<Effect>), EngineError> {
        self.check_identity(id)?;
        let clean = |text: &str| self.redactor.clean(text);
        let counted: Vec<Counted> = activities
            .iter()
            .map(|activity| match activity {
                Activity::Prompt(text) => Counted::Prompt(clean(text)),
                Activity::Query(text) => Counted::Query(clean(text)),
                Activity::Remember(text) => Counted::Remember(clean(text)),
            })
            .collect();
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let at = options.at.unwrap_or(ids.now());
            let session = self.session_or_new(loaded, id, options.project.as_ref(), ids);
            let mut step = Step::new(session.state(), &self.policy, None);
            if !step.counts(at) || counted.is_empty() {
                return Ok((None, false));
            }
            if loaded.session.is_none() {
                (step.next.row.started_at, step.next.row.last_activity) = (at, at);
            }
            step.happened(at);
            for activity in &counted {
                match activity {
                    Counted::Prompt(text) => {
                        step.goes_on();
                        step.count_prompt(text, at);
                    }
                    Counted::Query(text) => step.count_query(text, at),
                    Counted::Remember(text) => step.count_remember(text, at),
                }
            }
            step.enqueue_if_due(ids);
            Ok((Some(step.into_plan(ids)), true))
        };
        let (effects, counted) = self.transact(id, Needs::default(), self.ids(), plan).await?;
        Ok((counted, effects))
    }
}
