//! What the fuzz targets in `fuzz/` ask of any bytes. `tests/tests/fuzz_smoke.rs` asks the same of the seed
//! corpora and of random bytes, on every run.

use crate::properties::{Outcome, is_limit_of_theirs, same};
use serde_json::Value;
use throughline_core::{
    id::{Project, RowId},
    json::{Json, JsonError, Options, Reader, canonical, text},
    prompt::{Input, assemble},
    redact::Redactor,
    render::{Answered, Api, Stream, read, render},
    time::Timestamp,
};

/// A target: its name, and what it asks of its input.
pub type Target = (&'static str, fn(&[u8]) -> Outcome);

/// Every target.
pub const TARGETS: [Target; 4] =
    [("json", json), ("timestamp", timestamp), ("project", project), ("answer", answer)];

fn strict(bytes: &[u8]) -> Result<throughline_core::json::Json, JsonError> {
    let mut reader = Reader::new(bytes, Options::STRICT);
    let value = reader.value()?;
    reader.end()?;
    Ok(value)
}

/// The JSON reader: agreement with serde_json, fixed points, a lenient reader that takes what the strict one
/// does, skipping that only leaves out.
///
/// # Errors
/// What did not hold.
pub fn json(bytes: &[u8]) -> Outcome {
    let ours = strict(bytes);
    match (&ours, serde_json::from_slice::<Value>(bytes)) {
        (Ok(ours), Ok(theirs)) if !same(ours, &theirs) => {
            return Err(format!("{} is {theirs} for serde_json", text(ours)));
        }
        (Err(ours), Ok(theirs)) => return Err(format!("{theirs} is refused: {ours}")),
        (Ok(ours), Err(theirs)) if !is_limit_of_theirs(&theirs) => {
            return Err(format!("{} is refused by serde_json: {theirs}", text(ours)));
        }
        _ => {}
    }
    let mut lenient = Reader::new(bytes, Options::LENIENT);
    let mut skipping = lenient.clone();
    let (whole, part) = (lenient.value(), skipping.object_without(&["a", ""]));
    if (lenient.position(), whole.as_ref().err()) != (skipping.position(), part.as_ref().err()) {
        return Err(format!("reading gives {whole:?}, skipping {part:?}"));
    }
    let Ok(value) = ours else { return Ok(()) };
    if lenient.repairs().total() == 0 && whole.as_ref() != Ok(&value) {
        return Err(format!("strict {value:?}, lenient {whole:?}"));
    }
    if strict(text(&value).as_bytes()).as_ref() != Ok(&value) {
        return Err(format!("the compact form of {value:?} is another value"));
    }
    let form = canonical(&value);
    let again = strict(form.as_bytes()).map_err(|error| format!("the canonical form {form}: {error}"))?;
    if canonical(&again) == form {
        Ok(())
    } else {
        Err(format!("{form} is not canonical: {}", canonical(&again)))
    }
}

/// Timestamps, one a line: what is written is read back, and order keys sort like instants.
///
/// # Errors
/// What did not hold.
pub fn timestamp(bytes: &[u8]) -> Outcome {
    let text = String::from_utf8_lossy(bytes);
    let times: Vec<Timestamp> = text.split('\n').filter_map(|line| Timestamp::parse(line).ok()).collect();
    for at in &times {
        let (written, key) = (at.to_string(), at.order_key());
        if Timestamp::parse(&written) != Ok(*at) || Timestamp::from_order_key(&key) != Ok(*at) {
            return Err(format!("{at:?} is not read back from {written} and {key}"));
        }
        let whole = Timestamp::from_unix_millis(at.unix_millis());
        if !whole.is_ok_and(|whole| whole <= *at && at.millis_since(whole) == 0) {
            return Err(format!("{written} is {} ms", at.unix_millis()));
        }
    }
    for (one, other) in times.iter().zip(times.iter().skip(1)) {
        if one.cmp(other) != one.order_key().as_bytes().cmp(other.order_key().as_bytes()) {
            return Err(format!("{one} and {other} sort otherwise by their keys"));
        }
    }
    Ok(())
}

/// Paths of projects: every text but the empty one has a normalised form, which is its own.
///
/// # Errors
/// What did not hold.
pub fn project(bytes: &[u8]) -> Outcome {
    let path = String::from_utf8_lossy(bytes);
    let Some(project) = Project::new(&path) else {
        return if path.is_empty() { Ok(()) } else { Err(format!("{path:?} is no project")) };
    };
    let once = project.normalized();
    let again = Project::new(once);
    if again.as_ref().map(Project::normalized) != Some(once) {
        return Err(format!("{path:?} becomes {once:?}, and that {again:?}"));
    }
    Ok(())
}

/// Answers of providers, an event a line; the first byte chooses the provider. Whatever comes, merging and reading
/// give the same twice, and rows of what was read go back to every provider.
///
/// # Errors
/// What did not hold.
pub fn answer(bytes: &[u8]) -> Outcome {
    let Some((first, lines)) = bytes.split_first() else { return Ok(()) };
    let api = Api::ALL[usize::from(*first) % Api::ALL.len()];
    let events: Vec<Json> = lines.split(|byte| *byte == b'\n').filter_map(|line| strict(line).ok()).collect();
    let mut stream = Stream::new(api);
    for event in &events {
        // What is refused changes nothing.
        let before = stream.clone().finish();
        if stream.push(event).is_err() && stream.clone().finish() != before {
            return Err(format!("{} is refused and yet taken", text(event)));
        }
        whole(api, event)?;
    }
    let merged = stream.clone().finish();
    if stream.finish() != merged {
        return Err("merging twice gives two answers".into());
    }
    let form = canonical(&merged.to_json());
    if strict(form.as_bytes()).is_err() && form.len() < 1000 {
        return Err(format!("what was merged is no JSON: {form}"));
    }
    whole(api, &merged.response)
}

/// Reads one answer, and sends what it becomes to every provider.
fn whole(api: Api, answer: &Json) -> Outcome {
    thread_local! {
        static REDACTOR: Redactor = Redactor::standard();
    }
    let ours = || REDACTOR.with(|redactor| read(api, answer, redactor, &[]));
    let Ok(response) = ours() else { return Ok(()) };
    if ours().as_ref() != Ok(&response) {
        return Err(format!("reading {} twice gives two answers", text(answer)));
    }
    let calls = response.calls.len();
    let mut number = 0;
    let id = || {
        number += 1;
        RowId::new(format!("r{number}")).unwrap_or_else(|error| panic!("{error}"))
    };
    let prompt = assemble(Input::default());
    let rows = response.into_rows(Answered::from(&prompt), Timestamp::EPOCH, id);
    if rows.len() != calls + 1 {
        return Err(format!("{calls} calls give {} rows", rows.len()));
    }
    let prompt = assemble(Input { rows, ..Input::default() });
    for to in Api::ALL {
        let body = render(to, &prompt, &Default::default()).body;
        if body.as_object().is_none() {
            return Err(format!("{} is no body", text(&body)));
        }
    }
    Ok(())
}
