//! What is kept of a text while it is looked through, and from one text to the next.
use super::finders::Finders;
use super::late::Late;
use super::memo::Memo;
use super::places::{Places, Rare, STEP};
use alloc::vec::Vec;

/// What names say, and room for what is seen of a text.
#[derive(Debug, Default)]
pub(in crate::redact) struct Kept {
    names: Memo,
    /// Places that are looked at once all are known.
    pub(super) late: Late,
    /// Those of them that are looked at again near findings.
    pub(super) near: Late,
    /// The other places, which may be looked at again there.
    pub(super) seen: Seen,
    /// Room for a text in which something is hidden.
    pub(super) hidden: Vec<u8>,
}

impl Kept {
    /// Room for the next text, of so many bytes.
    pub(super) fn clear(&mut self, length: usize) {
        self.late.clear();
        self.seen.blocks.clear();
        let blocks = length.div_ceil(STEP);
        if self.seen.blocks.capacity() < blocks {
            // What is there goes first.
            self.seen.blocks = Vec::new();
            self.seen.blocks.reserve_exact(blocks);
        }
        self.seen.rare.clear();
    }

    /// Finders that keep what they see here, until they are given back.
    pub(super) fn finders(&mut self) -> Finders {
        Finders::with(core::mem::take(&mut self.names), core::mem::take(&mut self.late))
    }

    /// Finders that know what names say. What is to be looked at later they keep for themselves.
    pub(super) fn finders_near(&mut self) -> Finders {
        Finders::with(core::mem::take(&mut self.names), Late::default())
    }

    /// Takes back what was lent to finders; what they saw that is to be looked at later.
    pub(super) fn give_back(&mut self, finders: Finders) -> Late {
        self.names = finders.names;
        finders.late
    }
}

/// The places of a text, block by block.
#[derive(Debug, Default)]
pub(super) struct Seen {
    blocks: Vec<Block>,
    rare: Vec<Rare>,
}

/// The places of a block.
#[derive(Debug, Clone, Copy)]
struct Block {
    tokens: u64,
    delimiters: u64,
    flags: u64,
    phrases: u64,
    /// Behind the number of its rare places; 0 where there are none.
    rare: u32,
    inside: bool,
}

impl Block {
    #[inline]
    fn of(places: &Places, rare: u32) -> Self {
        let Places { tokens, delimiters, flags, phrases, inside, .. } = *places;
        Self { tokens, delimiters, flags, phrases, rare, inside }
    }
}

impl Seen {
    /// Keeps the places of a block, the next one or one that was kept before.
    #[inline]
    pub(super) fn keep(&mut self, places: &Places, rare: Option<&Rare>) {
        let n = places.start.checked_div(STEP).unwrap_or(0);
        if n < self.blocks.len() {
            return self.replace(n, places, rare);
        }
        self.rare.extend(rare);
        let rare = rare.and_then(|_| u32::try_from(self.rare.len()).ok()).unwrap_or(0);
        self.blocks.push(Block::of(places, rare));
    }

    #[inline(never)]
    fn replace(&mut self, n: usize, places: &Places, rare: Option<&Rare>) {
        let Some(block) = self.blocks.get_mut(n) else { return };
        let slot = number(block.rare).and_then(|number| self.rare.get_mut(number));
        let rare = match (rare, slot) {
            (Some(rare), Some(slot)) => {
                *slot = *rare;
                block.rare
            }
            (Some(rare), None) => {
                self.rare.push(*rare);
                u32::try_from(self.rare.len()).unwrap_or(0)
            }
            (None, _) => 0,
        };
        *block = Block::of(places, rare);
    }

    /// The places of the block in which `i` stands; none of those that are looked at once all are known.
    pub(super) fn at(&self, i: usize) -> Option<(Places, Option<&Rare>)> {
        let n = i.checked_div(STEP).unwrap_or(0);
        let Block { tokens, delimiters, flags, phrases, rare, inside } = *self.blocks.get(n)?;
        let start = n.saturating_mul(STEP);
        let number = number(rare);
        let places = Places { start, tokens, delimiters, flags, phrases, inside, blobs: 0 };
        Some((places, number.and_then(|number| self.rare.get(number))))
    }
}

/// The number of what stands behind it.
fn number(behind: u32) -> Option<usize> {
    usize::try_from(behind).ok()?.checked_sub(1)
}
