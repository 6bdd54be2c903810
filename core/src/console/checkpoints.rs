use super::{
    answer::Answer, arguments::Call, failure::Failure, line::minute, place::Place, sessions::LIMITS,
    surroundings::Surroundings, table::Table,
};
use crate::id::CheckpointId;
use alloc::{format, string::ToString, vec};

pub(super) async fn list<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let limit = call.number("--limit", LIMITS)?.unwrap_or(50);
    let engine = place.open(surroundings).await?;
    let session = match call.word() {
        Some(key) => Some(engine.find_session(key, call.value("--harness"), call.value("--agent")).await?),
        None => None,
    };
    let found = engine.checkpoints(session.as_ref(), limit).await?;
    if call.json() {
        return Answer::json(&found);
    }
    if found.is_empty() {
        return Ok(Answer::default().remark("no checkpoints"));
    }
    let mut table = Table::new(&["id", "session", "#seq", "trigger", "created", "#prompts", "#digest"]);
    for checkpoint in found {
        table.row(vec![
            checkpoint.id.as_str().into(),
            checkpoint.session,
            checkpoint.seq.to_string(),
            checkpoint.trigger.as_str().into(),
            minute(checkpoint.created_at),
            checkpoint.prompt_count.to_string(),
            checkpoint.digest_chars.to_string(),
        ]);
    }
    Ok(Answer::table(&table))
}

pub(super) async fn show<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let id = CheckpointId::parse(call.word().unwrap_or_default())
        .map_err(|error| Failure::from(error).at("ID"))?;
    let engine = place.open(surroundings).await?;
    let checkpoint = engine.checkpoint(&id).await?;
    if call.json() {
        return Answer::json(&checkpoint);
    }
    Ok(Answer::text(format!("{}\n", checkpoint.digest)))
}
