//! Thinking that is in memory alone.
use super::state::{Change, Conversation};
use crate::{
    id::RowId,
    model::RowKind,
    prompt::{Edit, HeldThinking, PromptError, held::loses},
};
use alloc::vec::Vec;
use core::mem;

impl Conversation {
    /// Keeps the thinking of an answer that may not be stored, by the answer's assistant row, which is there
    /// already: `Response::held` of `render`. It is sent as it came until the tool round of the row ends, and then
    /// forgotten; a row whose round is over, or that is not the newest message, has nothing to be held for.
    ///
    /// Messages, hashes and all JSON have its signature alone; [`Prompt::held`](crate::prompt::Prompt::held) has
    /// its text, for `render`. Where a host has lost its memory, `thinking_off` is set instead.
    ///
    /// # Errors
    /// `row_unknown`.
    pub fn hold(&mut self, row: &RowId, held: Vec<HeldThinking>) -> Result<Change, PromptError> {
        if !self.places.contains_key(row) {
            return Err(PromptError::RowUnknown { row: row.clone() });
        }
        self.begin();
        if let Some(at) = self.position(row).filter(|_| self.open_message() == Some(row)) {
            self.terms.held.insert(row.clone(), held);
            self.render_from(at);
        }
        Ok(self.end(Edit::ThinkingDropped))
    }

    /// The assistant row that nothing has closed.
    fn open_message(&self) -> Option<&RowId> {
        let first = self.rows.get(self.marks.last()?.row)?;
        (first.row.kind == RowKind::Assistant).then_some(&first.row.id)
    }

    /// Forgets what no open round needs any more. What stays of a row says that nothing was lost while its round
    /// lasted; it does not hold once the round is the current one again.
    pub(super) fn forget_held(&mut self) {
        if self.terms.held.is_empty() {
            return;
        }
        let mut held = mem::take(&mut self.terms.held);
        let open = self.open_message();
        held.retain(|row, blocks| {
            if open == Some(row) {
                return !blocks.is_empty();
            }
            let was_sent = self.stored(row).is_some_and(|stored| !loses(stored, Some(blocks), false));
            *blocks = Vec::new();
            was_sent
        });
        self.terms.held = held;
    }
}
