//! What the fuzz targets in `fuzz/` ask of any bytes. `tests/tests/fuzz_smoke.rs` asks the same of the seed
//! corpora and of random bytes, on every run.

use crate::properties::{Outcome, is_limit_of_theirs, same, shape};
use serde_json::Value;
use std::sync::OnceLock;
use throughline_core::{
    compaction::{Layers, resolve},
    hook::{
        CLAUDE_CODE, Move, Spooled, decide,
        settings::{Files, install, uninstall},
    },
    id::{Project, RowId},
    json::{Json, JsonError, Options, Reader, canonical, merge, text},
    prompt::{Input, assemble},
    redact::{Finding, Redactor},
    render::{Answered, Api, Stream, read, render},
    time::Timestamp,
};

/// A target: its name, and what it asks of its input.
pub type Target = (&'static str, fn(&[u8]) -> Outcome);

/// Every target.
pub const TARGETS: [Target; 11] = [
    ("json", json),
    ("timestamp", timestamp),
    ("project", project),
    ("redact", redact),
    ("redact_chunks", redact_chunks),
    ("redact_json", redact_json),
    ("options", options),
    ("answer", answer),
    ("redact_simd", redact_simd),
    ("settings", settings),
    ("hook_event", hook_event),
];

fn strict(bytes: &[u8]) -> Result<Json, JsonError> {
    with(bytes, Options::STRICT)
}

fn with(bytes: &[u8], options: Options) -> Result<Json, JsonError> {
    let mut reader = Reader::new(bytes, options);
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

/// Layers of options, `[session, agent, config]`: what resolves is the same again and for other orders of keys,
/// holds no null and resolves to itself; each leaf is the value of the layer that is named as its origin.
///
/// # Errors
/// What did not hold.
pub fn options(bytes: &[u8]) -> Outcome {
    let Ok(Json::Array(files)) = strict(bytes) else { return Ok(()) };
    let file = |at: usize| files.get(at).unwrap_or(&Json::Null);
    let Ok(layers) = Layers::from_json(file(0), file(1), file(2)) else { return Ok(()) };
    let effective = match resolve(&layers) {
        Ok(effective) => effective,
        Err(error) if error.code() == "option_invalid" && error.path().is_some() => return Ok(()),
        Err(error) => return Err(format!("{error} has the code {}", error.code())),
    };
    let options = effective.to_json();
    let told = || text(&options);
    if merge([&options]) != options {
        return Err(format!("{} is not settled", told()));
    }
    let sorted = |json: &Json| strict(canonical(json).as_bytes()).unwrap_or(Json::Null);
    let ordered =
        Layers::from_json(&sorted(file(0)), &sorted(file(1)), &sorted(file(2))).and_then(|at| resolve(&at));
    if ordered.map(|other| canonical(&other.to_json())) != Ok(canonical(&options)) {
        return Err(format!("{} depends on the order of keys", told()));
    }
    let again =
        Layers { agent: options.clone(), session: Json::Null, traits: Vec::new(), persisted: Json::Null };
    match resolve(&again) {
        Ok(again) if merge([&again.to_json(), &options]) == again.to_json() => {}
        other => return Err(format!("{} as a layer gives {other:?}", told())),
    }
    if leaves(&options) != effective.origins().len() {
        return Err(format!("{} has other leaves than {:?}", told(), effective.origins()));
    }
    match effective.origins().keys().find(|path| effective.leaf(path).is_none()) {
        Some(path) => Err(format!("nothing stands at {path} of {}", told())),
        None => Ok(()),
    }
}

/// How many values there are that are no object with content.
fn leaves(value: &Json) -> usize {
    match value {
        Json::Object(object) => object
            .iter()
            .map(|(_, value)| match value {
                Json::Object(below) if !below.is_empty() => leaves(value),
                _ => 1,
            })
            .sum(),
        _ => 0,
    }
}

fn redactor() -> &'static Redactor {
    static STANDARD: OnceLock<Redactor> = OnceLock::new();
    STANDARD.get_or_init(Redactor::standard)
}

fn streamed<'a>(chunks: impl Iterator<Item = &'a [u8]>) -> (Vec<u8>, Vec<Finding>) {
    let (mut stream, mut out) = (redactor().stream(), Vec::new());
    chunks.for_each(|chunk| stream.push(chunk, &mut out));
    stream.finish(&mut out);
    (out, stream.take_findings())
}

/// Scrubbing any bytes: twice is as once, nothing but what is found changes, and a text is the same as its bytes.
///
/// # Errors
/// What did not hold.
pub fn redact(bytes: &[u8]) -> Outcome {
    let (out, findings) = streamed([bytes].into_iter());
    let (mut at, mut out_at) = (0, 0);
    for found in &findings {
        if bytes.get(at..found.offset) != out.get(out_at..found.out_offset) {
            return Err(format!("what stands before {found:?} changes"));
        }
        (at, out_at) = (found.offset + found.length, found.out_offset + found.out_length);
    }
    if bytes.get(at..) != out.get(out_at..) {
        return Err("what stands behind all that is found changes".into());
    }
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(()) };
    let whole = redactor().redact(text);
    if whole.text.as_str().as_bytes() != out || whole.findings != findings {
        return Err(format!(
            "as a text it is {:?}, as bytes {:?}",
            whole.text,
            String::from_utf8_lossy(&out)
        ));
    }
    let again = redactor().redact(whole.text.as_str()).text;
    if again == whole.text { Ok(()) } else { Err(format!("{:?} becomes {again:?}", whole.text)) }
}

