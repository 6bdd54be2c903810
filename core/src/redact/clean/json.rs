//! Scrubbed JSON.
use super::Clean;
use alloc::string::String;
use serde::Serialize;

/// Canonical JSON text without a secret: tool arguments, metadata. Made only by
/// [`Redactor::redact_json`](super::super::Redactor::redact_json); serialises as a string.
///
/// ```compile_fail
/// let json: throughline_core::redact::CleanJson = serde_json::from_str("\"{}\"").unwrap();
/// ```
/// ```compile_fail
/// let json = throughline_core::redact::CleanJson(String::from("{}"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct CleanJson(String);

impl CleanJson {
    /// The redactor's way in: canonical JSON.
    pub(in crate::redact) fn seal(text: String) -> Self {
        Self(text)
    }

    /// The JSON text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The JSON text as clean text.
    #[must_use]
    pub fn to_clean(&self) -> Clean {
        Clean::of(self.0.as_str())
    }
}

impl AsRef<str> for CleanJson {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
