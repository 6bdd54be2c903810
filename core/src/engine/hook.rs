//! What an event of a harness's hook does to its session: one commit (`spec/hosts.md`, "Hooks").
use super::{
    Engine, EngineError, Ids,
    commit::{Loaded, Needs, unexpected},
    remove::clear,
    step::Step,
    tick::Tick,
};
use crate::{
    checkpoint::{Words, has_news},
    host::{Host, Storage},
    id::{Project, SessionId},
    model::{Answer, Effect, Query, SessionRow, Status, Told, Trigger},
    redact::Clean,
    time::Timestamp,
};
use alloc::{string::String, vec::Vec};

/// What happened to a session, as a hook tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HookStep {
    /// Something that changes nothing but who counts the session's prompts.
    Seen,
    /// It started or goes on; and what it is to be told.
    Started(Option<Told>),
    /// It was told what it was to be told, or there is nothing.
    Told,
    /// A user sent a prompt.
    Prompt(String),
    /// Its context is about to be compacted; and what it was working on.
    Compacting(Option<String>),
    /// It ended.
    Ended,
    /// It ended, and what it held is to be recovered no more.
    Cleared,
}

/// What is said of an event beside what happened.
#[derive(Debug, Clone, Default)]
pub struct HookOptions {
    /// The event's id: what was committed under it is not done again.
    pub event: Option<String>,
    /// The project, where the session names none yet.
    pub project: Option<Project>,
    /// When it happened; now when absent. What happened at or before the time when the session was cleared
    /// changes nothing.
    pub at: Option<Timestamp>,
}

/// What came of an event.
#[derive(Debug, Clone, Default)]
pub struct HookOutcome {
    /// What the session is still to be told.
    pub owed: Option<Told>,
    /// What happened until then does not count any more.
    pub cleared_at: Option<Timestamp>,
    /// What was written and queued.
    pub effects: Vec<Effect>,
}

impl<H: Host> Engine<H> {
    /// Takes an event of a hook, in one commit. From the first one on, hooks count the session's prompts.
    ///
    /// # Errors
    /// `secret_in_identifier`; the codes of the storage.
    pub async fn hook(
        &self,
        id: &SessionId,
        step: &HookStep,
        options: &HookOptions,
    ) -> Result<HookOutcome, EngineError> {
        self.check_identity(id)?;
        let text = match step {
            HookStep::Prompt(text) | HookStep::Compacting(Some(text)) => Some(self.redactor.clean(text)),
            _ => None,
        };
        let taken = Taken { id, step, text, options };
        let needs = Needs { heads: *step == HookStep::Cleared, ..Needs::default() };
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| Ok(taken.plan(self, loaded, ids));
        let (effects, (owed, cleared_at)) = self.transact(id, needs, self.ids(), plan).await?;
        Ok(HookOutcome { owed, cleared_at, effects })
    }

    /// Writes what waits of this session and is due, then what other hosts left waiting, as long as `go_on` says so:
    /// for a process that ends with its event. `subagent`: the event is a sub-agent's, and queues no checkpoint of
    /// the session.
    pub async fn attend(&self, id: &SessionId, subagent: bool, go_on: impl Fn() -> bool) -> Tick {
        let mut tick = Tick::default();
        if subagent {
            self.write_closed(id, &mut tick).await;
        } else {
            self.look_at(id, &mut tick).await;
        }
        while go_on() && tick.failed.is_none() {
            let until = self.ids().now();
            let found = match self.host.storage().read(&Query::Due { until, limit: 1 }).await {
                Ok(Answer::Due(found)) => found,
                Ok(other) => {
                    tick.fail(unexpected(&other, "ends of windows").into());
                    break;
                }
                Err(error) => {
                    tick.fail(error.into());
                    break;
                }
            };
            let Some(due) = found.first() else { break };
            let before = tick.written.len();
            self.look_at(&due.session, &mut tick).await;
            if tick.written.len() == before {
                break;
            }
        }
        tick
    }
}

/// An event with its text scrubbed.
struct Taken<'a> {
    id: &'a SessionId,
    step: &'a HookStep,
    text: Option<Clean>,
    options: &'a HookOptions,
}

type Planned = (Option<crate::model::Plan<super::SessionState>>, (Option<Told>, Option<Timestamp>));

impl Taken<'_> {
    fn plan<H: Host>(&self, engine: &Engine<H>, loaded: &Loaded<'_>, ids: &mut Ids) -> Planned {
        let at = self.options.at.unwrap_or(ids.now());
        let session = engine.session_or_new(loaded, self.id, self.options.project.as_ref(), ids);
        let row = session.row();
        let owed = row.hooks.as_ref().and_then(|hooks| hooks.owed);
        let known = self.options.event.as_ref().is_some_and(|event| knows(row, event));
        let idle = match self.step {
            HookStep::Seen => row.hooks.is_some(),
            HookStep::Told => owed.is_none(),
            _ => false,
        };
        if known || idle || row.is_cleared(at) {
            return (None, (owed, row.cleared_at));
        }
        let mut step = Step::new(session.state(), &engine.policy, loaded.buffered.as_ref());
        if loaded.session.is_none() {
            (step.next.row.started_at, step.next.row.last_activity) = (at, at);
        }
        if !matches!(self.step, HookStep::Seen | HookStep::Told) {
            step.happened(at);
        }
        let hooks = step.next.row.hooks.get_or_insert_default();
        if let Some(event) = &self.options.event {
            hooks.remember(event.clone());
        }
        match self.step {
            HookStep::Started(told) => hooks.owed = *told,
            HookStep::Told => hooks.owed = None,
            _ => {}
        }
        let owed = hooks.owed;
        self.act(&mut step, loaded, at, ids);
        let cleared_at = step.next.row.cleared_at;
        (Some(step.into_plan(ids)), (owed, cleared_at))
    }

    fn act(&self, step: &mut Step<'_>, loaded: &Loaded<'_>, at: Timestamp, ids: &mut Ids) {
        match self.step {
            HookStep::Seen | HookStep::Told => {}
            HookStep::Started(_) => step.goes_on(),
            HookStep::Prompt(_) => {
                step.goes_on();
                step.count_prompt(self.text.as_ref().unwrap_or(&Clean::default()), at);
                step.enqueue_if_due(ids);
            }
            HookStep::Compacting(_) => {
                let words = Words { context: self.text.clone(), ..Words::default() };
                write(step, Trigger::PreCompaction, words, at, ids);
            }
            HookStep::Ended => {
                // One that has ended already, and of which nothing is new, does not end again.
                let again = step.next.row.status == Status::Ended && !has_news(&step.next.row.continuity);
                step.next.row.status = Status::Ended;
                if !again {
                    write(step, Trigger::SessionEnd, Words::default(), at, ids);
                }
            }
            HookStep::Cleared => {
                clear(step, loaded.buffered.is_some(), at);
                step.next.row.status = Status::Ended;
            }
        }
    }
}

/// A checkpoint that is written at once. It tells of everything until the last event.
fn write(step: &mut Step<'_>, trigger: Trigger, words: Words, at: Timestamp, ids: &mut Ids) {
    if step.counts(at) {
        let at = step.next.row.last_activity;
        step.enqueue(trigger, words, at, ids);
    }
}

fn knows(row: &SessionRow, event: &str) -> bool {
    row.hooks.as_ref().is_some_and(|hooks| hooks.knows(event))
}
