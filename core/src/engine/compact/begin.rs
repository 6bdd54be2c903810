//! Whether a compaction is due, and the snapshot that it is made from.

use super::{Begun, Cause, CompactRequest, Compaction, Summarizers, prompt_tokens};
use crate::{
    compaction::{
        self, AttemptPlan, CompactionError, Cut, Diagnostic, Effective, Gain, Layers, Measured, Operation,
        Reported, Scheduled, is_available, is_due, is_kept,
    },
    engine::{Engine, EngineError},
    host::{Host, MaybeSync, TokenCounter},
    id::SessionId,
    json::{self, Json},
    model::{Boundary, CompactionReason, InputState, RowKind, RowPlace, SessionRow, StoredRow},
    prompt::{Conversation, Input},
};
use alloc::{format, string::ToString, vec, vec::Vec};

/// Earlier folds lose their lists above this share of the threshold or window.
const KEPT_SHARE: u64 = 3;

/// What is decided on.
struct Known {
    session: SessionRow,
    effective: Effective,
    boundary: Option<Boundary>,
    /// Those that render, in the order in which they do.
    rows: Vec<StoredRow>,
    /// Input that waits, in the order in which it came.
    pending: Vec<StoredRow>,
    estimate: u64,
}

impl<H: Host> Engine<H> {
    /// Looks whether a compaction is due now, and takes a snapshot of all it needs if so.
    ///
    /// A step that is below the threshold costs one read, of the session; nothing is written here.
    ///
    /// # Errors
    /// `session_unknown`, `option_invalid`; for a request of now `compaction_disabled`, `summarizer_missing`,
    /// `host_required`, `nothing_to_compact`; for a prompt that does not fit and cannot be shortened
    /// `prompt_exceeds_window`; the codes of the storage.
    pub async fn begin_compaction<C: TokenCounter + MaybeSync + ?Sized>(
        &self,
        id: &SessionId,
        asked: &CompactRequest,
        counter: &C,
    ) -> Result<Begun, EngineError> {
        let session = self.session_row(id).await?.ok_or_else(|| EngineError::unknown(id))?;
        let effective = compaction::resolve(&with_persisted(&asked.layers, &session))?;
        let asks = session.compaction.requested && can_be_made(asked, &effective);
        if let Cause::Step { reported } = asked.cause
            && !asks
            && !may_be_due(&effective, asked, reported)
        {
            let measured = compaction::measured(reported.filter(|seen| seen.context_tokens.is_some()), || 0);
            return Ok(Begun::NotDue { measured, diagnostics: Vec::new() });
        }
        let (boundary, rows) = self.conversation(id).await?;
        let pending = waiting(&rows, asked);
        let conversation =
            Conversation::new(Input { rows, boundary: boundary.clone(), ..asked.input.clone() });
        let estimate = prompt_tokens(conversation.prompt(), counter);
        let rows = conversation.rows().to_vec();
        let known = Known { session, effective, boundary, rows, pending, estimate };
        match self.judge(id, asked, known, counter).await {
            Ok(begun) => Ok(begun),
            Err((error, _)) if asked.cause == Cause::Requested => Err(error.into()),
            Err((_, Some(exceeds))) => Err(exceeds.into()),
            Err((error, None)) => {
                let measured = asked.measured(estimate);
                let mut diagnostics = vec![Diagnostic::new(error.code(), error.to_string())];
                diagnostics.extend(missing(measured));
                Ok(Begun::NotDue { measured, diagnostics })
            }
        }
    }

