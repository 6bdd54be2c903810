//! Key names: where they stand, and what they say about their value by their last words.
use super::bytes::{MARK, at, back, blank, ends, inc, name, part, quote, run, run_back};
use super::lexicon::{self, listed, whole};
use super::words::{LONGEST, Words};
use crate::redact::rules::names::{ENDS, Strength};

/// Words of a name that are looked at, from the last.
const MOST_WORDS: usize = 8;

/// A name, by its place in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Name {
    pub start: usize,
    pub end: usize,
    /// Whether quotes or brackets stand between the name and the delimiter.
    pub quoted: bool,
    /// Whether blanks stand between the name and the delimiter.
    pub spaced: bool,
}

/// The name that ends before `i`, over blanks, quotes, backslashes and closing brackets.
pub(super) fn before(bytes: &[u8], i: usize) -> Option<Name> {
    // Most names stand right before it, or in quotes.
    let quoted = quote(back(bytes, i, 1));
    let end = i.saturating_sub(usize::from(quoted));
    if name(back(bytes, end, 1)) {
        let start = run_back(bytes, end, LONGEST, name);
        // `DB_PASSWORD\t=`: the letter of an escaped tab.
        if inc(start) == i && at(bytes, start) == b't' && back(bytes, start, 1) == b'\\' {
            let end = run_back(bytes, start, 16, |b| b == b'\\');
            let start = run_back(bytes, end, LONGEST, name);
            return (start < end).then_some(Name { start, end, quoted, spaced: true });
        }
        return Some(Name { start, end, quoted, spaced: false });
    }
    let spaces = run_back(bytes, i, 64, blank);
    let mut end = spaces;
    if back(bytes, end, 1) == b';' {
        let entities = [&b"&quot;"[..], b"&apos;", b"&#39;", b"&#34;"];
        let entity = entities.iter().find(|entity| ends(bytes, end, entity));
        end = end.saturating_sub(entity.map_or(0, |entity| entity.len()));
    }
    let close = run_back(bytes, end, 24, |b| quote(b) || matches!(b, b'\\' | b']' | b')' | b'*' | b'?'));
    let quoted = close < spaces;
    // `char password[] =`, `key[32] =`: the brackets of an array.
    let array = at(bytes, i) == b'=' && back(bytes, spaces, 1) == b']';
    let digits = if array { run_back(bytes, close, 8, |b| b.is_ascii_digit()) } else { close };
    let array = array && close.saturating_sub(digits) != 1 && back(bytes, digits, 1) == b'[';
    let close = if array { digits.saturating_sub(1) } else { close };
    let start = run_back(bytes, close, LONGEST, name);
    (start < close).then_some(Name { start, end: close, quoted, spaced: spaces < i })
}

