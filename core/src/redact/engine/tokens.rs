//! Provider tokens: a keyword of the table, then a run of its alphabet.
use super::budget::Budget;
use super::bytes::{at, back, ends, has, in_escape, inc, part, run, run_back, starts_token};
use super::heads::Heads;
use super::late::Offsets;
use super::order;
use super::parts::Parts;
use super::places::{self, LEAST, SEEN};
use super::score::{odd, score};
use super::span::Span;
use super::wrapped;
use crate::redact::rules::{Needs, Row, Shape};
use alloc::vec::Vec;

/// How far the bits of a block are from the first bytes of tokens.
const BEFORE: usize = SEEN + LEAST - 1;

/// The keywords of all token rules, by the first two bytes of what is looked for of them.
#[derive(Debug)]
pub(super) struct Index {
    entries: Vec<Entry>,
    /// For each pair of first bytes where its entries start and end, in the order of the first.
    ranges: Vec<Range>,
    /// For each byte of ASCII where the pairs start that it is the first of, and at the end how many there are.
    firsts: [usize; 129],
    /// How entries start: most places are passed over by that.
    heads: Heads,
    /// Keywords that no place is found by.
    others: Vec<Entry>,
}

/// The entries that start with a pair of bytes.
#[derive(Debug, Clone, Copy)]
struct Range {
    pair: [u8; 2],
    start: usize,
    end: usize,
}

/// A keyword with its rule.
#[derive(Debug, Clone, Copy)]
struct Entry {
    keyword: &'static [u8],
    /// What is looked for: the keyword, or the rest of it behind what no token starts with.
    head: &'static [u8],
    rule: &'static Row,
}

impl Entry {
    /// `None` when no place is found by the keyword.
    fn of(keyword: &'static str, rule: &'static Row) -> Option<Self> {
        let Shape::Token { min, .. } = rule.shape else { return None };
        let keyword = keyword.as_bytes();
        let fits = |head: &&[u8]| {
            head.first().is_some_and(|b| first(*b))
                && head.len() >= 2
                && head.len().saturating_add(min) >= LEAST
                && head.iter().take(LEAST).all(|b| held(*b))
        };
        let head = (0..2).filter_map(|n| keyword.get(n..)).find(fits)?;
        Some(Self { keyword, head, rule })
    }

    /// The pair of bytes by which the entry is looked up.
    fn pair(&self) -> Option<&[u8]> {
        self.head.get(..2)
    }
}

/// Whether tokens are found by a first byte: no keyword starts with another digit.
pub(super) fn first(b: u8) -> bool {
    b.is_ascii_alphabetic() || matches!(b, b'.' | b'0' | b'1' | b'4' | b'5')
}

/// Whether they are found by one of the next bytes; see [`super::places`].
fn held(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b"-./:=_~+%@?&$!".contains(&b)
}

impl Index {
    pub(super) fn new(rules: &'static [Row]) -> Self {
        let (mut entries, mut others) = (Vec::new(), Vec::new());
        for rule in rules.iter().filter(|rule| matches!(rule.shape, Shape::Token { .. })) {
            for keyword in rule.keywords {
                match Entry::of(keyword, rule) {
                    Some(entry) => entries.push(entry),
                    None => {
                        others.push(Entry { keyword: keyword.as_bytes(), head: keyword.as_bytes(), rule })
                    }
                }
            }
        }
        // Longer keywords first, so that the most special rule is asked first.
        order::sort(&mut entries, |a, b| {
            (a.pair(), b.head.len(), a.head).cmp(&(b.pair(), a.head.len(), b.head))
        });
        let (mut heads, mut ranges) = (Heads::default(), Vec::new());
        let mut start = 0usize;
        for alike in entries.chunk_by(|a, b| a.pair() == b.pair()) {
            let end = start.saturating_add(alike.len());
            if let Some(pair) = alike.first().and_then(|entry| entry.head.first_chunk::<2>()) {
                ranges.push(Range { pair: *pair, start, end });
            }
            start = end;
        }
        for entry in &entries {
            if let Shape::Token { alphabet, .. } = entry.rule.shape {
                heads.add(entry.head, |b| alphabet.holds(b));
            }
        }
        let below = |first: usize| ranges.partition_point(|range: &Range| usize::from(range.pair[0]) < first);
        let firsts = core::array::from_fn(below);
        Self { entries, ranges, firsts, heads, others }
    }

