//! Scrubbing in chunks: bytes in, clean bytes out.
//!
//! Whole texts take the same way ([`Walk`]), so that the result is the same however a text is cut into chunks. See
//! `spec/redaction.md`, contract and engine.
mod edits;
mod feed;
mod groups;
mod input;
mod known;
mod state;
mod walk;

pub use edits::EditStream;
pub(super) use groups::MOST;
pub(super) use known::Known;
pub use state::StreamState;
pub(super) use walk::{Piece, Walk};

use super::{Edit, Finding, RULES_VERSION, Redactor, report::Report};
use alloc::vec::Vec;
use core::fmt;
use feed::{Decided, Feed};
use state::Trail;

/// Bytes that are taken in at once, so that no chunk makes a stream hold more.
const SLICE: usize = 16 * 1024;

/// Scrubs bytes as they come; made by [`Redactor::stream`].
///
/// What comes out is what [`Redactor::redact`] makes of the whole, whatever the chunks are. A line comes out as soon as
/// it is complete and nothing in it can go on in the next one, and the rest with [`Stream::finish`]. Bytes that are no
/// UTF-8 stay as they are. At most about 100 KB are held back.
///
/// ```
/// use throughline_core::redact::Redactor;
/// let redactor = Redactor::standard();
/// let (mut stream, mut out) = (redactor.stream(), Vec::new());
/// stream.push(b"password: hun", &mut out);
/// assert!(out.is_empty());
/// stream.push(b"ter2\nnext", &mut out);
/// assert_eq!(out, b"password: [REDACTED:assignment]\n");
/// stream.finish(&mut out);
/// assert_eq!(out, b"password: [REDACTED:assignment]\nnext");
/// assert_eq!(stream.take_findings().len(), 1);
/// ```
#[derive(Debug)]
pub struct Stream<'r> {
    redactor: &'r Redactor,
    core: StreamCore,
}

/// The same without its redactor, for hosts that cannot hold a borrow.
pub struct StreamCore {
    feed: Feed,
    report: Report,
    trail: Trail,
}

// What is held of the text has not been scrubbed.
impl fmt::Debug for StreamCore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StreamCore").finish_non_exhaustive()
    }
}

impl Redactor {
    /// Starts to scrub bytes that come in chunks.
    #[must_use]
    pub fn stream(&self) -> Stream<'_> {
        Stream { redactor: self, core: StreamCore::new() }
    }

    /// Goes on where a stream was that gave this state, and says from which offset on it is to be fed. `before` are
    /// the bytes before that offset, at least the last [`StreamState::before`] of them. The last 256 of them are checked:
    /// where these are others than those that were read, or the rules are another version, that is the start: 0. What
    /// comes out is what would have come without a stop, but that values found before are not looked for again.
    ///
    /// ```
    /// use throughline_core::redact::Redactor;
    /// let redactor = Redactor::standard();
    /// let log = b"one\npassword: hunter2\npassword: hunter3\n";
    /// let (mut stream, mut out) = (redactor.stream(), Vec::new());
    /// stream.push(&log[..22], &mut out);
    /// let state = stream.state();
    /// let (mut stream, from) = redactor.resume(&state, &log[..22]);
    /// assert_eq!(from, 22);
    /// stream.push(&log[22..], &mut out);
    /// stream.finish(&mut out);
    /// assert_eq!(out, b"one\npassword: [REDACTED:assignment]\npassword: [REDACTED:assignment]\n");
    /// assert_eq!(redactor.resume(&state, b"another log").1, 0);
    /// ```
    #[must_use]
    pub fn resume(&self, state: &StreamState, before: &[u8]) -> (Stream<'_>, u64) {
        let (core, from) = StreamCore::resume(state, before);
        (Stream { redactor: self, core }, from)
    }
}

impl Stream<'_> {
    /// Takes bytes, and adds what is clean for good to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.core.push(self.redactor, bytes, out);
    }

    /// Says that nothing more comes, and adds what was held back to `out`. What is pushed afterwards is a text of its
    /// own at the end of this one.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.core.finish(self.redactor, out);
    }

    /// What was found since this was asked last; offsets are those in the whole. The finding of a key block comes when
    /// its end is known.
    #[must_use]
    pub fn take_findings(&mut self) -> Vec<Finding> {
        self.core.take_findings()
    }

    /// Bytes that are held back.
    #[must_use]
    pub fn held(&self) -> usize {
        self.core.held()
    }

    /// What is needed to go on later, without a byte of text: see [`Redactor::resume`].
    #[must_use]
    pub fn state(&self) -> StreamState {
        self.core.state()
    }
}

impl Default for StreamCore {
    fn default() -> Self {
        Self::new()
    }
}

impl StreamCore {
    /// The start of a text.
    #[must_use]
    pub fn new() -> Self {
        Self { feed: Feed::default(), report: Report::default(), trail: Trail::default() }
    }

    /// As [`Redactor::resume`].
    #[must_use]
    pub fn resume(state: &StreamState, before: &[u8]) -> (Self, u64) {
        let mut core = Self::new();
        let offset = usize::try_from(state.offset).ok().filter(|_| state.fits(before));
        let (Some(offset), Some(behind)) = (offset, state.again(before)) else { return (core, 0) };
        core.feed = Feed::going_on(state.inside_key, behind);
        core.report = state.report(offset);
        core.trail.restore(before);
        (core, state.offset)
    }

    /// As [`Stream::push`]; always with the same redactor.
    pub fn push(&mut self, redactor: &Redactor, bytes: &[u8], out: &mut Vec<u8>) {
        for slice in bytes.chunks(SLICE) {
            self.feed.push(slice);
            if self.feed.may_decide(slice) {
                self.run(redactor, false, out);
            }
        }
    }

    /// As [`Stream::finish`].
    pub fn finish(&mut self, redactor: &Redactor, out: &mut Vec<u8>) {
        self.feed.finish();
        self.run(redactor, true, out);
        self.report.close();
        self.feed = Feed::default();
    }

    /// As [`Stream::take_findings`].
    #[must_use]
    pub fn take_findings(&mut self) -> Vec<Finding> {
        self.report.take()
    }

    /// As [`Stream::held`].
    #[must_use]
    pub fn held(&self) -> usize {
        self.feed.held()
    }

    /// As [`Stream::state`].
    #[must_use]
    pub fn state(&self) -> StreamState {
        StreamState::new(
            RULES_VERSION,
            self.feed.is_inside_key(),
            self.feed.behind(),
            &self.report,
            &self.trail,
        )
    }

    /// Decides what can be decided, and writes it.
    fn run(&mut self, redactor: &Redactor, end: bool, out: &mut Vec<u8>) {
        let Self { feed, report, trail } = self;
        feed.run(&redactor.engine, end, &mut |Decided { input, from, to, pieces }| {
            let text = input.text();
            let mut at = from;
            for piece in pieces {
                out.extend_from_slice(input.bytes(at, piece.start));
                report.text(text.get(at..piece.start).unwrap_or_default());
                let secret = input.bytes(piece.start, piece.end);
                let Edit { mark, .. } = Edit::of(piece, |piece| redactor.marker.mark(piece.rule, secret));
                report.piece(piece, text.get(piece.start..piece.end).unwrap_or_default(), mark.len());
                out.extend_from_slice(mark.as_bytes());
                at = piece.end;
            }
            out.extend_from_slice(input.bytes(at, to));
            report.text(text.get(at..to).unwrap_or_default());
            trail.push(input.bytes(from, to));
        });
    }
}

#[cfg(test)]
mod tests;
