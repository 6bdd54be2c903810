//! The loop for a host that has an agent.

use super::{Begun, CompactRequest, CompactionEffect, CompactionEvent, CompactionReport};
use crate::{
    compaction::{CompactionError, Diagnostic, Measured},
    engine::{Engine, EngineError},
    host::{Agent, Host, MaybeSync, TokenCounter},
    id::SessionId,
};
use alloc::vec::Vec;

/// How a compaction went.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub enum Driven {
    /// None is due.
    NotDue {
        /// The size that was looked at, when there was one.
        measured: Option<Measured>,
        /// What is to be told.
        diagnostics: Vec<Diagnostic>,
    },
    /// It was made and committed.
    Compacted(CompactionReport),
    /// It failed, and the prompt fits as it is.
    SendWhole {
        /// Why.
        error: CompactionError,
        /// What is to be told.
        diagnostics: Vec<Diagnostic>,
    },
}

/// Looks whether a compaction is due and makes it, calling the agent for summaries.
///
/// # Errors
/// Those of [`Engine::begin_compaction`], [`Engine::on_compaction`] and [`Engine::commit_compaction`].
pub async fn drive<H: Host, A: Agent, C: TokenCounter + MaybeSync + ?Sized>(
    engine: &Engine<H>,
    session: &SessionId,
    asked: &CompactRequest,
    counter: &C,
    agent: &A,
) -> Result<Driven, EngineError> {
    let mut compaction = match engine.begin_compaction(session, asked, counter).await? {
        Begun::NotDue { measured, diagnostics } => return Ok(Driven::NotDue { measured, diagnostics }),
        Begun::Due(compaction) => compaction,
    };
    let mut event = CompactionEvent::Begun;
    loop {
        match engine.on_compaction(&mut compaction, event, counter).await? {
            CompactionEffect::Summarize(summarize) => {
                event = match agent.summarize(&summarize).await {
                    Ok(summary) => {
                        CompactionEvent::Summarized { text: summary.text, truncated: summary.truncated }
                    }
                    Err(error) => CompactionEvent::Failed { error },
                };
            }
            CompactionEffect::Commit(_) => {
                return Ok(Driven::Compacted(engine.commit_compaction(&compaction).await?));
            }
            CompactionEffect::SendWhole { error, diagnostics } => {
                return Ok(Driven::SendWhole { error, diagnostics });
            }
        }
    }
}
