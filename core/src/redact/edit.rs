//! What is replaced in a text: the text without its secrets follows from it.
use super::stream::Piece;
use crate::text::{Utf16Places, utf16_len};
use alloc::{string::String, vec::Vec};

/// One place of a text that gives way to a mark; never what stands there.
///
/// Places are in bytes of UTF-8. They come in the order of the text and do not overlap.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The first byte that goes.
    pub start: usize,
    /// The first byte behind it that stays.
    pub end: usize,
    /// What comes in its place. Empty where this goes on with the secret before it, as in a key block that is longer
    /// than what is read at once: one secret has one mark.
    pub mark: String,
}

impl Edit {
    /// What a secret gives way to.
    pub(super) fn of(piece: &Piece, mark: impl FnOnce(&Piece) -> String) -> Self {
        let mark = if piece.continues { String::new() } else { mark(piece) };
        Self { start: piece.start, end: piece.end, mark }
    }
}

/// A text as edits make it that come one after the other, in its order.
pub(super) struct Edited<'t> {
    text: &'t str,
    out: Option<String>,
    at: usize,
}

impl<'t> Edited<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { text, out: None, at: 0 }
    }

    /// Writes what stands before an edit, and its mark.
    pub(super) fn edit(&mut self, edit: &Edit) {
        let out = self.out.get_or_insert_with(|| String::with_capacity(self.text.len()));
        out.push_str(self.text.get(self.at..edit.start).unwrap_or_default());
        out.push_str(&edit.mark);
        self.at = edit.end;
    }

    /// The text with all of its edits; `None` where none came.
    pub(super) fn end(self) -> Option<String> {
        let mut out = self.out?;
        out.push_str(self.text.get(self.at..).unwrap_or_default());
        Some(out)
    }
}

/// Edits as a host takes them that counts in UTF-16 units, such as JavaScript, in two values.
///
/// ```
/// use throughline_core::redact::{Redactor, Utf16Edits};
/// let text = "😀 password: hunter2";
/// let edits = Utf16Edits::of(text, &Redactor::standard().edits(text));
/// assert_eq!(edits.places, [13, 20, 21]);
/// assert_eq!(edits.marks, "[REDACTED:assignment]");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Utf16Edits {
    /// Three numbers for each edit, in UTF-16 units: where it starts, where it ends, and how long its mark is.
    pub places: Vec<u32>,
    /// All marks, one behind the other.
    pub marks: String,
}

impl Utf16Edits {
    /// The edits of this text, in its order.
    #[must_use]
    pub fn of(text: &str, edits: &[Edit]) -> Self {
        let (mut places, mut all) = (Utf16Places::new(text), Self::default());
        for edit in edits {
            let (start, end) = (places.at(edit.start), places.at(edit.end));
            all.push(start, end, &edit.mark);
        }
        all
    }

    /// Adds what gives way to a mark, behind all others.
    pub(super) fn push(&mut self, start: usize, end: usize, mark: &str) {
        // A string of JavaScript has fewer than 2^32 units.
        let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.places.extend([start, end, utf16_len(mark)].map(number));
        self.marks.push_str(mark);
    }
}
