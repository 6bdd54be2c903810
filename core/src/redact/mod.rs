//! The secret scrubber, and the only place that makes [`Clean`] text.
//!
//! Secrets are found by their own shape (provider tokens, key blocks, JWT), by the place where they stand
//! (headers, URLs, command lines) and by the name they are assigned to. Only the value goes, and a mark
//! `[REDACTED:<kind>]` comes in its place; see `spec/redaction.md`.
mod clean;
mod engine;
mod finding;
mod json;
mod options;
mod rules;

pub use clean::{Clean, CleanBuf, CleanJson, Opaque, Text};
pub use finding::{Confidence, Finding, Redaction};
pub use options::{Mode, Options, RedactError};
pub use rules::{RULES_VERSION, Rule, rules};

use alloc::{string::String, vec::Vec};
use engine::{Engine, Span};

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
    mode: Mode,
    engine: Engine,
}

impl Redactor {
    /// A redactor with these options.
    ///
    /// # Errors
    /// `exact_too_short` and `exact_placeholder` for an exact value that would be replaced all over the place.
    pub fn new(options: Options) -> Result<Self, RedactError> {
        for (index, value) in options.exact.iter().enumerate() {
            if value.len() < Options::EXACT_MIN {
                return Err(RedactError::ExactTooShort { index, length: value.len() });
            }
            if engine::placeholder(value) {
                return Err(RedactError::ExactPlaceholder { index });
            }
        }
        Ok(Self::with(&options))
    }

    /// A redactor with the default options.
    #[must_use]
    pub fn standard() -> Self {
        Self::with(&Options::default())
    }

    fn with(options: &Options) -> Self {
        let least = match options.mode {
            Mode::Paranoid => Confidence::Possible,
            Mode::Default | Mode::ReportOnly => Confidence::Likely,
        };
        Self { mode: options.mode, engine: Engine::new(&options.exact, least) }
    }

    /// The same redactor, which reads by plain numbers where this build has vectors: it finds what a build without them
    /// finds, which is the same. For tests.
    #[doc(hidden)]
    #[must_use]
    pub fn by_numbers(mut self) -> Self {
        self.engine.read_by_numbers();
        self
    }

    /// Which findings this redactor replaces.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
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
        self.engine.scan(text)
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

/// The pieces of a mark.
fn mark(span: &Span) -> [&'static str; 3] {
    ["[REDACTED:", span.rule.kind, "]"]
}

/// What is told of spans: where they stand in the text, and where their marks stand in the output.
fn findings(text: &str, spans: &[Span]) -> Vec<Finding> {
    let bytes = text.as_bytes();
    // Lines are counted up to `counted`; `end` is that of the span before, `out` that of its mark.
    let (mut counted, mut line, mut line_start) = (0usize, 1usize, 0usize);
    let (mut end, mut out) = (0usize, 0usize);
    let mut list = Vec::with_capacity(spans.len());
    for span in spans {
        for newline in memchr::memchr_iter(b'\n', bytes.get(counted..span.start).unwrap_or_default()) {
            line = line.saturating_add(1);
            line_start = counted.saturating_add(newline).saturating_add(1);
        }
        counted = span.start;
        let out_offset = out.saturating_add(span.start.saturating_sub(end));
        let out_length = mark(span).iter().map(|piece| piece.len()).sum();
        list.push(Finding {
            rule: span.rule.id,
            kind: span.rule.kind,
            confidence: span.rule.confidence,
            line,
            column: span.start.saturating_sub(line_start).saturating_add(1),
            offset: span.start,
            length: span.end.saturating_sub(span.start),
            out_offset,
            out_length,
        });
        (end, out) = (span.end, out_offset.saturating_add(out_length));
    }
    list
}

#[cfg(test)]
mod tests;
