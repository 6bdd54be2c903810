//! What may stand at the bytes of two blocks: masks made of the classes of their bytes alone.
//!
//! What a block must know of the one before is put together by [`super::places`].
#![allow(clippy::arithmetic_side_effects, reason = "shifts of lanes by constants")]
use super::classes::{Classes, Mask};

/// Masks of two blocks.
#[derive(Clone, Copy)]
pub(super) struct Masks {
    pub quote: Mask,
    pub backslash: Mask,
    pub line: Mask,
    /// Where a token may start: where a word does, with a dot, behind an escape or behind a colour.
    pub starts: Mask,
    /// The last of eight bytes that tokens may hold.
    pub held: Mask,
    /// The last of three bytes that tokens may hold, or a line end and what stands behind it.
    pub last: Mask,
    /// Where a piece of a name ends that may hold a secret.
    pub tells: Mask,
    /// What may stand between that and its delimiter.
    pub between: Mask,
    pub delimiters: Mask,
    pub flags: Mask,
    /// Blanks behind words that may be names of a secret, and behind those that are whatever they tell.
    pub phrases: Mask,
    pub loud: Mask,
    /// The last of eight bytes of base64.
    pub blob: Mask,
    pub rare: [Mask; RARE],
    pub late: [Mask; LATE],
}

/// How many kinds of places are rare; see [`super::places::Rare`].
pub(super) const RARE: usize = 10;
/// How many kinds of places are looked at once all are known; see [`super::late::Late`].
pub(super) const LATE: usize = 10;

impl Masks {
    #[inline(always)]
    pub(super) fn of(c: &Classes) -> Self {
        let [colon, equals, dash, dot, slash] = [b':', b'=', b'-', b'.', b'/'].map(|b| c.byte(b));
        let [backslash, line, space, quote] = [b'\\', b'\n', b' ', b'"'].map(|b| c.byte(b));
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
                let escape = (backslash << 2) | (backslash << 4) | (backslash << 6) | (c.byte(b'%') << 3);
                let colour = (c.letter(b'm') << 1) & ((c.digit | c.any(*b";[")) << 2);
                (c.alnum & (!(c.alnum << 1_u32) | escape | colour)) | dot
            },
            held: {
                let two = held & (held << 1);
                let four = two & (two << 2);
                four & (four << 4)
            },
            last: {
                let end = line | c.byte(b'\r');
                let (second, third) = (end << 1, end << 2);
                let goes_on = held | end;
                (goes_on | second | third) & ((goes_on << 1) | third) & (goes_on << 2)
            },
            tells: tells(c),
            between: name | blank | quotes | backslash | c.any(*b"[])*?&;#+|!"),
            delimiters: {
                let first = blank & (quotes << 1);
                let second = blank & (first << 1);
                let third = blank & (second << 1);
                let behind_quote = (quotes | first | second | third) << 1;
                colon | equals | (c.byte(b',') & behind_quote) | (c.byte(b'>') & ((name | quotes) << 1))
            },
            flags: {
                let open = quotes | blank | line | c.any(*b"\r\x0c[(,");
                let dashes = dash & ((open << 1) | ((dash & (open << 1)) << 1));
                word & (dashes << 1)
            },
            phrases: space & (phrase(c) << 1),
            loud: space & (loud(c) << 1),
            blob: {
                let one = word | dash | slash | c.byte(b'+');
                let two = one & (one << 1);
                let four = two & (two << 2);
                four & (four << 4)
            },
            rare: rare(c, [colon, dash, dot, slash, backslash, space, blank, word]),
            late: late(c, [colon, dash, backslash, quotes | blank | colon | equals | backslash]),
        }
    }
}

/// How the words end behind which a token may stand in prose. All but those of [`loud`] tell of a secret.
#[inline(always)]
fn phrase(c: &Classes) -> Mask {
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
fn loud(c: &Classes) -> Mask {
    c.ends_as(*b"ESS") | c.ends_as(*b"ATE")
}

#[inline(always)]
fn rare(c: &Classes, signs: [Mask; 8]) -> [Mask; RARE] {
    let [colon, dash, dot, slash, backslash, space, blank, word] = signs;
    let schemed = (slash << 1) & (colon << 2);
    let escaped = (backslash << 1) & (slash << 2) & (backslash << 3) & (colon << 4);
    let dashes = (dash << 2) & (dash << 3) & (dash << 4) & (dash << 5);
    [
        slash & (schemed | escaped),
        c.ends(*b"bear") | c.ends(*b"basi"),
        blank & ((c.ends(*b"sword") | by(c, space)) << 1),
        c.letter(b'b') & ((dash | space) << 1) & dashes,
        c.ends(*b"eyj"),
        c.letter(b'a') & (colon << 1) & (c.digit << 2),
        dot & (dot << 7) & (word << 8),
        c.ends(*b"us") & (dash << 2) & (c.alnum << 3),
        c.ends(*b"atla") & (dot << 4),
        c.byte(b'~') & (c.letter(b'q') << 1),
    ]
}

/// The places of what is looked at later, in the order of [`super::late::Late`].
#[inline(always)]
fn late(c: &Classes, signs: [Mask; 4]) -> [Mask; LATE] {
    let [colon, dash, backslash, behind_word] = signs;
    let [pipe, question, zero, number] = [b'|', b'?', b'0', b'#'].map(|b| c.byte(b));
    [
        behind_word & (c.ends(*b"alue") << 1),
        (pipe & (pipe << 1)) | (question & (question << 1)) | (dash & (c.byte(b'<') << 1)),
        // Words by their first letters, places at their last ones.
        (c.ends(*b"def") & (number << 3)) << 3,
        c.ends(*b"estr") << 3,
        c.byte(b'$') & (colon << 1),
        c.ends(*b"kty"),
        c.ends(*b"flyv") | (pipe & (c.byte(b'_') << 1)),
        c.alnum & (c.alnum << 1) & (c.byte(b'%') << 2),
        (c.alnum | number) & (c.byte(b'&') << 1),
        zero & (zero << 1) & (c.letter(b'u') << 2) & (backslash << 3),
    ]
}

/// `IDENTIFIED BY`, `password AS`.
#[inline(always)]
fn by(c: &Classes, space: Mask) -> Mask {
    (c.ends(*b"by") | (c.ends(*b"as") & (c.letter(b'd') << 3))) & (space << 2)
}

macro_rules! pieces {
    ($($piece:literal)+) => {
        /// Pieces of words of which every name that holds a secret has one. A test shows that every word of the
        /// tables does.
        #[cfg(test)]
        pub(super) const PIECES: &[&[u8]] = &[$($piece),+];

        /// Where a piece ends.
        #[inline(always)]
        fn tells(c: &Classes) -> Mask {
            Mask::ZERO $(| c.ends(*$piece))+
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
