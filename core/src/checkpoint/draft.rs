//! A checkpoint that is about to be written.
use super::{
    continuity::{PROMPTS_MAX, QUERIES_MAX, REMEMBERS_MAX, keep_newest},
    digest::digest,
};
use crate::{
    id::CheckpointId,
    model::{CheckpointRow, Draft, Ranked, SessionRow, Structural, Trigger},
    redact::Clean,
    time::Timestamp,
};
use alloc::vec::Vec;

/// The longest session context or note, in characters; of a longer one, head and tail are kept.
pub const CONTEXT_MAX_CHARS: usize = 4000;

/// What a trigger says beside the session's state.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    /// Session context, meant for pre_compaction and session_end.
    pub context: Option<Clean>,
    /// A note, meant for agent and explicit.
    pub note: Option<Clean>,
    /// What the host knows of the structure of the work.
    pub structural: Option<Structural>,
}

/// Takes down where a session stands; `created_at` is the time of the last event. The caps of
/// `spec/checkpoints.md` hold for what comes out: 10 prompts, 20 queries, 10 remembers, context and note 4,000
/// characters each.
///
/// The session is not changed; [`take`](super::take) moves out what the draft has, in the same commit.
#[must_use]
pub fn draft(session: &SessionRow, trigger: Trigger, words: Words, created_at: Timestamp) -> Draft {
    let continuity = &session.continuity;
    let mut recent_prompts = continuity.recent_prompts.clone();
    keep_newest(&mut recent_prompts, PROMPTS_MAX);
    let ranked = |text: Option<Clean>| {
        text.and_then(|text| capped(&text)).map(|text| Ranked { rank: trigger.rank(), text })
    };
    Draft {
        session: session.id.clone(),
        project: session.project.clone(),
        project_normalized: session.project_normalized.clone(),
        trigger,
        prompt_count: continuity.prompts_since,
        total_prompts: continuity.total_prompts,
        memory_queries: distinct(&continuity.memory_queries, QUERIES_MAX),
        recent_remembers: distinct(&continuity.remembers, REMEMBERS_MAX),
        recent_prompts,
        context: ranked(words.context),
        note: ranked(words.note),
        structural: words.structural,
        started_at: session.counted_from(),
        created_at,
    }
}

impl Draft {
    /// The stored row, with its digest. `seq` is greater than that of every checkpoint of the session before
    /// it.
    #[must_use]
    pub fn into_row(self, id: CheckpointId, seq: u64) -> CheckpointRow {
        let mut row = CheckpointRow {
            id,
            session: self.session,
            project: self.project,
            project_normalized: self.project_normalized,
            trigger: self.trigger,
            digest: Clean::default(),
            prompt_count: self.prompt_count,
            total_prompts: self.total_prompts,
            memory_queries: self.memory_queries,
            recent_remembers: self.recent_remembers,
            recent_prompts: self.recent_prompts,
            context: self.context.map(|ranked| ranked.text),
            note: self.note.map(|ranked| ranked.text),
            structural: self.structural,
            started_at: self.started_at,
            created_at: self.created_at,
            seq,
        };
        row.digest = digest(&row);
        row
    }
}

/// Each text once, at its last place; the newest.
pub(super) fn distinct<'a>(
    texts: impl IntoIterator<Item = &'a Clean, IntoIter: DoubleEndedIterator>,
    max: usize,
) -> Vec<Clean> {
    let mut newest: Vec<Clean> = Vec::with_capacity(max);
    for text in texts.into_iter().rev() {
        if newest.len() == max {
            break;
        }
        if !text.trim().is_empty() && !newest.contains(text) {
            newest.push(text.clone());
        }
    }
    newest.reverse();
    newest
}

/// A context or note as it is stored; a blank one is none.
pub(super) fn capped(text: &Clean) -> Option<Clean> {
    let text = text.fold_line_ends().trim().excerpt(CONTEXT_MAX_CHARS);
    (!text.is_empty()).then_some(text)
}
