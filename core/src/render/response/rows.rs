//! An answer as rows.
use super::value::Response;
use crate::{
    id::RowId,
    model::{Issuer, Part, PartBody, PartSource, Round, Row, RowKind, StoredRow},
    prompt::Prompt,
    redact::Clean,
    time::Timestamp,
};
use alloc::{boxed::Box, string::String, vec::Vec};

/// What an answer's rows keep of the request that it answers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answered {
    /// The model as the request named it; that of the answer counts when `None`.
    pub model: Option<Clean>,
    /// The prompt's fingerprint.
    pub fingerprint: String,
    /// The chain hash of its last message.
    pub tail_hash: String,
    /// The compaction boundary in force.
    pub boundary: Option<RowId>,
}

impl From<&Prompt> for Answered {
    fn from(prompt: &Prompt) -> Self {
        Self {
            model: prompt.model.clone(),
            fingerprint: prompt.fingerprint.clone(),
            tail_hash: prompt.tail_hash.clone(),
            boundary: prompt.boundary.clone(),
        }
    }
}

impl Response {
    /// The rows of the answer: an assistant row with its texts and thinking, then a row for each call, in order.
    ///
    /// `answered` is the prompt that was answered: its model, fingerprint, boundary and chain hash go into the
    /// assistant row, by which its thinking is judged later (`spec/prompt.md`, "Thinking"). `at` is the place of
    /// the first row, each further one a nanosecond on; `id` gives each row its id.
    ///
    /// An answer that holds nothing gives an assistant row with an empty text. Usage and stop reason stand at its
    /// last part.
    #[must_use]
    pub fn into_rows(
        self,
        answered: Answered,
        at: Timestamp,
        mut id: impl FnMut() -> RowId,
    ) -> Vec<StoredRow> {
        let Self { issuer, blocks, stop_reason, usage, .. } = self;
        let assistant = id();
        let mut row = Row::new(assistant.clone(), RowKind::Assistant, at);
        let model = answered.model.unwrap_or(issuer.model);
        row.issuer = Some(Issuer { provider: issuer.provider, model });
        row.generation_checkpoint_id =
            Some(answered.boundary.map_or_else(String::new, |id| id.as_str().into()));
        row.prefix_fingerprint = Some(answered.fingerprint);
        row.prefix_hash = Some(answered.tail_hash);
        let issuer = row.issuer.clone();

        let last = blocks.len().checked_sub(1);
        let source = || PartSource {
            id: None,
            at: None,
            usage,
            stop_reason: stop_reason.as_ref().map(|reason| Box::from(reason.as_str())),
        };
        let mut parts = Vec::new();
        let mut calls = Vec::new();
        let mut place = at;
        for (i, block) in blocks.into_iter().enumerate() {
            let index = u32::try_from(i).unwrap_or(u32::MAX);
            let source = (Some(i) == last).then(source);
            let is_call = matches!(block.body, PartBody::ToolCall { .. });
            let part = |row: RowId, index: u32| Part {
                row,
                index,
                body: block.body,
                replay: block.replay,
                provider_data: block.provider_data,
                source,
            };
            if !is_call {
                parts.push(part(assistant.clone(), index));
                continue;
            }
            place = place.next();
            let mut call = Row::new(id(), RowKind::Function, place);
            call.round = Some(Round { row: assistant.clone(), index });
            call.issuer = issuer.clone();
            let parts = [part(call.id.clone(), 0)].into();
            calls.push(StoredRow { row: call, parts });
        }
        if last.is_none() {
            let body = PartBody::Text { text: Clean::default() };
            parts.push(Part { source: Some(source()), ..Part::new(assistant, 0, body) });
        }
        let mut rows = Vec::with_capacity(calls.len().saturating_add(1));
        rows.push(StoredRow { row, parts });
        rows.extend(calls);
        rows
    }
}
