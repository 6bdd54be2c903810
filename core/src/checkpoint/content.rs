//! What a digest says, made ready for writing: on one line where it must be, cut, escaped, blanks left out.
use super::{continuity::PROMPT_MAX_CHARS, escape};
use crate::{
    model::{CheckpointRow, Structural, Trigger},
    redact::{Clean, CleanBuf},
};
use alloc::vec::Vec;

/// The longest query, remember or structural entry in a digest, in characters.
const ENTRY_MAX_CHARS: usize = 120;
const MILLIS_PER_MINUTE: i64 = 60_000;

/// The headings of the parts that every digest names alike.
pub(super) const CONTEXT: &str = "### Session Context";
pub(super) const NOTE: &str = "### Note";
pub(super) const STRUCTURAL: &str = "### Structural Context";
pub(super) const PROMPTS: &str = "### Recent Prompts";
pub(super) const QUERIES: &str = "Queries: ";
pub(super) const REMEMBERED: &str = "Remembered: ";
/// Before the heading of a section.
pub(super) const SECTION: &str = "\n\n";
/// Before each prompt.
pub(super) const BULLET: &str = "\n- ";
/// Between queries.
pub(super) const QUERY_SEP: &str = ", ";
/// Between remembers.
pub(super) const REMEMBER_SEP: &str = "; ";

/// The pieces of a digest.
#[derive(Debug, Clone, Default)]
pub(super) struct Content {
    /// Its first line.
    pub(super) heading: &'static str,
    /// The project, whole.
    pub(super) project: Clean,
    /// The line of counts.
    pub(super) counts: Clean,
    /// Session context, if there is one.
    pub(super) context: Option<Clean>,
    /// A note, if there is one.
    pub(super) note: Option<Clean>,
    /// Lines of structural context.
    pub(super) structural: Vec<Clean>,
    /// Prompts, oldest first.
    pub(super) prompts: Vec<Clean>,
    /// The heading above queries and remembers.
    pub(super) memory_heading: &'static str,
    /// Queries, oldest first.
    pub(super) queries: Vec<Clean>,
    /// Remembers, oldest first.
    pub(super) remembers: Vec<Clean>,
}

impl Content {
    pub(super) fn of(row: &CheckpointRow) -> Self {
        let prompts = row.recent_prompts.iter().map(|prompt| line(&prompt.text, PROMPT_MAX_CHARS));
        Self {
            heading: heading(row.trigger),
            project: project(row),
            counts: counts(row),
            context: block(row.context.as_ref()),
            note: block(row.note.as_ref()),
            structural: row.structural.as_ref().map(structural).unwrap_or_default(),
            prompts: prompts.filter(|text| !text.is_empty()).map(|text| escape::prompt(&text)).collect(),
            memory_heading: memory_heading(row.trigger),
            queries: entries(&row.memory_queries),
            remembers: entries(&row.recent_remembers),
        }
    }
}

fn heading(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Periodic => "## Session Checkpoint",
        Trigger::Agent => "## Agent Checkpoint",
        Trigger::Explicit => "## Explicit Checkpoint",
        Trigger::PreCompaction => "## Pre-Compaction Checkpoint",
        Trigger::SessionEnd => "## Session End Checkpoint",
    }
}

fn memory_heading(trigger: Trigger) -> &'static str {
    match trigger {
        Trigger::Periodic | Trigger::Agent | Trigger::Explicit => "### Memory Activity Since Last Checkpoint",
        Trigger::PreCompaction | Trigger::SessionEnd => "### Memory Activity",
    }
}

fn project(row: &CheckpointRow) -> Clean {
    let named = [&row.project, &row.project_normalized];
    let named = named.into_iter().flatten().map(Clean::one_line).find(|name| !name.is_empty());
    named.unwrap_or_else(|| CleanBuf::new().lit("unknown").clone().finish())
}

fn counts(row: &CheckpointRow) -> Clean {
    let minutes = row.created_at.millis_since(row.started_at).div_euclid(MILLIS_PER_MINUTE);
    let duration = Clean::minutes(minutes);
    let mut line = CleanBuf::new();
    match row.trigger {
        Trigger::Periodic | Trigger::Agent | Trigger::Explicit => {
            line.lit("Prompts: ").num(row.prompt_count).lit(" | Duration: ").clean(&duration);
        }
        Trigger::PreCompaction => {
            line.lit("Duration: ").clean(&duration).lit(" | Prompts: ").num(row.prompt_count);
        }
        Trigger::SessionEnd => {
            line.lit("Duration: ").clean(&duration).lit(" | Total Prompts: ").num(row.total_prompts);
        }
    }
    line.finish()
}

fn block(text: Option<&Clean>) -> Option<Clean> {
    let text = text?.fold_line_ends().trim();
    (!text.is_empty()).then(|| escape::block(&text))
}

fn structural(of: &Structural) -> Vec<Clean> {
    let lists: [(&'static str, &[Clean]); 3] = [
        ("Focal entities: ", &of.focal_entities),
        ("Active aspects: ", &of.active_aspects),
        ("Active constraints: ", &of.active_constraints),
    ];
    let mut lines = Vec::new();
    for (name, list) in lists {
        let list = entries(list);
        if !list.is_empty() {
            let mut line = CleanBuf::new();
            line.lit(name).clean(&Clean::join(&list, ", "));
            lines.push(line.finish());
        }
    }
    if of.traversal_memories > 0 {
        let mut line = CleanBuf::new();
        line.lit("Traversal memories: ").num(of.traversal_memories);
        lines.push(line.finish());
    }
    lines
}

fn entries(texts: &[Clean]) -> Vec<Clean> {
    texts.iter().map(|text| line(text, ENTRY_MAX_CHARS)).filter(|text| !text.is_empty()).collect()
}

fn line(text: &Clean, max_chars: usize) -> Clean {
    text.one_line().clip(max_chars)
}
