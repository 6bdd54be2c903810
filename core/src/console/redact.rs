use super::{
    answer::Answer, arguments::Call, failure::Failure, line::count, log_file::LogFile,
    redact_options::redactor, surroundings::Surroundings, table::Table,
};
use crate::redact::{Finding, Mode};
use alloc::{string::ToString, vec, vec::Vec};
use serde::Serialize;

/// The most findings of a report, so that endless input needs no endless memory.
const MOST: usize = 100_000;

/// What `--report` gives.
#[derive(Debug, Default, Serialize)]
struct Report {
    bytes_in: usize,
    bytes_out: usize,
    findings: Vec<Finding>,
    /// Whether there were more findings than a report holds.
    truncated: bool,
}

impl Report {
    fn add(&mut self, findings: Vec<Finding>) {
        let room = MOST.saturating_sub(self.findings.len());
        self.truncated |= findings.len() > room;
        self.findings.extend(findings.into_iter().take(room));
    }

    /// Nothing was replaced: the output is the input.
    fn of_input(mut self) -> Self {
        self.bytes_out = self.bytes_in;
        for finding in &mut self.findings {
            (finding.out_offset, finding.out_length) = (finding.offset, finding.length);
        }
        self
    }
}

/// Scrubs a file or standard input, and writes as it reads: a line comes out as soon as it is complete and nothing in
/// it can go on in the next one.
pub(super) async fn run<S: Surroundings>(call: &Call, surroundings: &S) -> Result<Answer, Failure> {
    let redactor = redactor(call, surroundings).await?;
    let looks = redactor.mode() == Mode::ReportOnly;
    let reports = call.has("--report") || call.json();
    if looks && !reports {
        let message = "mode report_only gives no text, only findings: add --report or --json";
        return Err(Failure::usage("argument_missing", message).at("--mode"));
    }
    let path = call.word().unwrap_or("-");
    let mut file = surroundings.file(path).await.map_err(|fault| Failure::input(path, &fault))?;
    let (mut stream, mut out, mut report) = (redactor.stream(), Vec::new(), Report::default());
    loop {
        let next = file.next().await.map_err(|fault| Failure::input(path, &fault))?;
        match &next {
            Some(bytes) => stream.push(bytes, &mut out),
            None => stream.finish(&mut out),
        }
        report.bytes_in = report.bytes_in.saturating_add(next.as_ref().map_or(0, Vec::len));
        report.bytes_out = report.bytes_out.saturating_add(out.len());
        let findings = stream.take_findings();
        if reports {
            report.add(findings);
        } else if !out.is_empty()
            && let Err(fault) = surroundings.write(&out).await
        {
            return Failure::unwritten(&fault).map_or_else(|| Ok(Answer::default()), Err);
        }
        out.clear();
        if next.is_none() {
            break;
        }
    }
    if !reports {
        return Ok(Answer::default());
    }
    let report = if looks { report.of_input() } else { report };
    if call.json() {
        return Answer::json(&report);
    }
    let findings = count(report.findings.len(), "finding", "findings");
    let more = if report.truncated { " and more" } else { "" };
    let remark = [&findings, more, " in ", &count(report.bytes_in, "byte", "bytes")].concat();
    Ok(Answer::table(&table(&report.findings)).remark(&remark))
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
