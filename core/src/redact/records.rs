//! Records that follow each other (`spec/redaction.md`, engine).
use super::engine::{Kept, Span};
use super::stream::Known;
use super::{Clean, CleanJson, Finding, Redaction, Redactor, rules::Row};
use crate::json::Json;
use alloc::vec::Vec;
use core::fmt;

/// What was found in records that follow each other, such as the texts of a log: it is looked for in those behind
/// them, the 256 newest values and 64 KB of them at most. It holds secrets, and is for memory alone: it is no data, and
/// printing it shows nothing of them.
///
/// ```
/// use throughline_core::redact::{Records, Redactor};
/// let (redactor, mut records) = (Redactor::standard(), Records::default());
/// records.redact(&redactor, "DB_PASSWORD=q9x2mn7pk4rt8wy1");
/// let later = records.redact(&redactor, "connected with q9x2mn7pk4rt8wy1");
/// assert_eq!(later.text.as_str(), "connected with [REDACTED:assignment]");
/// ```
#[derive(Default)]
pub struct Records {
    pub(super) known: Known,
    pub(super) kept: Kept,
}

impl Records {
    /// Scrubs the next record, as [`Redactor::redact_record`] does; always with the same redactor.
    pub fn redact(&mut self, redactor: &Redactor, text: &str) -> Redaction {
        let spans = self.spans(redactor, text);
        for span in &spans {
            self.keep(text.get(span.start..span.end).unwrap_or_default(), span.rule);
        }
        let (clean, findings) = redactor.replaced(text, spans);
        Redaction { findings, text: Clean::seal(clean) }
    }

    /// Scrubs the strings of a JSON value, as [`Redactor::redact_json`] does.
    pub fn redact_json(&mut self, redactor: &Redactor, value: &Json) -> (CleanJson, Vec<Finding>) {
        redactor.value_behind(self, value)
    }

    /// The text unchanged, when nothing is found in it and nothing that was found before stands in it; see
    /// [`Redactor::verbatim`].
    #[must_use]
    pub fn verbatim(&mut self, redactor: &Redactor, text: &str) -> Option<Clean> {
        self.spans(redactor, text).is_empty().then(|| Clean::seal(text.into()))
    }

    fn spans(&mut self, redactor: &Redactor, text: &str) -> Vec<Span> {
        let earlier = |text: &[u8]| self.known.find(text);
        redactor.record(text, earlier(text.as_bytes()), &earlier, &mut self.kept)
    }

    /// Keeps a value, if it is one that is looked for.
    pub(super) fn keep(&mut self, secret: &str, rule: &'static Row) {
        self.known.add(secret.as_bytes(), rule);
    }
}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Records").finish_non_exhaustive()
    }
}
