use super::{
    answer::Answer,
    arguments::Call,
    failure::{Failure, NOT_SO},
    place::Place,
    surroundings::Surroundings,
};
use crate::{
    checkpoint::LeftOut,
    engine::{EngineError, RecoverRequest, Recovered, Whose},
    id::Project,
};
use alloc::{format, string::String};
use serde::Serialize;

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

pub(super) async fn run<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let budget = call.number("--budget", 200..=10_000)?;
    let engine = place.open(surroundings).await?;
    let session = match call.value("--session") {
        Some(key) => match engine.find_session(key, call.value("--harness"), call.value("--agent")).await {
            // A new session of a known project goes on from the project.
            Err(EngineError::SessionUnknown { .. }) if call.has("--project") => None,
            Err(EngineError::SessionUnknown { .. }) => return answer(call, &Answered::default()),
            found => Some(found?),
        },
        None => None,
    };
    let request = RecoverRequest {
        session,
        whose: Whose::default(),
        project: place.project().and_then(Project::new),
        harness: call.value("--harness").map(String::from),
        agent: call.value("--agent").map(String::from),
        budget: budget.and_then(|budget| usize::try_from(budget).ok()),
    };
    let found = engine.recover(&request).await?;
    answer(call, &found.map(Answered::from).unwrap_or_default())
}

fn answer(call: &Call, answered: &Answered) -> Result<Answer, Failure> {
    let answer = if call.json() {
        Answer::json(answered)?
    } else if answered.found {
        Answer::text(format!("{}\n", answered.text))
    } else {
        Answer::default().remark("nothing to recover")
    };
    Ok(if answered.found { answer } else { answer.exit(NOT_SO) })
}
