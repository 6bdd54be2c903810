//! Every vector, natively and as wasm in Node.

fn all_vectors_hold() {
    let report = throughline_tests::vectors::run();
    assert!(report.cases > 0, "no vectors are embedded");
    assert!(report.differences.is_empty(), "{}", report.differences.join("\n"));
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn vectors() {
    all_vectors_hold();
}

#[cfg(target_family = "wasm")]
#[wasm_bindgen_test::wasm_bindgen_test]
fn vectors() {
    all_vectors_hold();
}
