//! What a provider answered.
use crate::{
    json::Json,
    model::{Issuer, PartBody, ProviderData, Usage},
    prompt::{Diagnostic, HeldThinking},
    redact::Clean,
};
use alloc::{string::String, vec::Vec};
use core::fmt;

/// A block of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its content, scrubbed; signed thinking to the byte. A call stands here with its scrubbed arguments.
    pub body: PartBody,
    /// Whether it may be sent again.
    pub replay: bool,
    /// What its issuer alone can read.
    pub provider_data: Option<ProviderData>,
}

/// A call as the provider asked for it, to be run. It is not scrubbed: a tool runs with the arguments that were
/// sent. It is for memory alone, and its `Debug` form says nothing of the arguments.
#[derive(Clone, PartialEq)]
pub struct Call {
    /// Index of its block, from 0.
    pub block: usize,
    /// The provider's id; empty when it gave none, and then the id of the call's row stands for it.
    pub id: String,
    /// The tool, by the name that it was declared with.
    pub name: String,
    /// The arguments; a string when they are no JSON.
    pub arguments: Json,
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("block", &self.block).field("name", &self.name).finish_non_exhaustive()
    }
}

/// What a provider answered, as [`read`](super::read) gives it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Response {
    /// The provider's id of the answer.
    pub id: Option<Clean>,
    /// Who wrote it; the model is empty when the answer does not say.
    pub issuer: Issuer,
    /// Its blocks, in order.
    pub blocks: Vec<Block>,
    /// Its calls, in order.
    pub calls: Vec<Call>,
    /// Signed thinking that may not be stored, in order; for memory alone, where
    /// [`Conversation::hold`](crate::prompt::Conversation::hold) keeps it while its tool round lasts. In `blocks` a
    /// block without text and signature stands in its place.
    pub held: Vec<HeldThinking>,
    /// Why it ended, in the provider's word; `None` when it did not say.
    pub stop_reason: Option<Clean>,
    /// Tokens as the provider counted them, the cached part apart from the rest of the input.
    pub usage: Option<Usage>,
    /// Size of the prompt as it was sent, in tokens, the cached part included (`spec/compaction.md`): what a
    /// threshold is compared with. `None` when the answer does not say.
    pub context_tokens: Option<u64>,
    /// What was left out, withheld or reported by the provider; the codes are listed in [`render`](super::super).
    pub diagnostics: Vec<Diagnostic>,
}
