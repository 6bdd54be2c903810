//! Prompts: what the agent brings, the form that is wanted, and assembly from rows that a host kept.

use crate::{
    arguments::{Options, flag, one_of, text, texts, whole},
    fault::Fault,
    prompt_input,
    value::json_text,
};
use throughline_core::{
    id::RowId,
    json,
    prompt::{Prompt, Request, assemble},
    redact::Redactor,
    render::{self, Api},
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

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

/// The request of an option of that name.
///
/// # Errors
/// As [`wanted`].
pub fn request(options: &Options, redactor: &Redactor) -> Result<Request, Fault> {
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

/// Assembles a prompt from rows that a host kept: `{rows, boundary?, request?, contexts?, turn?, applying?,
/// uploads?, held?, toolsAsGiven?, retention?}`.
///
/// # Errors
/// `argument_invalid` with a path such as `rows[3]`; those of [`wanted`].
#[wasm_bindgen(js_name = assemblePrompt)]
pub fn assemble_prompt(input: &JsValue, options: &JsValue) -> Result<String, JsValue> {
    let form = form(options)?;
    Ok(form.text(&assemble(prompt_input::read(input)?)))
}

/// The form that is asked for.
///
/// # Errors
/// `argument_invalid`.
pub fn form(options: &JsValue) -> Result<Form, Fault> {
    Form::of(&Options::of(options, "options", &FORM)?)
}
