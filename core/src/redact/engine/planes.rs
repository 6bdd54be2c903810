//! 64 bytes as bits: plane `n` holds bit `n` of each of them, the first byte lowest.
//!
//! With the bytes turned on their side a class of bytes costs a few operations on 64 bits, whichever class it is; see
//! [`super::classes`]. There are two ways to turn them, by vectors and by plain numbers; both give the same.
use fearless_simd::{Bytes, Simd, SimdBase, SimdMask, i8x64, mask8x64, u8x64, u64x8};

/// The bytes that are looked at together.
pub(super) type Block = [u8; 64];

/// The planes of a block, that of the lowest bit first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Planes(pub [u64; 8]);

impl Planes {
    /// The planes of a block, in the way that suits the machine; by plain numbers when `scalar`.
    #[inline(always)]
    pub(super) fn of<S: Simd>(simd: S, block: &Block, scalar: bool) -> Self {
        const VECTORS: bool =
            cfg!(any(target_feature = "sse2", target_feature = "simd128", target_feature = "neon"));
        if VECTORS && !scalar { Self::by_vectors(simd, block) } else { Self::by_numbers(block) }
    }

    /// The highest bits of all bytes are a mask; shifts move the lower ones there. What a shift of eight bytes moves
    /// from a byte to the next is below its highest bit.
    #[inline(always)]
    #[allow(clippy::arithmetic_side_effects, reason = "shifts of lanes by less than their width")]
    fn by_vectors<S: Simd>(simd: S, block: &Block) -> Self {
        let words: u64x8<S> = u8x64::load_array_ref(simd, block).bitcast();
        let (mut planes, mut shift) = ([0; 8], 0u32);
        for plane in planes.iter_mut().rev() {
            let bytes: i8x64<S> = (words << shift).bitcast();
            *plane = mask8x64::from_vector(bytes).to_bitmask();
            shift += 1;
        }
        Self(planes)
    }

    /// A product gathers one bit of each of 8 bytes in its highest byte; no two of its terms meet.
    #[inline(always)]
    fn by_numbers(block: &Block) -> Self {
        const LOWEST: u64 = 0x0101_0101_0101_0101;
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let mut planes = [0u64; 8];
        let (words, _) = block.as_chunks::<8>();
        for word in words.iter().rev() {
            let mut bits = u64::from_le_bytes(*word);
            for plane in &mut planes {
                *plane = (*plane << 8) | ((bits & LOWEST).wrapping_mul(GATHER) >> 56);
                bits >>= 1;
            }
        }
        Self(planes)
    }
}

#[cfg(test)]
mod tests {
    use super::Planes;
    use alloc::vec::Vec;
    use fearless_simd::{Level, dispatch};
    use proptest::prelude::*;

    /// By the vectors of this machine, and by those that every machine of its kind has.
    fn by_vectors(block: &[u8; 64]) -> [Planes; 2] {
        [Level::try_detect().unwrap_or(Level::baseline()), Level::baseline()]
            .map(|level| dispatch!(level, simd => Planes::by_vectors(simd, block)))
    }

    #[test]
    fn every_byte_at_every_place_gives_its_bits() {
        for place in 0..64 {
            for byte in 0..=u8::MAX {
                let mut block = [b'\n'; 64];
                block[place] = byte;
                let planes = Planes::by_numbers(&block);
                assert_eq!([planes; 2], by_vectors(&block), "{byte} at {place}");
                let bit = |n: usize| u8::from(planes.0[n] & (1 << place) != 0) << n;
                assert_eq!((0..8).map(bit).sum::<u8>(), byte);
            }
        }
    }

    proptest! {
        #[test]
        fn both_ways_give_the_same(bytes: Vec<u8>, at in 0usize..64) {
            let mut block = [0; 64];
            for (to, from) in block.iter_mut().skip(at).zip(&bytes) {
                *to = *from;
            }
            prop_assert_eq!([Planes::by_numbers(&block); 2], by_vectors(&block));
        }
    }
}
