use super::{
    answer::Answer,
    arguments::Call,
    explained,
    failure::Failure,
    line::one_line,
    place::Place,
    surroundings::{Surroundings, whole},
    table::Table,
};
use crate::{
    json::{self, canonical},
    prompt::{Body, Diagnostic, Message, Prompt, Request, ResultContent},
    redact::Redactor,
    render::{self, Api},
    text::clip,
};
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

/// How much of a message is shown to people, in characters.
const SHOWN: usize = 60;

pub(super) async fn run<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let engine = place.open(surroundings).await?;
    let request = match call.value("--request") {
        Some(file) => {
            let bytes = whole(surroundings, file).await.map_err(|fault| Failure::input(file, &fault))?;
            request(engine.redactor(), bytes).map_err(|failure| failure.at(file))?
        }
        None => Request::default(),
    };
    let key = call.word().unwrap_or_default();
    let session = engine.find_session(key, call.value("--harness"), call.value("--agent")).await?;
    let prompt = engine.prompt(&session, &request).await?;
    Ok(if let Some(api) = call.value("--format").and_then(Api::parse) {
        let rendered = render::render(api, &prompt, &render::Options::default());
        let answer = Answer::text(format!("{}\n", canonical(&rendered.body)));
        let answer = if call.has("--explain") { remarks(answer, &prompt.diagnostics) } else { answer };
        if call.json() { answer } else { remarks(answer, &rendered.diagnostics) }
    } else if call.json() && call.has("--explain") {
        Answer::text(format!("{}\n", canonical(&explained::json(&prompt))))
    } else if call.json() {
        Answer::text(format!("{}\n", prompt.json_text()))
    } else if call.has("--explain") {
        Answer::text(format!("{}\n{}", described(&prompt), explained::lines(&prompt)))
    } else {
        remarks(Answer::text(described(&prompt)), &prompt.diagnostics)
    })
}

fn request(redactor: &Redactor, bytes: Vec<u8>) -> Result<Request, Failure> {
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::usage("request_invalid", "a request is UTF-8 text with one JSON object"))?;
    Ok(Request::from_json(&json::parse(&text)?, redactor)?)
}

/// The prompt for people: what it stands on, then a line for each message.
fn described(prompt: &Prompt) -> String {
    let boundary = prompt.boundary.as_ref().map_or("none", |boundary| boundary.as_str());
    let mut table = Table::new(&["#no", "role", "#parts", "content"]);
    for (number, message) in (1_usize..).zip(&prompt.messages) {
        let parts = message.parts.len().to_string();
        table.row(vec![number.to_string(), message.role.as_str().into(), parts, first(message)]);
    }
    format!(
        "fingerprint  {}\ntail hash    {}\nboundary     {boundary}\nstable       {} of {} messages\n\n{table}",
        prompt.fingerprint,
        prompt.tail_hash,
        prompt.stable_len,
        prompt.messages.len(),
    )
}

/// Each remark once, with how often it was made.
fn remarks(mut answer: Answer, notes: &[Diagnostic]) -> Answer {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for note in notes {
        let count = counts.entry((note.code, &note.message)).or_default();
        *count = count.saturating_add(1);
    }
    for ((code, message), count) in counts {
        let times = if count == 1 { String::new() } else { format!(" ({count} times)") };
        answer = answer.remark(&format!("{code}: {message}{times}"));
    }
    answer
}

/// The beginning of a message.
fn first(message: &Message) -> String {
    let shown = |shown: &str| clip(&one_line(shown), SHOWN).into_owned();
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
