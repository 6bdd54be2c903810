//! What a compaction came to.

use super::{Compaction, CompactionReport};
use crate::{
    compaction::Diagnostic,
    model::{PartBody, RowKind, StoredRow, SummarySource},
};
use alloc::vec::Vec;

impl Compaction {
    /// What it comes to.
    pub(super) fn report(&self, applied: bool) -> CompactionReport {
        let scheduled = self.operation.scheduled();
        let going = scheduled.rows.get(..scheduled.cut.replaced).unwrap_or_default();
        let anchor = scheduled.rows.get(scheduled.cut.anchor).map(|stored| stored.row.id.clone());
        let metadata = self.ready.as_ref().and_then(|boundary| boundary.metadata.as_ref());
        let summary = self.ready.as_ref().map(|boundary| boundary.summary.clone()).unwrap_or_default();
        let texts = going.iter().filter(|stored| stored.row.kind == RowKind::User).map(text_of);
        let texts: Vec<Vec<&str>> = texts.filter(|texts| !texts.is_empty()).collect();
        let is_kept = |texts: &&Vec<&str>| texts.iter().all(|text| summary.as_str().contains(text));
        CompactionReport {
            applied,
            before_tokens: self.before,
            after_tokens: metadata.map_or(self.before, |metadata| metadata.tokens_after),
            estimated: self.is_estimate,
            anchor: anchor.unwrap_or_else(|| self.checkpoint.clone()),
            mode: scheduled.cut.mode,
            checkpoint_id: self.checkpoint.clone(),
            summary_chars: summary.chars(),
            summary_tokens: metadata.map_or(0, |metadata| metadata.checkpoint_tokens),
            source: metadata.map_or(SummarySource::Function, |metadata| metadata.checkpoint_source),
            source_id: metadata.map(|metadata| metadata.checkpoint_source_id.clone()).unwrap_or_default(),
            replaced_rows: going.len(),
            kept_rows: scheduled.rows.len().saturating_sub(going.len()),
            kept_user_texts: texts.iter().filter(is_kept).count(),
            replaced_user_texts: texts.len(),
            restored_request: metadata
                .and_then(|metadata| metadata.originating_request.as_ref())
                .map(|request| request.row.clone()),
            diagnostics: self.told(),
        }
    }

    /// What is to be told so far.
    pub(super) fn told(&self) -> Vec<Diagnostic> {
        self.diagnostics.iter().chain(self.operation.diagnostics()).cloned().collect()
    }
}

fn text_of(stored: &StoredRow) -> Vec<&str> {
    let texts = stored.parts.iter().filter_map(|part| match &part.body {
        PartBody::Text { text } if part.replay => Some(text.as_str()),
        _ => None,
    });
    texts.filter(|text| !text.trim().is_empty()).collect()
}
