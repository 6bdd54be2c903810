use super::Ids;
use crate::{
    checkpoint::{draft, has_news, record_prompt, take},
    id::{CheckpointId, Project, SessionId},
    model::{
        Batch, Continuity, Counts, Effect, Op, Part, PartBody, Plan, Precondition, Row, RowKind, SessionRow,
        StalePlan, Status, Trigger,
    },
    redact::{Clean, Redactor},
    time::Timestamp,
};
use alloc::{vec, vec::Vec};

/// One session as a state machine: plans are made on it, and take hold when they are confirmed.
///
/// For hosts that want their own loop; [`Engine`](super::Engine) is the ready-made one.
///
/// ```
/// use throughline_core::{engine::{Ids, Session}, id::SessionId, redact::Redactor};
/// let now = "2026-01-01T00:00:00Z".parse().unwrap();
/// let mut session = Session::new(SessionId::new("my-harness", "", "s1").unwrap(), now);
/// let text = Redactor::standard().clean("hello");
/// let plan = session.plan_prompt(text, &mut Ids::new(now, [1; 16]));
/// // … commit `plan.batch`; only then:
/// session.confirm(plan).unwrap();
/// assert_eq!(session.row().version, 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    row: SessionRow,
}

impl Session {
    /// A session that nothing is stored of yet.
    #[must_use]
    pub fn new(id: SessionId, now: Timestamp) -> Self {
        let row = SessionRow {
            id,
            version: 0,
            status: Status::Idle,
            project: None,
            project_normalized: None,
            project_hash: None,
            started_at: now,
            last_activity: now,
            last_created_at: None,
            counts: Counts::default(),
            checkpoint_seq: 0,
            boundary_seq: 0,
            continuity: Continuity::default(),
            compaction: Default::default(),
        };
        Self { row }
    }

    /// What a storage gave back, opened.
    pub(super) fn open(row: SessionRow) -> Self {
        Self { row }
    }

    /// The state.
    #[must_use]
    pub fn row(&self) -> &SessionRow {
        &self.row
    }

    /// Names the project, where none is named yet.
    pub fn set_project(&mut self, project: &Project, redactor: &Redactor) {
        if self.row.project.is_none() {
            // Scrubbed before it is normalised: folding `//` hides what a rule looks for.
            let scrubbed = redactor.clean(project.raw());
            let normalized = Project::new(scrubbed.as_str());
            self.row.project_normalized = normalized.map(|project| redactor.clean(project.normalized()));
            self.row.project = Some(scrubbed);
            self.row.project_hash = Some(project.hash());
        }
    }

    /// The place of a new row: the greater of its own time and the last place plus a nanosecond.
    pub(super) fn place(row: &mut SessionRow, own: Option<Timestamp>, otherwise: Timestamp) -> Timestamp {
        let after = row.last_created_at.map(Timestamp::next);
        let place = own.max(after).unwrap_or(otherwise);
        row.last_created_at = Some(place);
        place
    }

    /// A plan from the state that the session has after it.
    pub(super) fn plan(
        &self,
        mut next: SessionRow,
        ops: Vec<Op>,
        effects: Vec<Effect>,
        ids: &mut Ids,
    ) -> Plan<SessionRow> {
        next.version = self.row.version.saturating_add(1);
        let session = self.row.id.clone();
        let mut all = vec![Op::PutSession { session: next.clone() }];
        all.extend(ops);
        let preconditions = vec![Precondition::SessionVersion { session, is: self.row.version }];
        Plan {
            batch: Batch { id: ids.batch(), preconditions, ops: all },
            effects,
            change: next,
            base: self.row.version,
        }
    }

    /// Plans that a user's message is stored and counted.
    pub fn plan_prompt(&self, text: Clean, ids: &mut Ids) -> Plan<SessionRow> {
        let (now, id) = (ids.now(), ids.row());
        let mut next = self.row.clone();
        let created_at = Self::place(&mut next, Some(now), now);
        next.last_activity = next.last_activity.max(now);
        next.counts.user = next.counts.user.saturating_add(1);
        record_prompt(&mut next.continuity, &text);
        let session = self.row.id.clone();
        let row = Row::new(id.clone(), RowKind::User, created_at);
        let part = Part::new(id.clone(), 0, PartBody::Text { text });
        let ops = vec![
            Op::InsertRow { session: session.clone(), row },
            Op::InsertPart { session: session.clone(), part },
        ];
        self.plan(next, ops, vec![Effect::RowStored { session, row: id }], ids)
    }

    /// Plans that a checkpoint is taken of the session as it stands; `None` when it would say nothing new and
    /// its trigger does not ask for it all the same.
    pub fn plan_checkpoint(
        &self,
        trigger: Trigger,
        context: Option<Clean>,
        note: Option<Clean>,
        ids: &mut Ids,
    ) -> Option<Plan<SessionRow>> {
        if trigger.rank() < Trigger::Explicit.rank() && !has_news(&self.row.continuity) {
            return None;
        }
        let mut next = self.row.clone();
        let at = next.last_activity;
        let (op, effect, _) = Self::checkpoint(&mut next, trigger, context, note, at, ids);
        Some(self.plan(next, vec![op], vec![effect], ids))
    }

    /// Writes a checkpoint into a state that is being planned.
    pub(super) fn checkpoint(
        next: &mut SessionRow,
        trigger: Trigger,
        context: Option<Clean>,
        note: Option<Clean>,
        at: Timestamp,
        ids: &mut Ids,
    ) -> (Op, Effect, CheckpointId) {
        next.checkpoint_seq = next.checkpoint_seq.saturating_add(1);
        next.counts.checkpoints = next.counts.checkpoints.saturating_add(1);
        let id = ids.checkpoint();
        let draft = draft(next, trigger, context, note, None, at);
        let checkpoint = draft.into_row(id.clone(), next.checkpoint_seq);
        take(&mut next.continuity, at);
        let effect = Effect::CheckpointWritten { session: next.id.clone(), checkpoint: id.clone() };
        (Op::InsertCheckpoint { checkpoint }, effect, id)
    }

    /// Takes a plan over, once its batch is committed, and gives what is to be announced.
    ///
    /// # Errors
    /// `stale_plan` when the plan was made on another version; the session is unchanged then.
    pub fn confirm(&mut self, plan: Plan<SessionRow>) -> Result<Vec<Effect>, StalePlan> {
        if plan.base != self.row.version {
            return Err(StalePlan { planned: plan.base, now: self.row.version });
        }
        self.row = plan.change;
        Ok(plan.effects)
    }
}
