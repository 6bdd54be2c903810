//! The places of a text that are looked at: one pass over its bytes, 64 at a time.
//!
//! Each place is found by the last byte that makes it one, so that nothing is read ahead: blocks overlap by the few
//! bytes that a place goes back. A place is no finding; the finders judge what stands there. What is found here is
//! more than they take, never less.
use super::bytes::part;
use super::classes::{self, BLOCKS, Classes, Mask};
use super::masks::{LATE, Masks, RARE};
use super::planes::{Block, Planes, VECTORS};
use super::work;
use fearless_simd::{Simd, SimdBase};

/// Bytes at the start of a block that were seen with the one before.
pub(super) const SEEN: usize = 8;
/// The fewest bytes of a token, its keyword with it.
pub(super) const LEAST: usize = 15;
/// The fewest of them before a line end over which it goes on.
const FIRST: usize = 12;
/// The fewest bytes of a run of base64 that is decoded.
pub(super) const BLOB: usize = 24;
/// New bytes in a block.
pub(super) const STEP: usize = 56;
/// The bits of the new bytes.
const NEW: u64 = u64::MAX << SEEN;

/// Places of each kind, as bits of the block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Places {
    /// Where the block starts in the text, [`SEEN`] added.
    pub start: usize,
    /// The last of the [`LEAST`] first bytes of a token that starts as one of a rule may; it may go on over a line end
    /// behind [`FIRST`] of them.
    pub tokens: u64,
    /// Delimiters behind what may be a name that holds a secret.
    pub delimiters: u64,
    /// The first byte of the name of a flag.
    pub flags: u64,
    /// Blanks behind names that stand before a token in prose.
    pub phrases: u64,
    /// The last of the [`BLOB`] first bytes of a run of base64.
    pub blobs: u64,
    /// Whether the first new byte is inside of a string of its line.
    pub inside: bool,
}

impl Places {
    /// Whether there are none of those that are looked at while the text is read.
    #[inline(always)]
    pub(super) fn is_quiet(&self) -> bool {
        self.tokens | self.delimiters | self.flags | self.phrases == 0
    }
}

/// Places that are rare. With them come those that are looked at once all are known, by their kinds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Rare {
    /// The last slash of `://`, plain or escaped.
    pub urls: u64,
    /// The fourth letter of `Bearer` and `Basic`.
    pub schemes: u64,
    /// Blanks behind `password` and `by`.
    pub logins: u64,
    /// The letter behind the dashes of a key block.
    pub keys: u64,
    /// The third letter of `eyJ`.
    pub web_tokens: u64,
    /// Behind `:A`.
    pub telegram: u64,
    /// The second dot of three parts.
    pub discord: u64,
    /// The last letter of `-us`.
    pub mailchimp: u64,
    /// The last letter of `.atla`.
    pub terraform: u64,
    /// The tilde of `Q~`.
    pub entra: u64,
}

impl Rare {
    /// Of a block, by its masks in the order of the fields.
    #[inline(always)]
    fn of(masks: [u64; RARE]) -> Self {
        let [urls, schemes, logins, keys, web_tokens, telegram, discord, mailchimp, terraform, entra] = masks;
        Self { urls, schemes, logins, keys, web_tokens, telegram, discord, mailchimp, terraform, entra }
    }

    /// Whether there are any.
    pub(super) fn any(&self) -> bool {
        *self != Self::default()
    }
}

/// What some blocks tell the next.
#[derive(Clone, Copy)]
pub(super) struct Reader<S: Simd> {
    simd: S,
    scalar: bool,
    /// Where tokens may start.
    starts: Mask<S>,
    /// Where eight bytes end that tokens may hold.
    held: Mask<S>,
    /// Where eight bytes of base64 end, and where [`BLOB`] of them do.
    eight: Mask<S>,
    blobs: Mask<S>,
    /// Whether a name that holds a secret may reach to here.
    reached: u64,
    /// Whether a backslash escapes the next byte.
    escaped: u64,
    /// Whether the next byte is inside of a string of its line.
    inside: u64,
}

/// The masks of some blocks that are read at once.
struct Lanes<S: Simd> {
    masks: Masks<S>,
    /// Where a token has the last of its [`LEAST`] first bytes.
    tokens: Mask<S>,
    /// Where a run of base64 has the last of its [`BLOB`] first bytes.
    blobs: Mask<S>,
    /// Where one of those is that are rare.
    any: Mask<S>,
}

impl<S: Simd> Reader<S> {
    /// A reader of places from `start` on, which is inside of a string of its line or not. Where the text starts before
    /// that, the first block says what the next ones must know, and not all of its own places.
    #[inline(always)]
    pub(super) fn new(simd: S, bytes: &[u8], start: usize, inside: bool, scalar: bool) -> Self {
        let none = Mask::<S>::splat(simd, 0);
        let (starts, held, eight, blobs) = (none, none, none, none);
        let (reached, escaped) = (u64::from(start > 0), u64::from(super::bytes::escaped(bytes, start)));
        Self { simd, scalar, starts, held, eight, blobs, reached, escaped, inside: u64::from(inside) }
    }

