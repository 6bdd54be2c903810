use super::{
    Answer,
    args::{Format, Global, Prompt},
    error::CliError,
    line::one_line,
    output::{Output, Table},
    store::{CliEngine, Place},
};
use pollster::block_on;
use std::{collections::BTreeMap, fs, path::Path};
use throughline_core::{
    json::{self, canonical},
    prompt::{Body, Diagnostic, Message, Prompt as Assembled, Request, ResultContent},
    render, text,
};

/// How much of a message is shown to people, in characters.
const SHOWN: usize = 60;

pub(super) fn run(
    command: &Prompt,
    global: &Global,
    place: &Place,
    output: &mut Output,
) -> Result<Answer, CliError> {
    let engine = place.engine()?;
    let request = match &command.request {
        Some(file) => read_request(&engine, file)?,
        None => Request::default(),
    };
    let (harness, agent) = (global.harness.as_deref(), global.agent.as_deref());
    let session = block_on(engine.find_session(&command.session, harness, agent))?;
    let prompt = block_on(engine.prompt(&session, &request))?;
    match command.format {
        Some(Format::Anthropic) => {
            let rendered = render::anthropic(&prompt, &render::Options::default());
            remark(&rendered.diagnostics, output);
            output.text(&(canonical(&rendered.body) + "\n"))?;
        }
        None if output.is_json() => output.text(&(prompt.json_text() + "\n"))?,
        None => describe(&prompt, output)?,
    }
    Ok(Answer::Yes)
}

fn read_request(engine: &CliEngine, file: &Path) -> Result<Request, CliError> {
    let at = |error: CliError| error.at(file.display().to_string());
    let text = fs::read_to_string(file).map_err(|error| CliError::input(file, &error))?;
    let value = json::parse(&text).map_err(|error| at(CliError::usage(error.code(), error.to_string())))?;
    Request::from_json(&value, engine.redactor())
        .map_err(|error| at(CliError::usage(error.code(), error.to_string())))
}

/// The prompt for people: what it stands on, then a line for each message.
fn describe(prompt: &Assembled, output: &mut Output) -> Result<(), CliError> {
    let boundary = prompt.boundary.as_ref().map_or("none", |boundary| boundary.as_str());
    output.text(&format!(
        "fingerprint  {}\ntail hash    {}\nboundary     {boundary}\nstable       {} of {} messages\n\n",
        prompt.fingerprint,
        prompt.tail_hash,
        prompt.stable_len,
        prompt.messages.len(),
    ))?;
    let mut table = Table::new(&["#no", "role", "#parts", "content"]);
    for (number, message) in (1..).zip(&prompt.messages) {
        let number: usize = number;
        let parts = message.parts.len().to_string();
        table.row(vec![number.to_string(), message.role.as_str().into(), parts, first(message)]);
    }
    output.table(&table)?;
    remark(&prompt.diagnostics, output);
    Ok(())
}

/// Each remark once, with how often it was made.
fn remark(notes: &[Diagnostic], output: &mut Output) {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for note in notes {
        *counts.entry((note.code, &note.message)).or_default() += 1;
    }
    for ((code, message), count) in counts {
        let times = if count == 1 { String::new() } else { format!(" ({count} times)") };
        output.remark(&format!("{code}: {message}{times}"));
    }
}

/// The beginning of a message.
fn first(message: &Message) -> String {
    let shown = |shown: &str| text::clip(&one_line(shown), SHOWN).into_owned();
    match message.parts.first().map(|part| &part.body) {
        Some(Body::Text(content)) => shown(content.as_str()),
        Some(Body::Thinking { text, .. }) => shown(&format!("(thinking) {text}")),
        Some(Body::ToolCall { name, arguments, .. }) => shown(&format!("{name} {}", canonical(arguments))),
        Some(Body::ToolResult { content: ResultContent::Text(content), .. }) => shown(content.as_str()),
        Some(Body::ToolResult { .. }) => "(a result of several parts)".into(),
        Some(Body::Image(_)) => "(image)".into(),
        Some(Body::Document(_)) => "(document)".into(),
        _ => String::new(),
    }
}
