//! Compaction: layers of options, the fold, and the engine's loop with a summarizer of JavaScript.

use crate::{
    arguments::{Options, flag, one_of, parsed, refused, text, whole},
    fault::{Fault, Thrown},
    prompt_input,
    redactor::with_standard,
    stop::{JsEngine, Stop},
    value::{json_text, kind, plain},
    watch::Watch,
};
use js_sys::{Array, Function, Object, Reflect};
use serde_json::json;
use std::collections::BTreeMap;
use throughline_core::{
    compaction::{self, Binding, FoldOptions, Layers, Reported, Summarize, Window},
    engine::{Begun, Cause, CompactRequest, CompactionEffect, CompactionEvent, Summarizers},
    host::{EstimatedTokens, TokenCounter},
    id::SessionId,
    json::{self, Json},
    redact::Redactor,
};
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

/// What `compact` takes beside what a prompt is made from.
const OPTIONS: [&str; 10] = [
    "cause",
    "reported",
    "layers",
    "bindings",
    "summarize",
    "fallback",
    "window",
    "summarizerWindows",
    "countTokens",
    "dryRun",
];

/// What layers of options come to: `{options, origins, warnings}`.
///
/// # Errors
/// `argument_invalid`, `json_invalid`, `option_invalid`.
#[wasm_bindgen(js_name = resolveOptions)]
pub fn resolve_options(layers: &JsValue) -> Result<JsValue, JsValue> {
    let layers = Options::of(layers, "layers", &["session", "agent", "config"])?;
    let layer = |key: &str| layers.optional(key, json_value).map(|found| found.unwrap_or(Json::Null));
    let layers = Layers::from_json(&layer("session")?, &layer("agent")?, &layer("config")?);
    let effective =
        layers.and_then(|layers| compaction::resolve(&layers)).map_err(|error| option_fault(&error))?;
    Ok(plain(&effective.report())?)
}

/// Folds rows that a host kept: `{rows, previous?}`. They are scrubbed again.
///
/// # Errors
/// `argument_invalid` with a path such as `rows[3]`.
#[wasm_bindgen(js_name = foldConversation)]
pub fn fold_conversation(input: &JsValue, options: &JsValue) -> Result<String, JsValue> {
    let input = Options::of(input, "input", &["rows", "previous"])?;
    let options = Options::of(options, "options", &["maxTokens", "keepBelow"])?;
    let mut chosen = FoldOptions::default();
    if let Some(tokens) = options.optional("maxTokens", tokens)? {
        chosen.max_tokens = tokens;
    }
    chosen.keep_below = options.optional("keepBelow", tokens)?;
    let previous = input.optional("previous", text)?;
    let rows = input.get("rows")?;
    let folded = with_standard(|redactor: &Redactor| {
        let previous = previous.map(|text| redactor.clean(&text));
        let rows = prompt_input::rows(&rows, "rows", redactor)?;
        Ok::<_, Fault>(compaction::fold(&rows, previous.as_ref(), chosen, &EstimatedTokens, redactor))
    })?;
    Ok(folded.into_string())
}

/// A refused option, at its place.
pub(crate) fn option_fault(error: &compaction::CompactionError) -> Fault {
    let fault = Fault::new(error.code(), error.to_string());
    match error.path() {
        Some(path) => fault.at(path),
        None => fault,
    }
}

/// A JSON value, as an object or as JSON text.
pub(crate) fn json_value(value: &JsValue, path: &str) -> Result<Json, Fault> {
    let text = json_text(value).map_err(|found| {
        Fault::new("argument_invalid", format!("`{path}` is {found}, but must be an object")).at(path)
    })?;
    json::parse(&text).map_err(|error| Fault::new(error.code(), format!("`{path}`: {error}")).at(path))
}

fn tokens(value: &JsValue, path: &str) -> Result<u64, Fault> {
    whole(value, path, 0..=u32::MAX).map(u64::from)
}

/// A call of `compact`, read.
pub(crate) struct Asked {
    request: CompactRequest,
    summarize: Option<Function>,
    count: Option<Function>,
    dry_run: bool,
}

