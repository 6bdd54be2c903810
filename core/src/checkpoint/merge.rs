//! Two drafts of one session as one (`spec/checkpoints.md`, "Queue").
use super::{
    continuity::{PROMPTS_MAX, QUERIES_MAX, REMEMBERS_MAX},
    draft::{capped, distinct},
};
use crate::{
    model::{Draft, PromptEntry, Ranked, Structural},
    redact::Clean,
};
use alloc::{collections::BTreeSet, vec::Vec};

/// Makes one draft of two of the same session, `later` being the one that was enqueued after `earlier`.
/// Merging is associative, and the caps hold for what comes out.
///
/// Prompt counts add; the total is the maximum; the start is the earlier and the time the later of the two.
/// Queries and remembers are a union in the order of last occurrence, prompts one by ordinal, each of the
/// newest; the higher rank decides the trigger; context and note each are the non-empty one of the highest
/// rank they came with, the later on a tie; the project is the later that is named. Structural lists are an
/// ordered union, numbers the maximum.
///
/// ```
/// use throughline_core::{checkpoint::{Words, draft, merge}, id::SessionId, model::{SessionRow, Trigger}};
/// use throughline_core::{redact::Redactor, time::Timestamp};
/// let session = SessionRow::new(SessionId::new("codex", "", "a")?, Timestamp::EPOCH);
/// let words = |text| Words { context: Some(Redactor::standard().clean(text)), ..Words::default() };
/// let pre = draft(&session, Trigger::PreCompaction, words("before compaction"), Timestamp::EPOCH);
/// let periodic = draft(&session, Trigger::Periodic, words("now and then"), Timestamp::EPOCH);
/// let merged = merge(pre, periodic);
/// assert_eq!(merged.trigger, Trigger::PreCompaction);
/// assert_eq!(merged.context.unwrap().text.as_str(), "before compaction");
/// # Ok::<(), throughline_core::id::IdError>(())
/// ```
#[must_use]
pub fn merge(earlier: Draft, later: Draft) -> Draft {
    let project_of_later = later.project.as_ref().is_some_and(|project| !project.is_empty());
    let (project, project_normalized) = if project_of_later {
        (later.project, later.project_normalized)
    } else {
        (earlier.project, earlier.project_normalized)
    };
    Draft {
        session: later.session,
        project,
        project_normalized,
        trigger: earlier.trigger.max(later.trigger),
        prompt_count: earlier.prompt_count.saturating_add(later.prompt_count),
        total_prompts: earlier.total_prompts.max(later.total_prompts),
        memory_queries: distinct(earlier.memory_queries.iter().chain(&later.memory_queries), QUERIES_MAX),
        recent_remembers: distinct(
            earlier.recent_remembers.iter().chain(&later.recent_remembers),
            REMEMBERS_MAX,
        ),
        recent_prompts: prompts(earlier.recent_prompts, later.recent_prompts),
        context: weightier(earlier.context, later.context),
        note: weightier(earlier.note, later.note),
        structural: structural(earlier.structural, later.structural),
        started_at: earlier.started_at.min(later.started_at),
        created_at: earlier.created_at.max(later.created_at),
    }
}

/// Each ordinal once, the later text of it; the newest.
fn prompts(earlier: Vec<PromptEntry>, later: Vec<PromptEntry>) -> Vec<PromptEntry> {
    let mut list = earlier;
    list.extend(later);
    list.sort_by_key(|prompt| prompt.ordinal);
    list.reverse();
    list.dedup_by_key(|prompt| prompt.ordinal);
    list.truncate(PROMPTS_MAX);
    list.reverse();
    list
}

fn weightier(earlier: Option<Ranked>, later: Option<Ranked>) -> Option<Ranked> {
    let kept = |of: Option<Ranked>| {
        let Ranked { rank, text } = of?;
        capped(&text).map(|text| Ranked { rank, text })
    };
    match (kept(earlier), kept(later)) {
        (Some(earlier), Some(later)) if earlier.rank > later.rank => Some(earlier),
        (earlier, later) => later.or(earlier),
    }
}

fn structural(earlier: Option<Structural>, later: Option<Structural>) -> Option<Structural> {
    let (Some(earlier), Some(later)) = (&earlier, &later) else { return later.or(earlier) };
    Some(Structural {
        focal_entities: union(&earlier.focal_entities, &later.focal_entities),
        active_aspects: union(&earlier.active_aspects, &later.active_aspects),
        active_constraints: union(&earlier.active_constraints, &later.active_constraints),
        traversal_memories: earlier.traversal_memories.max(later.traversal_memories),
    })
}

/// Each text once, at its first place.
fn union(earlier: &[Clean], later: &[Clean]) -> Vec<Clean> {
    let mut seen = BTreeSet::new();
    earlier.iter().chain(later).filter(|text| seen.insert(*text)).cloned().collect()
}

#[cfg(test)]
mod tests;
