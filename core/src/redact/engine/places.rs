//! The places of a text that are looked at: one pass over its bytes, 64 at a time.
//!
//! Each place is found by the last byte that makes it one, so that nothing is read ahead: blocks overlap by the few
//! bytes that a place goes back. A place is no finding; the finders judge what stands there. What is found here is
//! more than they take, never less.
use super::classes::Classes;
use super::planes::{Block, Planes};
use super::work;

/// Bytes at the start of a block that were seen with the one before.
const SEEN: usize = 8;
/// New bytes in a block.
pub(super) const STEP: usize = 56;

/// Places of each kind, as bits of the block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Places {
    /// Where the block starts in the text, [`SEEN`] added.
    pub start: usize,
    /// The eighth byte of a token that starts as one of a rule may.
    pub tokens: u64,
    /// Delimiters behind what may be a name that holds a secret.
    pub delimiters: u64,
    /// The first byte of the name of a flag.
    pub flags: u64,
    /// Blanks behind names that stand before a token in prose.
    pub phrases: u64,
    /// All that are rare.
    pub rare: Rare,
    /// Whether the first new byte is inside of a string of its line.
    pub inside: bool,
}

/// Places that are rare.
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
    #[inline(always)]
    pub(super) fn any(&self) -> u64 {
        self.urls
            | self.schemes
            | self.logins
            | self.keys
            | self.web_tokens
            | self.telegram
            | self.discord
            | self.mailchimp
            | self.terraform
            | self.entra
    }
}

/// What one block tells the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reader {
    scalar: bool,
    /// Where tokens may start, in the block before.
    starts: u64,
    /// Whether a name that holds a secret may reach to here.
    reached: u64,
    /// Whether a backslash escapes the next byte.
    escaped: u64,
    /// Whether the next byte is inside of a string of its line.
    inside: u64,
}

impl Reader {
    /// A reader of places from `start` on, which is inside of a string of its line or not; it is 0, or at least
    /// [`STEP`].
    pub(super) fn new(bytes: &[u8], start: usize, inside: bool, scalar: bool) -> Self {
        let mut reader = Self { scalar, starts: 0, reached: 0, escaped: 0, inside: 0 };
        if start > 0 {
            // The block before tells what it ends with, whatever stands before that.
            reader.reached = 1;
            reader.read(bytes, start.saturating_sub(STEP), start);
            reader.escaped = u64::from(super::bytes::escaped(bytes, start));
            reader.inside = u64::from(inside);
        }
        reader
    }

    /// Whether the bytes read so far end inside of a string of their line.
    pub(super) fn inside(&self) -> bool {
        self.inside == 1
    }

    /// The places in the block that starts at `start`, before `limit`.
    #[inline(always)]
    pub(super) fn read(&mut self, bytes: &[u8], start: usize, limit: usize) -> Places {
        work::count(STEP);
        let block = block(bytes, start);
        let new = limit.saturating_sub(start).min(STEP);
        let valid =
            u64::MAX.unbounded_shr(u32::try_from(STEP.saturating_sub(new)).unwrap_or(0)) & (u64::MAX << SEEN);
        self.places(&Classes::of(Planes::of(&block, self.scalar)), start, valid)
    }

