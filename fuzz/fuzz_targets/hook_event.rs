#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(wrong) = throughline_tests::fuzz::hook_event(bytes) {
        panic!("{wrong}");
    }
});
