//! What a scan reports.
use super::clean::Clean;
use alloc::vec::Vec;
use serde::Serialize;

/// How sure a rule is that what it found is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Looks like a secret by its characters alone. Replaced in [`Mode::Paranoid`](super::Mode::Paranoid) only.
    Possible,
    /// A value in a place where secrets stand: under a sensitive key name, in a header, in a URL.
    Likely,
    /// A shape that nothing but this kind of secret has.
    Certain,
}

/// One secret that was found; never its value.
///
/// Offsets and lengths are UTF-8 bytes, lines count from 1 (LF ends a line), columns are bytes from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// Id of the rule that fired, as in [`rules`](super::rules).
    pub rule: &'static str,
    /// The kind that the mark names: `[REDACTED:<kind>]`.
    pub kind: &'static str,
    /// How sure the rule is.
    pub confidence: Confidence,
    /// Line of the first byte in the input.
    pub line: usize,
    /// Column of the first byte in the input.
    pub column: usize,
    /// First byte in the input.
    pub offset: usize,
    /// Bytes in the input.
    pub length: usize,
    /// First byte of the mark in the output.
    pub out_offset: usize,
    /// Bytes of the mark in the output.
    pub out_length: usize,
}

/// The result of scrubbing a text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redaction {
    /// The scrubbed text.
    pub text: Clean,
    /// What was replaced, in the order of the text.
    pub findings: Vec<Finding>,
}
