//! The same cases for JavaScript, which holds the clock.
use crate::{cases, data};
use std::cell::RefCell;
use wasm_bindgen::prelude::wasm_bindgen;

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
