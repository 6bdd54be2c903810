use crate::redact::{Finding, Redactor};
use alloc::{borrow::Cow, string::String, vec::Vec};

/// Scrubbed bytes. Bytes that are no UTF-8 stay as they are, and a secret around them is found all the same:
/// each stands in the scanned text as one character.
pub(super) struct Scrubbed {
    pub(super) bytes: Vec<u8>,
    pub(super) findings: Vec<Finding>,
}

impl Scrubbed {
    pub(super) fn new(redactor: &Redactor, input: &[u8], report_only: bool) -> Self {
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
}

/// Bytes as text, and the way back from a place in the text to its place in the bytes.
struct Text<'a> {
    text: Cow<'a, str>,
    /// Where in the text a byte that is no UTF-8 stands as U+FFFD, in order.
    replaced: Vec<usize>,
}

/// How much wider the character is than the byte that it stands for.
const WIDER: usize = 2;

impl<'a> Text<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        if let Ok(text) = core::str::from_utf8(bytes) {
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
