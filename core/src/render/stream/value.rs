//! What a stream came to.
use crate::{json::Json, prompt::Diagnostic};
use alloc::vec::Vec;

/// What the events of a stream came to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Merged {
    /// The answer, for [`read`](super::super::read). Where an error came and nothing before it, that error; `null` when
    /// nothing came at all.
    pub response: Json,
    /// Whether the answer came to its end.
    pub is_complete: bool,
    /// The error event that broke the stream off, as the provider sent it.
    pub error: Option<Json>,
    /// What was passed over or left out; the codes are listed in [`render`](super::super).
    pub diagnostics: Vec<Diagnostic>,
}
