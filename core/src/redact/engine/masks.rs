//! What may stand at the bytes of some blocks: masks made of the classes of their bytes alone.
//!
//! What a block must know of the one before is put together by [`super::places`].
#![allow(clippy::arithmetic_side_effects, reason = "shifts of lanes by constants")]
use super::bytes::ESCAPE;
use super::classes::{Classes, Mask};
use fearless_simd::Simd;

/// Masks of some blocks.
#[derive(Clone, Copy)]
pub(super) struct Masks<S: Simd> {
    pub quote: Mask<S>,
    pub backslash: Mask<S>,
    pub line: Mask<S>,
    /// Where a token may start, with one of its first bytes ([`super::tokens::first`]): where a word does, with a dot,
    /// behind an escape or behind a colour.
    pub starts: Mask<S>,
    /// The last of eight bytes that tokens may hold.
    pub held: Mask<S>,
    /// The last of three bytes that tokens may hold, or a line end and what stands behind it.
    pub last: Mask<S>,
    /// Behind a piece of a name that may hold a secret.
    pub told: Mask<S>,
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
pub(super) const LATE: usize = 11;

impl<S: Simd> Masks<S> {
    #[inline(always)]
    pub(super) fn of(c: &Classes<S>) -> Self {
        let (colon, equals, dash, dot) = (c.byte(b':'), c.byte(b'='), c.byte(b'-'), c.byte(b'.'));
        let (slash, backslash, line) = (c.byte(b'/'), c.byte(b'\\'), c.byte(b'\n'));
        let (space, quote) = (c.byte(b' '), c.byte(b'"'));
        let tab = c.byte(b'\t');
        let quotes = c.row(*b"\"'") | c.byte(b'`');
        let blank = space | tab;
        let word = c.alnum | c.byte(b'_');
        let held = word | c.row(*b"!$%&") | c.row(*b"+-./") | c.row(*b":=?") | c.byte(b'@') | c.byte(b'~');
        let ends = Ends::of(c);
        Self {
            quote,
            backslash,
            line,
            starts: {
                let letter = backslash << 1_u32;
                let escape = (backslash << 2_u32)
                    | ((letter & c.letter(b'x')) << 3_u32)
                    | ((letter & c.letter(b'u')) << 5_u32)
                    | (c.byte(b'%') << 3_u32);
                let colour = (c.letter(b'm') << 1_u32) & ((c.digit | c.byte(b';') | c.byte(b'[')) << 2_u32);
                let first = (c.alnum & !c.digit) | c.row(*b"0145");
                (first & (!(c.alnum << 1_u32) | escape | colour)) | dot
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
            // A short word is none where it goes on in small letters: `path`.
            told: (ends.tells << 1_u32) | ((ends.words << 1_u32) & !c.small),
            between: {
                let signs = c.eight(b'(') & !c.row(*b"(,/");
                let more = c.eight(b'8') & !c.row(*b":<=>");
                c.upper_half | c.eight(b' ') | c.eight(b'0') | signs | more | tab
            },
            // A comma is one behind a quote; blanks may stand between.
            delimiters: colon
                | equals
                | c.byte(b'>')
                | c.byte(b'(')
                | (c.byte(b',') & ((quotes | blank) << 1_u32)),
            flags: {
                let first = dash & !(held << 1_u32);
                word & ((first | (dash & (first << 1_u32))) << 1_u32)
            },
            phrases: space & (ends.phrase << 1_u32),
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

/// Where what names are known by ends.
struct Ends<S: Simd> {
    /// Pieces of words of which every name that holds a secret has one. A test shows that every word of the tables
    /// does.
    tells: Mask<S>,
    /// The same of words that tell as a whole alone.
    words: Mask<S>,
    /// Words behind which a token may stand in prose. All but those of [`loud`] tell of a secret.
    phrase: Mask<S>,
}

impl<S: Simd> Ends<S> {
    /// What ends with the same letter is put together before that is looked at.
    #[inline(always)]
    fn of(c: &Classes<S>) -> Self {
        let (pa, pi, ps, pw) = (c.ends(*b"pa"), c.ends(*b"pi"), c.ends(*b"ps"), c.ends(*b"pw"));
        let (sa, se, si) = (c.ends(*b"sa"), c.ends(*b"se"), c.ends(*b"si"));
        let (ch, co, cs, cre) = (c.ends(*b"ch"), c.ends(*b"co"), c.ends(*b"cs"), c.ends(*b"cre"));
        let (bea, ec, jw, ke) = (c.ends(*b"bea"), c.ends(*b"ec"), c.ends(*b"jw"), c.ends(*b"ke"));
        let (la, lic, mn, nn) = (c.ends(*b"la"), c.ends(*b"lic"), c.ends(*b"mn"), c.ends(*b"nn"));
        let (non, ot, ra, to) = (c.ends(*b"non"), c.ends(*b"ot"), c.ends(*b"ra"), c.ends(*b"to"));
        let (key, uth) = (c.then(ke, b'y'), c.ends(*b"uth"));
        let (ses, see, sen) = (c.then(se, b's'), c.then(se, b'e'), c.then(se, b'n'));
        let tells = c.then(pa | ra | ses, b's')
            | c.then(jw | ch, b't')
            | c.then(ps | nn, b'w')
            | c.then(ps | to, b'k')
            | c.then(ec | cs | bea, b'r')
            | c.then(mn | lic, b'e')
            | c.then(co | cre | see, b'd')
            | c.then(sen, b'h')
            | c.then(si, b'g')
            | c.then(sa, b'l')
            | c.then(co, b'o')
            | c.then(la, b'v')
            | c.then(non, b'c')
            | c.then(ot, b'p')
            | key
            | uth
            | pw;
        let words = c.then(pa, b't') | c.then(pi, b'n') | c.then(si, b'd');
        let phrase = c.then(ke, b'n')
            | c.ends(*b"ret")
            | c.then(c.ends(*b"or") | pw, b'd')
            | c.ends(*b"ass")
            | key
            | uth
            | pw;
        Self { tells, words, phrase }
    }
}

/// `ACCESS` and `PRIVATE`, by their last letters.
#[inline(always)]
fn loud<S: Simd>(c: &Classes<S>) -> Mask<S> {
    ((c.ends(*b"es") << 1_u32) & c.byte(b'S')) | ((c.ends(*b"at") << 1_u32) & c.byte(b'E'))
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
        blank & ((c.ends(*b"ord") | by(c, space)) << 1_u32),
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
        sequences(c, backslash),
    ]
}

/// Escapes, and the brackets behind such as are written: `\\x1b[`, `\\033[`, `\\e[`.
#[inline(always)]
fn sequences<S: Simd>(c: &Classes<S>, backslash: Mask<S>) -> Mask<S> {
    let three = c.byte(b'3');
    let written = (c.letter(b'b') & (c.byte(b'1') << 1_u32))
        | (three & (three << 1_u32))
        | (c.letter(b'e') & (backslash << 1_u32));
    c.byte(ESCAPE) | (c.byte(b'[') & (written << 1_u32))
}

/// `IDENTIFIED BY`, `password AS`.
#[inline(always)]
fn by<S: Simd>(c: &Classes<S>, space: Mask<S>) -> Mask<S> {
    (c.ends(*b"by") | (c.ends(*b"as") & (c.letter(b'd') << 3_u32))) & (space << 2_u32)
}

#[cfg(test)]
mod tests {
    use super::super::{
        classes::{BLOCKS, planes},
        planes::Planes,
    };
    use super::{Classes, Masks};
    use crate::redact::rules::names::{ENDS, WORDS};
    use fearless_simd::{Level, SimdBase, dispatch};

    /// The masks of a text at the end of a block: behind what tells, and blanks behind words that may be names.
    fn masks(text: &str) -> [u64; 2] {
        let mut block = [b'\n'; 64];
        block[64 - text.len()..].copy_from_slice(text.as_bytes());
        dispatch!(Level::baseline(), simd => {
            let planes = planes(simd, &[Planes::of(simd, &block, true); BLOCKS]);
            let masks = Masks::of(&Classes::of(simd, planes));
            [masks.told, masks.phrases].map(|mask| mask.as_slice()[0])
        })
    }

    #[test]
    fn every_word_of_the_tables_tells() {
        for (word, _) in ENDS.iter().chain(WORDS) {
            for word in [word, &*word.to_uppercase()] {
                for behind in ["=", "_", "1", "Of", "`", "|", "\"", "'", "]", ")", "*", "?", "."] {
                    assert_ne!(masks(&[word, behind].concat())[0], 0, "{word}{behind}");
                }
            }
        }
        for word in ["name=", "content=", "index=", "author-id=", "class=", "path=", "sidechain="] {
            let tells = masks(word)[0] != 0;
            assert_eq!(tells, word == "author-id=", "{word}");
        }
    }

    #[test]
    fn words_may_stand_before_a_token() {
        for word in ["token ", "KEY ", "secret ", "password ", "pass ", "pwd ", "auth ", "bindpw "] {
            assert_ne!(masks(word)[1], 0, "{word}");
        }
        assert_eq!(masks("name ")[1], 0);
    }
}
