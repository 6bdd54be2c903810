use super::{
    Answer,
    args::{Redact, RedactMode},
    error::CliError,
    output::{Output, Table, count},
};
use serde::Serialize;
use std::{
    fs,
    io::{self, Read},
    path::Path,
};
use throughline_core::redact::{Finding, Options, RedactError, Redactor};

pub(super) fn run(command: &Redact, output: &mut Output) -> Result<Answer, CliError> {
    let report = command.report || output.is_json();
    if command.mode == RedactMode::ReportOnly && !report {
        let message = "mode report_only gives no text, only findings: add --report or --json";
        return Err(CliError::usage("argument_missing", message).at("--mode"));
    }
    let redactor = redactor(command)?;
    let input = read(&command.file)?;
    let scrubbed = Scrubbed::new(&redactor, &input, command.mode == RedactMode::ReportOnly);
    if !report {
        output.bytes(&scrubbed.bytes)?;
    } else if output.is_json() {
        output.value(&scrubbed.report(&input))?;
    } else {
        let report = scrubbed.report(&input);
        output.table(&table(&report))?;
        let findings = u64::try_from(report.findings.len()).unwrap_or(u64::MAX);
        let bytes = u64::try_from(report.bytes_in).unwrap_or(u64::MAX);
        output.remark(&format!(
            "{} in {}",
            count(findings, "finding", "findings"),
            count(bytes, "byte", "bytes")
        ));
    }
    Ok(Answer::Yes)
}

fn redactor(command: &Redact) -> Result<Redactor, CliError> {
    let mut options = Options::default();
    options.mode = command.mode.into();
    let Some(file) = &command.exact else { return Ok(Redactor::new(options)?) };
    let text = read(file)?;
    let text = String::from_utf8(text).map_err(|_| {
        CliError::usage("option_invalid", "exact values are UTF-8 text").at(file.display().to_string())
    })?;
    let lines: Vec<(usize, &str)> = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty()).collect();
    options.exact = lines.iter().map(|(_, value)| (*value).to_owned()).collect();
    // Named by its line, since the value is not to be shown.
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
        let at = format!("{}{}", file.display(), line.unwrap_or_default());
        CliError::usage(error.code(), message).at(at)
    })
}

fn read(file: &Path) -> Result<Vec<u8>, CliError> {
    let read = if file == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(file)
    };
    read.map_err(|error| CliError::input(file, &error))
}

/// What `--report` gives.
#[derive(Debug, Serialize)]
struct Report {
    bytes_in: usize,
    bytes_out: usize,
    findings: Vec<Finding>,
    truncated: bool,
}

fn table(report: &Report) -> Table {
    let mut table = Table::new(&["#line", "#column", "#bytes", "rule", "kind", "confidence"]);
    for finding in &report.findings {
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

/// Scrubbed bytes. Bytes that are no UTF-8 stay as they are, and a secret around them is found all the same:
/// each stands in the scanned text as one character.
struct Scrubbed {
    bytes: Vec<u8>,
    findings: Vec<Finding>,
}

impl Scrubbed {
    fn new(redactor: &Redactor, input: &[u8], report_only: bool) -> Self {
        let text = Text::new(input);
        let (found, clean) = if report_only {
            (redactor.report(&text.text), None)
        } else {
            let redaction = redactor.redact(&text.text);
            (redaction.findings, Some(redaction.text))
        };
        let mut bytes = Vec::with_capacity(input.len());
        let mut at = 0;
        let mut findings = Vec::with_capacity(found.len());
        for mut finding in found {
            let start = text.origin(finding.offset);
            let end = text.origin(finding.offset.saturating_add(finding.length));
            bytes.extend(input.get(at..start).unwrap_or_default());
            let mark_end = finding.out_offset.saturating_add(finding.out_length);
            let mark = clean.as_ref().and_then(|clean| clean.as_str().get(finding.out_offset..mark_end));
            finding.column = finding.column.saturating_sub(text.widened(finding.offset, finding.column));
            (finding.offset, finding.length) = (start, end.saturating_sub(start));
            finding.out_offset = bytes.len();
            match mark {
                Some(mark) => bytes.extend(mark.as_bytes()),
                // Reported, not replaced: the output is the input.
                None => {
                    bytes.extend(input.get(start..end).unwrap_or_default());
                    finding.out_length = finding.length;
                }
            }
            at = end;
            findings.push(finding);
        }
        bytes.extend(input.get(at..).unwrap_or_default());
        Self { bytes, findings }
    }

    fn report(self, input: &[u8]) -> Report {
        Report {
            bytes_in: input.len(),
            bytes_out: self.bytes.len(),
            findings: self.findings,
            truncated: false,
        }
    }
}

/// Bytes as text, and the way back from a place in the text to its place in the bytes.
struct Text<'a> {
    text: std::borrow::Cow<'a, str>,
    /// Where in the text a byte that is no UTF-8 stands as U+FFFD, in order.
    replaced: Vec<usize>,
}

/// How much wider the character is than the byte that it stands for.
const WIDER: usize = '\u{FFFD}'.len_utf8() - 1;

impl<'a> Text<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Self { text: text.into(), replaced: Vec::new() };
        }
        let (mut text, mut replaced) = (String::with_capacity(bytes.len()), Vec::new());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            for _ in chunk.invalid() {
                replaced.push(text.len());
                text.push('\u{FFFD}');
            }
        }
        Self { text: text.into(), replaced }
    }

    fn origin(&self, place: usize) -> usize {
        let before = self.replaced.partition_point(|at| *at < place);
        place.saturating_sub(before.saturating_mul(WIDER))
    }

    /// By how much the text of this line before the place is wider than its bytes.
    fn widened(&self, place: usize, column: usize) -> usize {
        let line = place.saturating_sub(column.saturating_sub(1));
        let before = |place: usize| self.replaced.partition_point(|at| *at < place);
        before(place).saturating_sub(before(line)).saturating_mul(WIDER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_stay_and_hide_nothing() {
        let redactor = Redactor::standard();
        let input = b"\xff\xfe password: h\xfcnter2-and-more\xff\nnext \x80 password: hunter2\n";
        let scrubbed = Scrubbed::new(&redactor, input, false);
        assert!(!scrubbed.bytes.windows(5).any(|window| window == b"nter2"), "{:?}", scrubbed.bytes);
        assert!(scrubbed.bytes.starts_with(b"\xff\xfe password: [REDACTED:"));
        assert!(scrubbed.bytes.windows(7).any(|window| window == b"next \x80 "));
        for finding in &scrubbed.findings {
            let line = input.split(|byte| *byte == b'\n').nth(finding.line - 1).unwrap();
            let value = &input[finding.offset..finding.offset + finding.length];
            assert_eq!(&line[finding.column - 1..][..finding.length], value);
            let mark = &scrubbed.bytes[finding.out_offset..finding.out_offset + finding.out_length];
            assert!(mark.starts_with(b"[REDACTED:") && mark.ends_with(b"]"));
        }
        assert_eq!(scrubbed.findings.len(), 2);
    }

    #[test]
    fn text_without_secrets_is_the_same_bytes() {
        for input in [&b""[..], b"text", b"\xff", b"a\xc3", "é\r\n".as_bytes()] {
            assert_eq!(Scrubbed::new(&Redactor::standard(), input, false).bytes, input);
        }
    }
}
