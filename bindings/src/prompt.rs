//! Prompts: what the agent brings, the form that is wanted, and assembly from rows that a host kept.

use crate::{
    arguments::{Options, flag, one_of, parsed, refused, text, texts, whole},
    fault::Fault,
    redactor::with_standard,
    value::json_text,
};
use js_sys::Array;
use throughline_core::{
    id::RowId,
    json,
    model::{Boundary, StoredRow},
    prompt::{Input, Prompt, Request, assemble},
    redact::Redactor,
    render::{self, Api},
};
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};

/// The options that say in which form a prompt is wanted.
pub const FORM: [&str; 6] =
    ["format", "cacheMarkers", "defaultMaxTokens", "cacheKey", "inlineSystem", "dropStaleThinking"];

/// The form in which a prompt is wanted: neutral without an interface.
#[derive(Debug)]
pub struct Form {
    api: Option<Api>,
    options: render::Options,
}

impl Form {
    /// Reads the options.
    ///
    /// # Errors
    /// `argument_invalid`, `identifier_invalid` with a path such as `inlineSystem[1]`.
    pub fn of(options: &Options) -> Result<Self, Fault> {
        let apis = Api::ALL.map(|api| (api.as_str(), Some(api)));
        let formats = [&[("neutral", None)], apis.as_slice()].concat();
        let api = options.optional("format", |value, path| one_of(value, path, &formats))?;
        let mut chosen = render::Options::default();
        if let Some(markers) = options.optional("cacheMarkers", flag)? {
            chosen.cache_markers = markers;
        }
        let tokens = |value: &_, path: &_| whole(value, path, 1..=u32::MAX);
        if let Some(tokens) = options.optional("defaultMaxTokens", tokens)? {
            chosen.default_max_tokens = tokens.into();
        }
        if let Some(key) = options.optional("cacheKey", text)? {
            chosen.cache_key = Some(key);
        }
        if let Some(ids) = options.optional("inlineSystem", texts)? {
            let id = |(at, id)| {
                let place = format!("inlineSystem[{at}]");
                RowId::new(id)
                    .map_err(|error| Fault::new(error.code(), format!("`{place}`: {error}")).at(place))
            };
            chosen.inline_system = ids.into_iter().enumerate().map(id).collect::<Result<_, _>>()?;
        }
        if let Some(drop) = options.optional("dropStaleThinking", flag)? {
            chosen.drop_stale_thinking = drop;
        }
        Ok(Self { api: api.flatten(), options: chosen })
    }

    /// How a request is rendered.
    #[must_use]
    pub fn options(&self) -> &render::Options {
        &self.options
    }

    /// The prompt as JSON text with sorted keys: neutral, or the provider's request body.
    #[must_use]
    pub fn text(&self, prompt: &Prompt) -> String {
        match self.api {
            None => prompt.json_text(),
            Some(api) => json::canonical(&render::render(api, prompt, &self.options).body),
        }
    }
}

/// The options of an engine's `prompt`: what the agent brings, and the form.
///
/// # Errors
/// `argument_invalid`, `json_invalid`, and `request_invalid` with a path such as `request.tools[2].name`.
pub fn wanted(options: &JsValue, redactor: &Redactor) -> Result<(Request, Form), Fault> {
    let known = [&["request"], FORM.as_slice()].concat();
    let options = Options::of(options, "options", &known)?;
    Ok((request(&options, redactor)?, Form::of(&options)?))
}

fn request(options: &Options, redactor: &Redactor) -> Result<Request, Fault> {
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
    Ok(form.text(&assemble(self::input(input)?)))
}

/// What a prompt is assembled from: `{rows, boundary?, request?}`.
///
/// # Errors
/// `argument_invalid` with a path such as `rows[3]`; those of [`wanted`].
pub fn input(input: &JsValue) -> Result<Input, Fault> {
    let input = Options::of(input, "input", &["rows", "boundary", "request"])?;
    with_standard(|redactor| {
        let boundary = |value: &_, path: &_| parsed::<Boundary<String>>(value, path, "a boundary");
        Ok(Input {
            rows: rows(&input.get("rows")?, redactor)?,
            boundary: input.optional("boundary", boundary)?.map(|found| found.restore(redactor)),
            request: request(&input, redactor)?,
        })
    })
}

/// Rows one by one, so that an error names the one that it is in; or the JSON text of all of them.
fn rows(value: &JsValue, redactor: &Redactor) -> Result<Vec<StoredRow>, Fault> {
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
