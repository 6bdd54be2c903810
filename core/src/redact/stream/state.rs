//! What is kept of a stream to go on with it later; never text.
use crate::redact::{RULES_VERSION, report::Report};
use alloc::{format, string::String, vec::Vec};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Bytes before the offset that are hashed.
const BEFORE: usize = 256;

/// Where a stream is. It holds no text, and serialises to JSON and back.
///
/// What was found before is not looked for again after going on from a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StreamState {
    /// Version of the rules that the stream was scrubbed by.
    pub rules: u32,
    /// Bytes of the input that are scrubbed and written; the next one is the first to be fed.
    pub offset: u64,
    /// Bytes of the output up to there.
    pub out_offset: u64,
    /// The line of that offset, from 1.
    pub line: u64,
    /// Where that line starts.
    pub line_start: u64,
    /// Whether it is inside of a key block whose mark is written.
    pub inside_key: bool,
    /// Bytes before the offset that are read again, for what comes is judged by them: those at the end of the last part
    /// of a line that is longer than what is judged at once. 0 anywhere else, and then it is left out of the JSON.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub behind: u64,
    /// SHA-256 of the 256 bytes before the offset, in hexadecimal.
    pub before_sha256: String,
}

impl StreamState {
    pub(super) fn new(rules: u32, inside_key: bool, behind: usize, report: &Report, trail: &Trail) -> Self {
        let wide = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        let place = report.place();
        Self {
            rules,
            offset: wide(place.offset),
            out_offset: wide(place.out),
            line: wide(place.line),
            line_start: wide(place.line_start),
            inside_key,
            behind: wide(behind),
            before_sha256: hash(&trail.0),
        }
    }

    /// How many bytes before [`StreamState::offset`] are asked for: 256, or all when there are fewer; in a line of more
    /// than 64 KB up to 8 KB.
    #[must_use]
    pub fn before(&self) -> u64 {
        self.hashed().max(self.behind)
    }

    fn hashed(&self) -> u64 {
        self.offset.min(256)
    }

    /// Those of the bytes before the offset that are read again; `None` when they are not there.
    pub(super) fn again<'b>(&self, before: &'b [u8]) -> Option<&'b [u8]> {
        let behind = usize::try_from(self.behind).ok()?;
        before.len().checked_sub(behind).and_then(|n| before.get(n..))
    }

    /// Whether the bytes before the offset are those that were read, under the same rules.
    pub(super) fn fits(&self, before: &[u8]) -> bool {
        let wanted = usize::try_from(self.hashed()).unwrap_or(BEFORE);
        let tail = before.len().checked_sub(wanted).and_then(|n| before.get(n..));
        self.rules == RULES_VERSION && tail.is_some_and(|tail| hash(tail) == self.before_sha256)
    }

    pub(super) fn report(&self, offset: usize) -> Report {
        let narrow = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        Report::at(offset, narrow(self.out_offset), narrow(self.line), narrow(self.line_start))
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

/// The last bytes of the input that were decided.
#[derive(Default)]
pub(super) struct Trail(Vec<u8>);

impl Trail {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let tail = bytes.get(bytes.len().saturating_sub(BEFORE)..).unwrap_or_default();
        let keep = BEFORE.saturating_sub(tail.len());
        self.0.drain(..self.0.len().saturating_sub(keep));
        self.0.extend_from_slice(tail);
    }

    pub(super) fn restore(&mut self, before: &[u8]) {
        self.push(before);
    }
}
