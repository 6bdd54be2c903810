use super::{
    answer::Answer, arguments::Call, failure::Failure, line::minute, place::Place,
    surroundings::Surroundings, table::Table,
};
use crate::{
    engine::{Engine, SessionSummary},
    host::{Clock, Host},
    id::{Project, SessionId},
    model::SessionCursor,
    time::{Timestamp, minutes_text},
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::ops::RangeInclusive;
use serde::Serialize;

/// How many entries a list may have.
pub(super) const LIMITS: RangeInclusive<u32> = 1..=1000;

#[derive(Debug, Serialize)]
struct Listed {
    #[serde(flatten)]
    session: SessionSummary,
    /// What `--cursor` takes to go on after this session.
    cursor: String,
}

pub(super) async fn run<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let limit = call.number("--limit", LIMITS)?.unwrap_or(50);
    let after = call.value("--cursor").map(read_cursor).transpose()?;
    let engine = place.open(surroundings).await?;
    let (found, more) = list(&engine, call, place.project(), after, limit).await?;
    if call.json() {
        return Answer::json(&found);
    }
    if found.is_empty() {
        return Ok(Answer::default().remark(&format!("no sessions in {}", place.store())));
    }
    let answer = Answer::table(&table(&found, engine.host().clock().now()));
    Ok(match found.last() {
        Some(last) if more => answer.remark(&format!("more: --cursor {}", last.cursor)),
        _ => answer,
    })
}

fn table(found: &[Listed], now: Timestamp) -> Table {
    let mut table = Table::new(&[
        "session",
        "harness",
        "agent",
        "last activity",
        "ago",
        "#messages",
        "#checkpoints",
        "status",
        "project",
    ]);
    for Listed { session, .. } in found {
        let minutes = now.millis_since(session.last_activity) / 60_000;
        table.row(vec![
            session.session.clone(),
            session.harness.clone(),
            if session.agent.is_empty() { "-".into() } else { session.agent.clone() },
            minute(session.last_activity),
            minutes_text(minutes),
            session.messages.to_string(),
            session.checkpoints.to_string(),
            session.status.into(),
            session.project.as_ref().map_or("-", |project| project.as_str()).into(),
        ]);
    }
    table
}

/// Sessions of the harness, agent and project that were named, a page of the store at a time.
async fn list<H: Host>(
    engine: &Engine<H>,
    call: &Call,
    project: Option<&str>,
    mut after: Option<SessionCursor>,
    limit: u32,
) -> Result<(Vec<Listed>, bool), Failure> {
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    let project = project.and_then(Project::new);
    let named = |session: &SessionSummary| {
        let own = session.project.as_ref().and_then(|project| Project::new(project.as_str()));
        call.value("--harness").is_none_or(|harness| harness == session.harness)
            && call.value("--agent").is_none_or(|agent| agent == session.agent)
            && project
                .as_ref()
                .is_none_or(|project| own.is_some_and(|own| own.normalized() == project.normalized()))
    };
    // Of a page that is looked through for some, few may be left.
    let filtered = project.is_some() || call.has("--harness") || call.has("--agent");
    let length = if filtered { *LIMITS.end() } else { limit };
    let mut found = Vec::new();
    loop {
        let page = engine.sessions(length, after).await?;
        for session in page.sessions.into_iter().filter(|session| named(session)) {
            if found.len() == wanted {
                return Ok((found, true));
            }
            let cursor = cursor(&session)?;
            found.push(Listed { session, cursor });
        }
        match page.next {
            Some(_) if found.len() == wanted => return Ok((found, true)),
            Some(next) => after = Some(next),
            None => return Ok((found, false)),
        }
    }
}

fn cursor(session: &SessionSummary) -> Result<String, Failure> {
    let id = SessionId::new(&*session.harness, &*session.agent, &*session.session)?;
    Ok(format!("{}~{}", session.last_activity.order_key(), id.storage_key()))
}

fn read_cursor(text: &str) -> Result<SessionCursor, Failure> {
    let wrong = || {
        let message = "no cursor; accepted is the `cursor` of a session that was listed";
        Failure::usage("argument_invalid", message).at("--cursor")
    };
    let (at, key) = text.split_once('~').ok_or_else(wrong)?;
    let last_activity = Timestamp::from_order_key(at).map_err(|_| wrong())?;
    Ok(SessionCursor { last_activity, storage_key: key.into() })
}