    #[inline(always)]
    fn places(&mut self, c: &Classes, start: usize, valid: u64) -> Places {
        let [colon, equals, dash, dot, slash] = [b':', b'=', b'-', b'.', b'/'].map(|b| c.byte(b));
        let [backslash, line, space, comma] = [b'\\', b'\n', b' ', b','].map(|b| c.byte(b));
        let quote = c.any(*b"\"'`");
        let blank = space | c.byte(b'\t');
        let name = c.alnum | dash | dot | c.any(*b"_$");
        let inside = self.inside == 1;
        self.strings(c.byte(b'"'), backslash, line);
        Places {
            start,
            tokens: self.tokens(c, dash | dot | slash | colon | equals, backslash) & valid,
            delimiters: {
                let behind_quote = (quote << 1)
                    | (blank << 1)
                        & ((quote << 2) | (blank << 2) & ((quote << 3) | (blank << 3) & (quote << 4)));
                let delimiter = colon | equals | (comma & behind_quote) | (c.byte(b'>') & (name << 1));
                let between = name | blank | quote | backslash | c.any(*b"])*?&;#+|!");
                self.reach(tells(c), between, valid) & delimiter
            } & valid,
            flags: {
                let open = quote | blank | line | c.any(*b"\r\x0c[(,");
                (c.alnum | c.byte(b'_')) & (dash << 1) & ((open << 2) | (dash << 2) & (open << 3))
            } & valid,
            phrases: {
                let word = c.ends(*b"token")
                    | c.ends(*b"key")
                    | c.ends(*b"ecret")
                    | c.ends(*b"sword")
                    | c.ends(*b"pass");
                space & (word << 1)
            } & valid,
            rare: Rare {
                urls: slash
                    & (((slash << 1) & (colon << 2))
                        | ((backslash << 1) & (slash << 2) & (backslash << 3) & (colon << 4)))
                    & valid,
                schemes: (c.ends(*b"bear") | c.ends(*b"basi")) & valid,
                logins: blank & ((c.ends(*b"sword") | (c.ends(*b"by") & (space << 2))) << 1) & valid,
                keys: c.letter(b'b')
                    & (dash << 2)
                    & (dash << 3)
                    & (dash << 4)
                    & ((dash << 1) & (dash << 5) | (space << 1) & (dash << 5))
                    & valid,
                web_tokens: c.ends(*b"eyj") & valid,
                telegram: c.letter(b'a') & (colon << 1) & (c.digit << 2) & valid,
                discord: dot & (dot << 7) & ((c.alnum | dash | c.byte(b'_')) << 8) & valid,
                mailchimp: c.ends(*b"us") & (dash << 2) & (c.alnum << 3) & valid,
                terraform: c.ends(*b"atla") & (dot << 4) & valid,
                entra: c.byte(b'~') & (c.letter(b'q') << 1) & valid,
            },
            inside,
        }
    }

    /// Where a token has its eighth byte: it starts where a word does, with a dot, behind an escape or behind a colour.
    #[inline(always)]
    fn tokens(&mut self, c: &Classes, signs: u64, backslash: u64) -> u64 {
        let escape = (backslash << 2) | (backslash << 4) | (backslash << 6) | (c.byte(b'%') << 3);
        let colour = (c.letter(b'm') << 1) & ((c.digit | c.any(*b";[")) << 2);
        let here = (c.alnum & (!(c.alnum << 1) | escape | colour)) | c.byte(b'.');
        let starts = (here & (u64::MAX << SEEN)) | (self.starts >> STEP);
        self.starts = here;
        let held = c.alnum | signs | c.any(*b"_~+%@?&");
        let two = held & (held << 1);
        let four = two & (two << 2);
        (starts << 7) & four & (four << 4)
    }

    /// What a name that holds a secret reaches over the bytes that may stand before its delimiter.
    #[inline(always)]
    fn reach(&mut self, tells: u64, between: u64, valid: u64) -> u64 {
        let from = ((tells << 1) | (self.reached << SEEN)) & (u64::MAX << SEEN);
        let over = between & (u64::MAX << SEEN);
        let (sum, carry) = (from & over).overflowing_add(over);
        let reached = (sum ^ over) | from;
        // The last byte is reached and lies between, or a name ends with it.
        self.reached = u64::from(carry) | ((tells & valid) >> 63);
        reached
    }

