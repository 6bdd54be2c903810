//! One event, from its reading to its answer.

use super::super::{failure::Failure, place::Place, surroundings::Surroundings};
use crate::{
    engine::{Engine, HookOptions, HookOutcome, HookStep, Offering, RecoverRequest, Whose},
    hook::{Adapter, Decisions, Event, Move, Section, Spooled, fit},
    id::{Project, SessionId},
    model::Told,
    time::Timestamp,
};
use alloc::{format, string::String};

/// The folder of events that wait, and that of how far logs were read.
pub(super) const SPOOL: &str = "spool";
pub(super) const CURSORS: &str = "cursors";
/// How long drafts of other hosts are written, in milliseconds.
const OTHERS_MILLIS: u64 = 10;

/// What became of an event.
pub(super) struct Taken {
    pub(super) outcome: HookOutcome,
    /// Whether the log was read, where that comes first.
    pub(super) read: Result<(), Failure>,
}

/// A process that looks after one event and ends.
pub(super) struct Visit<'a, S> {
    pub(super) surroundings: &'a S,
    pub(super) place: &'a Place,
    pub(super) adapter: &'a Adapter,
    pub(super) id: &'a SessionId,
    pub(super) now: Timestamp,
}

impl<S: Surroundings> Visit<'_, S> {
    /// A folder of the home folder.
    pub(super) fn home(&self, name: &str) -> Option<String> {
        self.place.home().map(|home| format!("{}/{name}", home.trim_end_matches('/')))
    }

    /// The session's own folder in it.
    pub(super) fn folder(&self, name: &str) -> Option<String> {
        self.home(name).map(|folder| format!("{folder}/{}", self.id.token()))
    }

    /// Commits what an event does to its session. `reads`: whether logs are read for it.
    pub(super) async fn take(
        &self,
        engine: &Engine<S::Host>,
        spooled: &Spooled,
        decisions: &Decisions,
        reads: bool,
    ) -> Result<Taken, Failure> {
        let project = project(&spooled.event);
        let named = HookOptions { event: Some(spooled.id.clone()), project, at: Some(spooled.at) };
        let mut read = Ok(());
        let step = match &decisions.step {
            Move::Seen => {
                let unnamed = HookOptions { event: None, ..named };
                let outcome = engine.hook(self.id, &HookStep::Seen, &unnamed).await?;
                return Ok(Taken { outcome, read });
            }
            Move::Start(told) => HookStep::Started(*told),
            Move::Prompt { text, .. } => HookStep::Prompt(text.clone()),
            Move::Compacting => {
                let (context, outcome) = self.context(engine, &named, decisions, reads).await?;
                read = outcome;
                HookStep::Compacting(context)
            }
            Move::End => HookStep::Ended,
            Move::Clear => HookStep::Cleared,
        };
        Ok(Taken { outcome: engine.hook(self.id, &step, &named).await?, read })
    }

    /// What the session works on, for the checkpoint before a compaction, and whether its log could be read:
    /// without it there is still a checkpoint, of what was known before.
    async fn context(
        &self,
        engine: &Engine<S::Host>,
        options: &HookOptions,
        decisions: &Decisions,
        reads: bool,
    ) -> Result<(Option<String>, Result<(), Failure>), Failure> {
        // First, so that the prompts of the log do not count.
        let unnamed = HookOptions { event: None, ..options.clone() };
        let seen = engine.hook(self.id, &HookStep::Seen, &unnamed).await?;
        let Some(log) = decisions.logs.first().filter(|_| reads) else { return Ok((None, Ok(()))) };
        let (glimpse, read) = self.read_on(engine, options.project.clone(), log).await;
        Ok((glimpse.text(seen.cleared_at), read))
    }

    /// Tells the session what it is to be told, once. Said is what was written and flushed: a process that ends
    /// before that says it again with the next event that can.
    pub(super) async fn tell(
        &self,
        engine: &Engine<S::Host>,
        event: &Event,
        owed: Told,
    ) -> Result<(), Failure> {
        let whose = if owed == Told::Session { Whose::Own } else { Whose::Others };
        let (session, project) = (Some(self.id.clone()), project(event));
        let request = RecoverRequest { session, whose, project, ..RecoverRequest::default() };
        match engine.offering(self.id, &request).await? {
            Offering::Offered => return Ok(()),
            Offering::Nothing => {}
            Offering::Offer(offer) => {
                let checkpoint = offer.recovered.checkpoint.id;
                let whole = engine.redactor().clean(&self.place.show(checkpoint.as_str()));
                let text = fit(&[Section { text: offer.recovered.recovery.text, whole }]);
                if let Some(answer) = self.adapter.answer(event, &text) {
                    let written = self.surroundings.write(format!("{answer}\n").as_bytes()).await;
                    written.map_err(|fault| Failure::untold(&fault))?;
                    engine.delivered(self.id, &checkpoint).await?;
                }
            }
        }
        engine.hook(self.id, &HookStep::Told, &HookOptions::default()).await?;
        Ok(())
    }

    /// What is due of this session, then of others for a moment.
    pub(super) async fn attend(&self, engine: &Engine<S::Host>, event: &Event) -> Result<(), Failure> {
        let subagent = event.subagent.is_some();
        let started = self.surroundings.elapsed_millis();
        let go_on = || self.surroundings.elapsed_millis().saturating_sub(started) < OTHERS_MILLIS;
        engine.attend(self.id, subagent, go_on).await.failed.map_or(Ok(()), |error| Err(error.into()))
    }
}

pub(super) fn project(event: &Event) -> Option<Project> {
    event.project.as_deref().and_then(Project::new)
}
