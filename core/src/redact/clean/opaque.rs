//! Text that is passed on as it is.
use alloc::{string::String, sync::Arc};
use serde::{Serialize, Serializer};

/// A signature of thinking or encrypted reasoning: base64 that must not be altered and is not read. Only the
/// readers make one, from the typed place where such text stands.
///
/// ```compile_fail
/// let data: throughline_core::redact::Opaque = serde_json::from_str("\"QUJD\"").unwrap();
/// ```
/// ```compile_fail
/// let data = throughline_core::redact::Opaque(String::from("QUJD"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opaque(Arc<str>);

impl Opaque {
    /// Base64 (standard or URL-safe, padded or not) of 1 byte and more; anything else is no signature.
    pub(crate) fn signature(text: &str) -> Option<Self> {
        let body = text.trim_end_matches('=');
        let good = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'-' | b'_');
        (!body.is_empty() && body.bytes().all(good)).then(|| Self(text.into()))
    }

    /// The one other way in: what a storage gives back.
    pub(crate) fn from_store(text: String) -> Self {
        Self(text.into())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Serialize for Opaque {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl AsRef<str> for Opaque {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Opaque;

    #[test]
    fn takes_base64_alone() {
        for good in ["QUJD", "QQ==", "a-_b", "+/=="] {
            assert_eq!(Opaque::signature(good).unwrap().as_str(), good);
        }
        for bad in ["", "==", "a b", "a\n", "a=b", "{\"a\":1}", "é"] {
            assert_eq!(Opaque::signature(bad), None, "{bad:?}");
        }
    }
}
