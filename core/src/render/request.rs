//! What a request is rendered by, and what comes of it.
use crate::{id::RowId, json::Json, prompt::Diagnostic};
use alloc::{collections::BTreeSet, string::String, vec::Vec};
use core::fmt;

/// How a request is rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Tokens of the answer where the settings name no limit and the provider asks for one: 8192.
    pub default_max_tokens: u64,
    /// Whether cache markers are sent, and to a provider that caches by itself a cache key.
    pub cache_markers: bool,
    /// The cache key for a provider that takes one; the prompt's fingerprint when `None`. At most 64 characters.
    pub cache_key: Option<String>,
    /// Rows of notes that were committed together with the output of their step (before-step and recall notes).
    /// Anthropic models that take system messages among the others get them as such; runs of them as one.
    /// Such a note must stay in the set for as long as it is in the prompt: taking it out is another request.
    pub inline_system: BTreeSet<RowId>,
    /// Asks Anthropic to drop thinking that does not fit what stands before it, in place of refusing the
    /// request. It turns adaptive thinking on, and needs the beta that [`Rendered::betas`] then names.
    pub drop_stale_thinking: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            default_max_tokens: 8192,
            cache_markers: true,
            cache_key: None,
            inline_system: BTreeSet::new(),
            drop_stale_thinking: false,
        }
    }
}

/// A call whose id is sent otherwise than it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedId {
    /// The call's row.
    pub row: RowId,
    /// The id in the neutral prompt.
    pub call_id: String,
    /// The id in the request: `tl_` and 26 characters of base32.
    pub sent: String,
}

/// A tool whose name is sent otherwise than it is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenamedTool {
    /// The name in the neutral prompt.
    pub name: String,
    /// The name in the request.
    pub sent: String,
}

/// A provider's request. The body may hold the text of thinking that is for memory alone, so the `Debug` form leaves it
/// out.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Rendered {
    /// The body, an object.
    pub body: Json,
    /// What could not be sent as it is, or not at all.
    pub diagnostics: Vec<Diagnostic>,
    /// Calls whose ids differ from the stored ones, in order.
    pub renamed: Vec<RenamedId>,
    /// Tools whose names differ from the declared ones, each once; [`read`](super::read) turns them back.
    pub renamed_tools: Vec<RenamedTool>,
    /// Beta features that the request needs, for the header `anthropic-beta`; empty for other providers.
    pub betas: Vec<&'static str>,
}

impl fmt::Debug for Rendered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { body: _, diagnostics, renamed, renamed_tools, betas } = self;
        let mut out = f.debug_struct("Rendered");
        out.field("diagnostics", diagnostics).field("renamed", renamed).field("renamed_tools", renamed_tools);
        out.field("betas", betas).finish_non_exhaustive()
    }
}