    /// Adds the tokens of a text that start otherwise, at the last bytes of `_|` and `FlyV`.
    pub(super) fn others(&self, bytes: &[u8], places: &Offsets, spans: &mut Vec<Span>) {
        for Entry { keyword, rule, .. } in &self.others {
            let mut read = Budget::default();
            let starts = places.iter().flat_map(|i| [i.saturating_sub(1), i.saturating_sub(3)]);
            let starts = starts.filter(|i| has(bytes, *i, keyword));
            spans.extend(starts.filter_map(|i| token(bytes, i, keyword, rule, &mut read)));
        }
    }

    /// Adds the tokens whose keywords stand at the places of a block, each so many bytes before that which its bit is
    /// of; the places that are not passed over by their first bytes, as most are.
    #[inline(always)]
    pub(super) fn find(
        &self,
        bytes: &[u8],
        (mask, start): (u64, usize),
        finder: &mut Finder,
        spans: &mut Vec<Span>,
    ) -> u64 {
        let window = start.checked_sub(BEFORE).and_then(|from| bytes.get(from..)?.first_chunk());
        let held = match window {
            Some(window) => self.heads.held(window, mask),
            None => self.held_at_edge(bytes, mask, start),
        };
        if held != 0 {
            self.at_all(bytes, (held, start), finder, spans);
        }
        held
    }

    /// The places of a block at an edge of the text that are not passed over by their first bytes.
    #[cold]
    fn held_at_edge(&self, bytes: &[u8], mask: u64, start: usize) -> u64 {
        places::those(mask, start, |i| {
            let head = i.checked_sub(LEAST.saturating_sub(1)).and_then(|i| bytes.get(i..)?.first_chunk());
            head.is_some_and(|head| self.heads.hold_three(*head))
        })
    }

    /// Adds the tokens that start at such places.
    fn at_all(&self, bytes: &[u8], (held, start): (u64, usize), finder: &mut Finder, spans: &mut Vec<Span>) {
        places::each(held, start, |i| {
            let i = i.saturating_sub(LEAST.saturating_sub(1));
            if i >= finder.past
                && let Some(end) = self.at(bytes, i, &mut finder.read, spans)
            {
                finder.past = end;
            }
        });
    }

    /// Adds the token whose keyword stands at `i`; where it ends.
    fn at(&self, bytes: &[u8], i: usize, read: &mut Budget, spans: &mut Vec<Span>) -> Option<usize> {
        let text = bytes.get(i..)?;
        let [first, second, third] = *text.first_chunk()?;
        // Keywords start where a word does, or with the dot in a host.
        if !self.heads.hold_more(text) || read.spent(i) || (first != b'.' && !starts_token(bytes, i)) {
            return None;
        }
        let (from, to) =
            (*self.firsts.get(usize::from(first))?, *self.firsts.get(usize::from(first).saturating_add(1))?);
        let Range { start, end, .. } =
            *self.ranges.get(from..to)?.iter().find(|range| range.pair == [first, second])?;
        let stands = |k: &[u8]| k.get(2).is_none_or(|b| *b == third) && has(bytes, i, k);
        let list = self.entries.get(start..end)?.iter();
        let (before, mut over_lines) = (spans.len(), None);
        for Entry { keyword, head, rule } in list.filter(|entry| stands(entry.head)) {
            let Some(i) = i.checked_sub(keyword.len().saturating_sub(head.len())) else { continue };
            if !has(bytes, i, keyword) {
                continue;
            }
            if let Some(span) = token(bytes, i, keyword, rule, read) {
                spans.push(span);
                return Some(span.end);
            }
            over_lines = over_lines.or_else(|| wrapped(bytes, i, keyword, rule));
        }
        spans.extend(over_lines.into_iter().flatten());
        spans.get(before..)?.last().map(|span| span.end)
    }
}

