//! Rows into messages, from any segment on.
use super::state::{Change, Conversation, Mark, Taken};
use crate::{
    model::{InputState, RowKind, StoredRow},
    prompt::{
        Edit, Role,
        hash::digest_of,
        layout::{Opener, opens},
        markers::default_markers,
        segment::{Standing, Writer},
    },
};
use alloc::vec::Vec;
use core::mem;

impl Conversation {
    /// Remembers how things stand, so that the end of the edit can tell what it changed.
    pub(super) fn begin(&mut self) {
        let (from, stable_len) = (self.prompt.messages.len(), self.prompt.stable_len);
        self.taken = Taken { from, messages: Vec::new(), stable_len };
    }

    /// Takes away all messages from this one on.
    fn take_from(&mut self, message: usize, note: usize) {
        let removed = self.prompt.messages.split_off(message.min(self.prompt.messages.len()));
        self.prompt.diagnostics.truncate(note);
        self.prompt.held.clear();
        let last = self.prompt.messages.last().and_then(|message| digest_of(&message.hash));
        self.chain.go_back(last.unwrap_or(self.fingerprint));
        let taken = &mut self.taken;
        if message < taken.from {
            // What was rendered during this edit is not what was there before it.
            let mut earlier: Vec<_> = removed;
            earlier.truncate(taken.from.saturating_sub(message));
            earlier.append(&mut taken.messages);
            (taken.from, taken.messages) = (message, earlier);
        }
    }

    fn writer(&mut self) -> (Writer<'_>, &[StoredRow]) {
        let writer = Writer {
            terms: &self.terms,
            chain: &mut self.chain,
            messages: &mut self.prompt.messages,
            notes: &mut self.prompt.diagnostics,
            held: &mut self.prompt.held,
        };
        (writer, &self.rows)
    }

    /// Renders everything again, the head first.
    pub(super) fn render_all(&mut self) {
        self.take_from(0, self.early_notes);
        self.marks.clear();
        self.standing = Standing::default();
        self.head = self.wanted_head();
        self.render_head();
        self.feed(0);
    }

    /// Renders again from the segment on that the row is in, or from the one before where the row begins it.
    pub(super) fn render_from(&mut self, row: usize) {
        if self.wanted_head() != self.head {
            return self.render_all();
        }
        let within = self.marks.partition_point(|mark| mark.row < row);
        let Some(mark) = within.checked_sub(1).and_then(|at| self.marks.get(at).copied()) else {
            return self.render_all();
        };
        self.marks.truncate(within.saturating_sub(1));
        self.take_from(mark.message, mark.note);
        self.feed_marked(mark);
    }

    /// Renders all segments from this row on, the first of all.
    fn feed(&mut self, row: usize) {
        let mark = self.mark(row, false);
        self.feed_marked(mark);
    }

    fn mark(&self, row: usize, lost_thinking: bool) -> Mark {
        let (message, note) = (self.prompt.messages.len(), self.prompt.diagnostics.len());
        Mark { row, message, note, lost_thinking }
    }

    /// Renders all segments from this one on.
    fn feed_marked(&mut self, first: Mark) {
        let mut mark = first;
        while let Some(opener) = self.rows.get(mark.row) {
            let rest = self.rows.get(mark.row.saturating_add(1)..).unwrap_or_default();
            let length = rest.iter().position(|next| opens(Some(opener), next));
            let end = length.map_or(self.rows.len(), |more| mark.row.saturating_add(more).saturating_add(1));
            let lost = mark.lost_thinking && !is_request(opener);
            self.marks.push(mark);
            let (mut writer, rows) = self.writer();
            let standing = writer.segment(rows.get(mark.row..end).unwrap_or_default(), length.is_none());
            let lost = lost || standing.lost_thinking;
            self.standing = standing;
            mark = self.mark(end, lost);
        }
    }

    /// Renders a row that was added at the end.
    pub(super) fn render_last(&mut self) {
        let Some(last) = self.rows.len().checked_sub(1) else { return };
        if self.wanted_head() != self.head {
            return self.render_all();
        }
        let Some(mark) = self.marks.last().copied() else { return self.feed(last) };
        let (Some(first), Some(next)) = (self.rows.get(mark.row), self.rows.get(last)) else { return };
        if opens(Some(first), next) {
            let lost = (mark.lost_thinking && !is_request(first)) || self.standing.lost_thinking;
            if self.standing.changes_when_closed {
                self.take_from(mark.message, mark.note);
                let (mut writer, rows) = self.writer();
                writer.segment(rows.get(mark.row..last).unwrap_or_default(), false);
            }
            let mark = self.mark(last, lost);
            return self.feed_marked(mark);
        }
        let mut standing = mem::take(&mut self.standing);
        let (mut writer, rows) = self.writer();
        let extended = match (rows.get(mark.row), rows.get(last)) {
            (Some(first), Some(next)) => writer.extend(Opener::of(first), next, &mut standing),
            _ => false,
        };
        self.standing = standing;
        if !extended {
            self.marks.pop();
            self.take_from(mark.message, mark.note);
            self.feed_marked(mark);
        }
    }

    /// Brings what follows from the messages up to date, and tells what the edit changed.
    pub(super) fn end(&mut self, edit: Edit) -> Change {
        self.forget_held();
        let taken = mem::take(&mut self.taken);
        self.find_last_assistant(taken.from);
        let lost = self.marks.last().is_some_and(|mark| {
            let opens_turn = self.rows.get(mark.row).is_some_and(is_request);
            mark.lost_thinking && !opens_turn
        });
        let prompt = &mut self.prompt;
        prompt.thinking_off = lost || self.standing.lost_thinking;
        prompt.stable_len = self.standing.unstable_from().unwrap_or(prompt.messages.len());
        let hash_at = |length: usize| {
            let last = length.checked_sub(1).and_then(|last| prompt.messages.get(last));
            last.map_or_else(|| prompt.fingerprint.clone(), |message| message.hash.clone())
        };
        (prompt.stable_hash, prompt.tail_hash) = (hash_at(prompt.stable_len), hash_at(prompt.messages.len()));
        let retention = self.options.retention;
        let round = self.last_assistant;
        prompt.markers = default_markers(&prompt.tools, &prompt.system, &prompt.messages, round, retention);
        let now = prompt.messages.iter().skip(taken.from);
        let same = taken.messages.iter().zip(now).take_while(|(old, new)| old.hash == new.hash).count();
        let kept = taken.from.saturating_add(same);
        Change { kept, edit: (kept < taken.stable_len).then_some(edit) }
    }

    fn find_last_assistant(&mut self, from: usize) {
        let messages = &self.prompt.messages;
        let is_assistant =
            |at: &usize| messages.get(*at).is_some_and(|message| message.role == Role::Assistant);
        let known = self.last_assistant.filter(|at| *at < from);
        let newer = (from..messages.len()).rev().find(is_assistant);
        let earlier = || match (known, self.last_assistant) {
            (None, Some(_)) => (0..from).rev().find(is_assistant),
            (known, _) => known,
        };
        self.last_assistant = newer.or_else(earlier);
    }
}

/// Whether a row is a request of a user that opens a turn.
pub(super) fn is_request(stored: &StoredRow) -> bool {
    stored.row.kind == RowKind::User && !matches!(stored.row.input(), Some(InputState::Applied { .. }))
}
