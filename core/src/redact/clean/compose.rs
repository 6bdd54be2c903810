//! Pieces that digests are composed of.
use super::{Clean, buf::CleanBuf};
use crate::{
    id::SessionId,
    json::{self, Json},
    text,
    time::minutes_text,
};
use alloc::string::String;

impl Clean {
    /// Length in characters (Unicode scalar values).
    #[must_use]
    pub fn chars(&self) -> usize {
        text::chars(&self.0)
    }

    /// The pieces, with a literal between them.
    #[must_use]
    pub fn join(pieces: &[Self], sep: &'static str) -> Self {
        let mut buf = CleanBuf::new();
        for (index, piece) in pieces.iter().enumerate() {
            if index > 0 {
                buf.lit(sep);
            }
            buf.clean(piece);
        }
        buf.finish()
    }

    /// The text on one line: without white space at its ends, every line end shown as ` ⏎ `
    /// (`spec/checkpoints.md`, "Continuity state").
    ///
    /// ```
    /// use throughline_core::redact::Redactor;
    /// let prompt = Redactor::standard().clean("Fix the test.\r\nThen run it.\n");
    /// assert_eq!(prompt.one_line().as_str(), "Fix the test. ⏎ Then run it.");
    /// ```
    #[must_use]
    pub fn one_line(&self) -> Self {
        let trimmed = self.0.trim();
        if memchr::memchr2(b'\r', b'\n', trimmed.as_bytes()).is_none() {
            return Self::of(trimmed);
        }
        let mut line = String::with_capacity(trimmed.len());
        let folded = text::fold_line_ends(trimmed);
        for (index, part) in folded.split('\n').enumerate() {
            if index > 0 {
                line.push_str(" ⏎ ");
            }
            line.push_str(part);
        }
        Self::of(line)
    }

    /// The text that this JSON text stands for, when it is a string. The redactor read it unescaped, so that
    /// it is clean as it stands.
    pub(crate) fn json_string(&self) -> Option<Self> {
        match json::parse(&self.0) {
            Ok(Json::String(text)) => Some(Self::of(text)),
            _ => None,
        }
    }

    /// The lines with their ends, so that joined they are the text to the byte.
    pub(crate) fn lines_with_ends(&self) -> impl Iterator<Item = Self> {
        self.0.split_inclusive('\n').map(Self::of)
    }

    /// A duration in whole minutes, such as `1h 5m`.
    #[must_use]
    pub fn minutes(minutes: i64) -> Self {
        Self::of(minutes_text(minutes))
    }

    /// The key of a session. An identifier is validated and refused when a certain rule fires in it, and is
    /// stored as it is (`spec/checkpoints.md`, "Identity"); that is why it can stand in clean text.
    pub(crate) fn session_key(session: &SessionId) -> Self {
        Self::of(session.key())
    }

    /// The harness of a session; see [`Clean::session_key`].
    pub(crate) fn session_harness(session: &SessionId) -> Self {
        Self::of(session.harness())
    }

    /// The agent of a session, or nothing; see [`Clean::session_key`].
    pub(crate) fn session_agent(session: &SessionId) -> Self {
        Self::of(session.agent())
    }
}
