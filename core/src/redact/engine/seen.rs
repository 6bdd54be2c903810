//! What is kept of a text while it is looked through, and from one text to the next.
use super::finders::Finders;
use super::late::Late;
use super::memo::Memo;
use super::places::{Places, Rare, STEP};
use alloc::vec::Vec;

/// What names say, and room for what is seen of a text.
#[derive(Default)]
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
        self.seen.clear(length.div_ceil(STEP));
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
    /// For each block whether it starts inside of a string, and above that bit what [`number`] reads of its places; 0
    /// where there are none.
    index: Vec<u32>,
    blocks: Vec<Block>,
    rare: Vec<Rare>,
}

/// The places of a block that has some.
#[derive(Debug, Clone, Copy)]
struct Block {
    tokens: u64,
    delimiters: u64,
    flags: u64,
    phrases: u64,
    /// What [`number`] reads of its rare places; 0 where there are none.
    rare: u32,
}

impl Block {
    fn of(places: &Places, rare: u32) -> Self {
        let Places { tokens, delimiters, flags, phrases, .. } = *places;
        Self { tokens, delimiters, flags, phrases, rare }
    }
}

impl Seen {
    /// Forgets all, and makes room for so many blocks.
    fn clear(&mut self, blocks: usize) {
        self.index.clear();
        self.blocks.clear();
        self.rare.clear();
        // Each has room of its own, so that nothing grows; what is there goes first.
        if self.index.capacity() < blocks {
            (self.index, self.blocks) = (Vec::new(), Vec::new());
            self.index.reserve_exact(blocks);
            self.blocks.reserve_exact(blocks);
        }
    }

    /// Keeps the places of a block, the next one or one that was kept before.
    #[inline(always)]
    pub(super) fn keep(&mut self, places: &Places, rare: Option<&Rare>) {
        let n = places.start.checked_div(STEP).unwrap_or(0);
        if n < self.index.len() {
            return self.replace(n, places, rare);
        }
        let some = if rare.is_some() || !places.is_quiet() { self.block(places, rare) } else { 0 };
        self.index.push((some << 1) | u32::from(places.inside));
    }

    /// Keeps the places of a block that was kept before. What room it has is used again.
    #[inline(never)]
    fn replace(&mut self, n: usize, places: &Places, rare: Option<&Rare>) {
        let Some(kept) = self.index.get(n).copied() else { return };
        let some = match number(kept >> 1).and_then(|number| self.blocks.get_mut(number)) {
            Some(block) => {
                match (rare, number(block.rare).and_then(|number| self.rare.get_mut(number))) {
                    (rare, Some(slot)) => *slot = rare.copied().unwrap_or_default(),
                    (Some(rare), None) => {
                        self.rare.push(*rare);
                        block.rare = behind(self.rare.len());
                    }
                    (None, None) => {}
                }
                *block = Block::of(places, block.rare);
                kept >> 1
            }
            None if rare.is_some() || !places.is_quiet() => self.block(places, rare),
            None => 0,
        };
        if let Some(kept) = self.index.get_mut(n) {
            *kept = (some << 1) | u32::from(places.inside);
        }
    }

    /// Keeps places; what [`number`] reads of them.
    fn block(&mut self, places: &Places, rare: Option<&Rare>) -> u32 {
        self.rare.extend(rare);
        let rare = if rare.is_some() { behind(self.rare.len()) } else { 0 };
        self.blocks.push(Block::of(places, rare));
        behind(self.blocks.len())
    }

    /// The places of the block in which `i` stands; none of those that are looked at once all are known.
    pub(super) fn at(&self, i: usize) -> Option<(Places, Option<&Rare>)> {
        let n = i.checked_div(STEP).unwrap_or(0);
        let kept = *self.index.get(n)?;
        let start = n.saturating_mul(STEP);
        let quiet = Places { start, inside: kept & 1 == 1, ..Places::default() };
        let Some(block) = number(kept >> 1).and_then(|number| self.blocks.get(number)) else {
            return Some((quiet, None));
        };
        let Block { tokens, delimiters, flags, phrases, rare } = *block;
        let places = Places { tokens, delimiters, flags, phrases, ..quiet };
        Some((places, number(rare).and_then(|number| self.rare.get(number))))
    }
}

/// How the last of so many is kept as a number other than 0.
fn behind(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(0)
}

/// The number of what was kept as the last of so many; none of 0.
fn number(behind: u32) -> Option<usize> {
    usize::try_from(behind).ok()?.checked_sub(1)
}
