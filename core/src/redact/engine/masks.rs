//! What may stand at the bytes of some blocks: masks made of the classes of their bytes alone.
//!
//! What a block must know of the one before is put together by [`super::places`].
#![allow(clippy::arithmetic_side_effects, reason = "shifts of lanes by constants")]
use super::classes::{Classes, Mask};
use fearless_simd::Simd;

/// Masks of some blocks.
#[derive(Clone, Copy)]
pub(super) struct Masks<S: Simd> {
    pub quote: Mask<S>,
    pub backslash: Mask<S>,
    pub line: Mask<S>,
    /// Where a token may start: where a word does, with a dot, behind an escape or behind a colour.
    pub starts: Mask<S>,
    /// The last of eight bytes that tokens may hold.
    pub held: Mask<S>,
    /// The last of three bytes that tokens may hold, or a line end and what stands behind it.
    pub last: Mask<S>,
    /// Where a piece of a name ends that may hold a secret.
    pub tells: Mask<S>,
    /// What may stand between that and its delimiter.
    pub between: Mask<S>,
    pub delimiters: Mask<S>,
    pub flags: Mask<S>,
    /// Blanks behind words that may be names of a secret, and behind those that are whatever they tell.
    pub phrases: Mask<S>,
    pub loud: Mask<S>,
    /// The last of eight bytes of base64.
    pub blob: Mask<S>,
    pub rare: [Mask<S>; RARE],
    pub late: [Mask<S>; LATE],
}

/// How many kinds of places are rare; see [`super::places::Rare`].
pub(super) const RARE: usize = 10;
/// How many kinds of places are looked at once all are known; see [`super::late::Late`].
pub(super) const LATE: usize = 10;

impl<S: Simd> Masks<S> {
    #[inline(always)]
    pub(super) fn of(c: &Classes<S>) -> Self {
        let (colon, equals, dash, dot) = (c.byte(b':'), c.byte(b'='), c.byte(b'-'), c.byte(b'.'));
        let (slash, backslash, line) = (c.byte(b'/'), c.byte(b'\\'), c.byte(b'\n'));
        let (space, quote) = (c.byte(b' '), c.byte(b'"'));
        let quotes = quote | c.any(*b"'`");
        let blank = space | c.byte(b'\t');
        let word = c.alnum | c.byte(b'_');
        let name = word | dash | dot | c.byte(b'$');
        let held = word | dash | dot | slash | colon | equals | c.any(*b"~+%@?&$!");
        Self {
            quote,
            backslash,
            line,
            starts: {
                let escape = (backslash << 2_u32)
                    | (backslash << 4_u32)
                    | (backslash << 6_u32)
                    | (c.byte(b'%') << 3_u32);
                let colour = (c.letter(b'm') << 1_u32) & ((c.digit | c.any(*b";[")) << 2_u32);
                (c.alnum & (!(c.alnum << 1_u32) | escape | colour)) | dot
            },
            held: {
                let two = held & (held << 1_u32);
                let four = two & (two << 2_u32);
                four & (four << 4_u32)
            },
            last: {
                let end = line | c.byte(b'\r');
                let (second, third) = (end << 1_u32, end << 2_u32);
                let goes_on = held | end;
                (goes_on | second | third) & ((goes_on << 1_u32) | third) & (goes_on << 2_u32)
            },
            tells: tells(c),
            between: name | blank | quotes | backslash | c.any(*b"[])*?&;#+|!"),
            delimiters: {
                let first = blank & (quotes << 1_u32);
                let second = blank & (first << 1_u32);
                let third = blank & (second << 1_u32);
                let behind_quote = (quotes | first | second | third) << 1_u32;
                colon | equals | (c.byte(b',') & behind_quote) | (c.byte(b'>') & ((name | quotes) << 1_u32))
            },
            flags: {
                let open = quotes | blank | line | c.any(*b"\r\x0c[(,");
                let dashes = dash & ((open << 1_u32) | ((dash & (open << 1_u32)) << 1_u32));
                word & (dashes << 1_u32)
            },
            phrases: space & (phrase(c) << 1_u32),
            loud: space & (loud(c) << 1_u32),
            blob: {
                let one = word | dash | slash | c.byte(b'+');
                let two = one & (one << 1_u32);
                let four = two & (two << 2_u32);
                four & (four << 4_u32)
            },
            rare: rare(c, [colon, dash, dot, slash, backslash, space, blank, word]),
            late: late(c, [colon, dash, backslash, quotes | blank | colon | equals | backslash]),
        }
    }
}

