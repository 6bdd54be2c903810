//! Inputs that look random and are the same on every host.

/// A generator of 64 bits of state (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The generator of one case of what `name` names.
    pub fn of(seed: u64, name: &str, case: u64) -> Random {
        // FNV-1a over the name; the generator itself mixes what is left.
        let named = name.bytes().fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
        });
        let mut start = Random { state: seed ^ named };
        let state = start.next() ^ case.wrapping_mul(0xD134_2543_DE82_EF95);
        Random { state }
    }

    /// The next 64 bits.
    #[allow(clippy::should_implement_trait, reason = "there is always a next one")]
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not zero.
    pub fn below(&mut self, end: u64) -> u64 {
        let product = u128::from(self.next()) * u128::from(end);
        u64::try_from(product >> 64).unwrap_or_default()
    }

    /// A length, index or count below `end`, which is not zero.
    pub fn size(&mut self, end: usize) -> usize {
        usize::try_from(self.below(end as u64)).unwrap_or_default()
    }

    /// A number from `first` to `last`.
    pub fn between(&mut self, first: i64, last: i64) -> i64 {
        let step = match u64::try_from(i128::from(last) - i128::from(first) + 1) {
            Ok(span) => self.below(span),
            Err(_) => self.next(),
        };
        first.wrapping_add(step as i64)
    }

    /// Whether one chance in `n` came.
    pub fn chance(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// One of `choices`, of which there is at least one.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.size(choices.len())]
    }

    /// One byte of `alphabet` after another, up to `most` of them.
    pub fn of_alphabet(&mut self, alphabet: &str, most: usize) -> String {
        let length = self.size(most + 1);
        (0..length).map(|_| char::from(self.pick(alphabet.as_bytes()))).collect()
    }

    /// Any Unicode scalar value, each plane's as likely as ASCII.
    pub fn char(&mut self) -> char {
        let end = self.pick(&[0x80, 0x800, 0x1_0000, 0x11_0000]);
        let code = u32::try_from(self.below(end)).unwrap_or_default();
        char::from_u32(code).unwrap_or('\u{FFFD}')
    }

    /// Up to `most` scalar values.
    pub fn text(&mut self, most: usize) -> String {
        let length = self.size(most + 1);
        (0..length).map(|_| self.char()).collect()
    }

    /// Up to `most` bytes.
    pub fn bytes(&mut self, most: usize) -> Vec<u8> {
        let length = self.size(most + 1);
        (0..length).map(|_| self.next() as u8).collect()
    }

    /// Puts `items` in another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.size(end + 1));
        }
    }
}
