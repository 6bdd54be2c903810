//! Events in, effects out.

use super::{Compaction, CompactionEffect, CompactionEvent, prompt_tokens};
use crate::{
    compaction::{CompactionError, Draft, Event, FailedAttempt, Opening, Step},
    engine::{Engine, EngineError, memory::CACHED_SESSIONS},
    host::{Host, MaybeSync, TokenCounter},
    id::RowId,
    model::{Boundary, BoundaryMetadata, RestoredRequest, Row, RowPlace},
    prompt::{Input, assemble, request_of},
    time::Timestamp,
};

impl Compaction {
    /// The boundary of a draft; what the prompt comes to after it is counted.
    fn boundary_of<C: TokenCounter + ?Sized>(&self, draft: Draft, counter: &C) -> Option<Boundary> {
        let scheduled = self.operation.scheduled();
        let anchor = &scheduled.rows.get(scheduled.cut.anchor)?.row;
        let metadata = BoundaryMetadata {
            checkpoint_reason: scheduled.reason,
            trigger_tokens: scheduled.trigger.tokens,
            trigger_tokens_estimated: scheduled.trigger.estimated,
            tokens_before: self.before,
            tokens_after: 0,
            checkpoint_tokens: draft.tokens,
            checkpoint_source: draft.source,
            checkpoint_source_id: draft.source_id,
            checkpoint_binding_errors: draft.binding_errors,
            originating_request: self.originating_request(draft.opening),
        };
        let mut boundary = Boundary {
            id: self.checkpoint.clone(),
            seq: self.base.saturating_add(1),
            anchor: anchor.id.clone(),
            anchor_at: anchor.created_at,
            rows_from: self.rows_from(anchor),
            mode: scheduled.cut.mode,
            summary: draft.summary,
            created_at: self.at,
            metadata: Some(metadata),
        };
        let (rows, now) = (scheduled.rows.clone(), Some(boundary.clone()));
        let prompt = assemble(Input { rows, boundary: now, ..self.input.clone() });
        let after = prompt_tokens(&prompt, counter);
        if let Some(metadata) = &mut boundary.metadata {
            metadata.tokens_after = after;
        }
        Some(boundary)
    }

    /// Where rows are to be read from, when input that may still replay came before the anchor.
    fn rows_from(&self, anchor: &Row) -> Option<RowPlace> {
        let scheduled = self.operation.scheduled();
        let kept = scheduled.rows.get(scheduled.cut.replaced..).unwrap_or_default();
        let inputs = kept.iter().filter(|stored| stored.row.input().is_some());
        let oldest = inputs.map(|stored| RowPlace::of(&stored.row)).chain(self.waiting.clone()).min();
        oldest.filter(|oldest| *oldest < RowPlace::of(anchor))
    }

    /// The request of the turn that is cut, as it is restored.
    fn originating_request(&self, opening: Opening) -> Option<RestoredRequest> {
        let scheduled = self.operation.scheduled();
        match opening {
            Opening::Replays => None,
            Opening::Replaced(index) => request_of(scheduled.rows.get(index)?),
            Opening::Earlier => scheduled.before.as_ref()?.metadata.as_ref()?.originating_request.clone(),
        }
    }
}

impl<H: Host> Engine<H> {
    /// Takes what happened in a compaction, and says what is to be done.
    ///
    /// # Errors
    /// `prompt_exceeds_window` when it failed and the prompt cannot be sent as it is: the turn fails.
    /// `event_unexpected`.
    pub async fn on_compaction<C: TokenCounter + MaybeSync + ?Sized>(
        &self,
        compaction: &mut Compaction,
        event: CompactionEvent,
        counter: &C,
    ) -> Result<CompactionEffect, EngineError> {
        let (redactor, operation) = (&self.redactor, &mut compaction.operation);
        let step = match event {
            CompactionEvent::Begun => operation.start(counter, redactor),
            CompactionEvent::Summarized { text, truncated } => {
                operation.on(Event::Summarized { text: redactor.clean(&text), truncated }, counter, redactor)
            }
            CompactionEvent::Failed { error } => operation.on(Event::Failed { error }, counter, redactor),
        };
        let mut step = step;
        loop {
            match step {
                Ok(Step::Summarize(summarize)) => return Ok(CompactionEffect::Summarize(summarize)),
                Ok(Step::Ready(draft)) => {
                    let boundary = compaction.boundary_of(draft, counter);
                    let after = boundary.as_ref().and_then(|boundary| boundary.metadata.as_ref());
                    let after = after.map_or(u64::MAX, |metadata| metadata.tokens_after);
                    if after < compaction.before {
                        compaction.ready = boundary;
                        return Ok(CompactionEffect::Commit(compaction.report(false)));
                    }
                    let error =
                        CompactionError::SummaryTooLarge { summary: after, replaced: compaction.before };
                    step = compaction.operation.refuse(error, counter, redactor);
                }
                Err(error @ CompactionError::EventUnexpected) => return Err(error.into()),
                Err(error) => return self.failed(compaction, error).await,
            }
        }
    }

    /// Remembers the failure, so that it is not repeated blindly.
    async fn failed(
        &self,
        compaction: &Compaction,
        error: CompactionError,
    ) -> Result<CompactionEffect, EngineError> {
        let failed = FailedAttempt {
            input_tokens: compaction.before,
            setup: compaction.setup.clone(),
            step: compaction.step,
            held_back: 0,
        };
        let mut failures = self.failures.lock().await;
        if failures.len() >= CACHED_SESSIONS {
            // Forgetting one costs a try.
            failures.clear();
        }
        failures.insert(compaction.session.clone(), failed);
        drop(failures);
        if let Some(window) =
            compaction.window.filter(|window| !window.takes(compaction.before, compaction.reserved))
        {
            return Err(CompactionError::PromptExceedsWindow {
                prompt: compaction.before,
                reserved: compaction.reserved,
                window: window.tokens,
            }
            .into());
        }
        Ok(CompactionEffect::SendWhole { error, diagnostics: compaction.told() })
    }

    /// The instant of a compaction, the ids of its boundary and of its audit entry: host code runs here, before the queue.
    pub(super) fn compaction_id(&self) -> (Timestamp, RowId, RowId) {
        let mut ids = self.ids();
        (ids.now(), ids.row(), ids.row())
    }
}