/// How the words end behind which a token may stand in prose. All but those of [`loud`] tell of a secret.
#[inline(always)]
fn phrase<S: Simd>(c: &Classes<S>) -> Mask<S> {
    c.ends(*b"ken")
        | c.ends(*b"key")
        | c.ends(*b"ret")
        | c.ends(*b"ord")
        | c.ends(*b"ass")
        | c.ends(*b"pwd")
        | c.ends(*b"uth")
        | c.ends(*b"pw")
}

/// `ACCESS` and `PRIVATE`.
#[inline(always)]
fn loud<S: Simd>(c: &Classes<S>) -> Mask<S> {
    c.ends_as(*b"ESS") | c.ends_as(*b"ATE")
}

#[inline(always)]
fn rare<S: Simd>(c: &Classes<S>, signs: [Mask<S>; 8]) -> [Mask<S>; RARE] {
    let [colon, dash, dot, slash, backslash, space, blank, word] = signs;
    let schemed = (slash << 1_u32) & (colon << 2_u32);
    let escaped = (backslash << 1_u32) & (slash << 2_u32) & (backslash << 3_u32) & (colon << 4_u32);
    let dashes = (dash << 2_u32) & (dash << 3_u32) & (dash << 4_u32) & (dash << 5_u32);
    [
        slash & (schemed | escaped),
        c.ends(*b"bear") | c.ends(*b"basi"),
        blank & ((c.ends(*b"sword") | by(c, space)) << 1_u32),
        c.letter(b'b') & ((dash | space) << 1_u32) & dashes,
        c.ends(*b"eyj"),
        c.letter(b'a') & (colon << 1_u32) & (c.digit << 2_u32),
        dot & (dot << 7_u32) & (word << 8_u32),
        c.ends(*b"us") & (dash << 2_u32) & (c.alnum << 3_u32),
        c.ends(*b"atla") & (dot << 4_u32),
        c.byte(b'~') & (c.letter(b'q') << 1_u32),
    ]
}

/// The places of what is looked at later, in the order of [`super::late::Late`].
#[inline(always)]
fn late<S: Simd>(c: &Classes<S>, signs: [Mask<S>; 4]) -> [Mask<S>; LATE] {
    let [colon, dash, backslash, behind_word] = signs;
    let (pipe, question, zero, number) = (c.byte(b'|'), c.byte(b'?'), c.byte(b'0'), c.byte(b'#'));
    [
        behind_word & (c.ends(*b"alue") << 1_u32),
        (pipe & (pipe << 1_u32)) | (question & (question << 1_u32)) | (dash & (c.byte(b'<') << 1_u32)),
        // Words by their first letters, places at their last ones.
        (c.ends(*b"def") & (number << 3_u32)) << 3_u32,
        c.ends(*b"estr") << 3_u32,
        c.byte(b'$') & (colon << 1_u32),
        c.ends(*b"kty"),
        c.ends(*b"flyv") | (pipe & (c.byte(b'_') << 1_u32)),
        c.alnum & (c.alnum << 1_u32) & (c.byte(b'%') << 2_u32),
        (c.alnum | number) & (c.byte(b'&') << 1_u32),
        zero & (zero << 1_u32) & (c.letter(b'u') << 2_u32) & (backslash << 3_u32),
    ]
}

/// `IDENTIFIED BY`, `password AS`.
#[inline(always)]
fn by<S: Simd>(c: &Classes<S>, space: Mask<S>) -> Mask<S> {
    (c.ends(*b"by") | (c.ends(*b"as") & (c.letter(b'd') << 3_u32))) & (space << 2_u32)
}

macro_rules! pieces {
    ($($piece:literal)+) => {
        /// Pieces of words of which every name that holds a secret has one. A test shows that every word of the
        /// tables does.
        #[cfg(test)]
        pub(super) const PIECES: &[&[u8]] = &[$($piece),+];

        /// Where a piece ends.
        #[inline(always)]
        fn tells<S: Simd>(c: &Classes<S>) -> Mask<S> {
            c.none $(| c.ends(*$piece))+
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
    use super::PIECES;
    use crate::redact::rules::names::{ENDS, WORDS};

    #[test]
    fn every_word_of_the_tables_has_a_piece() {
        for (word, _) in ENDS.iter().chain(WORDS) {
            let found = PIECES.iter().any(|piece| word.as_bytes().windows(piece.len()).any(|w| w == *piece));
            assert!(found, "no piece of {word:?} is among those that names are found by");
        }
    }
}
