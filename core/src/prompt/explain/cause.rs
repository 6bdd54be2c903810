//! Which named edit made two prompts part.
use super::{
    section::Section,
    side::{Remark, Side},
};
use crate::prompt::{Edit, INCOMPLETE, INTERRUPTED};
use alloc::{collections::BTreeSet, vec::Vec};
use core::fmt;
use serde::{Serialize, Serializer};

/// Why two prompts part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// A named edit.
    Edit(Edit),
    /// What differs was outside the promise: the open tail went on.
    OpenTail,
    /// Nothing that is known.
    Unexplained,
}

impl Cause {
    /// The stable name: that of the edit, `open tail` or `unexplained`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Edit(edit) => edit.as_str(),
            Self::OpenTail => "open tail",
            Self::Unexplained => "unexplained",
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl Serialize for Cause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The cause of a difference in a section, for messages at this index.
pub(super) fn cause(before: &impl Side, after: &impl Side, section: Section, index: usize) -> Cause {
    let is_cut = before.boundary() != after.boundary();
    Cause::Edit(match section {
        Section::Model | Section::Tools | Section::Settings => Edit::AgentChanged,
        Section::System if is_cut => Edit::BoundaryMoved,
        Section::System => Edit::ContextsChanged,
        Section::Messages if is_cut => Edit::BoundaryMoved,
        Section::Messages if index >= before.stable_len() => return Cause::OpenTail,
        Section::Messages if before.text_version() != after.text_version() => Edit::Compatibility,
        Section::Messages => {
            let found = remarked(before, after, index).or_else(|| seen(before, after, index));
            return found.map_or(Cause::Unexplained, Cause::Edit);
        }
    })
}

/// Remarks on what stands in a prompt and may go; the others are on what has come to pass.
const MAY_GO: [&str; 2] = ["steering_applied", "request_restored"];

/// What the remarks of one prompt say of the rows at the difference, and those of the other do not.
fn remarked(before: &impl Side, after: &impl Side, index: usize) -> Option<Edit> {
    let rows = [before.row(index), after.row(index)];
    let (then, now) = (before.remarks(), after.remarks());
    let of_rows = |remark: &&Remark<'_>| !remark.row.is_empty() && rows.contains(&remark.row);
    let may_go = |remark: &&Remark<'_>| MAY_GO.contains(&remark.code);
    let mut new = now.iter().filter(of_rows).filter(|remark| !may_go(remark));
    let mut gone = then.iter().filter(of_rows).filter(may_go);
    let found = new.find(|remark| !then.contains(remark));
    found.or_else(|| gone.find(|remark| !now.contains(remark))).map(|remark| remark.edit)
}

/// What the messages at the difference show.
fn seen<'a>(before: &'a impl Side, after: &'a impl Side, index: usize) -> Option<Edit> {
    if index < after.messages()
        && before.row(index) == after.row(index)
        && before.role(index) == after.role(index)
    {
        return changed(before, after, index);
    }
    let (then, now) = (rows(before, index), rows(after, index));
    let names = |rows: &[(&'a str, bool)]| rows.iter().map(|(row, _)| *row).collect::<BTreeSet<&'a str>>();
    let (then_rows, now_rows) = (names(&then), names(&now));
    let mut gone = then.iter().filter(|(row, _)| !now_rows.contains(row)).peekable();
    let is_first_gone = then.first().is_some_and(|(row, _)| !now_rows.contains(row));
    if is_first_gone {
        let all_notes = gone.peek().is_some() && gone.all(|(_, is_note)| *is_note);
        return Some(if all_notes { Edit::NotesDiscarded } else { Edit::HistoryRewound });
    }
    let (row, is_note) = now.first()?;
    if then_rows.contains(row) {
        // The same rows in another order: one of them came to stand elsewhere.
        return Some(Edit::RowInserted);
    }
    Some(if *is_note { Edit::NoteInjected } else { Edit::RowInserted })
}

/// The rows of the messages from there on, and whether each is a note.
fn rows(side: &impl Side, index: usize) -> Vec<(&str, bool)> {
    let is_note = |role: &str| role == "developer" || role == "system";
    (index..side.messages()).map(|at| (side.row(at), is_note(side.role(at)))).collect()
}

/// How the same message of the same row changed.
fn changed(before: &impl Side, after: &impl Side, index: usize) -> Option<Edit> {
    let (then, now) = (before.spoken(index), after.spoken(index));
    if then == now {
        return Some(Edit::ThinkingDropped);
    }
    let (old, new) = (before.message(index), after.message(index));
    match before.role(index) {
        "tool" if new.contains("\"text\":\"[STALE: ") => Some(Edit::ResultWithdrawn),
        "tool" if old.contains(INCOMPLETE) || old.contains(INTERRUPTED) => Some(Edit::CallSettled),
        "developer" if new.contains("\"text\":\"[file: ") => Some(Edit::UploadChanged),
        // A message took a block more, or lost one.
        "assistant" if now.len() > then.len() => Some(Edit::RowInserted),
        "assistant" if now.len() < then.len() => Some(Edit::HistoryRewound),
        "user" if now.len() < then.len() => Some(Edit::AttachmentExpired),
        // Rows are never rewritten, scrubbing apart.
        _ if new.contains("[REDACTED:") => Some(Edit::RowScrubbed),
        _ => None,
    }
}