impl Asked {
    /// Reads the options.
    pub(crate) fn of(value: &JsValue, redactor: &Redactor) -> Result<Self, Fault> {
        let options = Options::of(value, "options", &[&OPTIONS[..], &prompt_input::BESIDE].concat())?;
        let summarize = options.optional("summarize", function)?;
        let fallback = options.optional("fallback", flag)?.unwrap_or_default();
        let mut request = CompactRequest::new(cause(&options)?);
        request.summarizers = match (&summarize, fallback) {
            (Some(_), true) => Summarizers::HostOrFold,
            (Some(_), false) => Summarizers::Host,
            (None, _) => Summarizers::Alone,
        };
        request.layers = options.optional("layers", layers)?.unwrap_or_default();
        request.bindings = options.optional("bindings", bindings)?.unwrap_or_default();
        request.input = prompt_input::beside(&options, redactor)?;
        request.window = options.optional("window", window)?;
        request.summarizer_windows = options.optional("summarizerWindows", windows)?.unwrap_or_default();
        let count = options.optional("countTokens", function)?;
        Ok(Self { request, summarize, count, dry_run: options.optional("dryRun", flag)?.unwrap_or_default() })
    }

    /// Looks whether a compaction is due, and makes it.
    pub(crate) async fn run(self, engine: &JsEngine, id: &SessionId, watch: &Watch) -> Result<JsValue, Stop> {
        let counter = JsCounter { function: self.count.clone(), watch: watch.clone() };
        let mut compaction = match engine.begin_compaction(id, &self.request, &counter).await? {
            Begun::NotDue { measured, diagnostics } => {
                return Ok(plain(&json!({
                    "outcome": "not_due",
                    "tokens": measured.map(|measured| measured.tokens),
                    "estimated": measured.is_some_and(|measured| measured.estimated),
                    "diagnostics": diagnostics,
                }))?);
            }
            Begun::Due(compaction) => compaction,
        };
        let mut event = CompactionEvent::Begun;
        loop {
            let report = match engine.on_compaction(&mut compaction, event, &counter).await? {
                CompactionEffect::Summarize(asked) => {
                    event = self.ask(&asked).await;
                    continue;
                }
                CompactionEffect::SendWhole { error, diagnostics } => {
                    return Ok(plain(&json!({
                        "outcome": "send_whole",
                        "error": { "code": error.code(), "message": error.to_string() },
                        "diagnostics": diagnostics,
                    }))?);
                }
                CompactionEffect::Commit(report) if self.dry_run => report,
                CompactionEffect::Commit(_) => engine.commit_compaction(&compaction).await?,
            };
            let mut answer = serde_json::to_value(&report).unwrap_or_default();
            answer["outcome"] = if report.applied { "compacted" } else { "planned" }.into();
            if !report.applied {
                answer["checkpoint_id"] = serde_json::Value::Null;
            }
            return Ok(plain(&answer)?);
        }
    }

    /// Calls the host's summarizer. What it throws is its failure, and the next attempt follows.
    async fn ask(&self, asked: &Summarize) -> CompactionEvent {
        match self.summary(asked).await {
            Ok(event) => event,
            Err(thrown) => CompactionEvent::Failed { error: Thrown::from(thrown).message() },
        }
    }

    async fn summary(&self, asked: &Summarize) -> Result<CompactionEvent, JsValue> {
        let Some(function) = &self.summarize else { return Err("there is no summarizer".into()) };
        let attempt = &asked.attempt;
        let options = serde_json::to_value(&attempt.options).unwrap_or_default();
        let call = plain(&json!({
            "source": attempt.source,
            "id": attempt.id,
            "traitId": attempt.trait_id,
            "strict": attempt.strict,
            "options": options,
            "model": asked.config.model,
            "temperature": asked.config.temperature,
            "maxTokens": asked.input.max_tokens,
            "input": asked.input.text,
            "inputTokens": asked.input.tokens,
        }))?;
        let given = function.call1(&JsValue::UNDEFINED, &call)?;
        let given = JsFuture::from(js_sys::Promise::resolve(&given)).await?;
        if let Some(text) = given.as_string() {
            return Ok(CompactionEvent::Summarized { text, truncated: false });
        }
        if !given.is_object() {
            return Err(format!("the summarizer gave {}, but must give a text", kind(&given)).into());
        }
        let text = Reflect::get(&given, &"text".into())?.as_string();
        let truncated = Reflect::get(&given, &"truncated".into())?.is_truthy();
        let text = text.ok_or("the summarizer gave an object without a text")?;
        Ok(CompactionEvent::Summarized { text, truncated })
    }
}

fn cause(options: &Options) -> Result<Cause, Fault> {
    let reported = options.optional("reported", |value, path| {
        let reported = Options::of(value, path, &["contextTokens"])?.inside(path);
        Ok(Reported { context_tokens: reported.optional("contextTokens", tokens)? })
    })?;
    let causes =
        [("requested", Cause::Requested), ("step", Cause::Step { reported }), ("outgoing", Cause::Outgoing)];
    let cause = options.optional("cause", |value, path| one_of(value, path, &causes))?;
    Ok(cause.unwrap_or(Cause::Requested))
}

