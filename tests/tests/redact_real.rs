//! Real logs hold no secret, so scrubbing changes no byte of them: no UUID, path, hash, id or signature.
#![cfg(not(target_family = "wasm"))]
use std::path::Path;
use throughline_core::redact::Redactor;

#[test]
fn real_logs_stay_as_they_are() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        assert!(std::env::var_os("CI").is_none(), "{} is not there", folder.display());
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let redactor = Redactor::standard();
    for entry in entries {
        let path = entry.expect("an entry can be read").path();
        let text = std::fs::read_to_string(&path).expect("a log is text");
        let findings = redactor.report(&text);
        assert!(findings.is_empty(), "{}: {findings:?}", path.display());
    }
}