    /// Whether the next byte is inside of a string of its line.
    #[inline(always)]
    pub(super) fn inside(&self) -> bool {
        self.inside == 1
    }

    /// Gives the places in the blocks from `start` on, before `limit`, to `judge`; where the next ones start. There are
    /// as many blocks as a vector has numbers.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        bytes: &[u8],
        start: usize,
        limit: usize,
        mut judge: impl FnMut(Places, Option<&(Rare, [u64; LATE])>),
    ) -> usize {
        let lanes = self.lanes(bytes, start, limit);
        let (mut start, whole) = (start, start.saturating_add(Mask::<S>::LEN.saturating_mul(STEP)) <= limit);
        for n in 0..Mask::<S>::LEN {
            let valid = if whole { NEW } else { valid(start, limit) };
            let places = self.places(&lanes, n, start, valid);
            let of = |mask: &Mask<S>| mask.as_slice().get(n).copied().unwrap_or(0) & valid;
            let Lanes { masks, any, .. } = &lanes;
            let rare = (of(any) != 0)
                .then(|| (Rare::of(masks.rare.each_ref().map(of)), masks.late.each_ref().map(of)));
            judge(places, rare.as_ref());
            work::count(STEP);
            start = start.saturating_add(STEP);
            if start >= limit {
                break;
            }
        }
        start
    }

    /// The masks of some blocks, the first of which starts at `start`. Blocks behind `limit` say nothing.
    #[inline(always)]
    fn lanes(&mut self, bytes: &[u8], start: usize, limit: usize) -> Lanes<S> {
        let classes = Classes::of(self.simd, self.planes(bytes, start, limit));
        let masks = Masks::of(&classes);
        let any = masks.rare.into_iter().chain(masks.late).fold(classes.none, |all, mask| all | mask);
        Lanes { tokens: self.tokens(&masks), blobs: self.blobs(masks.blob), masks, any }
    }

    /// The planes of some blocks, the first of which starts at `start`.
    #[inline(always)]
    fn planes(&self, bytes: &[u8], start: usize, limit: usize) -> [Mask<S>; 8] {
        if VECTORS && !self.scalar && Mask::<S>::LEN == 2 {
            let next = start.saturating_add(STEP);
            let edges;
            let blocks = match (self::block(bytes, start), self::block(bytes, next)) {
                (Some(first), Some(second)) => [first, second],
                _ => {
                    edges = [self::edge(bytes, start), self::edge(bytes, next)];
                    edges.each_ref()
                }
            };
            // A vector of two numbers is one block of itself.
            return Planes::of_two(self.simd, blocks).map(Mask::<S>::block_splat);
        }
        let (mut blocks, mut from) = ([Planes::default(); BLOCKS], start);
        for block in blocks.iter_mut().take(Mask::<S>::LEN) {
            let edge;
            let bytes = match self::block(bytes, from) {
                Some(bytes) => bytes,
                None => {
                    edge = self::edge(bytes, from);
                    &edge
                }
            };
            *block = Planes::of(self.simd, bytes, self.scalar);
            from = from.saturating_add(STEP);
            if from >= limit {
                break;
            }
        }
        classes::planes(self.simd, &blocks)
    }

    /// The places of one of the blocks, by what the block before told, where its bits are `valid`.
    #[inline(always)]
    fn places(&mut self, lanes: &Lanes<S>, n: usize, start: usize, valid: u64) -> Places {
        let Lanes { masks, tokens, blobs, .. } = lanes;
        let of = |mask: &Mask<S>| mask.as_slice().get(n).copied().unwrap_or(0);
        let inside = self.inside == 1;
        self.strings([of(&masks.quote), of(&masks.backslash), of(&masks.line)]);
        let reached = self.reach(of(&masks.told), of(&masks.between));
        Places {
            start,
            inside,
            tokens: of(tokens) & valid,
            delimiters: reached & of(&masks.delimiters) & valid,
            flags: of(&masks.flags) & valid,
            phrases: ((reached & of(&masks.phrases)) | of(&masks.loud)) & valid,
            blobs: of(blobs) & valid,
        }
    }

    /// Where tokens have the last of their [`LEAST`] first bytes.
    #[inline(always)]
    #[allow(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        reason = "shifts by small constants"
    )]
    fn tokens(&mut self, masks: &Masks<S>) -> Mask<S> {
        const AHEAD: u32 = LEAST as u32 - 1;
        const LAST: u32 = (LEAST - FIRST) as u32;
        let (starts, held) = (before(self.starts, masks.starts), before(self.held, masks.held));
        (self.starts, self.held) = (masks.starts, masks.held);
        // Bits below `SEEN` were complete in the block before.
        let here = ((masks.starts & NEW) << AHEAD) | (starts >> (STEP as u32 - AHEAD));
        let eight = (masks.held & NEW) | (held >> (STEP as u32));
        here & masks.last & (eight << LAST) & (eight << (LEAST as u32 - 8))
    }

    /// Where runs of base64 have the last of their [`BLOB`] first bytes.
    #[inline(always)]
    #[allow(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        reason = "shifts by small constants"
    )]
    fn blobs(&mut self, eight: Mask<S>) -> Mask<S> {
        let eight = eight & NEW;
        let last = before(self.eight, eight);
        let sixteen = eight & ((eight << 8_u32) | (last >> (STEP as u32 - 8)));
        let all = sixteen & ((eight << 16_u32) | (last >> (STEP as u32 - 16)));
        let reached = (before(self.blobs, all) >> 63_u32) << (SEEN as u32);
        (self.eight, self.blobs) = (eight, all);
        all & !((all << 1_u32) | reached)
    }

    /// What a name that holds a secret reaches over the bytes that may stand before its delimiter.
    #[inline(always)]
    fn reach(&mut self, told: u64, between: u64) -> u64 {
        let from = (told | (self.reached << SEEN)) & NEW;
        let over = between & NEW;
        let (sum, carry) = (from & over).overflowing_add(over);
        self.reached = u64::from(carry);
        (sum ^ over) | from
    }

    /// Follows strings: double quotes that no backslash escapes open and close them, a line end ends them.
    #[inline(always)]
    fn strings(&mut self, masks: [u64; 3]) {
        let [quote, backslash, line] = masks.map(|mask| mask >> SEEN);
        let escaped = self.escapes(backslash);
        let quote = quote & !escaped;
        let last = match line.checked_ilog2() {
            Some(place) => {
                self.inside = 0;
                (u64::MAX << 1).unbounded_shl(place)
            }
            None => u64::MAX,
        };
        self.inside ^= u64::from((quote & last).count_ones() & 1);
    }

    /// The bytes behind an odd number of backslashes.
    #[inline(always)]
    fn escapes(&mut self, backslash: u64) -> u64 {
        const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
        if backslash == 0 {
            return core::mem::take(&mut self.escaped);
        }
        let starts = backslash & !self.escaped;
        let codes = ((starts << 1) | ODD).wrapping_sub(starts) ^ ODD;
        let escaped = codes ^ (backslash | self.escaped);
        self.escaped = ((codes & backslash) >> (STEP - 1)) & 1;
        escaped
    }
}

