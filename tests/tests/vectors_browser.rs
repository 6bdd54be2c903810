//! Every vector, as wasm in a browser.
#![cfg(target_family = "wasm")]

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test::wasm_bindgen_test]
fn vectors() {
    let report = throughline_tests::vectors::run();
    assert!(report.cases > 0, "no vectors are embedded");
    assert!(report.differences.is_empty(), "{}", report.differences.join("\n"));
}
