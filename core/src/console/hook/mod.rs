//! `hook`: one event of a harness, from standard input to its answer (`spec/hosts.md`, "Hooks").
//!
//! Whatever fails, the agent goes on: the exit status is 0, and one line on standard error says what it was. An
//! event that the store refuses waits in a file, and is taken before the next event of its session.

mod kept;
mod log;
mod spool;
mod system;
mod visit;

pub(super) use kept::{forget, prune};
pub use system::{FOREIGN, HookSystem, IRREGULAR, LINK};

use super::{
    answer::Answer,
    arguments::Call,
    failure::Failure,
    place::Place,
    surroundings::{Surroundings, whole},
};
use crate::{
    engine::Engine,
    hook::{ADAPTERS, CLAUDE_CODE, Decisions, Event, Happening, Move, Spooled, adapter, decide},
    id::{BatchId, SessionId},
};
use alloc::{format, vec::Vec};
use visit::{Taken, Visit, project};

/// How long another writer of the store is waited for, in milliseconds: a harness waits for the hook.
const PATIENCE_MILLIS: u32 = 400;

/// Takes the event on standard input.
pub(super) async fn run<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let harness = call.value("--harness").unwrap_or(CLAUDE_CODE.harness);
    let adapter = adapter(harness).ok_or_else(|| unknown(harness))?;
    let bytes = whole(surroundings, "-").await.map_err(|fault| Failure::input("-", &fault))?;
    let event = adapter.read(&bytes)?;
    let Some(decisions) = decide(&event) else { return Ok(Answer::default()) };
    let id = SessionId::new(adapter.harness, call.value("--agent").unwrap_or_default(), &event.session)?;
    let (now, entropy) = surroundings.moment(place.now());
    let file = BatchId::generate(now, entropy.first_chunk().copied().unwrap_or_default());
    let visit = Visit { surroundings, place, adapter, id: &id, now };
    let spooled = Spooled::new(event, file.as_str(), now);
    let engine = match place.open_for(surroundings, PATIENCE_MILLIS).await {
        Ok(engine) => engine,
        Err(failure) if waits(&decisions) => return Err(visit.spool(&spooled, &file, failure).await),
        Err(failure) => return Err(failure),
    };
    visit.receive(&engine, &spooled, &file, &decisions).await?;
    Ok(Answer::default())
}

impl<S: Surroundings> Visit<'_, S> {
    /// The first failure decides what is said; what does not depend on what failed is still done.
    async fn receive(
        &self,
        engine: &Engine<S::Host>,
        spooled: &Spooled,
        file: &BatchId,
        decisions: &Decisions,
    ) -> Result<(), Failure> {
        let taken = match self.replay(engine).await {
            Ok(true) => self.take(engine, spooled, decisions, true).await,
            // It comes behind those that still wait; the next event goes on.
            Ok(false) if waits(decisions) => return self.keep_for_later(spooled, file).await,
            Ok(false) => return Ok(()),
            Err(failure) => Err(failure),
        };
        let Taken { outcome, read } = match taken {
            Ok(taken) => taken,
            Err(failure) if failure.is_of_storage() && waits(decisions) => {
                return Err(self.spool(spooled, file, failure).await);
            }
            Err(failure) => return Err(failure),
        };
        let mut done = Vec::from([read]);
        if let Some(owed) = outcome.owed.filter(|_| takes_text(&spooled.event)) {
            done.push(self.tell(engine, &spooled.event, owed).await);
        }
        // Before a compaction the log was read already.
        for log in decisions.logs.iter().filter(|_| decisions.step != Move::Compacting) {
            done.push(self.read_on(engine, project(&spooled.event), log).await.1);
        }
        done.push(self.attend(engine, &spooled.event).await);
        done.into_iter().collect()
    }
}

/// Whether an event is kept for later: one that is no more than a reason to read holds nothing that the next one
/// does not read as well.
fn waits(decisions: &Decisions) -> bool {
    decisions.step != Move::Seen
}

/// Whether a text can be handed over with the answer to this event.
fn takes_text(event: &Event) -> bool {
    let takes = matches!(event.happening, Happening::Started { .. } | Happening::Prompt { .. });
    takes && event.subagent.is_none()
}

fn unknown(harness: &str) -> Failure {
    let known: Vec<&str> = ADAPTERS.iter().map(|adapter| adapter.harness).collect();
    let message = format!("hooks of `{harness}` are not known; accepted: {}", known.join(", "));
    Failure::usage("harness_unsupported", message).at("--harness <NAME>")
}
