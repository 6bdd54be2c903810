use super::format::is_claude_code;
use crate::json::{Json, JsonError, Options, Reader};
use alloc::{format, string::String};

/// Keys whose values are second copies or the harness's own state: checked, never built.
const SECOND_COPIES: &[&str] = &["toolUseResult", "snapshot", "todos", "thinkingMetadata"];

/// A record nests deeper than the arguments in it, which are text beyond a depth of 128.
const MAX_DEPTH: usize = 400;

/// How often the next record is looked for on one broken line; a line holds two records, rarely three.
const TRIES: usize = 16;

/// What was read from one line beside its records.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct LineReport {
    /// Records told apart from the one before them, and characters replaced.
    pub(super) repaired: u64,
    /// Why something of the line could not be read.
    pub(super) skipped: Option<String>,
}

/// Gives the records of one line in order: usually one, two where they are glued together. Where a record is
/// cut in the middle, that is reported and the next one is looked for.
pub(super) fn records(line: &[u8], mut record: impl FnMut(Json)) -> LineReport {
    let mut report = LineReport::default();
    let mut rest = line;
    let mut offset = 0_usize;
    let mut read = 0_u64;
    for _ in 0..TRIES {
        if rest.iter().all(u8::is_ascii_whitespace) {
            break;
        }
        let mut reader = Reader::new(rest, Options { lenient: true, max_depth: MAX_DEPTH });
        let result = reader.object_without(SECOND_COPIES);
        let next = match result {
            // Behind a broken record, objects that stood inside it look like records of their own.
            Ok(value @ Json::Object(_)) if report.skipped.is_none() || is_claude_code(&value) => {
                report.repaired = report
                    .repaired
                    .saturating_add(u64::from(reader.repairs().total()))
                    .saturating_add(u64::from(read > 0));
                read = read.saturating_add(1);
                record(value);
                Some(reader.position())
            }
            Ok(Json::Object(_)) => Some(reader.position()),
            Ok(_) => {
                skip(&mut report, format!("not_a_record at byte {offset}"));
                Some(reader.position())
            }
            Err(error) => {
                skip(&mut report, reason(&error, offset));
                next_start(rest)
            }
        };
        let Some(next) = next else { break };
        rest = rest.get(next..).unwrap_or_default();
        offset = offset.saturating_add(next);
    }
    report
}

/// The first reason counts; a cut record makes more of them further on.
fn skip(report: &mut LineReport, reason: String) {
    report.skipped.get_or_insert(reason);
}

fn reason(error: &JsonError, offset: usize) -> String {
    format!("{} at byte {}", error.code(), offset.saturating_add(error.place().offset))
}

/// Where another record may begin: at a `{"` after the first byte, with a key that records begin with.
fn next_start(line: &[u8]) -> Option<usize> {
    let body = line.get(1..)?;
    let start = |key: &&str| {
        let pattern = format!("{{\"{key}\":");
        memchr::memmem::find(body, pattern.as_bytes())
    };
    ["parentUuid", "type", "isSidechain", "logicalParentUuid"]
        .iter()
        .filter_map(start)
        .min()
        .map(|at| at.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{vec, vec::Vec};

    fn read(line: &str) -> (Vec<Json>, LineReport) {
        let mut found = vec![];
        let report = records(line.as_bytes(), |record| found.push(record));
        (found, report)
    }

    #[test]
    fn glued_records_are_both_read() {
        let (found, report) = read(r#"{"type":"a","x":{"y":1}}{"type":"b"}"#);
        assert_eq!(found.len(), 2);
        assert_eq!(report, LineReport { repaired: 1, skipped: None });
    }

    #[test]
    fn a_cut_record_is_reported_and_the_next_one_found() {
        let (found, report) = read(r#"{"type":"user","text":"half of i{"type":"summary","summary":"b"}"#);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].get("type").and_then(Json::as_str), Some("summary"));
        assert!(report.skipped.is_some());
    }

    #[test]
    fn parts_of_a_torn_record_are_no_records() {
        let (found, report) = read(r#"{"type":"user","message":{"content":[{"type":"text","text":"a"},"#);
        assert_eq!(found, []);
        assert!(report.skipped.is_some());
    }

    #[test]
    fn what_is_no_json_is_reported_once() {
        let (found, report) = read("not json at all");
        assert!(found.is_empty());
        assert!(report.skipped.unwrap().starts_with("json_invalid at byte 0"));
    }

    #[test]
    fn a_lone_surrogate_is_replaced_and_counted() {
        let (found, report) = read(r#"{"type":"a","text":"x\ud800y"}"#);
        assert_eq!(found[0].get("text").and_then(Json::as_str), Some("x\u{fffd}y"));
        assert_eq!(report, LineReport { repaired: 1, skipped: None });
    }
}
