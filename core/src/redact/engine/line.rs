//! Where a line ends, and what may stand in it: seen on the way there, so that its bytes are read once.
use super::{Engine, planes::VECTORS};
use fearless_simd::{Simd, SimdBase, SimdMask, dispatch};

/// What may stand in lines: more than there is, never less.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::redact) struct Sight {
    /// A mark.
    pub marks: bool,
    /// The BEGIN of a key block.
    pub begin: bool,
}

/// Two bytes of each that hardly anything else has.
const MARK: [u8; 2] = *b"[R";
const BEGIN: [u8; 2] = *b"GI";

/// Bytes that are looked at together.
const WINDOW: usize = 64;

impl Engine {
    /// Where the first line of a text ends. Adds to `seen` what may stand in it.
    pub(in crate::redact) fn line_end(&self, text: &[u8], seen: &mut Sight) -> Option<usize> {
        if !VECTORS || self.scalar {
            *seen = Sight { marks: true, begin: true };
            return memchr::memchr(b'\n', text);
        }
        dispatch!(self.level, simd => line_end(simd, text, seen))
    }
}

#[inline(always)]
fn line_end<S: Simd>(simd: S, text: &[u8], seen: &mut Sight) -> Option<usize> {
    let none = S::u8s::splat(simd, 0).simd_eq(1);
    let (mut marks, mut begins, mut at) = (none, none, 0usize);
    let end = loop {
        let window = text.get(at..).and_then(<[u8]>::first_chunk::<{ WINDOW + 1 }>);
        let Some((first, second)) = window.and_then(|bytes| bytes.first_chunk().zip(bytes.last_chunk()))
        else {
            break None;
        };
        let [first, second]: [&[u8; WINDOW]; 2] = [first, second];
        let mut ends = none;
        let pieces = first.chunks_exact(S::u8s::LEN).zip(second.chunks_exact(S::u8s::LEN));
        for (first, second) in pieces {
            let (first, second) = (S::u8s::from_slice(simd, first), S::u8s::from_slice(simd, second));
            let pair = |[a, b]: [u8; 2]| first.simd_eq(a) & second.simd_eq(b);
            marks |= pair(MARK);
            begins |= pair(BEGIN);
            ends |= first.simd_eq(b'\n');
        }
        if ends.any_true() {
            break memchr::memchr(b'\n', first);
        }
        at = at.saturating_add(WINDOW);
    };
    seen.marks |= marks.any_true();
    seen.begin |= begins.any_true();
    if let Some(n) = end {
        return Some(at.saturating_add(n));
    }
    let tail = text.get(at..).unwrap_or_default();
    let end = memchr::memchr(b'\n', tail);
    let last = tail.get(..end.unwrap_or(tail.len())).unwrap_or_default();
    seen.marks |= last.windows(MARK.len()).any(|pair| pair == MARK);
    seen.begin |= last.windows(BEGIN.len()).any(|pair| pair == BEGIN);
    end.map(|n| at.saturating_add(n))
}

#[cfg(test)]
mod tests {
    use super::super::{Custom, Engine, Marks, Settings};
    use super::Sight;
    use crate::redact::Confidence;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn engine(scalar: bool) -> Engine {
        let (custom, marks) = (Custom::default(), Marks::default());
        let settings =
            Settings { exact: &[], least: Confidence::Likely, decode_depth: 2, pii: false, custom, marks };
        let mut engine = Engine::new(settings);
        if scalar {
            engine.read_by_numbers();
        }
        engine
    }

    proptest! {
        #[test]
        fn what_stands_in_a_line_is_seen_in_whatever_pieces_it_comes(
            bits in prop::collection::vec("[a-z\\[]{0,70}|\\[REDACTED:|BEGIN", 0..6),
            behind in "(\n.{0,80})?",
            cut in 0usize..400,
            scalar: bool,
        ) {
            let line = bits.concat();
            let text = [line.as_str(), behind.as_str()].concat();
            let (engine, mut seen) = (engine(scalar), Sight::default());
            let newline = text.find('\n');
            // The last byte of a piece is read again with the next one.
            let cut = cut.min(text.len());
            let first = engine.line_end(&text.as_bytes()[..cut], &mut seen);
            let from = cut.saturating_sub(1);
            let end = first.or_else(|| engine.line_end(&text.as_bytes()[from..], &mut seen).map(|n| from + n));
            prop_assert_eq!(end, newline);
            prop_assert!(seen.marks >= line.contains("[REDACTED:"));
            prop_assert!(seen.begin >= line.contains("BEGIN"));
            let clean: Vec<&str> = ["[R", "GI"].into_iter().filter(|pair| text.contains(pair)).collect();
            prop_assert!(scalar || !clean.is_empty() || !(seen.marks || seen.begin));
        }
    }
}