/// Looks at places one after the other.
#[derive(Debug, Default)]
pub(super) struct Finder {
    read: Budget,
    /// Up to here all was looked at.
    pub past: usize,
}

/// Lengths that differ by no more than this are those of one format; a longer run is something else.
const FIXED: usize = 8;

/// The token of a rule whose keyword stands at `i`.
pub(super) fn token(
    bytes: &[u8],
    i: usize,
    keyword: &[u8],
    rule: &'static Row,
    read: &mut Budget,
) -> Option<Span> {
    let Shape::Token { alphabet, min, max, needs } = rule.shape else { return None };
    if needs != Needs::Url && !bounded(bytes, i, keyword) {
        return None;
    }
    let start = i.saturating_add(keyword.len());
    let fixed = max.saturating_sub(min) <= FIXED;
    let letters = alphabet.bytes();
    let stop = run(bytes, start, start.saturating_add(max).saturating_add(1), |b| letters.hold(b));
    read.spend(start, stop);
    // Punctuation at the end is that of the sentence.
    let body = part(bytes, start, stop);
    let trimmed = body.iter().rev().take_while(|b| matches!(b, b'.' | b'~' | b'/' | b'&' | b'?')).count();
    let end = stop.saturating_sub(trimmed);
    let body = part(bytes, start, end);
    let long = body.len() > max;
    if body.len() < min || (long && fixed) || (!long && at(bytes, stop).is_ascii_alphanumeric()) {
        return None;
    }
    // A short keyword whose run goes on in base64 is chance.
    let short = keyword.len() < 4 && !distinctive(keyword);
    if short && needs != Needs::Url && matches!(at(bytes, stop), b'/' | b'+') {
        return None;
    }
    let good = match needs {
        Needs::Any | Needs::Url => true,
        Needs::Digit => body.iter().any(u8::is_ascii_digit),
        // A digit is enough behind a keyword that says what it is: what is missed is a leak.
        Needs::Mixed | Needs::EvenSample => body.iter().any(u8::is_ascii_digit) || mixed(body),
        Needs::Random => mixed(body) && score(body) >= 2 && body.iter().any(u8::is_ascii_digit),
    };
    if !good || stand_in(body) || (needs != Needs::EvenSample && EXAMPLE.stand_in(body)) {
        return None;
    }
    // Longer than any known today, and as much a secret.
    let end = if long { run(bytes, end, bytes.len(), |b| letters.hold(b)) } else { end };
    let start = if needs == Needs::Url { url_start(bytes, i) } else { i };
    Some(Span { start, end, rule })
}

/// The pieces of a token whose keyword stands at `i` and that goes on in the next lines.
fn wrapped(bytes: &[u8], i: usize, keyword: &[u8], rule: &'static Row) -> Option<Vec<Span>> {
    let Shape::Token { min, max, .. } = rule.shape else { return None };
    let fixed = max.saturating_sub(min) <= FIXED;
    bounded(bytes, i, keyword).then(|| wrapped::pieces(bytes, i, keyword, rule, fixed)).flatten()
}

/// Whether a keyword is no part of base64 or of a word.
fn distinctive(keyword: &[u8]) -> bool {
    keyword.len() >= 4 && keyword.iter().any(|b| !b.is_ascii_alphanumeric())
}

/// Whether a token may start here: distinctive keywords may also follow `_`, `-` and `.`, and stand in base64.
fn bounded(bytes: &[u8], i: usize, keyword: &[u8]) -> bool {
    if !starts_token(bytes, i) || in_escape(bytes, i) {
        return false;
    }
    let distinctive = distinctive(keyword);
    match back(bytes, i, 1) {
        b'_' | b'-' | b'.' => distinctive,
        // In the middle of base64 a short keyword is chance.
        b'/' | b'+' => {
            distinctive || {
                let from = run_back(bytes, i, 24, |b| b.is_ascii_alphanumeric() || matches!(b, b'/' | b'+'));
                i.saturating_sub(from) < 24
            }
        }
        _ => true,
    }
}

