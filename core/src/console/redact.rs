use super::{
    answer::Answer,
    arguments::Call,
    failure::Failure,
    line::count,
    scrubbed::Scrubbed,
    surroundings::{Surroundings, whole},
    table::Table,
};
use crate::redact::{Finding, Mode, Options, RedactError, Redactor};
use alloc::{
    borrow::ToOwned,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use serde::Serialize;

/// What `--report` gives.
#[derive(Debug, Serialize)]
struct Report {
    bytes_in: usize,
    bytes_out: usize,
    findings: Vec<Finding>,
    truncated: bool,
}

pub(super) async fn run<S: Surroundings>(call: &Call, surroundings: &S) -> Result<Answer, Failure> {
    let mode = match call.value("--mode") {
        Some("paranoid") => Mode::Paranoid,
        Some("report_only") => Mode::ReportOnly,
        _ => Mode::Default,
    };
    let reports = call.has("--report") || call.json();
    if mode == Mode::ReportOnly && !reports {
        let message = "mode report_only gives no text, only findings: add --report or --json";
        return Err(Failure::usage("argument_missing", message).at("--mode"));
    }
    let options = Options { mode, ..Options::default() };
    let redactor = match call.value("--exact") {
        Some(file) => exact(options, file, read(surroundings, file).await?)?,
        None => Redactor::new(options)?,
    };
    let input = read(surroundings, call.word().unwrap_or("-")).await?;
    let scrubbed = Scrubbed::new(&redactor, &input, mode == Mode::ReportOnly);
    if !reports {
        return Ok(Answer { stdout: scrubbed.bytes, ..Answer::default() });
    }
    let report = Report {
        bytes_in: input.len(),
        bytes_out: scrubbed.bytes.len(),
        findings: scrubbed.findings,
        truncated: false,
    };
    if call.json() {
        return Answer::json(&report);
    }
    let findings = count(report.findings.len(), "finding", "findings");
    let remark = format!("{findings} in {}", count(input.len(), "byte", "bytes"));
    Ok(Answer::table(&table(&report.findings)).remark(&remark))
}

async fn read<S: Surroundings>(surroundings: &S, file: &str) -> Result<Vec<u8>, Failure> {
    whole(surroundings, file).await.map_err(|fault| Failure::input(file, &fault))
}

/// A redactor with the exact values of a file. A wrong one is named by its line, since it is not to be shown.
fn exact(mut options: Options, file: &str, bytes: Vec<u8>) -> Result<Redactor, Failure> {
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::usage("option_invalid", "exact values are UTF-8 text").at(file))?;
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()).collect();
    options.exact = lines.iter().map(|(_, value)| (*value).to_owned()).collect();
    Redactor::new(options).map_err(|error| {
        let (index, message) = match &error {
            RedactError::ExactTooShort { index, length } => {
                (Some(*index), format!("a value of {length} bytes; an exact value has at least 6"))
            }
            RedactError::ExactPlaceholder { index } => {
                let why = "a placeholder: replacing it everywhere would destroy text that holds no secret";
                (Some(*index), why.to_owned())
            }
            other => (None, other.to_string()),
        };
        let line = index.and_then(|index| lines.get(index)).map(|(line, _)| format!(":{line}"));
        Failure::usage(error.code(), message).at(format!("{file}{}", line.unwrap_or_default()))
    })
}

fn table(findings: &[Finding]) -> Table {
    let mut table = Table::new(&["#line", "#column", "#bytes", "rule", "kind", "confidence"]);
    for finding in findings {
        let confidence = serde_json::to_value(finding.confidence).unwrap_or_default();
        table.row(vec![
            finding.line.to_string(),
            finding.column.to_string(),
            finding.length.to_string(),
            finding.rule.into(),
            finding.kind.into(),
            confidence.as_str().unwrap_or_default().into(),
        ]);
    }
    table
}
