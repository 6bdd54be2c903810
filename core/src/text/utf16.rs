//! Counting in UTF-16 units, as JavaScript does.

/// How many bytes are counted side by side: the compiler makes vectors of them.
const LANES: usize = 32;
/// How many rows of these are counted before a lane, of 8 bits, could be full.
const ROWS: usize = 127;

/// The length of `text` in UTF-16 code units, as JavaScript counts it.
///
/// ```
/// assert_eq!(throughline_core::text::utf16_len("a😀"), 3);
/// ```
pub fn utf16_len(text: &str) -> usize {
    let (rows, rest) = text.as_bytes().as_chunks::<LANES>();
    let blocks = rows.chunks(ROWS).map(|block| {
        let mut lanes = [0_u8; LANES];
        for row in block {
            for (lane, byte) in lanes.iter_mut().zip(row) {
                *lane = lane.wrapping_add(units(*byte));
            }
        }
        sum(&lanes)
    });
    rest.iter().map(|byte| usize::from(units(*byte))).sum::<usize>().saturating_add(blocks.sum())
}

/// The units of the character that a byte starts: two when it has four bytes. None for a byte within one.
fn units(byte: u8) -> u8 {
    u8::from(byte & 0xc0 != 0x80).wrapping_add(u8::from(byte >= 0xf0))
}

fn sum(lanes: &[u8]) -> usize {
    lanes.iter().map(|lane| usize::from(*lane)).sum()
}

/// Places of a text in bytes as places in UTF-16 units, in one pass over it.
///
/// ```
/// use throughline_core::text::Utf16Places;
/// let mut places = Utf16Places::new("é😀 x");
/// assert_eq!((places.at(2), places.at(6), places.at(8)), (1, 3, 5));
/// ```
#[derive(Debug)]
pub struct Utf16Places<'t> {
    text: &'t str,
    at: usize,
    units: usize,
}

impl<'t> Utf16Places<'t> {
    /// The start of a text.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0, units: 0 }
    }

    /// The UTF-16 offset of a byte offset, which is a boundary of characters and not before the one asked for last;
    /// any other is taken for that one.
    pub fn at(&mut self, offset: usize) -> usize {
        if let Some(between) = self.text.get(self.at..offset) {
            self.units = self.units.saturating_add(utf16_len(between));
            self.at = offset;
        }
        self.units
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use proptest::prelude::*;

    #[test]
    fn lanes_never_overflow() {
        for (one, units) in [("a", 1), ("é", 1), ("日", 1), ("😀", 2)] {
            for count in [0, 1, 31, 32, 33, LANES * ROWS, LANES * ROWS + 1, 3 * LANES * ROWS] {
                assert_eq!(utf16_len(&one.repeat(count)), count * units, "{count} × {one}");
            }
        }
    }

    #[test]
    fn a_place_inside_of_a_character_or_before_the_last_moves_nothing() {
        let mut places = Utf16Places::new("é😀x");
        assert_eq!([2, 3, 0, 6, 99, 7].map(|offset| places.at(offset)), [1, 1, 1, 3, 3, 4]);
    }

    proptest! {
        #[test]
        fn counts_as_the_standard_library_does(text in "(\\PC|[a-z\n]{0,40}){0,60}", cuts in prop::collection::vec(0..2400_usize, 0..8)) {
            prop_assert_eq!(utf16_len(&text), text.encode_utf16().count());
            let mut cuts: alloc::vec::Vec<usize> =
                cuts.into_iter().map(|cut| text.floor_char_boundary(cut)).collect();
            cuts.sort_unstable();
            let mut places = Utf16Places::new(&text);
            for cut in cuts {
                let before: String = text.chars().scan(0, |at, c| { *at += c.len_utf8(); Some((*at, c)) })
                    .take_while(|(end, _)| *end <= cut).map(|(_, c)| c).collect();
                prop_assert_eq!(places.at(cut), before.encode_utf16().count());
            }
        }
    }
}