/// Whether a part of a body between separators is mixed as random tokens are, and names made of words are not.
fn mixed(body: &[u8]) -> bool {
    body.split(|b| !b.is_ascii_alphanumeric()).filter(|part| part.len() >= LEAST_MIXED).any(|part| {
        let digit = part.iter().any(u8::is_ascii_digit);
        let capital = part.iter().any(u8::is_ascii_uppercase);
        let small = part.iter().any(u8::is_ascii_lowercase);
        let kinds =
            usize::from(digit).saturating_add(usize::from(capital)).saturating_add(usize::from(small));
        // Short parts have to show it more. In camel case no capital follows another.
        let long = part.len() >= LONG_MIXED || (kinds == 3 && score(body) >= 2);
        let camel = capital && small && odd(part) < ODD_MIXED && humps(part);
        let sample = capital && kinds == 1 && part.iter().all(|b| part.first() == Some(b));
        long && !camel && (capital || kinds >= 2) && (score(part) >= 2 || sample)
    })
}

/// Whether a small letter or a digit follows every capital.
fn humps(part: &[u8]) -> bool {
    part.windows(2).all(|pair| match pair {
        [a, b] => !a.is_ascii_uppercase() || b.is_ascii_lowercase() || b.is_ascii_digit(),
        _ => true,
    })
}

/// The fewest bytes of a part that says something.
const LEAST_MIXED: usize = 6;
/// The fewest bytes of a part that says enough.
const LONG_MIXED: usize = 10;
/// How many of a hundred pairs of random letters are rare, at least.
const ODD_MIXED: usize = 34;

/// What samples in documentation say that they are.
static EXAMPLE: Parts = Parts::of(&["example"]);

/// Bodies that stand for a token.
fn stand_in(body: &[u8]) -> bool {
    static WORDS: Parts = Parts::of(&["xxxxxxxx", "your-", "your_", "placeholder", "redacted"]);
    let mut rest = body.iter();
    let filler = rest.next().is_some_and(|first| {
        matches!(first, b'x' | b'X' | b'0' | b'-' | b'_' | b'.' | b'A') && rest.all(|b| b == first)
    });
    filler
        || body.chunk_by(|a, b| a == b).any(|same| same.len() >= 8 && same.first() == Some(&b'A'))
        || WORDS.stand_in(body)
}

/// Where the URL starts whose host and path the keyword is.
fn url_start(bytes: &[u8], i: usize) -> usize {
    let host = run_back(bytes, i, 64, |b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'));
    let schemes = [&b"https://"[..], b"http://", b"https:\\/\\/", b"http:\\/\\/"];
    if let Some(scheme) = schemes.iter().find(|s| ends(bytes, host, s)) {
        return host.saturating_sub(scheme.len());
    }
    if in_escape(bytes, host) { inc(host) } else { host }
}

#[cfg(test)]
mod tests {
    use super::{Index, held};
    use crate::redact::rules::{Shape, rows};
    use alloc::vec::Vec;

    /// Places are found by so many bytes that tokens may hold, of which the first is a letter, one of some digits or a dot.
    #[test]
    fn tokens_are_found_by_their_first_bytes() {
        let index = Index::new(rows());
        for entry in &index.entries {
            let Shape::Token { alphabet, .. } = entry.rule.shape else { continue };
            assert!((0..=u8::MAX).all(|b| held(b) || !alphabet.holds(b)), "{}: {alphabet:?}", entry.rule.id);
        }
        let others: Vec<_> = index.others.iter().map(|entry| entry.rule.id).collect();
        assert_eq!(others, ["roblox-cookie", "fly-authorization"]);
    }
}
