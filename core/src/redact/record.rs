//! A record: one string of JSON or of a row, with all of its lines (`spec/redaction.md`, engine).
use super::edit::Edited;
use super::engine::{self, Earlier, Kept, Reading, Span};
use super::stream::{MOST, Piece};
use super::{Clean, Confidence, Finding, Redaction, Redactor};
use alloc::{string::String, vec::Vec};

impl Redactor {
    /// Scrubs a string of a row. It is one record with all of its lines: what is found in one of them is looked for again
    /// in those up to 8 KB before, and in all behind it. Of a string that is longer than 64 KB each line is a record, as
    /// in [`Redactor::redact`].
    ///
    /// ```
    /// use throughline_core::redact::Redactor;
    /// let text = Redactor::standard().clean("saw q9x2mn7pk4rt8wy1\nDB_PASSWORD=q9x2mn7pk4rt8wy1");
    /// assert_eq!(text.as_str(), "saw [REDACTED:assignment]\nDB_PASSWORD=[REDACTED:assignment]");
    /// ```
    #[must_use]
    pub fn clean(&self, text: &str) -> Clean {
        let mut edited = Edited::new(text);
        for span in self.record(text, Vec::new(), &|_| Vec::new(), &mut Kept::default()) {
            edited.edit(&self.edit(text, &Piece::from(span)));
        }
        Clean::seal(edited.end().unwrap_or_else(|| text.into()))
    }

    /// Scrubs a string of a row as [`Redactor::clean`] does, and says what was replaced.
    ///
    /// ```
    /// use throughline_core::redact::Redactor;
    /// let row = Redactor::standard().redact_record("saw q9x2mn7pk4rt8wy1\nDB_PASSWORD=q9x2mn7pk4rt8wy1");
    /// assert_eq!(row.text.as_str(), "saw [REDACTED:assignment]\nDB_PASSWORD=[REDACTED:assignment]");
    /// assert_eq!((row.findings[0].offset, row.findings[0].length), (4, 16));
    /// ```
    #[must_use]
    pub fn redact_record(&self, text: &str) -> Redaction {
        let (clean, findings) =
            self.replaced(text, self.record(text, Vec::new(), &|_| Vec::new(), &mut Kept::default()));
        Redaction { findings, text: Clean::seal(clean) }
    }

    /// The text with a mark for each span, and where these stand.
    pub(super) fn replaced(&self, text: &str, spans: Vec<Span>) -> (String, Vec<Finding>) {
        let pieces: Vec<Piece> = spans.into_iter().map(Piece::from).collect();
        self.written(text, &pieces)
    }

    /// What is found in a record in which `known` stands already, and `earlier` may be encoded: sorted, apart from each
    /// other.
    pub(super) fn record(
        &self,
        text: &str,
        known: Vec<Span>,
        earlier: Earlier<'_>,
        kept: &mut Kept,
    ) -> Vec<Span> {
        if text.len() <= MOST {
            return self.engine.scan(Reading { text, marks: true, whole: true, earlier }, known, kept);
        }
        let mut spans = known;
        spans.extend(self.joined(text));
        engine::merge(text, spans, Confidence::Possible)
    }

    /// What is found in a text, key blocks whole.
    pub(super) fn joined(&self, text: &str) -> Vec<Span> {
        let mut spans: Vec<Span> = Vec::new();
        self.each(text, &mut |piece| match spans.last_mut().filter(|_| piece.continues) {
            Some(last) => last.end = piece.end,
            None => spans.push(Span { start: piece.start, end: piece.end, rule: piece.rule }),
        });
        spans
    }
}
