//! Text that holds no secret, by type.
//!
//! Only the redactor makes a [`Clean`]; pieces and compositions of clean text are clean, so that what is built
//! from it is never scrubbed twice.
mod buf;
mod compose;
mod json;
mod opaque;
mod row;

pub use buf::CleanBuf;
pub use json::CleanJson;
pub use opaque::Opaque;
pub use row::Text;

use crate::text;
use alloc::{boxed::Box, string::String, sync::Arc};
use core::fmt;
use serde::{Serialize, Serializer};

/// Scrubbed text. It serialises as a string and does not deserialise: nothing outside this crate can make one
/// but the redactor. A clone shares the text, so that rows and the prompts made of them hold it once.
///
/// ```
/// use throughline_core::redact::Redactor;
/// let text = Redactor::standard().clean("password: hunter2");
/// assert_eq!(text.as_str(), "password: [REDACTED:assignment]");
/// ```
/// Not from JSON:
/// ```compile_fail
/// let text: throughline_core::redact::Clean = serde_json::from_str("\"any\"").unwrap();
/// ```
/// Not from its parts:
/// ```compile_fail
/// let text = throughline_core::redact::Clean(String::from("any"));
/// ```
/// Not by conversion:
/// ```compile_fail
/// let text: throughline_core::redact::Clean = String::from("any").into();
/// ```
/// Not by the crate's own ways in:
/// ```compile_fail
/// let text = throughline_core::redact::Clean::seal(String::from("any"));
/// ```
/// ```compile_fail
/// let text = throughline_core::redact::Clean::from_store(String::from("any"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Clean(Arc<Box<str>>);

impl Clean {
    /// The redactor's way in.
    pub(in crate::redact) fn seal(text: String) -> Self {
        Self::of(text)
    }

    /// Holds a text as it is: one without room to spare is not copied once more.
    fn of(text: impl Into<Box<str>>) -> Self {
        Self(Arc::new(text.into()))
    }

    /// The one other way in: text that a storage gives back, scrubbed before it went there.
    pub(crate) fn from_store(text: String) -> Self {
        Self::of(text)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Length in UTF-8 bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// At most `chars` characters from the start; a mark is kept whole or left out.
    #[must_use]
    pub fn head(&self, chars: usize) -> Self {
        Self::of(text::head(&self.0, chars))
    }

    /// At most `chars` characters from the end; a mark is kept whole or left out.
    #[must_use]
    pub fn tail(&self, chars: usize) -> Self {
        Self::of(text::tail(&self.0, chars))
    }

    /// At most `chars` characters, ending in `…` when something was cut.
    #[must_use]
    pub fn clip(&self, chars: usize) -> Self {
        Self::of(text::clip(&self.0, chars))
    }

    /// At most `chars` characters of both ends, with `…` between them when something was cut.
    #[must_use]
    pub fn excerpt(&self, chars: usize) -> Self {
        Self::of(text::excerpt(&self.0, chars))
    }

    /// At most `bytes` UTF-8 bytes from the start; a mark is kept whole or left out.
    #[must_use]
    pub fn head_bytes(&self, bytes: usize) -> Self {
        Self::of(text::head_bytes(&self.0, bytes))
    }

    /// At most `bytes` UTF-8 bytes from the end; a mark is kept whole or left out.
    #[must_use]
    pub fn tail_bytes(&self, bytes: usize) -> Self {
        Self::of(text::tail_bytes(&self.0, bytes))
    }

    /// The lines, without their ends (LF or CR LF).
    pub fn lines(&self) -> impl Iterator<Item = Self> {
        self.0.lines().map(Self::of)
    }

    /// CR LF and lone CR become LF.
    #[must_use]
    pub fn fold_line_ends(&self) -> Self {
        Self::of(text::fold_line_ends(&self.0))
    }

    /// Without white space at both ends.
    #[must_use]
    pub fn trim(&self) -> Self {
        Self::of(self.0.trim())
    }

    /// The text as a plain string, for hosts that write it out.
    #[must_use]
    pub fn into_string(self) -> String {
        Arc::unwrap_or_clone(self.0).into()
    }
}

impl Serialize for Clean {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl fmt::Display for Clean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl AsRef<str> for Clean {
    fn as_ref(&self) -> &str {
        &self.0
    }
}
