use super::{
    answer::Answer, arguments::Call, failure::Failure, line::count, place::Place, surroundings::Surroundings,
};
use crate::{
    engine::{
        Begun, Cause, CompactRequest, CompactionEffect, CompactionEvent, CompactionReport, Summarizers,
    },
    host::EstimatedTokens,
    model::BoundaryMode,
};
use alloc::{format, string::String};

/// `compact`: folds what stands before the newest turn, without a model.
pub(super) async fn run<S: Surroundings>(
    call: &Call,
    place: &Place,
    surroundings: &S,
) -> Result<Answer, Failure> {
    let engine = place.open(surroundings).await?;
    let key = call.word().unwrap_or_default();
    let session = engine.find_session(key, call.value("--harness"), call.value("--agent")).await?;
    let asked = CompactRequest { summarizers: Summarizers::Fold, ..CompactRequest::new(Cause::Requested) };
    let Begun::Due(mut compaction) = engine.begin_compaction(&session, &asked, &EstimatedTokens).await?
    else {
        return Err(Failure::usage("nothing_to_compact", "no compaction is due"));
    };
    let effect = engine.on_compaction(&mut compaction, CompactionEvent::Begun, &EstimatedTokens).await?;
    let report = match effect {
        CompactionEffect::Commit(report) if call.has("--dry-run") => report,
        CompactionEffect::Commit(_) => engine.commit_compaction(&compaction).await?,
        CompactionEffect::SendWhole { error, .. } => return Err(error.into()),
        CompactionEffect::Summarize(_) => {
            return Err(Failure::usage("host_required", "the fold calls no summarizer"));
        }
    };
    if call.json() {
        return json(&report);
    }
    Ok(Answer::text(told(&report)))
}

/// A boundary that was not made has no id.
fn json(report: &CompactionReport) -> Result<Answer, Failure> {
    let mut value = serde_json::to_value(report).unwrap_or_default();
    if let Some(id) = value.get_mut("checkpoint_id").filter(|_| !report.applied) {
        *id = serde_json::Value::Null;
    }
    Answer::json(&value)
}

fn told(report: &CompactionReport) -> String {
    let saved = report.before_tokens.saturating_sub(report.after_tokens).saturating_mul(100);
    let saved = saved.checked_div(report.before_tokens).unwrap_or(0);
    let about = if report.estimated { " (estimated)" } else { "" };
    let mode = if report.mode == BoundaryMode::Inclusive { "kept" } else { "folded too" };
    let restored = report.restored_request.as_ref().map_or("no", |_| "yes, both ends within 6000 bytes");
    let boundary = if report.applied { report.checkpoint_id.as_str() } else { "none: nothing was written" };
    format!(
        "before    {} tokens{about}\nafter     {} tokens{about}, {saved} % less\nsummary   {} tokens, {}\n\
         rows      {} folded, {} kept as they are\nuser      {} of {} in the summary word for word\n\
         request   shown again: {restored}\nanchor    {} ({mode})\nboundary  {boundary}\n",
        report.before_tokens,
        report.after_tokens,
        report.summary_tokens,
        count(report.summary_chars, "character", "characters"),
        report.replaced_rows,
        report.kept_rows,
        report.kept_user_texts,
        count(report.replaced_user_texts, "text", "texts"),
        report.anchor,
    )
}
