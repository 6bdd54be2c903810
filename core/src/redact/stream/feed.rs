//! A text that comes in pieces, and the way through it.
use super::groups::MOST;
use super::input::Input;
use super::walk::{Piece, Walk};
use crate::redact::engine::Engine;
use alloc::vec::Vec;

/// A part of a text about which all is decided.
pub(super) struct Decided<'f> {
    /// What is held of the text.
    pub input: &'f Input,
    /// Where the part starts in that, and where it ends.
    pub from: usize,
    pub to: usize,
    /// What is replaced in it.
    pub pieces: &'f [Piece],
}

/// What is held of a text, and what is known of what came before.
#[derive(Default)]
pub(super) struct Feed {
    walk: Walk,
    input: Input,
    /// What is decided of the text that is held.
    at: usize,
    pieces: Vec<Piece>,
}

impl Feed {
    /// Goes on in a text inside of a key block or not; `behind` is what is read again of what is decided.
    pub(super) fn going_on(inside_key: bool, behind: &[u8]) -> Self {
        let mut input = Input::default();
        input.push(behind);
        Self { walk: Walk::going_on(inside_key, behind.len()), input, at: behind.len(), pieces: Vec::new() }
    }

    /// Takes bytes.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.input.push(bytes);
    }

    /// Takes text, where nothing but text comes.
    pub(super) fn push_text(&mut self, text: &str) {
        self.input.valid(text);
    }

    /// Whether something may be decided by these bytes, which came last: without a line end a short text says nothing
    /// new.
    pub(super) fn may_decide(&self, last: &[u8]) -> bool {
        memchr::memchr(b'\n', last).is_some() || self.input.text().len() >= MOST || self.walk.is_inside_key()
    }

    /// Says that nothing more comes.
    pub(super) fn finish(&mut self) {
        self.input.finish();
    }

    /// Decides what can be decided, and gives it to `take` part by part; all of it when this is the end.
    pub(super) fn run(&mut self, engine: &Engine, end: bool, take: &mut dyn FnMut(Decided<'_>)) {
        loop {
            let from = self.at;
            let inside = self.walk.is_inside_key();
            self.at = self.walk.advance(engine, self.input.text(), from, end, &mut self.pieces);
            take(Decided { input: &self.input, from, to: self.at, pieces: &self.pieces });
            self.pieces.clear();
            if self.at == from && self.walk.is_inside_key() == inside {
                break;
            }
        }
        let keep = self.at.saturating_sub(self.walk.behind());
        self.input.drop_front(keep);
        self.at = self.at.saturating_sub(keep);
    }

    /// Bytes that are held back.
    pub(super) fn held(&self) -> usize {
        self.input.held(self.at)
    }

    /// Whether a key block is open.
    pub(super) fn is_inside_key(&self) -> bool {
        self.walk.is_inside_key()
    }

    /// Bytes before what comes next that are read again.
    pub(super) fn behind(&self) -> usize {
        self.walk.behind()
    }
}
