//! What is held of a stream: text, in which each byte that is no UTF-8 stands as one `^`, and the bytes themselves
//! where these differ.
use alloc::{string::String, vec::Vec};

/// What stands for a byte that is no UTF-8: part of a value, and of no token, name, escape or quote.
const STAND_IN: char = '^';
/// The memory that a stream needs at most: what is judged at once, what is read before and behind that, and a slice.
const ROOM: usize = 104 * 1024;

#[derive(Default)]
pub(super) struct Input {
    text: String,
    /// The bytes as they came; empty while they are those of the text.
    raw: Vec<u8>,
    /// The start of a character whose end has not come.
    torn: Vec<u8>,
}

impl Input {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The bytes that stand in the text from `start` to `end`.
    pub(super) fn bytes(&self, start: usize, end: usize) -> &[u8] {
        let all = if self.raw.is_empty() { self.text.as_bytes() } else { &self.raw };
        all.get(start..end).unwrap_or_default()
    }

    /// Bytes that are held from `at` on.
    pub(super) fn held(&self, at: usize) -> usize {
        self.text.len().saturating_sub(at).saturating_add(self.torn.len())
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.torn.is_empty() {
            self.take(bytes);
        } else {
            let mut all = core::mem::take(&mut self.torn);
            all.extend_from_slice(bytes);
            self.take(&all);
        }
    }

    /// Nothing more comes: a torn character is bytes that are no text.
    pub(super) fn finish(&mut self) {
        let torn = core::mem::take(&mut self.torn);
        self.invalid(&torn);
    }

    /// Forgets the first bytes.
    pub(super) fn drop_front(&mut self, count: usize) {
        self.text.drain(..count.min(self.text.len()));
        self.raw.drain(..count.min(self.raw.len()));
    }

    fn take(&mut self, mut bytes: &[u8]) {
        loop {
            let error = match core::str::from_utf8(bytes) {
                Ok(text) => return self.valid(text),
                Err(error) => error,
            };
            let (valid, rest) = bytes.split_at_checked(error.valid_up_to()).unwrap_or((bytes, &[]));
            self.valid(core::str::from_utf8(valid).unwrap_or_default());
            let Some(length) = error.error_len() else {
                self.torn = rest.into();
                return;
            };
            let (wrong, rest) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            self.invalid(wrong);
            bytes = rest;
        }
    }

    /// Takes text.
    pub(super) fn valid(&mut self, text: &str) {
        let wanted = self.text.len().saturating_add(text.len());
        if wanted > self.text.capacity() {
            // By itself it would grow to twice as much as is needed at most.
            let room = wanted.max(self.text.capacity().saturating_mul(2).min(ROOM));
            self.text.reserve_exact(room.saturating_sub(self.text.len()));
        }
        self.text.push_str(text);
        if !self.raw.is_empty() {
            self.raw.extend_from_slice(text.as_bytes());
        }
    }

    fn invalid(&mut self, bytes: &[u8]) {
        if self.raw.is_empty() {
            self.raw.extend_from_slice(self.text.as_bytes());
        }
        self.raw.extend_from_slice(bytes);
        self.text.extend(bytes.iter().map(|_| STAND_IN));
    }
}
