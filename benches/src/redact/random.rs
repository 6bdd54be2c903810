//! Numbers that are the same on every run.

/// A generator of pseudo-random numbers (xorshift64*).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        ((self.next() >> 32) as usize) % limit.max(1)
    }

    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Adds `count` bytes of an alphabet.
    pub(super) fn letters(&mut self, alphabet: &[u8], count: usize, out: &mut String) {
        out.extend((0..count).map(|_| char::from(self.pick(alphabet))));
    }
}
