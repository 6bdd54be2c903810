//! What is read, against a script that shares nothing with the reader.
use super::logs::{RECORD_TYPES, WHOLE, folder, in_memory, ingest, read};
use serde_json::Value;
use std::process::Command;
use throughline_core::engine::IngestReport;

const COLUMNS: [&str; 8] =
    ["records", "user", "assistant", "tool_calls", "tool_results", "thinking", "skipped", "repaired"];

/// Counts of `tests/fixtures/expected_counts.py`.
fn expected(name: &str) -> Vec<u64> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/expected_counts.py");
    let output = Command::new("python3").arg(script).arg(folder().unwrap().join(name)).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let counts: Value = serde_json::from_slice(&output.stdout).unwrap();
    COLUMNS.iter().map(|column| counts[column].as_u64().unwrap()).collect()
}

fn found(report: &IngestReport) -> Vec<u64> {
    let summary = &report.summary;
    vec![
        summary.records,
        summary.messages.user,
        summary.messages.assistant,
        summary.tool_calls,
        summary.tool_results,
        summary.thinking,
        summary.skipped_lines,
        summary.repaired,
    ]
}

/// `cargo test -p throughline-tests --test real_logs counts -- --nocapture` prints the table.
#[test]
fn counts_agree_with_an_independent_script() {
    if folder().is_none() {
        return;
    }
    println!("{:<42}{}", "log (expected / read)", COLUMNS.map(|column| format!("{column:>14}")).concat());
    let mut differences = Vec::new();
    for name in WHOLE {
        let report = ingest(&in_memory(), &read(name).unwrap());
        let (expected, found) = (expected(name), found(&report));
        let cells = expected
            .iter()
            .zip(&found)
            .map(|(expected, found)| format!("{:>14}", format!("{expected} / {found}")));
        println!("{name:<42}{}", cells.collect::<String>());
        if expected != found {
            differences.push(name);
        }
    }
    assert!(differences.is_empty(), "other counts than expected: {differences:?}");
}

#[test]
fn every_kind_of_record_is_read_without_a_skipped_line() {
    let Some(bytes) = read(RECORD_TYPES) else { return };
    let report = ingest(&in_memory(), &bytes);
    assert_eq!((report.summary.records, report.summary.skipped_lines), (89, 0));
    assert!(report.added > 0);
}
