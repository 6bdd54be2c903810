//! One call as its row holds it.
use super::super::{Diagnostic, texts::withdrawn};
use crate::{
    id::RowId,
    model::{Arguments, Issuer, Part, PartBody, ProviderData, ResultStatus, StoredRow},
    redact::Clean,
};
use alloc::{string::String, vec::Vec};

/// How a call stands.
pub(in crate::prompt) enum Outcome {
    /// No result yet.
    Pending,
    /// There is a result that may not be sent: one that came after its round was closed.
    Withheld,
    /// It ended.
    Ended { status: ResultStatus, content: Vec<PartBody>, provider_data: Option<ProviderData> },
    /// Its result was withdrawn.
    Withdrawn { text: Clean, is_error: bool },
}

/// One call.
pub(in crate::prompt) struct Call {
    pub(in crate::prompt) row: RowId,
    /// Place among the blocks of its message.
    pub(in crate::prompt) index: u32,
    pub(in crate::prompt) id: String,
    pub(in crate::prompt) name: Clean,
    pub(in crate::prompt) arguments: Arguments,
    pub(in crate::prompt) provider_data: Option<ProviderData>,
    pub(in crate::prompt) issuer: Option<Issuer>,
    pub(in crate::prompt) has_stop_reason: bool,
    pub(in crate::prompt) outcome: Outcome,
}

impl Call {
    /// Reads a call from its row; a row without one gives a diagnostic.
    pub(in crate::prompt) fn read(stored: &StoredRow, notes: &mut Vec<Diagnostic>) -> Option<Self> {
        let StoredRow { row, parts } = stored;
        let (mut call, mut outcome, mut withheld) = (None, Outcome::Pending, false);
        for part in parts {
            let stop = has_stop_reason(part);
            match &part.body {
                PartBody::ToolCall { .. } if !part.replay => withheld = true,
                PartBody::ToolCall { call_id, name, arguments } if call.is_none() => {
                    call = Some((call_id, name, arguments, part.provider_data.clone(), stop));
                }
                PartBody::ToolResult { status, content, .. } if !matches!(outcome, Outcome::Ended { .. }) => {
                    outcome = match part.replay {
                        true => Outcome::Ended {
                            status: *status,
                            content: content.clone(),
                            provider_data: part.provider_data.clone(),
                        },
                        false => Outcome::Withheld,
                    };
                }
                PartBody::ToolCall { .. } | PartBody::ToolResult { .. } => {
                    notes.push(
                        Diagnostic::new("duplicate_part", "a call has one request and one result")
                            .row(&row.id),
                    );
                }
                _ => notes
                    .push(Diagnostic::new("part_misplaced", "a call row holds no such part").row(&row.id)),
            }
        }
        let Some((call_id, name, arguments, provider_data, has_stop_reason)) = call else {
            notes.push(without_request(withheld, &outcome).row(&row.id));
            return None;
        };
        if let Some(stale) = row.stale() {
            let is_error = matches!(&outcome, Outcome::Ended { status, .. } if is_error(*status));
            outcome = Outcome::Withdrawn { text: withdrawn(stale), is_error };
        }
        Some(Self {
            row: row.id.clone(),
            index: row.round.as_ref().map_or(0, |round| round.index),
            id: if call_id.is_empty() { row.id.as_str().into() } else { call_id.clone() },
            name: name.clone(),
            arguments: arguments.clone(),
            provider_data,
            issuer: row.issuer.clone(),
            has_stop_reason,
            outcome,
        })
    }

    /// Why it is left out whole, if it is: it names no tool, or its status is not known.
    pub(in crate::prompt) fn refusal(&self) -> Option<Diagnostic> {
        let note = if self.name.as_str().trim().is_empty() {
            Diagnostic::new("tool_name_missing", "a call without a tool is left out")
        } else if matches!(self.outcome, Outcome::Ended { status: ResultStatus::Unknown, .. }) {
            Diagnostic::new("status_unknown", "a call whose status is not known is left out with its result")
        } else {
            return None;
        };
        Some(note.row(&self.row))
    }

    /// Whether it waits for its result.
    pub(in crate::prompt) fn is_unsettled(&self) -> bool {
        matches!(self.outcome, Outcome::Pending | Outcome::Withheld)
    }

    /// Takes in the same call stored once more: the first result that there is counts.
    pub(super) fn merge(&mut self, other: Self, notes: &mut Vec<Diagnostic>) {
        notes.push(Diagnostic::new("duplicate_call", "the round holds this call already").row(&other.row));
        self.has_stop_reason |= other.has_stop_reason;
        let is_better = match (&self.outcome, &other.outcome) {
            (Outcome::Pending, _) => true,
            (Outcome::Withheld, Outcome::Ended { .. } | Outcome::Withdrawn { .. }) => true,
            (Outcome::Withheld | Outcome::Ended { .. } | Outcome::Withdrawn { .. }, _) => false,
        };
        if is_better {
            self.outcome = other.outcome;
        }
    }
}

/// Whether a result of this status is flagged as an error.
pub(in crate::prompt) fn is_error(status: ResultStatus) -> bool {
    matches!(status, ResultStatus::Error | ResultStatus::Cancelled)
}

/// Whether a row holds a call that can be read.
pub(in crate::prompt) fn holds_call(stored: &StoredRow) -> bool {
    let is_call = |part: &Part| part.replay && matches!(part.body, PartBody::ToolCall { .. });
    stored.row.kind.is_call() && stored.parts.iter().any(is_call)
}

fn without_request(withheld: bool, outcome: &Outcome) -> Diagnostic {
    match (withheld, outcome) {
        (true, _) => Diagnostic::new("part_withheld", "a call that may not be sent again is left out"),
        (false, Outcome::Pending) => Diagnostic::new("call_empty", "a call row without a call is left out"),
        (false, _) => Diagnostic::new("orphan_result", "a result without a call is left out"),
    }
}

/// Whether the record of a part says why its message ended.
pub(super) fn has_stop_reason(part: &Part) -> bool {
    part.source.as_ref().is_some_and(|source| source.stop_reason.is_some())
}
