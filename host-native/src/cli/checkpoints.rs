use super::{
    Answer,
    args::{Checkpoints, Global, Show},
    error::CliError,
    output::{Output, Table, minute},
    store::Place,
};
use pollster::block_on;
use throughline_core::id::CheckpointId;

pub(super) fn list(
    command: &Checkpoints,
    global: &Global,
    place: &Place,
    output: &mut Output,
) -> Result<Answer, CliError> {
    let engine = place.engine()?;
    let session = match &command.session {
        Some(key) => {
            let (harness, agent) = (global.harness.as_deref(), global.agent.as_deref());
            Some(block_on(engine.find_session(key, harness, agent))?)
        }
        None => None,
    };
    let found = block_on(engine.checkpoints(session.as_ref(), command.limit))?;
    if output.is_json() {
        output.value(&found)?;
        return Ok(Answer::Yes);
    }
    if found.is_empty() {
        output.remark("no checkpoints");
        return Ok(Answer::Yes);
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
    output.table(&table)?;
    Ok(Answer::Yes)
}

pub(super) fn show(command: &Show, place: &Place, output: &mut Output) -> Result<Answer, CliError> {
    let id = CheckpointId::parse(&command.id).map_err(|error| CliError::from(error).at("ID"))?;
    let checkpoint = block_on(place.engine()?.checkpoint(&id))?;
    if output.is_json() {
        output.value(&checkpoint)?;
    } else {
        output.text(&format!("{}\n", checkpoint.digest))?;
    }
    Ok(Answer::Yes)
}