    /// The decision. An error says why none is made, and whether the prompt cannot be sent without one.
    async fn judge<C: TokenCounter + MaybeSync + ?Sized>(
        &self,
        id: &SessionId,
        asked: &CompactRequest,
        known: Known,
        counter: &C,
    ) -> Result<Begun, (CompactionError, Option<CompactionError>)> {
        let exceeds =
            asked.window.filter(|window| !window.takes(known.estimate, asked.reserved())).map(|window| {
                CompactionError::PromptExceedsWindow {
                    prompt: known.estimate,
                    reserved: asked.reserved(),
                    window: window.tokens,
                }
            });
        let exceeds = exceeds.filter(|_| asked.cause == Cause::Outgoing);
        let or_exceeds = |error: CompactionError| (error, exceeds.clone());
        let measured = asked.measured(known.estimate);
        let assembled = Measured { tokens: known.estimate, estimated: counter.is_estimate() };
        let (trigger, reason, cut) = match asked.cause {
            Cause::Requested => (assembled, CompactionReason::CompactionRequested, when_asked(&known.rows)),
            Cause::Outgoing if exceeds.is_some() => {
                let cut = compaction::before_sending(&known.rows, &known.pending);
                (assembled, CompactionReason::TokenThresholdExceeded, cut)
            }
            Cause::Outgoing => {
                return Ok(Begun::NotDue { measured: Some(assembled), diagnostics: Vec::new() });
            }
            Cause::Step { .. } => {
                let providers = providers(asked, &known.effective);
                let due = measured.is_some_and(|size| is_due(&known.effective, providers, size));
                let asks = known.session.compaction.requested && can_be_made(asked, &known.effective);
                if !(due || asks) {
                    return Ok(Begun::NotDue { measured, diagnostics: missing(measured) });
                }
                let reason = match due {
                    true => CompactionReason::TokenThresholdExceeded,
                    false => CompactionReason::CompactionRequested,
                };
                (measured.unwrap_or(assembled), reason, compaction::after_step(&known.rows))
            }
        };
        let cut = cut.ok_or_else(|| or_exceeds(CompactionError::NothingToCompact))?;
        let plan = plan(asked, &known.effective).map_err(or_exceeds)?;
        let setup = plan.setup();
        if asked.cause != Cause::Requested {
            self.may_try(id, asked.cause, &known, cut, &setup).await.map_err(or_exceeds)?;
        }
        // A stored request is not the cause where the prompt cannot be sent: it waits for the next step.
        let clears_request = known.session.compaction.requested && asked.cause != Cause::Outgoing;
        let scheduled = Scheduled {
            keep_below: keep_below(&known.effective, asked),
            rows: known.rows,
            cut,
            before: known.boundary,
            reason,
            trigger,
            plan,
            windows: asked.summarizer_windows.clone(),
        };
        let operation = Operation::new(scheduled, counter).map_err(or_exceeds)?;
        let (at, checkpoint, audit) = self.compaction_id();
        Ok(Begun::Due(Compaction {
            session: id.clone(),
            operation,
            checkpoint,
            audit,
            at,
            base: known.session.boundary_seq,
            step: known.session.counts.assistant,
            setup,
            before: known.estimate,
            is_estimate: counter.is_estimate(),
            input: Input { rows: Vec::new(), boundary: None, ..asked.input.clone() },
            waiting: known.pending.first().map(|stored| RowPlace::of(&stored.row)),
            window: asked.window,
            reserved: asked.reserved(),
            clears_request,
            diagnostics: missing(measured),
            ready: None,
        }))
    }

    /// Whether neither a failure of late nor a small gain holds it back. A small gain says something of the next
    /// compaction only when that is made in the same mode; where the prompt cannot be sent as it is, only when it is
    /// made at the same anchor as well.
    async fn may_try(
        &self,
        id: &SessionId,
        cause: Cause,
        known: &Known,
        cut: Cut,
        setup: &str,
    ) -> Result<(), CompactionError> {
        if let Some(failed) = self.failures.lock().await.get_mut(id)
            && let Err(error) = failed.may_try(known.estimate, setup, known.session.counts.assistant)
        {
            failed.held_back = failed.held_back.saturating_add(1);
            return Err(error);
        }
        let anchor = known.rows.get(cut.anchor).map(|stored| &stored.row.id);
        let repeats = |before: &&Boundary| {
            before.mode == cut.mode && (cause != Cause::Outgoing || Some(&before.anchor) == anchor)
        };
        let before = known.boundary.as_ref().filter(repeats);
        let metadata = before.and_then(|boundary| boundary.metadata.as_ref());
        metadata.map_or(Ok(()), |metadata| {
            let gain = Gain { before: metadata.tokens_before, after: metadata.tokens_after };
            gain.may_repeat(known.estimate)
        })
    }
}