    /// Follows strings: double quotes that no backslash escapes open and close them, a line end ends them.
    #[inline(always)]
    fn strings(&mut self, quote: u64, backslash: u64, line: u64) {
        let (quote, backslash, line) = (quote >> SEEN, backslash >> SEEN, line >> SEEN);
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

/// The bytes from [`SEEN`] before `start` on; line ends where there is no text.
#[inline(always)]
fn block(bytes: &[u8], start: usize) -> Block {
    let first = start.checked_sub(SEEN).and_then(|from| bytes.get(from..)?.first_chunk());
    first.copied().unwrap_or_else(|| edge(bytes, start))
}

/// A block at an edge of the text.
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
pub(super) fn each(mut mask: u64, start: usize, mut judge: impl FnMut(usize)) {
    while mask != 0 {
        let bit = usize::try_from(mask.trailing_zeros()).unwrap_or(0);
        judge(start.saturating_add(bit).saturating_sub(SEEN));
        mask &= mask.wrapping_sub(1);
    }
}

macro_rules! pieces {
    ($($piece:literal)+) => {
        /// Pieces of words of which every name that holds a secret has one. A test shows that every word of the
        /// tables does.
        #[cfg(test)]
        pub(super) const PIECES: &[&[u8]] = &[$($piece),+];

        /// Where a piece ends.
        #[inline(always)]
        fn tells(c: &Classes) -> u64 {
            0 $(| c.ends(*$piece))+
        }
    };
}

pieces! {
    b"pass" b"pat" b"psw" b"psk" b"pw" b"pin" b"phra" b"ecre" b"sess" b"seed" b"senh" b"sig" b"sid" b"salt" b"salas"
    b"cred" b"cook" b"contras" b"code" b"clav" b"csrf" b"tok" b"otp" b"key" b"kenn" b"auth" b"jwt" b"nonc" b"mnem"
    b"motde" b"bear" b"lice" b"wacht"
}

#[cfg(test)]
mod tests {
    use super::{PIECES, Places, Reader, STEP, each};
    use crate::redact::engine::bytes::at;
    use crate::redact::rules::names::{ENDS, WORDS};
    use alloc::vec::Vec;
    use proptest::prelude::*;

    fn read(bytes: &[u8], scalar: bool) -> Vec<Places> {
        let mut reader = Reader::new(bytes, 0, false, scalar);
        (0..bytes.len()).step_by(STEP).map(|start| reader.read(bytes, start, bytes.len())).collect()
    }

    fn places(bytes: &[u8], of: impl Fn(&Places) -> u64) -> Vec<usize> {
        let mut all = Vec::new();
        for places in read(bytes, false) {
            each(of(&places), places.start, |place| all.push(place));
        }
        all
    }

    #[test]
    fn every_word_of_the_tables_has_a_piece() {
        for (word, _) in ENDS.iter().chain(WORDS) {
            let found = PIECES.iter().any(|piece| word.as_bytes().windows(piece.len()).any(|w| w == *piece));
            assert!(found, "no piece of {word:?} is among those that names are found by");
        }
    }

    #[test]
    fn places_stand_where_they_should_whatever_stands_before() {
        for lead in 0..130 {
            let text = [&"~".repeat(lead), " DB_PASSWORD = x"].concat();
            assert_eq!(places(text.as_bytes(), |p| p.delimiters), [lead + 13], "{text}");
            let text = [&"~".repeat(lead), "\\u003dghp_abcdefgh"].concat();
            assert!(places(text.as_bytes(), |p| p.tokens).contains(&(lead + 13)), "{text}");
            let text = [&"~".repeat(lead), "://"].concat();
            assert_eq!(places(text.as_bytes(), |p| p.rare.urls), [lead + 2]);
        }
    }

    /// Whether `i` is inside of a string of its line, byte by byte.
    fn inside(bytes: &[u8], i: usize) -> bool {
        let (mut inside, mut escaped) = (false, false);
        for place in 0..i {
            match at(bytes, place) {
                b'\\' => escaped = !escaped,
                byte => {
                    inside = byte != b'\n' && (inside != (byte == b'"' && !escaped));
                    escaped = false;
                }
            }
        }
        inside
    }

    proptest! {
        #[test]
        fn both_ways_find_the_same_places(
            text in "([a-z]{0,9}|[A-Z_]{0,5}|pass|token|KEY|bearer |://|-----BEGIN|[:=>,'\"`\\\\ \\n/.~-]{0,4}|\u{e9}){0,60}",
        ) {
            prop_assert_eq!(read(text.as_bytes(), true), read(text.as_bytes(), false));
        }

        #[test]
        fn strings_are_followed(text in "([a-z]{0,40}|[\"\\\\\\n]{0,3}){0,30}") {
            for places in read(text.as_bytes(), false) {
                prop_assert_eq!(places.inside, inside(text.as_bytes(), places.start), "{}", places.start);
            }
        }

        #[test]
        fn a_reader_may_start_anywhere(text in "[a-z\"\\\\:= \\n_-]{0,300}", at in 0usize..300) {
            let at = if at < STEP { 0 } else { at };
            let (bytes, at) = (text.as_bytes(), if at > text.len() { 0 } else { at });
            let mut reader = Reader::new(bytes, at, inside(bytes, at), false);
            let mut all = Vec::new();
            for start in (at..bytes.len()).step_by(STEP) {
                let places = reader.read(bytes, start, bytes.len());
                each(places.tokens, places.start, |place| all.push(place));
                each(places.phrases, places.start, |place| all.push(place));
                prop_assert_eq!(places.inside, inside(bytes, start));
            }
            let mut whole = Vec::new();
            for places in read(bytes, false) {
                each(places.tokens, places.start, |place| whole.push(place));
                each(places.phrases, places.start, |place| whole.push(place));
            }
            whole.retain(|place| *place >= at);
            all.sort_unstable();
            whole.sort_unstable();
            prop_assert_eq!(all, whole);
        }
    }
}
