//! What a prompt is made from, as JavaScript gives it.

use crate::{
    arguments::{Options, flag, one_of, parsed, refused, text},
    fault::Fault,
    prompt::request,
    redactor::with_standard,
    value::json_text,
};
use js_sys::Array;
use serde::{Deserialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use throughline_core::{
    id::RowId,
    model::{Boundary, ProviderData, StoredRow},
    prompt::{self, Applying, Contexts, HeldThinking, Input, Retention, Ttl, Turn, Upload},
    redact::{Clean, Redactor},
};
use wasm_bindgen::prelude::{JsCast, JsValue};

/// What is taken beside rows and their boundary.
pub const BESIDE: [&str; 8] =
    ["request", "contexts", "turn", "applying", "uploads", "held", "toolsAsGiven", "retention"];

/// Reads all of it.
///
/// # Errors
/// `argument_invalid` with a path such as `rows[3]`; `json_invalid`, `request_invalid`.
pub fn read(input: &JsValue) -> Result<Input, Fault> {
    let input = Options::of(input, "input", &[&["rows", "boundary"][..], &BESIDE].concat())?;
    with_standard(|redactor| {
        let rows_given = input.get("rows")?;
        Ok(Input {
            rows: rows(&rows_given, "rows", redactor)?,
            boundary: input.optional("boundary", |value, path| boundary(value, path, redactor))?,
            ..beside(&input, redactor)?
        })
    })
}

/// What stands beside rows and boundary: [`BESIDE`].
///
/// # Errors
/// As [`read`].
pub fn beside(input: &Options, redactor: &Redactor) -> Result<Input, Fault> {
    Ok(Input {
        request: request(input, redactor)?,
        contexts: input
            .optional("contexts", |value, path| contexts(value, path, redactor))?
            .unwrap_or_default(),
        turn: input.optional("turn", |value, path| turn(value, path, redactor))?,
        applying: input.optional("applying", applying)?,
        uploads: input.optional("uploads", |value, path| uploads(value, path, redactor))?.unwrap_or_default(),
        held: input.optional("held", |value, path| all_held(value, path, redactor))?.unwrap_or_default(),
        options: layout(input)?,
        ..Input::default()
    })
}

fn layout(input: &Options) -> Result<prompt::Options, Fault> {
    let mut options = prompt::Options::default();
    options.tools_as_given = input.optional("toolsAsGiven", flag)?.unwrap_or_default();
    options.retention = input.optional("retention", retention)?.unwrap_or_default();
    Ok(options)
}

fn retention(value: &JsValue, path: &str) -> Result<Retention, Fault> {
    let options = Options::of(value, path, &["tools", "system", "messages"])?.inside(path);
    let known = [("5m", Ttl::FiveMinutes), ("1h", Ttl::OneHour)];
    let kept = |key: &str| options.optional(key, |value, path| one_of(value, path, &known));
    Ok(Retention {
        tools: kept("tools")?.unwrap_or_default(),
        system: kept("system")?.unwrap_or_default(),
        messages: kept("messages")?.unwrap_or_default(),
    })
}

/// Rows one by one, so that an error names the one that it is in; or the JSON text of all of them.
///
/// # Errors
/// `argument_invalid`.
pub fn rows(value: &JsValue, path: &str, redactor: &Redactor) -> Result<Vec<StoredRow>, Fault> {
    let kept: Vec<StoredRow<String>> = if value.is_string() {
        parsed(value, path, "an array of stored rows")?
    } else if Array::is_array(value) {
        let rows = value.unchecked_ref::<Array>().iter().enumerate();
        rows.map(|(index, row)| parsed(&row, &format!("{path}[{index}]"), "a stored row"))
            .collect::<Result<_, _>>()?
    } else {
        return Err(refused(value, path, "an array of stored rows, or its JSON text"));
    };
    Ok(kept.into_iter().map(|row| row.restore(redactor)).collect())
}

/// One row.
///
/// # Errors
/// `argument_invalid`.
pub fn row(value: &JsValue, path: &str, redactor: &Redactor) -> Result<StoredRow, Fault> {
    Ok(parsed::<StoredRow<String>>(value, path, "a stored row")?.restore(redactor))
}

/// A compaction boundary.
///
/// # Errors
/// `argument_invalid`.
pub fn boundary(value: &JsValue, path: &str, redactor: &Redactor) -> Result<Boundary, Fault> {
    Ok(parsed::<Boundary<String>>(value, path, "a boundary")?.restore(redactor))
}

/// What the session knows beside its rows: `{named?, memory?}`.
///
/// # Errors
/// `argument_invalid`.
pub fn contexts(value: &JsValue, path: &str, redactor: &Redactor) -> Result<Contexts, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Given {
        #[serde(default)]
        named: BTreeMap<String, String>,
        memory: Option<String>,
    }
    let given: Given = parsed(value, path, "contexts")?;
    Ok(Contexts {
        named: given.named.into_iter().map(|(name, text)| (name, redactor.clean(&text))).collect(),
        memory: given.memory.map(|text| redactor.clean(&text)),
    })
}

