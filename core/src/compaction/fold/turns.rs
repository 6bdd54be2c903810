//! Rows as turns: what a user wrote, and what was done about it.

use crate::{
    compaction::rows::{Call, attachments, texts},
    model::{RowKind, StoredRow},
    redact::{Clean, Redactor},
};
use alloc::{collections::BTreeMap, vec::Vec};

/// The longest target that is kept, in characters; each level shows less.
const TARGET: usize = 100;

/// What one tool did in a turn.
pub(super) struct Work {
    pub(super) tool: Clean,
    pub(super) calls: u64,
    pub(super) failed: u64,
    pub(super) pending: u64,
    /// Each once, in the order in which they came.
    pub(super) targets: Vec<Clean>,
}

/// A turn, or the rest of one that an earlier compaction cut.
#[derive(Default)]
pub(super) struct Turn {
    /// What the user wrote; `None` in the rest of a turn.
    pub(super) user: Vec<Clean>,
    pub(super) attached: Vec<Clean>,
    pub(super) notes: Vec<Clean>,
    pub(super) work: Vec<Work>,
    pub(super) answers: Vec<Clean>,
}

/// The turns of rows, in order.
pub(super) fn turns(rows: &[StoredRow], redactor: &Redactor) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut tools: BTreeMap<Clean, usize> = BTreeMap::new();
    let mut current = Turn::default();
    for stored in rows {
        if stored.row.kind == RowKind::User {
            turns.push(core::mem::take(&mut current));
            tools.clear();
        }
        if let Some(call) = Call::of(stored) {
            let at = *tools.entry(call.name.clone()).or_insert(current.work.len());
            if at == current.work.len() {
                let tool = call.name.one_line().clip(TARGET);
                current.work.push(Work { tool, calls: 0, failed: 0, pending: 0, targets: Vec::new() });
            }
            current.work.get_mut(at).into_iter().for_each(|work| work.add(&call, redactor));
            continue;
        }
        let said = texts(stored).cloned();
        match stored.row.kind {
            RowKind::User => current.user.extend(said),
            RowKind::Assistant => current.answers.extend(said),
            _ => current.notes.extend(said),
        }
        let named = attachments(stored).filter_map(|attached| attached.label()).map(Clean::one_line);
        current.attached.extend(named);
    }
    turns.push(current);
    turns.retain(|turn| !turn.is_empty());
    turns
}

impl Turn {
    fn is_empty(&self) -> bool {
        self.user.is_empty()
            && self.attached.is_empty()
            && self.notes.is_empty()
            && self.work.is_empty()
            && self.answers.is_empty()
    }
}

impl Work {
    fn add(&mut self, call: &Call<'_>, redactor: &Redactor) {
        let count = |number: &mut u64, counts: bool| *number = number.saturating_add(u64::from(counts));
        count(&mut self.calls, true);
        count(&mut self.failed, call.result.as_ref().is_some_and(|result| result.failed));
        count(&mut self.pending, call.result.is_none());
        if let Some(target) = call.target(redactor).map(|target| target.clip(TARGET))
            && !self.targets.contains(&target)
        {
            self.targets.push(target);
        }
    }
}
