use super::{
    answer::Answer, arguments::Call, failure::Failure, hook, line::count, place::Place,
    surroundings::Surroundings,
};
use crate::engine::{Pruned, Removed};
use alloc::{format, vec::Vec};
use serde::Serialize;

/// What went; a command fills what it removes.
#[derive(Debug, Default, Serialize)]
struct Gone {
    checkpoints: u64,
    drafts: u64,
    states: u64,
    deliveries: u64,
    messages: u64,
    transcripts: u64,
    artifacts: u64,
    files: u64,
}

impl From<Pruned> for Gone {
    fn from(pruned: Pruned) -> Self {
        let Pruned { checkpoints, drafts, states, deliveries } = pruned;
        Self { checkpoints, drafts, states, deliveries, ..Self::default() }
    }
}

impl From<Removed> for Gone {
    fn from(removed: Removed) -> Self {
        let Removed { checkpoints, drafts, messages } = removed;
        Self { checkpoints, drafts, messages, ..Self::default() }
    }
}

pub(super) async fn run<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let engine = place.open(surroundings).await?;
    let gone: Gone = if call.command() == "prune" {
        let pruned = Gone::from(engine.prune().await?);
        let days = engine.policy().continuity.retention_days;
        Gone { files: hook::prune(place, surroundings, days).await, ..pruned }
    } else {
        let key = call.word().unwrap_or_default();
        let session = engine.find_session(key, call.value("--harness"), call.value("--agent")).await?;
        if call.command() == "clear" {
            engine.clear(&session).await?.into()
        } else {
            let gone = Gone::from(engine.forget(&session).await?);
            Gone { files: hook::forget(place, surroundings, &session).await, ..gone }
        }
    };
    if call.json() {
        return Answer::json(&gone);
    }
    let parts = [
        (gone.checkpoints, "checkpoint", "checkpoints"),
        (gone.drafts, "pending draft", "pending drafts"),
        (gone.states, "continuity state", "continuity states"),
        (gone.deliveries, "delivery record", "delivery records"),
        (gone.messages, "message", "messages"),
        (gone.files, "file", "files"),
    ];
    let said: Vec<_> = parts
        .into_iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, many)| count(usize::try_from(number).unwrap_or(usize::MAX), one, many))
        .collect();
    let said = if said.is_empty() { "nothing".into() } else { said.join(", ") };
    Ok(Answer::text(format!("removed: {said}\n")))
}