/// The running turn: `{opening, note?}`, both rows.
///
/// # Errors
/// `argument_invalid`.
pub fn turn(value: &JsValue, path: &str, redactor: &Redactor) -> Result<Turn, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Given {
        opening: StoredRow<String>,
        note: Option<StoredRow<String>>,
    }
    let given: Given = parsed(value, path, "a turn")?;
    Ok(Turn { opening: given.opening.restore(redactor), note: given.note.map(|note| note.restore(redactor)) })
}

fn applying(value: &JsValue, path: &str) -> Result<Applying, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Given {
        rows: Vec<RowId>,
        after: Option<RowId>,
    }
    let given: Given = parsed(value, path, "steering that is applied")?;
    Ok(Applying { rows: given.rows, after: given.after })
}

/// What is known of uploads, by id: `{name?, media_type?, size?}`.
///
/// # Errors
/// `argument_invalid`.
pub fn uploads(value: &JsValue, path: &str, redactor: &Redactor) -> Result<BTreeMap<String, Upload>, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Given {
        name: Option<String>,
        media_type: Option<String>,
        size: Option<u64>,
    }
    let given: BTreeMap<String, Given> = parsed(value, path, "uploads by id")?;
    let clean = |text: Option<String>| -> Option<Clean> { text.map(|text| redactor.clean(&text)) };
    let known = |given: Given| Upload {
        name: clean(given.name),
        media_type: clean(given.media_type),
        size: given.size,
    };
    Ok(given.into_iter().map(|(id, given)| (id, known(given))).collect())
}

/// Thinking that is in memory alone, as an answer has it. What is refused is not repeated: it may hold a secret.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Held {
    block: usize,
    pieces: Vec<String>,
    provider_data: ProviderData<String>,
}

impl Held {
    fn restore(self, redactor: &Redactor) -> HeldThinking {
        let Self { block, pieces, provider_data } = self;
        HeldThinking { block, pieces, provider_data: provider_data.restore(redactor) }
    }
}

fn unread<T: DeserializeOwned>(value: &JsValue, path: &str, accepted: &str) -> Result<T, Fault> {
    let text = json_text(value).map_err(|_| refused(value, path, accepted))?;
    serde_json::from_str(&text)
        .map_err(|_| Fault::new("argument_invalid", format!("`{path}` does not read as {accepted}")).at(path))
}

/// The held thinking of one answer: `[{block, pieces, provider_data}]`.
///
/// # Errors
/// `argument_invalid`, which repeats nothing of it.
pub fn held(value: &JsValue, path: &str, redactor: &Redactor) -> Result<Vec<HeldThinking>, Fault> {
    let given: Vec<Held> = unread(value, path, "the held thinking of an answer")?;
    Ok(given.into_iter().map(|held| held.restore(redactor)).collect())
}

/// The held thinking of answers, by their rows.
fn all_held(
    value: &JsValue,
    path: &str,
    redactor: &Redactor,
) -> Result<BTreeMap<RowId, Vec<HeldThinking>>, Fault> {
    let given: BTreeMap<RowId, Vec<Held>> = unread(value, path, "held thinking by its row")?;
    let restored = |held: Vec<Held>| held.into_iter().map(|held| held.restore(redactor)).collect();
    Ok(given.into_iter().map(|(row, held)| (row, restored(held))).collect())
}

/// The id of a row.
///
/// # Errors
/// `identifier_invalid`.
pub fn row_id(value: &JsValue, path: &str) -> Result<RowId, Fault> {
    RowId::new(text(value, path)?).map_err(|error| Fault::new(error.code(), error.to_string()).at(path))
}

/// Ids of rows.
///
/// # Errors
/// `argument_invalid`, `identifier_invalid`.
pub fn row_ids(value: &JsValue, path: &str) -> Result<Vec<RowId>, Fault> {
    if !Array::is_array(value) {
        return Err(refused(value, path, "an array of row ids"));
    }
    let ids = value.unchecked_ref::<Array>().iter().enumerate();
    ids.map(|(index, id)| row_id(&id, &format!("{path}[{index}]"))).collect()
}
