//! The readable digest of a checkpoint.
use super::content::{
    BULLET, CONTEXT, Content, NOTE, PROMPTS, QUERIES, QUERY_SEP, REMEMBER_SEP, REMEMBERED, SECTION,
    STRUCTURAL,
};
use crate::{
    model::CheckpointRow,
    redact::{Clean, CleanBuf},
};

/// Writes the digest of a row from its other fields: markdown, `\n`, without a newline at the end
/// (`spec/checkpoints.md`, "Digests"). The row's own `digest` is not read.
///
/// A session context or note that the row has is shown whatever the trigger, so that none gets lost.
#[must_use]
pub fn digest(row: &CheckpointRow) -> Clean {
    let content = Content::of(row);
    let mut buf = CleanBuf::new();
    write_head(&mut buf, &content, &content.project);
    write_sections(&mut buf, &content);
    buf.finish()
}

/// Heading, project and counts.
pub(super) fn write_head(buf: &mut CleanBuf, content: &Content, project: &Clean) {
    buf.lit(content.heading).lit("\nProject: ").clean(project).lit("\n").clean(&content.counts);
}

/// Every section that has something in it, each after a blank line.
pub(super) fn write_sections(buf: &mut CleanBuf, content: &Content) {
    for (heading, text) in [(CONTEXT, &content.context), (NOTE, &content.note)] {
        if let Some(text) = text {
            section(buf, heading).lit("\n").clean(text);
        }
    }
    if !content.structural.is_empty() {
        section(buf, STRUCTURAL);
        for line in &content.structural {
            buf.lit("\n").clean(line);
        }
    }
    if !content.prompts.is_empty() {
        section(buf, PROMPTS);
        for prompt in &content.prompts {
            buf.lit(BULLET).clean(prompt);
        }
    }
    if !content.queries.is_empty() || !content.remembers.is_empty() {
        section(buf, content.memory_heading);
    }
    if !content.queries.is_empty() {
        buf.lit("\n").lit(QUERIES).clean(&Clean::join(&content.queries, QUERY_SEP));
    }
    if !content.remembers.is_empty() {
        buf.lit("\n").lit(REMEMBERED).clean(&Clean::join(&content.remembers, REMEMBER_SEP));
    }
}

fn section<'a>(buf: &'a mut CleanBuf, heading: &'static str) -> &'a mut CleanBuf {
    buf.lit(SECTION).lit(heading)
}

#[cfg(test)]
mod tests;