/// The end of the name that starts at `i`.
pub(super) fn end_of(bytes: &[u8], i: usize) -> usize {
    run(bytes, i, i.saturating_add(LONGEST), |b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// The word before a name, for names of two words: `secret key:`, `API key =`.
pub(super) fn phrase_start(bytes: &[u8], start: usize) -> usize {
    if back(bytes, start, 1) != b' ' {
        return start;
    }
    let end = start.saturating_sub(1);
    let word = run_back(bytes, end, 24, |b| b.is_ascii_alphanumeric() || b == b'_');
    if word < end { word } else { start }
}

/// Whether a mark stands before a name, where a word was that may have taken back what it says.
pub(super) fn after_mark(bytes: &[u8], start: usize) -> bool {
    back(bytes, start, 1) == MARK || (back(bytes, start, 1) == b' ' && back(bytes, start, 2) == MARK)
}

/// What a name says about its value; `None` when it says nothing, or that it is no secret.
pub(super) fn strength(name: &[u8]) -> Option<Strength> {
    if !telling(name) {
        return None;
    }
    let words = Words::of(name);
    // Numbers and neutral words at the end say nothing.
    let idle = |n: &usize| {
        words.get(*n).is_some_and(|w| w.iter().all(u8::is_ascii_digit) || listed(&lexicon::NEUTRAL, w))
    };
    let last = (0..3).take_while(idle).count();
    let tail = words.get(last)?;
    if listed(&lexicon::DENIED_LAST, tail) {
        return None;
    }
    // The longest end over up to three joined words.
    let joined = words.joined(last, 3);
    let longest = ends_of(joined).max_by_key(|(end, _)| end.len());
    if let Some(strength) = whole(tail) {
        // `db_pass` says more than `pass`.
        let more = longest.filter(|(end, s)| end.len() > tail.len() && *s > strength);
        let strength = more.map_or(strength, |(_, s)| *s);
        return (!takes_back(words.get(inc(last)), strength)).then_some(strength);
    }
    match longest {
        Some((end, strength)) => by_end(&words, last, joined, end, *strength),
        None => by_any(&words, last),
    }
}

/// Whether a word before a name of this strength makes it none that holds a secret.
fn takes_back(word: Option<&[u8]>, strength: Strength) -> bool {
    word.is_some_and(|word| match strength {
        Strength::Strong => listed(&lexicon::DENIED_STRONG, word),
        Strength::Medium | Strength::Weak => listed(&lexicon::DENIED_BEFORE, word),
    })
}

/// The name that a list of properties gives before the end of its element at `close`: `<key>DBPassword</key>`.
pub(super) fn of_property(bytes: &[u8], close: usize) -> Option<&[u8]> {
    let end = close.checked_sub(5).filter(|_| ends(bytes, close, b"</key"))?;
    let start = run_back(bytes, end, 80, name);
    ends(bytes, start, b"<key>").then(|| part(bytes, start, end))
}

/// The strength of an end, if nothing before it takes that back.
fn by_end(words: &Words, last: usize, joined: &[u8], end: &str, strength: Strength) -> Option<Strength> {
    // The word after those that the end covers.
    let (mut next, mut length) = (last, 0usize);
    while let Some(word) = words.get(next).filter(|_| length < end.len()) {
        length = length.saturating_add(word.len());
        next = inc(next);
    }
    // What is left of the word the end starts in qualifies it, then the word before.
    let rest = joined.len().saturating_sub(end.len());
    let own = length.saturating_sub(end.len());
    let left = part(joined, rest.saturating_sub(own), rest);
    if takes_back(words.get(next), strength) || takes_back(Some(left), strength) {
        return None;
    }
    // Short ends inside of a longer word are chance: `monkey`, `turkey`.
    let chance = end.len() <= 4 && !left.is_empty() && left.len() < 5 && strength == Strength::Weak;
    (!chance).then_some(strength)
}

/// A secret word further left, nothing against it.
fn by_any(words: &Words, last: usize) -> Option<Strength> {
    let secret =
        |w: &[u8]| ends_of(w).any(|(_, s)| *s >= Strength::Medium) || whole(w) == Some(Strength::Strong);
    let any = (last..MOST_WORDS).filter_map(|n| words.get(n)).any(secret);
    let denied = (0..MOST_WORDS).any(|n| words.denied(n));
    (any && !denied).then_some(Strength::Weak)
}

/// The ends of the table that end a word in lower case.
fn ends_of(word: &[u8]) -> impl Iterator<Item = &'static (&'static str, Strength)> {
    let last = word.last().filter(|_| may_end(word));
    let list = last.and_then(|last| BY_LETTER.get(usize::from(last & 31))).copied().unwrap_or_default();
    list.iter().filter(|(end, _)| ends(word, word.len(), end.as_bytes()))
}

/// For each last letter the ends with it.
const BY_LETTER: [&[(&str, Strength)]; 32] = {
    let mut lists: [&[(&str, Strength)]; 32] = [&[]; 32];
    let (mut letter, mut rest) = (0u8, lists.as_mut_slice());
    while let [list, more @ ..] = rest {
        *list = with_last(letter);
        letter = letter.saturating_add(1);
        rest = more;
    }
    lists
};

const fn with_last(letter: u8) -> &'static [(&'static str, Strength)] {
    let (mut list, mut skipped) = (ENDS, false);
    let mut rest = ENDS;
    let mut length = 0usize;
    while let [(end, _), more @ ..] = rest {
        let here = matches!(end.as_bytes(), [.., last] if *last & 31 == letter);
        if here && !skipped {
            (list, skipped) = (rest, true);
        }
        if here {
            length = length.saturating_add(1);
        }
        rest = more;
    }
    if skipped { list.split_at(length).0 } else { &[] }
}

/// Whether one of the ends may end a word in lower case, by its last two letters.
fn may_end(word: &[u8]) -> bool {
    let Some([a, b]) = word.last_chunk() else { return false };
    TAILS.get(usize::from(b & 31)).is_some_and(|row| row & 1u32.wrapping_shl(u32::from(a & 31)) != 0)
}

/// For each last letter of the ends, a bit for each letter before it.
const TAILS: [u32; 32] = {
    let mut rows = [0u32; 32];
    let (mut letter, mut rest) = (0u8, rows.as_mut_slice());
    while let [row, more @ ..] = rest {
        let mut list = ENDS;
        while let [(end, _), others @ ..] = list {
            if let [.., a, b] = end.as_bytes()
                && *b & 31 == letter
            {
                *row |= 1u32.wrapping_shl((*a & 31) as u32);
            }
            list = others;
        }
        letter = letter.saturating_add(1);
        rest = more;
    }
    rows
};

