//! The boundary, its audit entry, the request that it fulfils: one batch.

use super::{Compaction, CompactionReport};
use crate::{
    compaction::{CompactionError, Layers, resolve},
    engine::{
        Engine, EngineError, Ids, Policy, Session, SessionState,
        commit::{Loaded, Needs},
        step::Step,
    },
    host::{Host, MaybeSend, MaybeSync},
    id::{RowId, SessionId},
    json::{self, Json},
    model::{Boundary, BoundaryMetadata, Effect, Op, Part, PartBody, Plan, Row, RowKind, SessionRow},
    redact::{Clean, CleanBuf},
};

impl<H: Host> Engine<H> {
    /// Commits a compaction whose summary is there: boundary, audit entry, and the request that it fulfils, in one
    /// batch. Repeating it changes nothing, whatever was compacted since. Whatever fails leaves the earlier summary
    /// and anchor as they were.
    ///
    /// # Errors
    /// `event_unexpected` without a summary, `compaction_superseded` when another compaction was made since this
    /// one began or its anchor left the live conversation, `session_unknown`; the codes of the storage.
    pub async fn commit_compaction(&self, compaction: &Compaction) -> Result<CompactionReport, EngineError> {
        let Some(boundary) = &compaction.ready else {
            return Err(CompactionError::EventUnexpected.into());
        };
        let id = &compaction.session;
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let session = loaded.session.ok_or_else(|| EngineError::unknown(id))?;
            // The audit entry came with the boundary: it says that this was committed, newer boundaries or not.
            if loaded.index.iter().any(|row| row.id == compaction.audit) {
                return Ok((None, true));
            }
            let is_live = loaded.index.iter().any(|row| row.id == boundary.anchor && row.live);
            if session.row().boundary_seq != compaction.base || !is_live {
                // A session that is remembered from before another host wrote is loaded again first.
                return Ok((None, false));
            }
            let (audit, fulfils) = (compaction.audit.clone(), compaction.clears_request);
            Ok((Some(session.plan_boundary(boundary.clone(), audit, fulfils, &self.policy, ids)), true))
        };
        let needs = Needs { index: true, ..Needs::default() };
        let (_, is_made) = self.transact(id, needs, self.ids(), plan).await?;
        if !is_made {
            return Err(CompactionError::Superseded.into());
        }
        self.failures.lock().await.remove(id);
        Ok(compaction.report(true))
    }

    /// Stores that a compaction is wanted; the next step makes it, whatever the threshold. Neither
    /// `enabled: false` nor a missing summarizer is bypassed: the request waits.
    ///
    /// # Errors
    /// `session_unknown`; the codes of the storage.
    pub async fn request_compaction(&self, id: &SessionId) -> Result<(), EngineError> {
        self.change_compaction(id, |next| next.compaction.requested = true).await
    }

    /// Stores the host's configuration `config.checkpoint`, the strongest layer of options; `None` takes it away.
    /// Text in it is scrubbed.
    ///
    /// # Errors
    /// `option_invalid` for what would not resolve; `session_unknown`; the codes of the storage.
    pub async fn set_compaction_config(
        &self,
        id: &SessionId,
        config: Option<&Json>,
    ) -> Result<(), EngineError> {
        let layers = Layers { persisted: config.cloned().unwrap_or(Json::Null), ..Layers::default() };
        resolve(&layers)?;
        let config = config.map(|config| self.redactor.redact_json(config).0.to_clean());
        self.change_compaction(id, |next| next.compaction.config.clone_from(&config)).await
    }

    /// The host's configuration as it is stored.
    ///
    /// # Errors
    /// `session_unknown`; the codes of the storage.
    pub async fn compaction_config(&self, id: &SessionId) -> Result<Option<Json>, EngineError> {
        let session = self.session_row(id).await?.ok_or_else(|| EngineError::unknown(id))?;
        Ok(session.compaction.config.and_then(|config| json::parse(config.as_str()).ok()))
    }

    async fn change_compaction<F>(&self, id: &SessionId, change: F) -> Result<(), EngineError>
    where
        F: Fn(&mut SessionRow) + MaybeSend + MaybeSync,
    {
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let session = loaded.session.ok_or_else(|| EngineError::unknown(id))?;
            let mut step = Step::new(session.state(), &self.policy, None);
            change(&mut step.next.row);
            let plan = if step.is_empty(session.state()) { None } else { Some(step.into_plan(ids)) };
            Ok((plan, ()))
        };
        self.transact(id, Needs::default(), self.ids(), plan).await.map(drop)
    }
}

impl Session {
    /// Plans that a boundary is in force from now on: it stands with its metadata, the row `audit` says so for
    /// people, and a stored request for a compaction is cleared when `fulfils` it (`spec/compaction.md`, "Commit of a
    /// boundary").
    pub fn plan_boundary(
        &self,
        boundary: Boundary,
        audit: RowId,
        fulfils: bool,
        policy: &Policy,
        ids: &mut Ids,
    ) -> Plan<SessionState> {
        let mut step = Step::new(self.state(), policy, None);
        let next = &mut step.next.row;
        let session = next.id.clone();
        next.boundary_seq = boundary.seq;
        if fulfils {
            next.compaction.requested = false;
        }
        next.counts.system = next.counts.system.saturating_add(1);
        let created_at = Self::place(next, None, ids.now());
        let row = Row::new(audit, RowKind::System, created_at);
        let part = Part::new(row.id.clone(), 0, PartBody::Text { text: told(&boundary) });
        step.effects.extend([
            Effect::RowStored { session: session.clone(), row: row.id.clone() },
            Effect::Compacted { session: session.clone(), boundary: boundary.id.clone() },
        ]);
        step.ops.extend([
            Op::InsertRow { session: session.clone(), row },
            Op::InsertPart { session: session.clone(), part },
            Op::InsertBoundary { session, boundary },
        ]);
        step.into_plan(ids)
    }
}

/// What history shows of a compaction.
fn told(boundary: &Boundary) -> Clean {
    let mut buf = CleanBuf::new();
    buf.lit("The conversation was compacted");
    if let Some(metadata) = &boundary.metadata {
        let BoundaryMetadata { checkpoint_reason, checkpoint_source, tokens_before, tokens_after, .. } =
            metadata;
        buf.lit(" (").lit(checkpoint_reason.as_str()).lit("): ").num(*tokens_before).lit(" tokens became ");
        buf.num(*tokens_after).lit(", summarised by the ").lit(checkpoint_source.as_str()).lit(" ");
        buf.clean(&metadata.checkpoint_source_id);
        for error in &metadata.checkpoint_binding_errors {
            buf.lit("; ").clean(&error.binding_id).lit(" failed: ").clean(&error.error);
        }
    }
    buf.lit(".");
    buf.finish()
}
