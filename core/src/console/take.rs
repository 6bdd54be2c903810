use super::{
    answer::Answer,
    arguments::Call,
    failure::Failure,
    place::Place,
    surroundings::{Surroundings, whole},
};
use crate::{
    engine::{CheckpointRequest, Skipped},
    model::Trigger,
};
use alloc::{format, string::String};

/// Takes a checkpoint. The process ends with the command, so what it queued is written as well.
pub(super) async fn run<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let Some(trigger) = call.value("--trigger").and_then(Trigger::parse) else {
        let message = "--trigger <T> is missing; see `throughline checkpoint --help`";
        return Err(Failure::usage("argument_missing", message).at("--trigger <T>"));
    };
    let context = match call.value("--context") {
        Some(file) => Some(text(surroundings, file).await?),
        None => None,
    };
    let engine = place.open(surroundings).await?;
    let key = call.word().unwrap_or_default();
    let session = engine.find_session(key, call.value("--harness"), call.value("--agent")).await?;
    let note = call.value("--note").map(String::from);
    let request = CheckpointRequest { context, note, ..trigger.into() };
    let mut outcome = engine.take_checkpoint(&session, request).await?;
    if outcome.reason == Some(Skipped::Queued)
        && let Some(written) = engine.flush_session(&session).await?.into_iter().next()
    {
        (outcome.id, outcome.written, outcome.reason) = (Some(written), true, None);
    }
    if call.json() {
        return Answer::json(&outcome);
    }
    Ok(match (&outcome.id, outcome.reason) {
        (Some(id), None) => Answer::text(format!("{id}\n")),
        (_, reason) => {
            let reason = reason.map_or("nothing_new", Skipped::as_str);
            Answer::default().remark(&format!("no checkpoint was written: {reason}"))
        }
    })
}

async fn text<S: Surroundings>(surroundings: &S, file: &str) -> Result<String, Failure> {
    let bytes = whole(surroundings, file).await.map_err(|fault| Failure::input(file, &fault))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