fn function(value: &JsValue, path: &str) -> Result<Function, Fault> {
    value.clone().dyn_into().map_err(|value: JsValue| refused(&value, path, "a function"))
}

/// The layers that a caller brings; the host's configuration is read from its storage alone.
fn layers(value: &JsValue, path: &str) -> Result<Layers, Fault> {
    let layers = Options::of(value, path, &["session", "agent"])?.inside(path);
    let layer = |key: &str| layers.optional(key, json_value).map(|found| found.unwrap_or(Json::Null));
    Layers::from_json(&layer("session")?, &layer("agent")?, &Json::Null).map_err(|error| option_fault(&error))
}

fn bindings(value: &JsValue, path: &str) -> Result<Vec<Binding>, Fault> {
    if !Array::is_array(value) {
        return Err(refused(value, path, "an array of bindings"));
    }
    let entries = value.unchecked_ref::<Array>().iter().enumerate();
    entries.map(|(index, entry)| binding(&entry, &format!("{path}[{index}]"))).collect()
}

fn binding(value: &JsValue, path: &str) -> Result<Binding, Fault> {
    if !value.is_object() {
        return Err(refused(value, path, "an object with an id"));
    }
    let own = Options::of(value, path, &["id", "traitId", "contract", "priority", "options"])?.inside(path);
    let mut binding = Binding::new(own.required("id", text)?);
    binding.trait_id = own.optional("traitId", text)?;
    if let Some(contract) = own.optional("contract", text)? {
        binding.contract = contract;
    }
    let priority = |value: &JsValue, path: &str| parsed::<i64>(value, path, "a whole number");
    if let Some(priority) = own.optional("priority", priority)? {
        binding.priority = priority;
    }
    binding.options = own.optional("options", json_value)?.unwrap_or(Json::Null);
    Ok(binding)
}

fn window(value: &JsValue, path: &str) -> Result<Window, Fault> {
    let window = Options::of(value, path, &["tokens", "maxOutput"])?.inside(path);
    Ok(Window {
        tokens: window.required("tokens", tokens)?,
        max_output: window.required("maxOutput", tokens)?,
    })
}

fn windows(value: &JsValue, path: &str) -> Result<BTreeMap<String, Window>, Fault> {
    let object =
        value.dyn_ref::<Object>().ok_or_else(|| refused(value, path, "an object of windows by model"))?;
    let keys = Object::keys(object);
    let found = keys.iter().filter_map(|key| key.as_string()).map(|model| {
        let path = format!("{path}.{model}");
        let own = Reflect::get(value, &model.as_str().into()).unwrap_or(JsValue::UNDEFINED);
        Ok((model, window(&own, &path)?))
    });
    found.collect()
}

/// A counter of JavaScript, or the built-in estimate.
struct JsCounter {
    function: Option<Function>,
    watch: Watch,
}

impl JsCounter {
    fn ask(&self, function: &Function, texts: &[&str]) -> Result<Vec<u64>, Fault> {
        let wrong = |found: String| {
            let message = format!("`countTokens` gave {found}, but must give a whole number for each text");
            Fault::new("counter_invalid", message).at("countTokens")
        };
        let list: Array = texts.iter().map(|text| JsValue::from_str(text)).collect();
        let given = function.call1(&JsValue::UNDEFINED, &list).map_err(|error| {
            let thrown = Thrown::from(error);
            let message = format!("`countTokens` threw: {}", thrown.message());
            Fault::new("counter_invalid", message).at("countTokens").with_details(thrown.into_value())
        })?;
        if !Array::is_array(&given) {
            return Err(wrong(kind(&given)));
        }
        let given = given.unchecked_ref::<Array>();
        if usize::try_from(given.length()).ok() != Some(texts.len()) {
            return Err(wrong(format!("{} counts for {} texts", given.length(), texts.len())));
        }
        given.iter().map(|count| tokens(&count, "countTokens").map_err(|_| wrong(kind(&count)))).collect()
    }
}

impl TokenCounter for JsCounter {
    /// The counts. Where the function gives none, estimates: the operation then fails without a write.
    fn count(&self, texts: &[&str]) -> Vec<u64> {
        let Some(function) = &self.function else { return EstimatedTokens.count(texts) };
        self.ask(function, texts).unwrap_or_else(|fault| {
            self.watch.fatal(fault);
            EstimatedTokens.count(texts)
        })
    }

    fn is_estimate(&self) -> bool {
        self.function.is_none()
    }
}
