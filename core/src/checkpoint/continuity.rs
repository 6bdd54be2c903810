//! What happened in a session since its last checkpoint.
use crate::{
    model::{Continuity, PromptEntry},
    redact::Clean,
    time::Timestamp,
};
use alloc::vec::Vec;

/// How many of the newest prompts are kept.
pub const PROMPTS_MAX: usize = 10;
/// The longest prompt that is kept, in characters.
pub const PROMPT_MAX_CHARS: usize = 200;
/// How many of the newest memory queries are kept.
pub const QUERIES_MAX: usize = 20;
/// How many of the newest remembers are kept.
pub const REMEMBERS_MAX: usize = 10;

/// Counts a prompt and keeps the start of its text: on one line, line ends shown as ` ⏎ `, at most 200
/// characters (`spec/checkpoints.md`, "Continuity state"). A prompt without text (a picture alone) is counted
/// and has its number, and takes no place among the newest ten.
///
/// ```
/// use throughline_core::{checkpoint::record_prompt, model::Continuity, redact::Redactor};
/// let mut continuity = Continuity::default();
/// record_prompt(&mut continuity, &Redactor::standard().clean("Run the tests.\nThen stop."));
/// assert_eq!(continuity.recent_prompts[0].text.as_str(), "Run the tests. ⏎ Then stop.");
/// assert_eq!((continuity.prompts_since, continuity.total_prompts), (1, 1));
/// ```
pub fn record_prompt(continuity: &mut Continuity, text: &Clean) {
    continuity.prompts_since = continuity.prompts_since.saturating_add(1);
    continuity.total_prompts = continuity.total_prompts.saturating_add(1);
    let text = text.one_line().clip(PROMPT_MAX_CHARS);
    if text.is_empty() {
        return;
    }
    continuity.recent_prompts.push(PromptEntry { ordinal: continuity.total_prompts, text });
    keep_newest(&mut continuity.recent_prompts, PROMPTS_MAX);
}

/// Notes a memory query: the newest 20 are kept, each once, in the order of their last occurrence. A blank
/// one is not noted.
pub fn record_query(continuity: &mut Continuity, query: &Clean) {
    record_distinct(&mut continuity.memory_queries, query, QUERIES_MAX);
}

/// Notes what was remembered: the newest 10 are kept, each once (compared after scrubbing), in the order of
/// their last occurrence. A blank one is not noted.
pub fn record_remember(continuity: &mut Continuity, remembered: &Clean) {
    record_distinct(&mut continuity.remembers, remembered, REMEMBERS_MAX);
}

/// Whether something happened since the last checkpoint: periodic and agent checkpoints are written only then.
///
/// ```
/// use throughline_core::{checkpoint::{has_news, record_query}, model::Continuity, redact::Redactor};
/// let mut continuity = Continuity::default();
/// assert!(!has_news(&continuity));
/// record_query(&mut continuity, &Redactor::standard().clean("build flags"));
/// assert!(has_news(&continuity));
/// ```
#[must_use]
pub fn has_news(continuity: &Continuity) -> bool {
    continuity.prompts_since > 0 || !continuity.memory_queries.is_empty() || !continuity.remembers.is_empty()
}

/// Moves out what a draft has taken, in the commit that enqueues it: prompts since, queries and remembers go,
/// `at` becomes the time of the last checkpoint, and the newest ten prompts stay.
pub fn take(continuity: &mut Continuity, at: Timestamp) {
    continuity.prompts_since = 0;
    continuity.memory_queries.clear();
    continuity.remembers.clear();
    continuity.last_checkpoint_at = Some(at);
}

/// Puts a text at the end of a list in which each stands once.
pub(super) fn record_distinct(list: &mut Vec<Clean>, text: &Clean, max: usize) {
    if text.as_str().trim().is_empty() {
        return;
    }
    list.retain(|noted| noted != text);
    list.push(text.clone());
    keep_newest(list, max);
}

pub(super) fn keep_newest<T>(list: &mut Vec<T>, max: usize) {
    list.drain(..list.len().saturating_sub(max));
}

#[cfg(test)]
mod tests;