/// The layers with what the storage holds; the caller's persisted layer never counts.
fn with_persisted(layers: &Layers, session: &SessionRow) -> Layers {
    let stored = session.compaction.config.as_ref().and_then(|config| json::parse(config.as_str()).ok());
    Layers { persisted: stored.unwrap_or(Json::Null), ..layers.clone() }
}

impl CompactRequest {
    /// What decides on a step; nothing else is measured.
    fn measured(&self, assembled: u64) -> Option<Measured> {
        match self.cause {
            Cause::Step { reported } => compaction::measured(reported, || assembled),
            Cause::Outgoing | Cause::Requested => None,
        }
    }
}

/// Whether a step could be due; a response without a size is measured before it is known.
fn may_be_due(effective: &Effective, asked: &CompactRequest, reported: Option<Reported>) -> bool {
    let Some(Reported { context_tokens }) = reported else { return false };
    let most = Measured { tokens: context_tokens.unwrap_or(u64::MAX), estimated: false };
    is_due(effective, providers(asked, effective), most)
}

/// Whether the options and what is there allow one.
fn can_be_made(asked: &CompactRequest, effective: &Effective) -> bool {
    effective.is_enabled() && is_available(effective, providers(asked, effective))
}

/// How many beside the function could write a summary.
fn providers(asked: &CompactRequest, effective: &Effective) -> usize {
    let kept = asked.bindings.iter().filter(|binding| is_kept(binding, effective)).count();
    kept.saturating_add(usize::from(asked.summarizers != Summarizers::Host))
}

fn plan(asked: &CompactRequest, effective: &Effective) -> Result<AttemptPlan, CompactionError> {
    match asked.summarizers {
        Summarizers::Host => AttemptPlan::new(&asked.bindings, effective, true, false),
        Summarizers::HostOrFold => AttemptPlan::new(&asked.bindings, effective, true, true),
        Summarizers::Alone => AttemptPlan::new(&asked.bindings, effective, false, true),
        Summarizers::Fold => AttemptPlan::fold(effective),
    }
}

/// Input that waits and is not about to be applied.
fn waiting(rows: &[StoredRow], asked: &CompactRequest) -> Vec<StoredRow> {
    let applied = asked.input.applying.as_ref().map_or(&[][..], |applying| &applying.rows);
    let waits = |stored: &&StoredRow| {
        let row = &stored.row;
        row.live && row.input() == Some(&InputState::Pending) && !applied.contains(&row.id)
    };
    rows.iter().filter(waits).cloned().collect()
}

/// For a request of now: in the middle of a step that asked for calls as after that step, else as when idle.
fn when_asked(rows: &[StoredRow]) -> Option<Cut> {
    let newest = rows.iter().rposition(|stored| stored.row.kind == RowKind::Assistant);
    let step = newest.and_then(|at| rows.get(at..)).unwrap_or_default();
    let is_pending = step.iter().any(|stored| stored.row.kind.is_call() && stored.parts.len() < 2);
    if is_pending { compaction::after_step(rows) } else { compaction::when_idle(rows) }
}

fn keep_below(effective: &Effective, asked: &CompactRequest) -> Option<u64> {
    let window = asked.window.map(|window| window.tokens.saturating_sub(asked.reserved()));
    let most = match (threshold(effective), window) {
        (Some(threshold), Some(window)) => Some(threshold.min(window)),
        (one, other) => one.or(other),
    };
    most.map(|most| most / KEPT_SHARE)
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive double saturates")]
fn threshold(effective: &Effective) -> Option<u64> {
    effective.token_threshold().map(|threshold| threshold as u64)
}

fn missing(measured: Option<Measured>) -> Vec<Diagnostic> {
    let estimated = measured.filter(|measured| measured.estimated);
    let note = |measured: Measured| {
        let message =
            format!("the response named no context_tokens; an estimate of {} decided", measured.tokens);
        Diagnostic::new("context_tokens_missing", message)
    };
    estimated.map(note).into_iter().collect()
}