/// For each block the mask of the one before: of the first, the last of those read before.
#[inline(always)]
fn before<S: Simd, M: SimdBase<S>>(last: M, masks: M) -> M {
    match M::LEN {
        2 => last.slide::<1>(masks),
        4 => last.slide::<3>(masks),
        _ => last.slide::<{ BLOCKS - 1 }>(masks),
    }
}

/// Whether the places from `start` on, where a block does, are those that they were before something was hidden up to
/// `hidden`, if strings are the same there; but for runs of base64.
pub(super) fn as_before(bytes: &[u8], start: usize, hidden: usize) -> bool {
    // A block that is as it was tells the next one what it must know, unless it hands on what was told to it.
    start >= hidden.saturating_add(SEEN + STEP)
        && part(bytes, start.saturating_sub(STEP), start).iter().any(|b| ends_reach(*b))
}

/// Whether a byte, which is no backslash, never stands between a name and its delimiter.
fn ends_reach(b: u8) -> bool {
    matches!(b, b',' | b'/' | b':' | b'=' | b'<' | b'>' | b'\n')
}

/// The bits of the new bytes before `limit` in the block that starts at `start`.
#[inline(always)]
fn valid(start: usize, limit: usize) -> u64 {
    let over = STEP.saturating_sub(limit.saturating_sub(start));
    NEW & u64::MAX.unbounded_shr(u32::try_from(over).unwrap_or(0))
}

/// The bytes from [`SEEN`] before `start` on, where the text has as many.
#[inline(always)]
fn block(bytes: &[u8], start: usize) -> Option<&Block> {
    bytes.get(start.checked_sub(SEEN)?..)?.first_chunk()
}

/// A block at an edge of the text: line ends where there is none.
#[cold]
fn edge(bytes: &[u8], start: usize) -> Block {
    let mut block = [b'\n'; SEEN + STEP];
    let (from, skip) = (start.saturating_sub(SEEN), SEEN.saturating_sub(start));
    let rest = bytes.get(from..).unwrap_or_default();
    for (to, byte) in block.iter_mut().skip(skip).zip(rest) {
        *to = *byte;
    }
    block
}

/// The bits of a mask, as places in the text: each the place of the byte that made it one.
pub(super) fn each(mask: u64, start: usize, mut judge: impl FnMut(usize)) {
    those(mask, start, |i| {
        judge(i);
        true
    });
}

/// Those bits of a mask whose places in the text are `wanted`.
pub(super) fn those(mut mask: u64, start: usize, mut wanted: impl FnMut(usize) -> bool) -> u64 {
    let mut those = 0;
    while mask != 0 {
        let bit = usize::try_from(mask.trailing_zeros()).unwrap_or(0);
        let rest = mask & mask.wrapping_sub(1);
        if wanted(start.saturating_add(bit).saturating_sub(SEEN)) {
            those |= mask ^ rest;
        }
        mask = rest;
    }
    those
}

#[cfg(test)]
mod tests;
