//! How stored text becomes [`Clean`] again.

use crate::{
    json,
    redact::{Clean, Opaque, Redactor},
};
use alloc::string::String;

/// Turns what a storage or a host gives back into clean text.
pub(crate) trait Seal {
    /// Plain text.
    fn text(&self, text: String) -> Clean;
    /// Canonical JSON text.
    fn json(&self, text: String) -> Clean;
    /// Text that must stay to the byte; `None` where it cannot.
    fn verbatim(&self, text: String) -> Option<Clean>;
    /// Base64 that is passed on unread; `None` where it is none.
    fn opaque(&self, text: String) -> Option<Opaque>;
}

/// Trusts text that the core itself wrote. The engine alone uses it.
pub(crate) struct Trusted;

impl Seal for Trusted {
    fn text(&self, text: String) -> Clean {
        Clean::from_store(text)
    }
    fn json(&self, text: String) -> Clean {
        Clean::from_store(text)
    }
    fn verbatim(&self, text: String) -> Option<Clean> {
        Some(Clean::from_store(text))
    }
    fn opaque(&self, text: String) -> Option<Opaque> {
        Some(Opaque::from_store(text))
    }
}

/// Scrubs again what a host kept; text that was scrubbed before stays as it is.
pub(crate) struct Rescrub<'a>(pub(crate) &'a Redactor);

impl Seal for Rescrub<'_> {
    fn text(&self, text: String) -> Clean {
        self.0.clean(&text)
    }
    fn json(&self, text: String) -> Clean {
        json::parse(&text).map_or_else(|_| self.0.clean(&text), |json| self.0.redact_json(&json).0.to_clean())
    }
    fn verbatim(&self, text: String) -> Option<Clean> {
        self.0.verbatim(&text)
    }
    fn opaque(&self, text: String) -> Option<Opaque> {
        Opaque::signature(&text)
    }
}
