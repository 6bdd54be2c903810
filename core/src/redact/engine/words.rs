//! The words of a name: it is split at case changes, digits and separators.
use super::bytes::part;
use super::lexicon::{self, listed};
use super::work;

/// Longest name that is looked at; of a longer one, its end.
pub(super) const LONGEST: usize = 80;

/// The words of a name in lower case, the last one first.
pub(super) struct Words {
    /// The letters and digits of the name, joined.
    letters: Letters,
    /// Where words start in `letters`, from the left.
    starts: [u8; 24],
    count: usize,
}

impl Words {
    pub(super) fn of(name: &[u8]) -> Self {
        let mut words = Self { letters: Letters::default(), starts: [0; 24], count: 0 };
        let mut fresh = true;
        let (head, mut rest) = name.split_at(name.len().saturating_sub(LONGEST));
        work::count(rest.len());
        let mut before = head.last().copied().unwrap_or(0);
        while let [b, more @ ..] = rest {
            let (b, after) = (*b, more.first().copied().unwrap_or(0));
            if b.is_ascii_alphanumeric() {
                let hump = b.is_ascii_uppercase()
                    && (before.is_ascii_lowercase()
                        || (before.is_ascii_uppercase() && after.is_ascii_lowercase() && after != b's'));
                let kind = before.is_ascii_digit() != b.is_ascii_digit() && before.is_ascii_alphanumeric();
                if fresh || hump || kind {
                    words.start();
                }
                words.letters.push(b.to_ascii_lowercase());
                fresh = false;
            } else {
                fresh = true;
            }
            (before, rest) = (b, more);
        }
        words
    }

    fn start(&mut self) {
        if self.count == self.starts.len() {
            self.starts.rotate_left(1);
            self.count = self.count.saturating_sub(1);
        }
        if let Some(slot) = self.starts.get_mut(self.count) {
            *slot = u8::try_from(self.letters.length).unwrap_or(u8::MAX);
            self.count = self.count.saturating_add(1);
        }
    }

    /// The `n`th word from the end.
    pub(super) fn get(&self, n: usize) -> Option<&[u8]> {
        let end = n.checked_sub(1).and_then(|n| self.start_of(n)).unwrap_or(self.letters.length);
        self.letters.bytes.get(self.start_of(n)?..end)
    }

    /// Whether the `n`th word from the end takes back what the words behind it say.
    pub(super) fn denied(&self, n: usize) -> bool {
        self.get(n).is_some_and(|w| listed(&lexicon::DENIED_BEFORE, w))
    }

    /// Up to `most` words joined, of which the last is the `n`th from the end.
    pub(super) fn joined(&self, n: usize, most: usize) -> &[u8] {
        let end = n.checked_sub(1).and_then(|n| self.start_of(n)).unwrap_or(self.letters.length);
        let first = n.saturating_add(most).saturating_sub(1).min(self.count.saturating_sub(1));
        part(&self.letters.bytes, self.start_of(first).unwrap_or(0), end)
    }

    /// Where the `n`th word from the end starts.
    fn start_of(&self, n: usize) -> Option<usize> {
        let i = self.count.checked_sub(n.checked_add(1)?)?;
        self.starts.get(i).map(|start| usize::from(*start))
    }
}

struct Letters {
    bytes: [u8; LONGEST],
    length: usize,
}

impl Default for Letters {
    fn default() -> Self {
        Self { bytes: [0; LONGEST], length: 0 }
    }
}

impl Letters {
    fn push(&mut self, b: u8) {
        if let Some(slot) = self.bytes.get_mut(self.length) {
            *slot = b;
            self.length = self.length.saturating_add(1);
        }
    }
}