/// Whether a name holds the start of a word of the tables. Most names do not, and are done with here; a test shows
/// that every word of the tables does.
fn telling(name: &[u8]) -> bool {
    let two = name.len() == 2 && name.eq_ignore_ascii_case(b"pw");
    two || name.windows(3).any(|three| {
        let [a, b, c] = three else { return false };
        if !may_tell(*a, *b) {
            return false;
        }
        let rest = (b.to_ascii_lowercase(), c.to_ascii_lowercase());
        // A short word at the end: `db_pw`, `adminPw`.
        if rest == (b'p', b'w') {
            return true;
        }
        match a.to_ascii_lowercase() {
            b'p' => matches!(
                rest,
                (b'a', b's' | b't') | (b's', b'w' | b'k') | (b'w', _) | (b'i', b'n') | (b'h', b'r')
            ),
            b's' => matches!(rest, (b'e', b'c' | b's' | b'n' | b'e') | (b'i', b'd' | b'g') | (b'a', b'l')),
            b'c' => matches!(rest, (b'r', b'e') | (b'o', b'o' | b'n' | b'd') | (b'l', b'a') | (b's', b'r')),
            b't' => matches!(rest, (b'o', b'k' | b't')),
            b'k' => matches!(rest, (b'e', b'y' | b'n')),
            b'a' => matches!(rest, (b'u', b't') | (b'p', b'p') | (b'l', b'a')),
            b'j' => rest == (b'w', b't'),
            b'o' => rest == (b't', b'p'),
            b'n' => rest == (b'o', b'n'),
            b'm' => matches!(rest, (b'n', b'e') | (b'o', b't')),
            b'b' => rest == (b'e', b'a'),
            b'l' => rest == (b'i', b'c'),
            b'w' => rest == (b'a', b'c'),
            _ => false,
        }
    })
}

/// Whether two bytes may be the first of three that tell: most are not.
fn may_tell(a: u8, b: u8) -> bool {
    const fn row(letters: &[u8]) -> u32 {
        let (mut bits, mut rest) = (0u32, letters);
        while let [letter, more @ ..] = rest {
            bits |= 1u32.wrapping_shl((*letter & 31) as u32);
            rest = more;
        }
        bits
    }
    const PAIRS: [u32; 32] = {
        // A `p` stands before a `w` behind any letter.
        let mut rows = [row(b"p"); 32];
        let mut pairs: &[(u8, &[u8])] = &[
            (b'p', b"aswih"),
            (b's', b"eia"),
            (b'c', b"rols"),
            (b't', b"o"),
            (b'k', b"e"),
            (b'a', b"upl"),
            (b'j', b"w"),
            (b'o', b"t"),
            (b'n', b"o"),
            (b'm', b"no"),
            (b'b', b"e"),
            (b'l', b"i"),
            (b'w', b"a"),
        ];
        while let [(first, seconds), rest @ ..] = pairs {
            if let (_, [slot, ..]) = rows.split_at_mut((*first & 31) as usize) {
                *slot |= row(seconds);
            }
            pairs = rest;
        }
        rows
    };
    PAIRS.get(usize::from(a & 31)).is_some_and(|row| row & 1u32.wrapping_shl(u32::from(b & 31)) != 0)
}

#[cfg(test)]
mod tests {
    use super::{ENDS, Strength, strength, telling};
    use crate::redact::rules::names::WORDS;

    #[test]
    fn every_word_of_the_tables_tells() {
        for (word, _) in ENDS.iter().chain(WORDS) {
            assert!(telling(word.as_bytes()), "{word}");
            assert!(strength(word.as_bytes()).is_some(), "{word}");
        }
        for name in ["db_pw", "x-PW", "dbPw", "adminPw", "sqlPw", "mailPw", "userpw"] {
            assert!(telling(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn ends_with_the_same_last_letter_stand_together() {
        for (end, _) in ENDS {
            let word = ["x", end].concat();
            assert!(super::ends_of(word.as_bytes()).any(|(found, _)| found == end), "{end}");
        }
        assert_eq!(super::BY_LETTER.iter().map(|list| list.len()).sum::<usize>(), ENDS.len());
    }

    #[test]
    fn strong_names() {
        for name in [
            "password",
            "DB_PASSWORD",
            "dbPassword",
            "api_key",
            "apiKey",
            "APIKey",
            "X-Api-Key",
            "AWS_SECRET_ACCESS_KEY",
            "client_secret",
            "spring.datasource.password",
            "passwordRepeat",
            "API_KEY_PROD",
            "password2",
            "PRIVATE KEY",
            "secret key",
            "pwd",
            "MYSQL_PWD",
            "secretAccessKey",
            "trustStorePassword",
            "githubAccessToken",
            "_gitlab_session",
        ] {
            assert_eq!(strength(name.as_bytes()), Some(Strength::Strong), "{name}");
        }
    }

    #[test]
    fn weak_and_medium_names() {
        for name in ["token", "githubToken", "pass", "auth"] {
            assert_eq!(strength(name.as_bytes()), Some(Strength::Medium), "{name}");
        }
        for name in ["key", "session", "tokens", "SECRET_GITHUB"] {
            assert_eq!(strength(name.as_bytes()), Some(Strength::Weak), "{name}");
        }
    }

    #[test]
    fn names_that_say_nothing() {
        for name in [
            "",
            "name",
            "password_file",
            "token_count",
            "max_tokens",
            "public_key",
            "publicKey",
            "next_page_token",
            "access_key_id",
            "secret_name",
            "passwordPolicy",
            "keyboard",
            "monkey",
            "author",
            "KEY_LENGTH",
            "sort_key",
            "input_tokens",
            "secretary",
        ] {
            assert_eq!(strength(name.as_bytes()), None, "{name}");
        }
    }
}
