//! Places that are looked at once all of a text are known: what stands there depends on what was found elsewhere, or is
//! a text of its own.
use super::masks::LATE;
use super::order;
use super::places;
use alloc::vec::Vec;
use core::ops::Range;

/// Places of a text in their order, in four bytes each: floods have many. A text that is looked through at once is
/// never longer than they can say.
#[derive(Debug, Default)]
pub(super) struct Offsets(Vec<u32>);

impl Offsets {
    /// Adds a place behind the others.
    #[inline]
    pub(super) fn push(&mut self, i: usize) {
        self.0.push(u32::try_from(i).unwrap_or(u32::MAX));
    }

    /// The places.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().copied().map(wide)
    }

    /// The last place before `i`.
    pub(super) fn before(&self, i: usize) -> Option<usize> {
        self.0.get(self.below(i).checked_sub(1)?).copied().map(wide)
    }

    /// Those of others that are not among them. They follow in their order, but for those of several parts.
    pub(super) fn fresh(&self, others: &Self) -> Self {
        // Most are the same.
        Self(others.0.iter().copied().filter(|place| self.0.binary_search(place).is_err()).collect())
    }

    /// Adds other places, which may be the same.
    pub(super) fn merge(&mut self, others: &Self) {
        let fresh = self.fresh(others);
        if !fresh.0.is_empty() {
            self.0.extend(fresh.0);
            order::sort(&mut self.0, Ord::cmp);
            self.0.dedup();
        }
    }

    /// Adds those of others that stand in a part of the text.
    pub(super) fn extend_within(&mut self, others: &Self, part: &Range<usize>) {
        let inside = others.0.get(others.below(part.start)..others.below(part.end));
        self.0.extend(inside.unwrap_or_default());
    }

    /// How many stand before `i`.
    fn below(&self, i: usize) -> usize {
        self.0.partition_point(|place| wide(*place) < i)
    }
}

fn wide(i: u32) -> usize {
    usize::try_from(i).unwrap_or(usize::MAX)
}

/// Which of the kinds stand behind `value`.
const VALUES: usize = 0;

/// Places of each kind, in their order.
#[derive(Debug, Default)]
pub(super) struct Late {
    /// In the order of the masks: behind `value`; the second byte of `||`, `??` and `<-`; the last letter of `#define`
    /// and of `SecureString`; the dollar sign of `:$`; the last letter of `kty`; the last byte of `_|` and `FlyV`; the
    /// last byte of an escape with a percent sign; the second byte of an entity; the last byte of `\\u00`;
    /// an escape of a terminal, or the bracket behind one that is written.
    pub kinds: [Offsets; LATE],
    /// The last of the [`places::BLOB`] first bytes of runs of base64.
    pub blobs: Offsets,
}

impl Late {
    /// Adds the places of a block.
    #[inline]
    pub(super) fn add(&mut self, start: usize, kinds: &[u64; LATE]) {
        for (list, mask) in self.kinds.iter_mut().zip(kinds) {
            places::each(*mask, start, |i| list.push(i));
        }
    }

    /// Where escapes of views stand: with percent signs, as entities, as `\u00`.
    pub(super) fn escapes(&self) -> [&Offsets; 3] {
        let [.., percents, entities, unicodes, _] = &self.kinds;
        [percents, entities, unicodes]
    }

    /// Forgets all places, but keeps their room.
    pub(super) fn clear(&mut self) {
        self.kinds.iter_mut().chain([&mut self.blobs]).for_each(|list| list.0.clear());
    }

    /// Adds those that stand in parts of the text, which are in order, to others; those behind `value` also so many bytes
    /// behind a part.
    pub(super) fn within(&self, parts: &[Range<usize>], behind: usize, others: &mut Self) {
        let mut past = 0;
        for part in parts {
            let wide = part.start.max(past)..part.end.saturating_add(behind);
            past = wide.end;
            let lists = self.kinds.iter().chain([&self.blobs]);
            let insides = others.kinds.iter_mut().chain([&mut others.blobs]);
            for (n, (list, inside)) in lists.zip(insides).enumerate() {
                inside.extend_within(list, if n == VALUES { &wide } else { part });
            }
        }
    }
}
