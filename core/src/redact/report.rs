//! Where findings stand, in a text that comes in pieces.
use super::{Finding, stream::Piece};
use alloc::vec::Vec;

/// A place in the input, and in the output.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    pub offset: usize,
    pub out: usize,
    pub line: usize,
    pub line_start: usize,
}

/// Collects findings while a text is written.
#[derive(Debug)]
pub(super) struct Report {
    at: At,
    /// The finding of a key block that goes on.
    open: Option<Finding>,
    list: Vec<Finding>,
}

impl Default for Report {
    fn default() -> Self {
        Self::at(0, 0, 1, 0)
    }
}

impl Report {
    /// A report that starts at this place.
    pub(super) fn at(offset: usize, out: usize, line: usize, line_start: usize) -> Self {
        Self { at: At { offset, out, line, line_start }, open: None, list: Vec::new() }
    }

    /// The place that was reached.
    pub(super) fn place(&self) -> At {
        self.at
    }

    /// Text that stays.
    pub(super) fn text(&mut self, text: &str) {
        self.read(text);
        self.at.out = self.at.out.saturating_add(text.len());
    }

    /// A secret, or a part of one, and the length of its mark.
    pub(super) fn piece(&mut self, piece: &Piece, text: &str, mark: usize) {
        if piece.continues {
            if let Some(open) = &mut self.open {
                open.length = open.length.saturating_add(text.len());
            }
        } else {
            self.close();
            self.open = Some(Finding {
                rule: piece.rule.id,
                kind: piece.rule.kind,
                confidence: piece.rule.confidence,
                line: self.at.line,
                column: self.at.offset.saturating_sub(self.at.line_start).saturating_add(1),
                offset: self.at.offset,
                length: text.len(),
                out_offset: self.at.out,
                out_length: mark,
            });
            self.at.out = self.at.out.saturating_add(mark);
        }
        self.read(text);
        if !piece.goes_on {
            self.close();
        }
    }

    /// The finding that is open is complete.
    pub(super) fn close(&mut self) {
        self.list.extend(self.open.take());
    }

    /// What was found since this was asked last.
    pub(super) fn take(&mut self) -> Vec<Finding> {
        core::mem::take(&mut self.list)
    }

    fn read(&mut self, text: &str) {
        for newline in memchr::memchr_iter(b'\n', text.as_bytes()) {
            self.at.line = self.at.line.saturating_add(1);
            self.at.line_start = self.at.offset.saturating_add(newline).saturating_add(1);
        }
        self.at.offset = self.at.offset.saturating_add(text.len());
    }
}
