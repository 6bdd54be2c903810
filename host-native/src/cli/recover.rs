use super::{
    Answer,
    args::{Global, Recover},
    error::CliError,
    output::Output,
    store::Place,
};
use pollster::block_on;
use serde::Serialize;
use throughline_core::{
    checkpoint::LeftOut,
    engine::{EngineError, RecoverRequest, Recovered},
    id::Project,
};

/// The answer, found or not.
#[derive(Debug, Default, Serialize)]
struct Answered {
    found: bool,
    session: Option<String>,
    checkpoint: Option<String>,
    chars: usize,
    text: String,
    left_out: LeftOut,
}

impl From<Recovered> for Answered {
    fn from(found: Recovered) -> Self {
        Self {
            found: true,
            session: Some(found.session.key().into()),
            checkpoint: Some(found.checkpoint.id.as_str().into()),
            chars: found.recovery.chars,
            left_out: found.recovery.left_out,
            text: found.recovery.text.into_string(),
        }
    }
}

pub(super) fn run(
    command: &Recover,
    global: &Global,
    place: &Place,
    output: &mut Output,
) -> Result<Answer, CliError> {
    let engine = place.engine()?;
    let session = match &command.session {
        Some(key) => {
            match block_on(engine.find_session(key, global.harness.as_deref(), global.agent.as_deref())) {
                // A new session of a known project goes on from the project.
                Err(EngineError::SessionUnknown { .. }) if global.project.is_some() => None,
                Err(EngineError::SessionUnknown { .. }) => return answer(Answered::default(), output),
                found => Some(found?),
            }
        }
        None => None,
    };
    let request = RecoverRequest {
        session,
        project: global.project.as_deref().and_then(Project::new),
        harness: global.harness.clone(),
        agent: global.agent.clone(),
        budget: command.budget.and_then(|budget| usize::try_from(budget).ok()),
    };
    let found = block_on(engine.recover(&request))?;
    answer(found.map(Answered::from).unwrap_or_default(), output)
}

fn answer(answered: Answered, output: &mut Output) -> Result<Answer, CliError> {
    if output.is_json() {
        output.value(&answered)?;
    } else if answered.found {
        output.text(&format!("{}\n", answered.text))?;
    } else {
        output.remark("nothing to recover");
    }
    Ok(if answered.found { Answer::Yes } else { Answer::No })
}
