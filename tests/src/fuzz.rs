//! What the fuzz targets in `fuzz/` ask of any bytes. `tests/tests/fuzz_smoke.rs` asks the same of the seed
//! corpora and of random bytes, on every run.

use crate::properties::{Outcome, is_limit_of_theirs, same};
use serde_json::Value;
use throughline_core::{
    compaction::{Layers, resolve},
    id::Project,
    json::{Json, JsonError, Options, Reader, canonical, merge, text},
    time::Timestamp,
};

/// A target: its name, and what it asks of its input.
pub type Target = (&'static str, fn(&[u8]) -> Outcome);

/// Every target.
pub const TARGETS: [Target; 4] =
    [("json", json), ("timestamp", timestamp), ("project", project), ("options", options)];

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
