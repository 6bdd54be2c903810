//! The properties of the ground floor, as wasm in a browser.
#![cfg(target_family = "wasm")]

#[path = "properties/asked.rs"]
mod asked;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test::wasm_bindgen_test]
fn properties() {
    asked::all_hold();
}
