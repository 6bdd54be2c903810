//! Places that are looked at once all of a text are known: what stands there depends on what was found elsewhere, or is
//! a text of its own.
use super::masks::LATE;
use super::places;
use alloc::vec::Vec;
use core::ops::Range;

/// Places of each kind, in their order.
#[derive(Debug, Default)]
pub(super) struct Late {
    /// In the order of the masks: behind `value`; the second byte of `||`, `??` and `<-`; the last letter of `#define`
    /// and of `SecureString`; the dollar sign of `:$`; the last letter of `kty`; the last byte of `_|` and `FlyV`; the
    /// last byte of an escape with a percent sign; the second byte of an entity; the last byte of `\\u00`.
    pub kinds: [Vec<usize>; LATE],
    /// The last of the [`places::BLOB`] first bytes of runs of base64.
    pub blobs: Vec<usize>,
}

impl Late {
    /// Adds the places of a block.
    #[inline]
    pub(super) fn add(&mut self, start: usize, kinds: &[u64; LATE]) {
        for (list, mask) in self.kinds.iter_mut().zip(kinds) {
            places::each(*mask, start, |i| list.push(i));
        }
    }

    /// Forgets all places, but keeps their room.
    pub(super) fn clear(&mut self) {
        self.kinds.iter_mut().chain([&mut self.blobs]).for_each(Vec::clear);
    }

    /// Adds those that stand in parts of the text, which are in order, to others.
    pub(super) fn within(&self, parts: &[Range<usize>], others: &mut Self) {
        let lists = self.kinds.iter().chain([&self.blobs]);
        for (list, inside) in lists.zip(others.kinds.iter_mut().chain([&mut others.blobs])) {
            for part in parts {
                let first = list.partition_point(|i| *i < part.start);
                let rest = list.get(first..).unwrap_or_default();
                inside.extend(rest.iter().take_while(|i| **i < part.end));
            }
        }
    }
}
