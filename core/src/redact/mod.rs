//! The secret scrubber, and the only place that makes [`Clean`] text.
//!
//! Secrets are found by their own shape (provider tokens, key blocks, JWT), by the place where they stand
//! (headers, URLs, command lines) and by the name they are assigned to. Only the value goes, and a mark
//! `[REDACTED:<kind>]` comes in its place; see `spec/redaction.md`.
mod clean;
mod engine;
mod finding;
mod options;
mod rules;

pub use clean::{Clean, CleanBuf, CleanJson, Opaque, Text};
pub use finding::{Confidence, Finding, Redaction};
pub use options::{Mode, Options, RedactError};
pub use rules::{RULES_VERSION, Rule, rules};

use alloc::{string::String, vec::Vec};
use engine::Span;

/// Finds secrets and puts marks in their place. Built once, immutable, shared.
///
/// ```
/// use throughline_core::redact::Redactor;
/// let redactor = Redactor::standard();
/// let out = redactor.redact("Authorization: Bearer s3cr3t-t0k3n-value");
/// assert_eq!(out.text.as_str(), "Authorization: Bearer [REDACTED:bearer]");
/// assert_eq!(out.findings[0].kind, "bearer");
/// ```
#[derive(Debug)]
pub struct Redactor {
    options: Options,
}

impl Redactor {
    /// A redactor with these options.
    ///
    /// # Errors
    /// `exact_too_short` and `exact_placeholder` for an exact value that would be replaced all over the place.
    pub fn new(options: Options) -> Result<Self, RedactError> {
        Ok(Self { options })
    }

    /// A redactor with the default options.
    #[must_use]
    pub fn standard() -> Self {
        Self { options: Options::default() }
    }

    /// Which findings this redactor replaces.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.options.mode
    }

    /// Scrubs a text and says what was replaced.
    #[must_use]
    pub fn redact(&self, text: &str) -> Redaction {
        let spans = self.scan(text);
        Redaction { findings: findings(text, &spans), text: Clean::seal(rebuild(text, &spans)) }
    }

    /// Scrubs a text.
    #[must_use]
    pub fn clean(&self, text: &str) -> Clean {
        Clean::seal(rebuild(text, &self.scan(text)))
    }

    /// What would be replaced in a text.
    #[must_use]
    pub fn report(&self, text: &str) -> Vec<Finding> {
        findings(text, &self.scan(text))
    }

    /// The text unchanged, when nothing is found in it: for signed text, which must not be altered.
    #[must_use]
    pub fn verbatim(&self, text: &str) -> Option<Clean> {
        self.scan(text).is_empty().then(|| Clean::seal(text.into()))
    }

    /// Checks an identifier, which is stored as it is.
    ///
    /// # Errors
    /// `secret_in_identifier` when a certain rule fires in it.
    pub fn identifier(&self, field: &'static str, text: &str) -> Result<(), RedactError> {
        match self.scan(text).iter().find(|s| s.rule.confidence == Confidence::Certain) {
            Some(span) => Err(RedactError::SecretInIdentifier { field, rule: span.rule.id }),
            None => Ok(()),
        }
    }

    fn scan(&self, text: &str) -> Vec<Span> {
        let least = match self.options.mode {
            Mode::Paranoid => Confidence::Possible,
            Mode::Default | Mode::ReportOnly => Confidence::Likely,
        };
        engine::scan(text, &[], least)
    }
}

impl Default for Redactor {
    fn default() -> Self {
        Self::standard()
    }
}

/// The text with a mark for each span.
fn rebuild(text: &str, spans: &[Span]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for span in spans {
        out.push_str(text.get(at..span.start).unwrap_or_default());
        for piece in mark(span) {
            out.push_str(piece);
        }
        at = span.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

fn mark(span: &Span) -> [&'static str; 3] {
    ["[REDACTED:", span.rule.kind, "]"]
}

fn findings(text: &str, spans: &[Span]) -> Vec<Finding> {
    let bytes = text.as_bytes();
    let (mut at, mut line, mut line_start, mut out_at) = (0usize, 1usize, 0usize, 0usize);
    let mut list = Vec::with_capacity(spans.len());
    for span in spans {
        let before = bytes.get(at..span.start).unwrap_or_default();
        for newline in memchr::memchr_iter(b'\n', before) {
            line = line.saturating_add(1);
            line_start = at.saturating_add(newline).saturating_add(1);
        }
        out_at = out_at.saturating_add(before.len());
        let out_length = mark(span).iter().map(|p| p.len()).sum();
        list.push(Finding {
            rule: span.rule.id,
            kind: span.rule.kind,
            confidence: span.rule.confidence,
            line,
            column: span.start.saturating_sub(line_start).saturating_add(1),
            offset: span.start,
            length: span.end.saturating_sub(span.start),
            out_offset: out_at,
            out_length,
        });
        out_at = out_at.saturating_add(out_length);
        // Lines inside the span are counted with the text after it.
        let inside = bytes.get(span.start..span.end).unwrap_or_default();
        for newline in memchr::memchr_iter(b'\n', inside) {
            line = line.saturating_add(1);
            line_start = span.start.saturating_add(newline).saturating_add(1);
        }
        at = span.end;
    }
    list
}

impl Redactor {
    /// Scrubs a JSON value.
    pub fn redact_json(&self, json: &crate::json::Json) -> (CleanJson, Vec<Finding>) {
        let text = crate::json::canonical(json);
        let r = self.redact(&text);
        (CleanJson::seal(r.text.as_str().into()), r.findings)
    }
}
