//! Requests of providers with their tables, and the way back: answers, whole or in pieces, as blocks or rows.
//! JSON crosses as text, so that no number is rounded.

use crate::{
    arguments::{Options, instant, one_of, parsed, texts},
    fault::Fault,
    prompt::{FORM, Form},
    prompt_input,
    redactor::with_standard,
    value::json_text,
};
use serde::Deserialize;
use std::cell::RefCell;
use throughline_core::{
    id::RowId,
    json::{self, Json, canonical},
    prompt::assemble,
    render::{self, Answered, Api, RenamedTool, RenderError, Response},
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

fn api(value: &JsValue, path: &str) -> Result<Api, Fault> {
    one_of(value, path, &Api::ALL.map(|api| (api.as_str(), api)))
}

fn json(value: &JsValue, path: &str) -> Result<Json, Fault> {
    let text = json_text(value)
        .map_err(|found| Fault::new("argument_invalid", format!("`{path}` is {found}")).at(path))?;
    json::parse(&text).map_err(|error| Fault::new(error.code(), format!("`{path}`: {error}")).at(path))
}

fn fault(error: &RenderError) -> Fault {
    let fault = Fault::new(error.code(), error.to_string());
    if error.path().is_empty() { fault } else { fault.at(error.path()) }
}

#[derive(Debug, Deserialize)]
struct Renamed {
    name: String,
    sent: String,
}

fn renamed(options: &Options) -> Result<Vec<RenamedTool>, Fault> {
    let read = |value: &_, path: &_| parsed::<Vec<Renamed>>(value, path, "an array of {name, sent}");
    let tools = options.optional("renamedTools", read)?.unwrap_or_default();
    Ok(tools.into_iter().map(|Renamed { name, sent }| RenamedTool { name, sent }).collect())
}

/// A provider's request from rows that a host kept, with its tables: `{body, diagnostics, renamed, renamed_tools,
/// betas}`.
///
/// # Errors
/// Those of [`assemble_prompt`](crate::prompt::assemble_prompt).
#[wasm_bindgen(js_name = renderPrompt)]
pub fn render_prompt(given: &JsValue, options: &JsValue) -> Result<String, JsValue> {
    let options = Options::of(options, "options", &FORM)?;
    let api = options.required("format", api)?;
    let form = Form::of(&options)?;
    Ok(canonical(&render::render(api, &assemble(prompt_input::read(given)?), form.options()).to_json()))
}

fn read(format: &JsValue, response: &JsValue, options: &Options) -> Result<Response, Fault> {
    let (api, response) = (api(format, "format")?, json(response, "response")?);
    let tools = renamed(options)?;
    with_standard(|redactor| render::read(api, &response, redactor, &tools)).map_err(|error| fault(&error))
}

/// Reads a provider's answer: its blocks, calls, usage and the size of the prompt. Arguments of calls and held thinking
/// are not scrubbed, and for memory alone.
///
/// # Errors
/// `argument_invalid`, `json_invalid`, `response_invalid`, `response_failed`.
#[wasm_bindgen(js_name = readResponse)]
pub fn read_response(format: &JsValue, response: &JsValue, options: &JsValue) -> Result<String, JsValue> {
    let options = Options::of(options, "options", &["renamedTools"])?;
    Ok(canonical(&read(format, response, &options)?.to_json()))
}

/// What of a neutral prompt the rows of its answer keep.
#[derive(Debug, Deserialize)]
struct Prompt {
    model: Option<String>,
    fingerprint: String,
    tail_hash: String,
    boundary: Option<RowId>,
}

/// Reads a provider's answer as the rows that it becomes: `{prompt, at, ids, renamedTools?}`.
///
/// # Errors
/// Those of [`read_response`]; `identifier_invalid` with a path such as `ids[1]`; `timestamp_invalid`.
#[wasm_bindgen(js_name = responseRows)]
pub fn response_rows(format: &JsValue, response: &JsValue, options: &JsValue) -> Result<String, JsValue> {
    let options = Options::of(options, "options", &["prompt", "at", "ids", "renamedTools"])?;
    let response = read(format, response, &options)?;
    let prompt =
        options.required("prompt", |value, path| parsed::<Prompt>(value, path, "a neutral prompt"))?;
    let at = options.required("at", instant)?;
    let id = |(at, id)| {
        let place = format!("ids[{at}]");
        RowId::new(id).map_err(|error| Fault::new(error.code(), format!("`{place}`: {error}")).at(place))
    };
    let ids = options.required("ids", texts)?;
    let ids = ids.into_iter().enumerate().map(id).collect::<Result<Vec<RowId>, Fault>>()?;
    let needed = response.calls.len() + 1;
    if ids.len() < needed {
        let message = format!("`ids` has {} ids, but the answer becomes {needed} rows", ids.len());
        return Err(Fault::new("argument_invalid", message).at("ids").into());
    }
    let answered = Answered {
        model: prompt.model.map(|model| with_standard(|redactor| redactor.clean(&model))),
        fingerprint: prompt.fingerprint,
        tail_hash: prompt.tail_hash,
        boundary: prompt.boundary,
    };
    let mut ids = ids.into_iter();
    let spare = RowId::new("spare").map_err(|error| Fault::new(error.code(), error.to_string()))?;
    let rows = response.into_rows(answered, at, || ids.next().unwrap_or_else(|| spare.clone()));
    Ok(serde_json::to_string(&rows).map_err(|error| Fault::new("internal", error.to_string()))?)
}

/// A streamed answer as JavaScript holds it; `js/answer.js` stands in front of it.
#[derive(Debug)]
#[wasm_bindgen(js_name = ResponseStream)]
pub struct Handle(RefCell<render::Stream>);

#[wasm_bindgen(js_class = ResponseStream)]
impl Handle {
    /// A stream of which nothing has come yet.
    ///
    /// # Errors
    /// `argument_invalid`.
    #[wasm_bindgen(constructor)]
    pub fn new(format: &JsValue) -> Result<Handle, JsValue> {
        Ok(Self(RefCell::new(render::Stream::new(api(format, "format")?))))
    }

    /// Takes the next event.
    ///
    /// # Errors
    /// `argument_invalid`, `json_invalid`, `stream_invalid`, `stream_mixed`.
    pub fn push(&self, event: &JsValue) -> Result<(), JsValue> {
        // Reading the event may run code of the host's, so nothing is borrowed before it is done.
        let event = json(event, "event")?;
        Ok(self.0.borrow_mut().push(&event).map_err(|error| fault(&error))?)
    }

    /// The answer from all events so far: `{response, is_complete, error, diagnostics}`.
    #[must_use]
    pub fn merged(&self) -> String {
        canonical(&self.0.borrow().clone().finish().to_json())
    }
}
