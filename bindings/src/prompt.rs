//! Prompts: what the agent brings, the form that is wanted, and assembly from rows that a host kept.

use crate::{
    arguments::{Options, flag, one_of, parsed, refused, whole},
    fault::Fault,
    redactor::with_standard,
    value::json_text,
};
use js_sys::Array;
use throughline_core::{
    json,
    model::{Boundary, StoredRow},
    prompt::{Input, Prompt, Request, assemble},
    redact::Redactor,
    render,
};
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};

/// The options that say in which form a prompt is wanted.
const FORM: [&str; 3] = ["format", "cacheMarkers", "defaultMaxTokens"];

/// The form in which a prompt is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Neutral,
    Anthropic,
}

/// A form with its options.
#[derive(Debug)]
pub struct Form {
    format: Format,
    options: render::Options,
}

impl Form {
    fn of(options: &Options) -> Result<Self, Fault> {
        let formats = [("neutral", Format::Neutral), ("anthropic", Format::Anthropic)];
        let format = options.optional("format", |value, path| one_of(value, path, &formats))?;
        let mut chosen = render::Options::default();
        if let Some(markers) = options.optional("cacheMarkers", flag)? {
            chosen.cache_markers = markers;
        }
        let tokens = |value: &_, path: &_| whole(value, path, 1..=u32::MAX);
        if let Some(tokens) = options.optional("defaultMaxTokens", tokens)? {
            chosen.default_max_tokens = tokens.into();
        }
        Ok(Self { format: format.unwrap_or(Format::Neutral), options: chosen })
    }

    /// The prompt as JSON text with sorted keys: neutral, or the provider's request body.
    #[must_use]
    pub fn text(&self, prompt: &Prompt) -> String {
        match self.format {
            Format::Neutral => prompt.json_text(),
            Format::Anthropic => json::canonical(&render::anthropic(prompt, &self.options).body),
        }
    }
}

/// The options of an engine's `prompt`: what the agent brings, and the form.
///
/// # Errors
/// `argument_invalid`, `json_invalid`, and `request_invalid` with a path such as `request.tools[2].name`.
pub fn wanted(options: &JsValue, redactor: &Redactor) -> Result<(Request, Form), Fault> {
    let known = ["request", FORM[0], FORM[1], FORM[2]];
    let options = Options::of(options, "options", &known)?;
    Ok((request(&options, redactor)?, Form::of(&options)?))
}

pub(crate) fn request(options: &Options, redactor: &Redactor) -> Result<Request, Fault> {
    let read = |value: &JsValue, path: &str| {
        let text = json_text(value).map_err(|found| {
            Fault::new("argument_invalid", format!("`{path}` is {found}, but must be an object")).at(path)
        })?;
        let json = json::parse(&text)
            .map_err(|error| Fault::new(error.code(), format!("`{path}`: {error}")).at(path))?;
        Request::from_json(&json, redactor).map_err(|error| {
            let place = if error.path() == path { path.into() } else { format!("{path}.{}", error.path()) };
            Fault::new(error.code(), error.to_string()).at(place)
        })
    };
    Ok(options.optional("request", read)?.unwrap_or_default())
}

/// Assembles a prompt from rows that a host kept: `{rows, boundary?, request?}`.
///
/// # Errors
/// `argument_invalid` with a path such as `rows[3]`; those of [`wanted`].
#[wasm_bindgen(js_name = assemblePrompt)]
pub fn assemble_prompt(input: &JsValue, options: &JsValue) -> Result<String, JsValue> {
    let form = Form::of(&Options::of(options, "options", &FORM)?)?;
    let input = Options::of(input, "input", &["rows", "boundary", "request"])?;
    let input = with_standard(|redactor| {
        let boundary = |value: &_, path: &_| parsed::<Boundary<String>>(value, path, "a boundary");
        Ok::<_, Fault>(Input {
            rows: rows(&input.get("rows")?, redactor)?,
            boundary: input.optional("boundary", boundary)?.map(|found| found.restore(redactor)),
            request: request(&input, redactor)?,
        })
    })?;
    Ok(form.text(&assemble(input)))
}

/// Rows one by one, so that an error names the one that it is in; or the JSON text of all of them.
pub(crate) fn rows(value: &JsValue, redactor: &Redactor) -> Result<Vec<StoredRow>, Fault> {
    let kept: Vec<StoredRow<String>> = if value.is_string() {
        parsed(value, "rows", "an array of stored rows")?
    } else if Array::is_array(value) {
        let rows = value.unchecked_ref::<Array>().iter().enumerate();
        rows.map(|(index, row)| parsed(&row, &format!("rows[{index}]"), "a stored row"))
            .collect::<Result<_, _>>()?
    } else {
        return Err(refused(value, "rows", "an array of stored rows, or its JSON text"));
    };
    Ok(kept.into_iter().map(|row| row.restore(redactor)).collect())
}
