//! Marks: what stands in the place of a secret.
use super::{engine::guessable, rules::Row, tag};
use alloc::{string::String, vec::Vec};
use core::fmt;

/// Writes marks.
#[derive(Clone, Default)]
pub(super) struct Marker {
    /// The host key of the tags.
    pub key: Option<Vec<u8>>,
    /// The host's own mark: what stands before the kind, or the whole; and what stands behind the kind.
    pub own: Option<(String, Option<String>)>,
}

impl fmt::Debug for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Marker").field("tags", &self.key.is_some()).field("own", &self.own).finish()
    }
}

impl Marker {
    /// The mark of a secret.
    pub(super) fn mark(&self, rule: &Row, secret: &[u8]) -> String {
        match &self.own {
            Some((before, None)) => before.clone(),
            Some((before, Some(after))) => [before.as_str(), rule.kind, after].concat(),
            None => match &self.key {
                None => ["[REDACTED:", rule.kind, "]"].concat(),
                Some(key) => {
                    let tag = if guessable(secret) {
                        tag::GUESSABLE.into()
                    } else {
                        tag::tag(key, rule.kind, secret)
                    };
                    ["[REDACTED:", rule.kind, ":", &tag, "]"].concat()
                }
            },
        }
    }
}
