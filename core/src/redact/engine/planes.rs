//! 64 bytes as bits: plane `n` holds bit `n` of each of them, the first byte lowest.
//!
//! With the bytes turned on their side a class of bytes costs a few operations on 64 bits, whichever class it is; see
//! [`super::classes`]. There are three ways to turn them, which give the same: by the highest bits of vectors, by
//! exchanging bits between vectors of 128 bits, and by plain numbers.
use fearless_simd::{Bytes, Simd, SimdBase, SimdMask, i8x64, mask8x64, u8x16, u8x64, u64x2, u64x8};

/// The bytes that are looked at together.
pub(super) type Block = [u8; 64];

/// Whether every machine of the kind has vectors.
pub(super) const VECTORS: bool =
    cfg!(any(target_feature = "sse2", target_feature = "simd128", target_feature = "neon"));

/// The planes of a block, that of the lowest bit first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Planes(pub [u64; 8]);

impl Planes {
    /// The planes of a block, in the way that suits the machine; by plain numbers when `scalar`.
    #[inline(always)]
    pub(super) fn of<S: Simd>(simd: S, block: &Block, scalar: bool) -> Self {
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

    /// The planes of two blocks. Where vectors have 128 bits, this takes half of what their highest bits take.
    #[inline(always)]
    pub(super) fn of_two<S: Simd>(simd: S, [first, second]: [&Block; 2]) -> [u64x2<S>; 8] {
        let mut bytes = [u8x16::splat(simd, 0); 8];
        let pieces = first.as_chunks::<16>().0.iter().chain(second.as_chunks::<16>().0);
        for (vector, piece) in bytes.iter_mut().zip(pieces) {
            *vector = u8x16::load_array_ref(simd, piece);
        }
        // Each time the highest bit of a byte's place in its vector becomes the lowest of the vector's number, whose
        // highest becomes the lowest of the place: at last vector `n` holds every eighth byte.
        let zip = |bytes| pairs(bytes, |a: u8x16<S>, b| (a.zip_low(b), a.zip_high(b)));
        let bytes = zip(zip(zip(zip(bytes))));
        // Bit `m` of vector `n` becomes bit `n` of vector `m`.
        let planes = exchange::<S, 4>(simd, bytes.map(|vector| vector.bitcast()), 0x0f0f_0f0f_0f0f_0f0f);
        let planes = exchange::<S, 2>(simd, planes, 0x3333_3333_3333_3333);
        exchange::<S, 1>(simd, planes, 0x5555_5555_5555_5555)
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

/// What `change` makes of each two vectors whose numbers differ by their highest bit, which becomes the lowest.
#[inline(always)]
fn pairs<V: Copy>([a, b, c, d, e, f, g, h]: [V; 8], change: impl Fn(V, V) -> (V, V)) -> [V; 8] {
    let ((a, e), (b, f), (c, g), (d, h)) = (change(a, e), change(b, f), change(c, g), change(d, h));
    [a, e, b, f, c, g, d, h]
}

/// Exchanges bits between each two vectors: those of the second that `low` holds for those of the first that are `BY`
/// higher.
#[inline(always)]
#[allow(clippy::arithmetic_side_effects, reason = "shifts of lanes by 1, 2 and 4")]
fn exchange<S: Simd, const BY: u32>(simd: S, vectors: [u64x2<S>; 8], low: u64) -> [u64x2<S>; 8] {
    let low = u64x2::splat(simd, low);
    pairs(vectors, |a, b| {
        let others = ((a >> BY) ^ b) & low;
        (a ^ (others << BY), b ^ others)
    })
}

#[cfg(test)]
mod tests {
    use super::Planes;
    use alloc::vec::Vec;
    use fearless_simd::{Level, dispatch};
    use proptest::prelude::*;

    /// By the vectors of this machine and those that every machine of its kind has, each in both ways.
    fn by_vectors(block: &[u8; 64]) -> [Planes; 6] {
        let levels = [Level::try_detect().unwrap_or(Level::baseline()), Level::baseline()];
        let [[a, b, c], [d, e, f]] = levels.map(|level| {
            dispatch!(level, simd => {
                let other = block.map(|b| !b);
                let first = Planes::of_two(simd, [block, &other]).map(|plane| plane.as_slice()[0]);
                let second = Planes::of_two(simd, [&other, block]).map(|plane| plane.as_slice()[1]);
                [Planes::by_vectors(simd, block), Planes(first), Planes(second)]
            })
        });
        [a, b, c, d, e, f]
    }

    #[test]
    fn every_byte_at_every_place_gives_its_bits() {
        for place in 0..64 {
            for byte in 0..=u8::MAX {
                let mut block = [b'\n'; 64];
                block[place] = byte;
                let planes = Planes::by_numbers(&block);
                assert_eq!([planes; 6], by_vectors(&block), "{byte} at {place}");
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
            prop_assert_eq!([Planes::by_numbers(&block); 6], by_vectors(&block));
        }
    }
}
