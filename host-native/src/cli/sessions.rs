use super::{
    Answer,
    args::{Global, Sessions},
    error::CliError,
    output::{Output, Table, minute},
    store::{CliEngine, Place},
};
use pollster::block_on;
use serde::Serialize;
use throughline_core::{
    engine::SessionSummary,
    id::{Project, SessionId},
    model::SessionCursor,
    time::{Timestamp, minutes_text},
};

#[derive(Debug, Serialize)]
struct Listed {
    #[serde(flatten)]
    session: SessionSummary,
    /// What `--cursor` takes to go on after this session.
    cursor: String,
}

pub(super) fn run(
    command: &Sessions,
    global: &Global,
    place: &Place,
    output: &mut Output,
) -> Result<Answer, CliError> {
    let after = command.cursor.as_deref().map(read_cursor).transpose()?;
    let engine = place.engine()?;
    let (found, more) = list(&engine, global, after, command.limit)?;
    if output.is_json() {
        output.value(&found)?;
        return Ok(Answer::Yes);
    }
    if found.is_empty() {
        output.remark(&format!("no sessions in {}", place.path().display()));
        return Ok(Answer::Yes);
    }
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
    for Listed { session, .. } in &found {
        let minutes = place.now().millis_since(session.last_activity) / 60_000;
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
    output.table(&table)?;
    if let (true, Some(last)) = (more, found.last()) {
        output.remark(&format!("more: --cursor {}", last.cursor));
    }
    Ok(Answer::Yes)
}

/// Sessions of the harness, agent and project that were named, a page of the store at a time.
fn list(
    engine: &CliEngine,
    global: &Global,
    mut after: Option<SessionCursor>,
    limit: u32,
) -> Result<(Vec<Listed>, bool), CliError> {
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    let project = global.project.as_deref().and_then(Project::new);
    let named = |session: &SessionSummary| {
        let own = session.project.as_ref().and_then(|project| Project::new(project.as_str()));
        global.harness.as_ref().is_none_or(|harness| *harness == session.harness)
            && global.agent.as_ref().is_none_or(|agent| *agent == session.agent)
            && project
                .as_ref()
                .is_none_or(|project| own.is_some_and(|own| own.normalized() == project.normalized()))
    };
    let mut found = Vec::new();
    loop {
        let page = block_on(engine.sessions(limit, after))?;
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

fn cursor(session: &SessionSummary) -> Result<String, CliError> {
    let id = SessionId::new(&*session.harness, &*session.agent, &*session.session)?;
    Ok(format!("{}~{}", session.last_activity.order_key(), id.storage_key()))
}

fn read_cursor(text: &str) -> Result<SessionCursor, CliError> {
    let wrong = || {
        let message = "no cursor; accepted is the `cursor` of a session that was listed";
        CliError::usage("argument_invalid", message).at("--cursor")
    };
    let (at, key) = text.split_once('~').ok_or_else(wrong)?;
    let last_activity = Timestamp::from_order_key(at).map_err(|_| wrong())?;
    Ok(SessionCursor { last_activity, storage_key: key.into() })
}
