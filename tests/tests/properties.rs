//! The properties of the ground floor, natively and as wasm in Node. `properties/asked.rs` says how often.

#[path = "properties/asked.rs"]
mod asked;

#[cfg(not(target_family = "wasm"))]
#[test]
fn properties() {
    asked::all_hold();
}

#[cfg(target_family = "wasm")]
#[wasm_bindgen_test::wasm_bindgen_test]
fn properties() {
    asked::all_hold();
}