/// Scrubbing in chunks, whose lengths are the first bytes: as the whole.
///
/// # Errors
/// What did not hold.
pub fn redact_chunks(bytes: &[u8]) -> Outcome {
    let (lengths, mut rest) = bytes.split_at(bytes.len().min(8));
    let text = rest;
    let mut chunks = Vec::new();
    for length in lengths.iter().cycle().take(rest.len().max(1)) {
        let (chunk, more) = rest.split_at(rest.len().min(usize::from(*length) + 1));
        chunks.push(chunk);
        rest = more;
    }
    let whole = streamed([text].into_iter());
    let found = streamed(chunks.into_iter().chain([rest]));
    if found == whole {
        return Ok(());
    }
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Err(format!(
        "in chunks {:?} {:?}, as a whole {:?} {:?}",
        shown(&found.0),
        found.1,
        shown(&whole.0),
        whole.1
    ))
}

/// Scrubbing JSON, as a value and as a text: JSON of the same structure, and twice as once.
///
/// # Errors
/// What did not hold.
pub fn redact_json(bytes: &[u8]) -> Outcome {
    let Ok(value) = strict(bytes) else { return Ok(()) };
    let (clean, _) = redactor().redact_json(&value);
    let again =
        strict(clean.as_str().as_bytes()).map_err(|error| format!("{clean:?} is no JSON: {error}"))?;
    if shape(&again) != shape(&value) || redactor().redact_json(&again).0 != clean {
        return Err(format!("{} becomes {clean:?}", text(&value)));
    }
    let Ok(given) = std::str::from_utf8(bytes) else { return Ok(()) };
    let clean = redactor().redact_json_text(given).map_err(|error| error.to_string())?.text;
    let again =
        strict(clean.as_str().as_bytes()).map_err(|error| format!("{clean:?} is no JSON: {error}"))?;
    if shape(&again) == shape(&value) { Ok(()) } else { Err(format!("{given:?} becomes {clean:?}")) }
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
    // It stands one level deeper than what was read.
    let deep = Options { max_depth: Options::DEPTH_LIMIT, ..Options::STRICT };
    if with(form.as_bytes(), deep).is_err() {
        return Err(format!("what was merged is no JSON: {form}"));
    }
    whole(api, &merged.response)
}

/// Reads one answer, and sends what it becomes to every provider.
fn whole(api: Api, answer: &Json) -> Outcome {
    let ours = || read(api, answer, redactor(), &[]);
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

/// The redactor: it finds the same by vectors and by plain numbers, in order and apart from each other.
///
/// # Errors
/// What did not hold.
pub fn redact_simd(bytes: &[u8]) -> Outcome {
    thread_local! {
        static BOTH: [Redactor; 2] = [Redactor::standard(), Redactor::standard().by_numbers()];
    }
    let text = String::from_utf8_lossy(bytes);
    let [vectors, numbers] = BOTH.with(|both| [0, 1].map(|n: usize| both[n].report(&text)));
    if vectors != numbers {
        return Err(format!("vectors find {vectors:?}, numbers {numbers:?}"));
    }
    let mut end = 0;
    for finding in &vectors {
        let place = finding.offset..finding.offset + finding.length;
        if place.start < end || place.is_empty() || text.get(place.clone()).is_none() {
            return Err(format!("{finding:?} after {end}"));
        }
        end = place.end;
    }
    Ok(())
}

/// Settings of a harness: installing twice is installing once, uninstalling gives the file back byte for byte, and
/// of a file that was changed since, the entries alone are taken out.
///
/// # Errors
/// What did not hold.
pub fn settings(bytes: &[u8]) -> Outcome {
    const COMMAND: &str = "/usr/bin/throughline hook";
    let before = Files { file: Some(bytes.to_vec()), ..Files::default() };
    let Ok(there) = install(&before, COMMAND) else { return Ok(()) };
    let again = install(&there.files, COMMAND).map_err(|error| format!("not read again: {error}"))?;
    if again.files != there.files {
        return Err("installing twice is another thing than once".into());
    }
    let back = uninstall(&there.files).map_err(|error| format!("not taken out: {error}"))?.files;
    let theirs = uninstall(&before).map_err(|error| format!("read once, and not twice: {error}"))?;
    if theirs.removed.is_empty() && back != before {
        return Err(format!("{bytes:?} came back as {:?}", back.file));
    }
    let edited = Files { record: None, ..there.files };
    let alone = uninstall(&edited).map_err(|error| format!("not taken out by itself: {error}"))?.files;
    let left = uninstall(&alone).map_err(|error| format!("left as no settings: {error}"))?;
    if left.removed.is_empty() { Ok(()) } else { Err("an entry is left".into()) }
}

/// An event of a hook: read or refused; what is kept of it is read again as it was kept, and holds no secret.
///
/// # Errors
/// What did not hold.
pub fn hook_event(bytes: &[u8]) -> Outcome {
    let Ok(event) = CLAUDE_CODE.read(bytes) else { return Ok(()) };
    let redactor = redactor();
    let text = redactor.clean("a text");
    let answer = CLAUDE_CODE.answer(&event, &text);
    if answer.is_some_and(|answer| serde_json::from_str::<Value>(&answer).is_err()) {
        return Err("the answer is no JSON".into());
    }
    let decisions = decide(&event);
    if event.subagent.is_some() && decisions.is_some_and(|decisions| !matches!(decisions.step, Move::Seen)) {
        return Err(format!("a sub-agent moves its session: {event:?}"));
    }
    let file = Spooled::new(event, "e", Timestamp::EPOCH).file(redactor);
    let Some(read) = Spooled::read(file.as_str()) else {
        return Err(format!("{} is no event", file.as_str()));
    };
    match read.file(redactor) {
        again if again == file => Ok(()),
        again => Err(format!("{} is kept as {}", file.as_str(), again.as_str())),
    }
}
