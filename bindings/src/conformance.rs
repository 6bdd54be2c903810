//! The storage conformance suite for storages and drivers that are written in JavaScript, and canonical JSON to be
//! compared with JavaScript's own numbers and order of keys: a module of its own.

use crate::{
    arguments::{Options, flag, text},
    fault::{Fault, Thrown},
    storage::JsStorage,
    value::plain,
    watch::Watch,
};
use js_sys::{Function, Promise};
use throughline_core::{
    host::StorageError,
    json::{canonical, parse},
};
use throughline_tests::conformance::{Factory, run};
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};
use wasm_bindgen_futures::{JsFuture, future_to_promise};

/// Where the suite gets its storages: the same object each time, or what a function gives.
#[derive(Debug)]
enum Source {
    Object(JsValue),
    Open(Function),
}

#[derive(Debug)]
struct JsFactory {
    source: Source,
    reopens: bool,
    shares: bool,
    inspects: bool,
}

impl Factory for JsFactory {
    type Storage = JsStorage;

    async fn open(&self) -> Result<JsStorage, StorageError> {
        let why = |thrown: JsValue| StorageError::Unavailable { why: Thrown::from(thrown).message() };
        let storage = match &self.source {
            Source::Object(storage) => storage.clone(),
            Source::Open(open) => {
                let opened = open.call0(&JsValue::UNDEFINED).map_err(why)?;
                JsFuture::from(Promise::resolve(&opened)).await.map_err(why)?
            }
        };
        let opened = if JsStorage::is_driver(&storage) {
            JsStorage::driver(storage, Watch::default())
        } else {
            JsStorage::object(storage, Watch::default())
        };
        opened.map_err(|fault| why(fault.into()))
    }

    fn reopens(&self) -> bool {
        self.reopens
    }

    fn shares(&self) -> bool {
        self.shares
    }

    fn inspects(&self) -> bool {
        self.inspects
    }
}

/// Runs the suite: `storage` is a storage or a driver, or a function that opens one; options are `seed`, a text that
/// this store was not tested with before, and `reopens`, `shares` and `inspects`, the optional capabilities that it
/// claims. Gives `{conforms, cases}`.
#[wasm_bindgen(js_name = runStorageConformance)]
pub fn run_storage_conformance(storage: JsValue, options: &JsValue) -> Promise {
    let arguments = || {
        let options = Options::of(options, "options", &["seed", "reopens", "shares", "inspects"])?;
        let seed = options.optional("seed", text)?.unwrap_or_else(|| "first".into());
        let reopens = options.optional("reopens", flag)?.unwrap_or_default();
        let shares = options.optional("shares", flag)?.unwrap_or_default();
        let inspects = options.optional("inspects", flag)?.unwrap_or_default();
        let source = storage.dyn_into().map_or_else(Source::Object, Source::Open);
        Ok::<_, Fault>((JsFactory { source, reopens, shares, inspects }, seed))
    };
    let arguments = arguments();
    future_to_promise(async move {
        let (factory, seed) = arguments?;
        let report = run(&factory, &seed).await;
        Ok(plain(&serde_json::json!({ "conforms": report.conforms(), "cases": report.cases }))?)
    })
}

/// The canonical form of a JSON text.
///
/// # Errors
/// `json_invalid`, `json_too_deep`, `json_trailing`.
#[wasm_bindgen(js_name = canonicalJson)]
pub fn canonical_json(text: &str) -> Result<String, JsValue> {
    let value = parse(text).map_err(|error| Fault::new(error.code(), error.to_string()))?;
    Ok(canonical(&value))
}
