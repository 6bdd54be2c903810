//! Provider tokens: a keyword of the table, then a run of its alphabet.
use super::budget::Budget;
use super::bytes::{at, back, contains_fold, ends, has, in_escape, inc, part, run, run_back, starts_token};
use super::heads::Heads;
use super::score::{odd, score};
use super::span::Span;
use crate::redact::rules::{Needs, Rule, Shape};
use alloc::vec::Vec;

/// The keywords of all token rules, by their first two bytes.
#[derive(Debug)]
pub(super) struct Index {
    entries: Vec<(&'static [u8], &'static Rule)>,
    /// For each pair of first bytes where its entries start and end.
    ranges: Vec<(u16, usize, usize)>,
    /// How keywords start: most places are passed over by that.
    heads: Heads,
}

impl Index {
    pub(super) fn new(rules: &'static [Rule]) -> Self {
        let mut entries = Vec::new();
        for rule in rules {
            if let Shape::Token { .. } = rule.shape {
                entries.extend(rule.keywords.iter().map(|k| (k.as_bytes(), rule)));
            }
        }
        // Longer keywords first, so that the most special rule is asked first.
        entries.sort_by(|a, b| (a.0.get(..2), b.0.len(), a.0).cmp(&(b.0.get(..2), a.0.len(), b.0)));
        let (mut heads, mut ranges) = (Heads::default(), Vec::new());
        let mut start = 0usize;
        for alike in entries.chunk_by(|a, b| a.0.get(..2) == b.0.get(..2)) {
            let end = start.saturating_add(alike.len());
            if let Some(pair) = alike.first().and_then(|(keyword, _)| keyword.first_chunk::<2>()) {
                ranges.push((u16::from_be_bytes(*pair), start, end));
            }
            start = end;
        }
        for (keyword, rule) in &entries {
            if let Shape::Token { alphabet, .. } = rule.shape {
                heads.add(keyword, |b| alphabet.holds(b));
            }
        }
        Self { entries, ranges, heads }
    }

    /// The token whose keyword stands at `i`.
    #[inline]
    pub(super) fn find(&self, bytes: &[u8], i: usize, finder: &mut Finder) -> Option<Span> {
        let head = bytes.get(i..).and_then(<[u8]>::first_chunk::<4>)?;
        if i < finder.past || !self.heads.hold(*head) {
            return None;
        }
        let span = self.at(bytes, i, *head, &mut finder.read)?;
        finder.past = span.end;
        Some(span)
    }

    fn at(&self, bytes: &[u8], i: usize, head: [u8; 4], read: &mut Budget) -> Option<Span> {
        let [first, second, third, _] = head;
        // Keywords start where a word does, or with the dot in a host.
        if read.spent(i) || (first != b'.' && !starts_token(bytes, i)) {
            return None;
        }
        let range = self
            .ranges
            .binary_search_by_key(&u16::from_be_bytes([first, second]), |(pair, ..)| *pair)
            .ok()?;
        let (_, start, end) = self.ranges.get(range).copied()?;
        let stands = |k: &[u8]| k.get(2).is_none_or(|b| *b == third) && has(bytes, i, k);
        let mut list = self.entries.get(start..end)?.iter().filter(|(k, _)| stands(k));
        list.find_map(|(k, r)| token(bytes, i, k, r, read))
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
fn token(bytes: &[u8], i: usize, keyword: &[u8], rule: &'static Rule, read: &mut Budget) -> Option<Span> {
    let Shape::Token { alphabet, min, max, needs } = rule.shape else { return None };
    if needs != Needs::Url && !bounded(bytes, i, keyword) {
        return None;
    }
    let start = i.saturating_add(keyword.len());
    let fixed = max.saturating_sub(min) <= FIXED;
    let stop = run(bytes, start, start.saturating_add(max).saturating_add(1), |b| alphabet.holds(b));
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
    let good = match needs {
        Needs::Any | Needs::Url => true,
        Needs::Digit => body.iter().any(u8::is_ascii_digit),
        // A digit is enough behind a keyword that says what it is: what is missed is a leak.
        Needs::Mixed => body.iter().any(u8::is_ascii_digit) || mixed(body),
        Needs::Random => mixed(body) && score(body) >= 2 && body.iter().any(u8::is_ascii_digit),
    };
    if !good || stand_in(body) {
        return None;
    }
    // Longer than any known today, and as much a secret.
    let end = if long { run(bytes, end, bytes.len(), |b| alphabet.holds(b)) } else { end };
    let start = if needs == Needs::Url { url_start(bytes, i) } else { i };
    Some(Span { start, end, rule })
}

/// Whether a token may start here: distinctive keywords may also follow `_`, `-` and `.`, and stand in base64.
fn bounded(bytes: &[u8], i: usize, keyword: &[u8]) -> bool {
    if !starts_token(bytes, i) || in_escape(bytes, i) {
        return false;
    }
    let distinctive = keyword.len() >= 4 && keyword.iter().any(|b| !b.is_ascii_alphanumeric());
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

/// Bodies that stand for a token in documentation.
fn stand_in(body: &[u8]) -> bool {
    let mut rest = body.iter();
    let filler = rest.next().is_some_and(|first| {
        matches!(first, b'x' | b'X' | b'0' | b'-' | b'_' | b'.') && rest.all(|b| b == first)
    });
    filler
        || [&b"example"[..], b"xxxxxxxx", b"your-", b"your_", b"placeholder", b"redacted"]
            .iter()
            .any(|w| contains_fold(body, w))
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
    use crate::redact::{
        engine::places::LEAST,
        rules::{Shape, rules},
    };

    /// Places are found by so many bytes that tokens may hold, of which the first is a letter, a digit or a dot.
    #[test]
    fn every_token_is_found_by_its_first_bytes() {
        let held = |b: u8| b.is_ascii_alphanumeric() || b"-./:=_~+%@?&$".contains(&b);
        for rule in rules() {
            let Shape::Token { alphabet, min, .. } = rule.shape else { continue };
            assert!((0..=u8::MAX).all(|b| held(b) || !alphabet.holds(b)), "{}: {alphabet:?}", rule.id);
            for keyword in rule.keywords {
                let first = keyword.as_bytes()[0];
                assert!(first.is_ascii_alphanumeric() || first == b'.', "{}: {keyword}", rule.id);
                assert!(keyword.len() >= 2 && keyword.len() + min >= LEAST, "{}: {keyword}", rule.id);
                assert!(keyword.bytes().take(LEAST).all(held), "{}: {keyword}", rule.id);
            }
        }
    }
}
