//! The secret scrubber, and the only place that makes [`Clean`] text.
//!
//! Secrets are found by their own shape (provider tokens, key blocks, JWT), by the place where they stand
//! (headers, URLs, command lines) and by the name they are assigned to. Only the value goes, and a mark
//! `[REDACTED:<kind>]` comes in its place; see `spec/redaction.md`.
mod clean;
mod edit;
mod engine;
mod error;
mod finding;
mod host;
mod json;
mod mark;
mod options;
mod record;
mod records;
mod report;
mod rules;
mod setup;
mod stream;
mod tag;

pub use clean::{Clean, CleanBuf, CleanJson, Opaque, Text};
pub use edit::{Edit, Utf16Edits};
pub use error::RedactError;
pub use finding::{Confidence, Finding, Redaction};
pub use host::{HostRule, HostShape};
pub use options::{AllowList, KeyNames, Mode, Options};
pub use records::Records;
pub use rules::{RULES_VERSION, Rule, RuleSet, rules};
pub use stream::{EditStream, Stream, StreamCore, StreamState};

use alloc::{string::String, vec::Vec};
use edit::Edited;
use engine::Engine;
use report::Report;
use stream::{Piece, Walk};

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
    marker: mark::Marker,
}

impl Redactor {
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

    /// Scrubs a text and says what was replaced. Each line is a record: what is found in one is looked for in it and
    /// in those behind it. See [`Redactor::redact_record`] for the strings of rows.
    #[must_use]
    pub fn redact(&self, text: &str) -> Redaction {
        // What was read last is written while it is at hand.
        let mut writing = Writing::new(text);
        self.each(text, &mut |piece| writing.piece(&piece, |piece| self.mark(text, piece)));
        let (clean, findings) = writing.end();
        Redaction { findings, text: Clean::seal(clean) }
    }

    /// The text as [`Redactor::redact`] makes it where something was found in it; `None` says that it is clean as it
    /// stands, and copies nothing.
    ///
    /// ```
    /// use throughline_core::redact::Redactor;
    /// let redactor = Redactor::standard();
    /// assert_eq!(redactor.changed("nothing here"), None);
    /// assert!(redactor.changed("password: hunter2").is_some());
    /// ```
    #[must_use]
    pub fn changed(&self, text: &str) -> Option<Clean> {
        let mut edited = Edited::new(text);
        self.each(text, &mut |piece| edited.edit(&self.edit(text, &piece)));
        edited.end().map(Clean::seal)
    }

    /// What is replaced in a text, in its order: for hosts that hold the text themselves, and put the clean one
    /// together out of it. Empty where nothing is found.
    ///
    /// ```
    /// use throughline_core::redact::Redactor;
    /// let text = "login with password: hunter2, then go on";
    /// let edits = Redactor::standard().edits(text);
    /// assert_eq!(&text[edits[0].start..edits[0].end], "hunter2");
    /// assert_eq!(edits[0].mark, "[REDACTED:assignment]");
    /// ```
    #[must_use]
    pub fn edits(&self, text: &str) -> Vec<Edit> {
        let mut edits = Vec::new();
        self.each(text, &mut |piece| edits.push(self.edit(text, &piece)));
        edits
    }

    /// What would be replaced in a text.
    #[must_use]
    pub fn report(&self, text: &str) -> Vec<Finding> {
        let mut telling = Telling::default();
        self.each(text, &mut |piece| telling.piece(text, &piece, &self.edit(text, &piece)));
        telling.end()
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
            Some(piece) => Err(RedactError::SecretInIdentifier { field, rule: piece.rule.id }),
            None => Ok(()),
        }
    }

    /// What is found in a text, in its order.
    fn scan(&self, text: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        self.each(text, &mut |piece| pieces.push(piece));
        pieces
    }

    /// Gives what is found in a text to `take`, in its order.
    fn each(&self, text: &str, take: &mut dyn FnMut(Piece)) {
        let (mut walk, mut at, mut pieces) = (Walk::default(), 0, Vec::new());
        while at < text.len() || walk.is_inside_key() {
            let inside = walk.is_inside_key();
            let next = walk.advance(&self.engine, text, at, true, &mut pieces);
            pieces.drain(..).for_each(&mut *take);
            if next == at && walk.is_inside_key() == inside {
                break;
            }
            at = next;
        }
    }

    /// The mark of a secret of a text.
    fn mark(&self, text: &str, piece: &Piece) -> String {
        self.marker.mark(piece.rule, text.as_bytes().get(piece.start..piece.end).unwrap_or_default())
    }

    /// What a secret of a text gives way to.
    fn edit(&self, text: &str, piece: &Piece) -> Edit {
        Edit::of(piece, |piece| self.mark(text, piece))
    }

    /// The text with a mark for each secret, and where these stand.
    fn written(&self, text: &str, pieces: &[Piece]) -> (String, Vec<Finding>) {
        written_by(text, pieces, |piece| self.mark(text, piece))
    }
}

/// The text with a mark of `mark` for each secret, and where these stand.
fn written_by(text: &str, pieces: &[Piece], mark: impl Fn(&Piece) -> String) -> (String, Vec<Finding>) {
    let mut writing = Writing::new(text);
    pieces.iter().for_each(|piece| writing.piece(piece, &mark));
    writing.end()
}

/// A text that is written without its secrets, which are known one after the other.
struct Writing<'t> {
    text: &'t str,
    edited: Edited<'t>,
    telling: Telling,
}

impl<'t> Writing<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, edited: Edited::new(text), telling: Telling::default() }
    }

    /// Writes what stands before a secret, and its mark.
    fn piece(&mut self, piece: &Piece, mark: impl FnOnce(&Piece) -> String) {
        let edit = Edit::of(piece, mark);
        self.telling.piece(self.text, piece, &edit);
        self.edited.edit(&edit);
    }

    /// The text without them, and where they stand.
    fn end(self) -> (String, Vec<Finding>) {
        (self.edited.end().unwrap_or_else(|| self.text.into()), self.telling.end())
    }
}

/// The way through a text whose secrets are known.
#[derive(Default)]
struct Telling {
    report: Report,
    at: usize,
}

impl Telling {
    /// What stands up to the end of a secret, and what it gives way to.
    fn piece(&mut self, text: &str, piece: &Piece, edit: &Edit) {
        self.report.text(text.get(self.at..piece.start).unwrap_or_default());
        self.report.piece(piece, text.get(piece.start..piece.end).unwrap_or_default(), edit.mark.len());
        self.at = piece.end;
    }

    /// Where all of the secrets stand.
    fn end(mut self) -> Vec<Finding> {
        self.report.close();
        self.report.take()
    }
}

impl Default for Redactor {
    fn default() -> Self {
        Self::standard()
    }
}

#[cfg(test)]
mod tests;
