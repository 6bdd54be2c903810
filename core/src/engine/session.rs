use super::{Ids, Policy, state::SessionState, step::Step};
use crate::{
    checkpoint::{Words, has_news},
    id::{CheckpointId, Project, SessionId},
    model::{
        CheckpointHead, Draft, Effect, Op, Part, PartBody, Pending, Plan, Row, RowKind, SessionRow,
        StalePlan, Status, Trigger,
    },
    redact::{Clean, Redactor},
    time::Timestamp,
};
use alloc::vec::Vec;
use serde::Serialize;

/// One session as a state machine: plans are made on it, and take hold when they are confirmed.
///
/// For hosts that want their own loop; [`Engine`](super::Engine) is the ready-made one.
///
/// ```
/// use throughline_core::{engine::{Ids, Policy, Session}, id::SessionId, redact::Redactor};
/// let now = "2026-01-01T00:00:00Z".parse().unwrap();
/// let mut session = Session::new(SessionId::new("my-harness", "", "s1").unwrap(), now);
/// let text = Redactor::standard().clean("hello");
/// let plan = session.plan_prompt(text, &Policy::default(), &mut Ids::new(now, [1; 16]));
/// // … commit `plan.batch`; only then:
/// session.confirm(plan).unwrap();
/// assert!(session.row().version > 0);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    state: SessionState,
}

/// Why a checkpoint was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Skipped {
    /// Checkpoints are turned off.
    Disabled,
    /// Nothing is new since the last one, and the trigger does not ask for it all the same.
    NothingNew,
    /// What it would tell was cleared.
    Cleared,
    /// It waits for its window to close.
    Queued,
}

impl Skipped {
    /// The name, such as `nothing_new`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::NothingNew => "nothing_new",
            Self::Cleared => "cleared",
            Self::Queued => "queued",
        }
    }
}

impl Session {
    /// A session that nothing is stored of yet.
    #[must_use]
    pub fn new(id: SessionId, now: Timestamp) -> Self {
        let row = SessionRow::new(id, now);
        Self {
            state: SessionState { row, pending: None, heads: Some(Vec::new()), handed: None, settled: None },
        }
    }

    /// What a storage gave back, opened.
    pub(super) fn open(row: SessionRow, pending: Option<Pending>) -> Self {
        Self { state: SessionState { row, pending, heads: None, handed: None, settled: None } }
    }

    /// The state.
    #[must_use]
    pub fn row(&self) -> &SessionRow {
        &self.state.row
    }

    /// The draft that waits in the store for its window to close.
    #[must_use]
    pub fn pending(&self) -> Option<&Pending> {
        self.state.pending.as_ref()
    }

    pub(super) fn state(&self) -> &SessionState {
        &self.state
    }

    pub(super) fn knows_heads(&self) -> bool {
        self.state.heads.is_some()
    }

    pub(super) fn learn_heads(&mut self, heads: Vec<CheckpointHead>) {
        self.state.heads = Some(heads);
    }

    /// What is to wait in memory, and what need not any more; once.
    pub(super) fn take_drafts(&mut self) -> (Option<Draft>, Option<CheckpointId>) {
        (self.state.handed.take(), self.state.settled.take())
    }

    /// Names the project, where none is named yet.
    pub fn set_project(&mut self, project: &Project, redactor: &Redactor) {
        let row = &mut self.state.row;
        if row.project.is_none() {
            // Scrubbed before it is normalised: folding `//` hides what a rule looks for.
            let scrubbed = redactor.clean(project.raw());
            let normalized = Project::new(scrubbed.as_str());
            row.project_normalized = normalized.map(|project| redactor.clean(project.normalized()));
            row.project = Some(scrubbed);
            row.project_hash = Some(project.hash());
        }
    }

    /// The place of a new row: the greater of its own time and the last place plus a nanosecond.
    pub(super) fn place(row: &mut SessionRow, own: Option<Timestamp>, otherwise: Timestamp) -> Timestamp {
        let after = row.last_created_at.map(Timestamp::next);
        let place = own.max(after).unwrap_or(otherwise);
        row.last_created_at = Some(place);
        place
    }

    /// Plans that a user's message is stored and counted; when that makes a periodic checkpoint due, it is
    /// queued in the same batch.
    pub fn plan_prompt(&self, text: Clean, policy: &Policy, ids: &mut Ids) -> Plan<SessionState> {
        let (now, id) = (ids.now(), ids.row());
        let mut step = Step::new(&self.state, policy, None);
        let next = &mut step.next.row;
        let created_at = Self::place(next, Some(now), now);
        next.counts.user = next.counts.user.saturating_add(1);
        let session = next.id.clone();
        let row = Row::new(id.clone(), RowKind::User, created_at);
        let part = Part::new(id.clone(), 0, PartBody::Text { text: text.clone() });
        step.ops.push(Op::InsertRow { session: session.clone(), row });
        step.ops.push(Op::InsertPart { session: session.clone(), part });
        step.effects.push(Effect::RowStored { session, row: id });
        step.happened(now);
        step.goes_on();
        step.count_prompt(&text, now);
        step.enqueue_if_due(ids);
        step.into_plan(ids)
    }

    /// Plans that a checkpoint is taken of the session as it stands. Rank 3 (explicit) and up is written by
    /// the batch, with what was pending merged into it; below that it is queued. `at` is the time of the
    /// trigger, now when absent; a periodic one tells of the last event.
    ///
    /// # Errors
    /// Why there is nothing to do.
    pub fn plan_checkpoint(
        &self,
        trigger: Trigger,
        words: Words,
        at: Option<Timestamp>,
        policy: &Policy,
        ids: &mut Ids,
    ) -> Result<Plan<SessionState>, Skipped> {
        self.plan_checkpoint_over(trigger, words, at, policy, None, ids)
    }

    pub(super) fn plan_checkpoint_over(
        &self,
        trigger: Trigger,
        words: Words,
        at: Option<Timestamp>,
        policy: &Policy,
        buffered: Option<&Pending>,
        ids: &mut Ids,
    ) -> Result<Plan<SessionState>, Skipped> {
        if !policy.continuity.enabled {
            return Err(Skipped::Disabled);
        }
        if trigger.rank() < Trigger::Explicit.rank() && !has_news(&self.row().continuity) {
            return Err(Skipped::NothingNew);
        }
        let mut step = Step::new(&self.state, policy, buffered);
        let at = match trigger {
            Trigger::Periodic => self.row().last_activity,
            _ => at.unwrap_or(ids.now()),
        };
        if step.next.row.is_cleared(at) {
            return Err(Skipped::Cleared);
        }
        step.happened(at);
        // The time of the last event in it: what came later than what was given is in it as well.
        let at = step.next.row.last_activity;
        if trigger == Trigger::SessionEnd {
            step.next.row.status = Status::Ended;
        }
        step.enqueue(trigger, words, at, ids);
        Ok(step.into_plan(ids))
    }

    /// Takes a plan over, once its batch is committed, and gives what is to be announced.
    ///
    /// # Errors
    /// `stale_plan` when the plan was made on another version; the session is unchanged then.
    pub fn confirm(&mut self, plan: Plan<SessionState>) -> Result<Vec<Effect>, StalePlan> {
        if plan.base != self.row().version {
            return Err(StalePlan { planned: plan.base, now: self.row().version });
        }
        self.state = plan.change;
        Ok(plan.effects)
    }
}
