use super::{
    Engine, EngineError, Ids,
    commit::{Loaded, Needs},
    session::Skipped,
    step::Step,
};
use crate::{
    checkpoint::{Words, closes_window},
    host::Host,
    id::{CheckpointId, SessionId},
    model::{Effect, Structural, Trigger},
    redact::Clean,
    time::Timestamp,
};
use alloc::{string::String, vec::Vec};
use serde::Serialize;

/// A checkpoint that is asked for. Texts are scrubbed before anything else happens to them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckpointRequest {
    /// Why.
    pub trigger: Trigger,
    /// Session context, meant for pre_compaction and session_end.
    pub context: Option<String>,
    /// A note, meant for agent and explicit.
    pub note: Option<String>,
    /// What the host knows of the structure of the work.
    pub structural: Option<Structural<String>>,
    /// When it was asked for; now when absent.
    pub at: Option<Timestamp>,
}

impl From<Trigger> for CheckpointRequest {
    /// One that says nothing beside the session's state.
    fn from(trigger: Trigger) -> Self {
        Self { trigger, context: None, note: None, structural: None, at: None }
    }
}

/// What came of a checkpoint that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CheckpointOutcome {
    /// Its id; of one that is queued, the id that it will have.
    pub id: Option<CheckpointId>,
    /// The session's key.
    pub session: String,
    /// Why it was asked for.
    pub trigger: Trigger,
    /// Whether it is written.
    pub written: bool,
    /// Why it is not.
    pub reason: Option<Skipped>,
}

impl<H: Host> Engine<H> {
    /// Takes a checkpoint of a session as it stands. Explicit, pre_compaction and session_end are written when
    /// this returns, with what waited for its window merged into them; periodic and agent are queued, and only
    /// when something is new (`spec/checkpoints.md`, "Queue").
    ///
    /// # Errors
    /// `session_unknown`; the codes of the storage.
    pub async fn take_checkpoint(
        &self,
        id: &SessionId,
        request: impl Into<CheckpointRequest>,
    ) -> Result<CheckpointOutcome, EngineError> {
        let CheckpointRequest { trigger, context, note, structural, at } = request.into();
        let clean = |text: Option<String>| text.map(|text| self.redactor.clean(&text));
        let words =
            Words { context: clean(context), note: clean(note), structural: self.structural(structural) };
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let session = loaded.session.ok_or_else(|| EngineError::unknown(id))?;
            let buffered = loaded.buffered.as_ref();
            let planned =
                session.plan_checkpoint_over(trigger, words.clone(), at, &self.policy, buffered, ids);
            Ok(match planned {
                Ok(plan) => (Some(plan), Skipped::Queued),
                Err(skipped) => (None, skipped),
            })
        };
        let needs = Needs { after_failed: closes_window(trigger), ..Needs::default() };
        let (effects, skipped) = self.transact(id, needs, self.ids(), plan).await?;
        let session = id.key().into();
        let (mut checkpoint, mut written) = (None, false);
        for effect in effects {
            match effect {
                Effect::CheckpointWritten { checkpoint: id, .. } => (checkpoint, written) = (Some(id), true),
                Effect::CheckpointQueued { checkpoint: id, .. } => checkpoint = Some(id),
                _ => {}
            }
        }
        let reason = (!written).then_some(skipped);
        Ok(CheckpointOutcome { id: checkpoint, session, trigger, written, reason })
    }

    /// Writes what waits of a session, whether its window has closed or not: for a host that ends, or that
    /// wants the checkpoint now. Gives the ids of what was written from the store; of drafts that were kept in memory
    /// alone none are told.
    ///
    /// # Errors
    /// The codes of the storage.
    pub async fn flush_session(&self, id: &SessionId) -> Result<Vec<CheckpointId>, EngineError> {
        self.write_buffered(id).await?;
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let Some(session) = loaded.session else { return Ok((None, ())) };
            let mut step = Step::new(session.state(), &self.policy, None);
            step.write_pending(ids);
            let plan = if step.is_empty(session.state()) { None } else { Some(step.into_plan(ids)) };
            Ok((plan, ()))
        };
        let (effects, ()) = self.transact(id, Needs::default(), self.ids(), plan).await?;
        Ok(written(effects).collect())
    }

    fn structural(&self, given: Option<Structural<String>>) -> Option<Structural> {
        let given = given?;
        let clean = |texts: Vec<String>| {
            texts
                .iter()
                .map(|text| self.redactor.clean(text))
                .filter(|text| !text.trim().is_empty())
                .collect()
        };
        let (focal_entities, active_aspects): (Vec<Clean>, Vec<Clean>) =
            (clean(given.focal_entities), clean(given.active_aspects));
        Some(Structural {
            focal_entities,
            active_aspects,
            active_constraints: clean(given.active_constraints),
            traversal_memories: given.traversal_memories,
        })
    }
}

/// The checkpoints that were written.
pub(super) fn written(effects: Vec<Effect>) -> impl Iterator<Item = CheckpointId> {
    effects.into_iter().filter_map(|effect| match effect {
        Effect::CheckpointWritten { checkpoint, .. } => Some(checkpoint),
        _ => None,
    })
}
