//! What is replaced in a text that comes in pieces.
use super::feed::{Decided, Feed};
use crate::redact::{Edit, Redactor, Utf16Edits};
use crate::text::utf16_len;
use core::fmt;

/// Finds what is replaced in a text that comes in pieces: for hosts that hold it themselves, count in UTF-16 units, and
/// put the clean one together out of it, such as JavaScript.
///
/// The clean text is the one that [`Redactor::redact`] makes of the whole, whatever the pieces are. At most about 100 KB
/// are held beside a piece, however long the text is.
///
/// ```
/// use throughline_core::redact::{EditStream, Redactor, Utf16Edits};
/// let redactor = Redactor::standard();
/// let mut stream = EditStream::default();
/// stream.push(&redactor, "😀 password: hun");
/// stream.push(&redactor, "ter2");
/// let Utf16Edits { places, marks, .. } = stream.finish(&redactor);
/// assert_eq!((places, marks.as_str()), (vec![13, 20, 21], "[REDACTED:assignment]"));
/// ```
#[derive(Default)]
pub struct EditStream {
    feed: Feed,
    /// UTF-16 units of what is decided.
    units: usize,
    edits: Utf16Edits,
}

// What is held of the text has not been scrubbed.
impl fmt::Debug for EditStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EditStream").finish_non_exhaustive()
    }
}

impl EditStream {
    /// Takes a piece of the text; always with the same redactor.
    pub fn push(&mut self, redactor: &Redactor, piece: &str) {
        self.feed.push_text(piece);
        if self.feed.may_decide(piece.as_bytes()) {
            self.run(redactor, false);
        }
    }

    /// Says that nothing more comes, and gives all edits. What is pushed afterwards is another text.
    pub fn finish(&mut self, redactor: &Redactor) -> Utf16Edits {
        self.run(redactor, true);
        core::mem::take(self).edits
    }

    fn run(&mut self, redactor: &Redactor, end: bool) {
        let Self { feed, units, edits } = self;
        feed.run(&redactor.engine, end, &mut |Decided { input, from, to, pieces }| {
            let mut at = from;
            let mut go = |to: usize| {
                let between = input.text().get(at..to).unwrap_or_default();
                at = to;
                *units = units.saturating_add(utf16_len(between));
                *units
            };
            for piece in pieces {
                let (start, end) = (go(piece.start), go(piece.end));
                let secret = input.bytes(piece.start, piece.end);
                let Edit { mark, .. } = Edit::of(piece, |piece| redactor.marker.mark(piece.rule, secret));
                edits.push(start, end, &mark);
            }
            go(to);
        });
    }
}
