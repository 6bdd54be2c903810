//! The same cases for JavaScript, which holds the clock.
use crate::{cases, data};
use js_sys::Uint32Array;
use std::cell::RefCell;
use throughline_core::redact::{EditStream, Redactor};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

thread_local! {
    static CASES: RefCell<Vec<cases::Case>> = const { RefCell::new(Vec::new()) };
}

/// Makes the data, and names the cases.
#[wasm_bindgen]
pub fn prepare() -> Vec<String> {
    CASES.with_borrow_mut(|held| {
        *held = cases::all();
        held.iter().map(|case| case.name.to_owned()).collect()
    })
}

/// Runs a case once.
#[wasm_bindgen]
pub fn run(index: usize) -> usize {
    CASES.with_borrow(|held| held.get(index).map_or(0, |case| (case.run)()))
}

/// The log that the cases read.
#[wasm_bindgen]
pub fn log(bytes: usize) -> String {
    data::log(bytes)
}

/// How many pieces one run of a case does.
#[wasm_bindgen]
pub fn times(index: usize) -> usize {
    CASES.with_borrow(|held| held.get(index).map_or(1, |case| case.times))
}

/// The rows that prompts are made of, as JSON, and the chain hash of the prompt.
#[wasm_bindgen]
pub fn rows(count: usize) -> Vec<String> {
    let rows = data::rows(count);
    let text = serde_json::to_string(&rows).unwrap_or_default();
    let prompt = throughline_core::prompt::assemble(throughline_core::prompt::Input {
        rows,
        ..throughline_core::prompt::Input::default()
    });
    vec![text, prompt.tail_hash]
}

/// The checkpoint of the cases, as JSON text.
#[wasm_bindgen]
pub fn checkpoint() -> String {
    serde_json::to_string(&data::checkpoint()).unwrap_or_default()
}

thread_local! {
    static REDACT: RefCell<Vec<crate::redact::cases::Case>> = const { RefCell::new(Vec::new()) };
    static REDACTOR: RefCell<Option<Redactor>> = const { RefCell::new(None) };
}

/// Makes the texts that the redactor is measured on, and names the cases.
#[wasm_bindgen(js_name = prepareRedact)]
pub fn prepare_redact(log: usize, flood: usize) -> Vec<String> {
    REDACT.with_borrow_mut(|held| {
        *held = crate::redact::cases::all(crate::redact::cases::Sizes { log, flood });
        held.iter().map(|case| case.name.clone()).collect()
    })
}

/// The bytes that a case reads.
#[wasm_bindgen(js_name = redactBytes)]
pub fn redact_bytes(index: usize) -> usize {
    REDACT.with_borrow(|held| held.get(index).map_or(0, |case| case.bytes))
}

/// Runs a case once.
#[wasm_bindgen(js_name = runRedact)]
pub fn run_redact(index: usize) -> usize {
    REDACT.with_borrow(|held| held.get(index).map_or(0, |case| (case.run)()))
}

/// A log with secrets, or a clean one.
#[wasm_bindgen(js_name = redactLog)]
pub fn redact_log(bytes: usize, planted: bool) -> String {
    crate::redact::log::make(bytes, planted.then_some(4096))
}

/// What is replaced in a string of JavaScript, which comes in pieces, as the package hands it back.
#[wasm_bindgen]
pub struct Edits(EditStream);

#[wasm_bindgen]
impl Edits {
    /// The start of a string.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default, reason = "JavaScript makes it")]
    pub fn new() -> Self {
        Self(EditStream::default())
    }

    /// Takes a piece of the string, in UTF-8.
    pub fn push(&mut self, piece: &[u8]) {
        let piece = std::str::from_utf8(piece).expect("a piece of a string");
        with_redactor(|redactor| self.0.push(redactor, piece));
    }

    /// What is replaced in all of it; nothing when nothing is.
    pub fn finish(&mut self) -> Option<Vec<JsValue>> {
        let edits = with_redactor(|redactor| self.0.finish(redactor));
        let parts = || vec![Uint32Array::from(&*edits.places).into(), edits.marks.clone().into()];
        (!edits.places.is_empty()).then(parts)
    }
}

fn with_redactor<T>(call: impl FnOnce(&Redactor) -> T) -> T {
    REDACTOR.with_borrow_mut(|held| call(held.get_or_insert_with(Redactor::standard)))
}

/// How many secrets stand in a string, with no output made.
#[wasm_bindgen(js_name = lookThrough)]
pub fn look_through(text: &str) -> usize {
    with_redactor(|redactor| redactor.report(text).len())
}
