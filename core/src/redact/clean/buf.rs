//! Composing clean text.
use super::Clean;
use crate::time::Timestamp;
use alloc::string::String;
use core::fmt::Write;

/// Builds clean text from clean pieces, literals and numbers, so that a digest is never scrubbed twice.
///
/// ```
/// use throughline_core::redact::{CleanBuf, Redactor};
/// let name = Redactor::standard().clean("notes.md");
/// let mut buf = CleanBuf::new();
/// buf.lit("read ").num(3).lit(" lines of ").clean(&name);
/// assert_eq!(buf.finish().as_str(), "read 3 lines of notes.md");
/// ```
#[derive(Debug, Clone, Default)]
pub struct CleanBuf(String);

impl CleanBuf {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a literal of the program.
    pub fn lit(&mut self, text: &'static str) -> &mut Self {
        self.0.push_str(text);
        self
    }

    /// Adds clean text.
    pub fn clean(&mut self, text: &Clean) -> &mut Self {
        self.0.push_str(text.as_str());
        self
    }

    /// Adds a number in decimal.
    pub fn num(&mut self, number: u64) -> &mut Self {
        // Writing to a string does not fail.
        let _ = write!(self.0, "{number}");
        self
    }

    /// Adds a signed number in decimal.
    pub fn signed(&mut self, number: i64) -> &mut Self {
        let _ = write!(self.0, "{number}");
        self
    }

    /// Adds an instant in RFC 3339.
    pub fn time(&mut self, time: Timestamp) -> &mut Self {
        let _ = write!(self.0, "{time}");
        self
    }

    /// How many characters (Unicode scalar values) there are so far.
    #[must_use]
    pub fn len_chars(&self) -> usize {
        self.0.chars().count()
    }

    /// Whether nothing was added yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text that was built.
    #[must_use]
    pub fn finish(self) -> Clean {
        Clean::of(self.0)
    }
}
