//! Prompts: what the agent brings, the form that is wanted, and assembly from rows that a host kept.

use crate::{
    arguments::{Options, flag, one_of, whole},
    fault::Fault,
    prompt_input,
    value::json_text,
};
use throughline_core::{
    json,
    prompt::{Prompt, Request, assemble},
    redact::Redactor,
    render,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

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
/// uploads?, toolsAsGiven?, retention?}`.
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
