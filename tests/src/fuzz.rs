//! What the fuzz targets in `fuzz/` ask of any bytes. `tests/tests/fuzz_smoke.rs` asks the same of the seed
//! corpora and of random bytes, on every run.

use crate::properties::{Outcome, is_limit_of_theirs, same};
use serde_json::Value;
use throughline_core::{
    id::Project,
    json::{JsonError, Options, Reader, canonical, text},
    redact::Redactor,
    time::Timestamp,
};

/// A target: its name, and what it asks of its input.
pub type Target = (&'static str, fn(&[u8]) -> Outcome);

/// Every target.
pub const TARGETS: [Target; 4] =
    [("json", json), ("timestamp", timestamp), ("project", project), ("redact_simd", redact_simd)];

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
