//! Provider tokens: a keyword of the table, then a run of its alphabet.
use super::bytes::{at, back, contains_fold, ends, has, in_escape, inc, part, run, run_back, starts_token};
use super::score::score;
use super::span::Span;
use crate::redact::rules::{Needs, Rule, Shape};
use alloc::vec::Vec;

/// The keywords of all token rules, sorted by their first byte.
#[derive(Debug)]
pub(super) struct Index {
    entries: Vec<(&'static [u8], &'static Rule)>,
    /// For each first byte where its entries start and end.
    ranges: Vec<(usize, usize)>,
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
        entries.sort_by(|a, b| (a.0.first(), b.0.len(), a.0).cmp(&(b.0.first(), a.0.len(), b.0)));
        let range = |b: u8| {
            let start = entries.partition_point(|(k, _)| k.first() < Some(&b));
            (start, entries.partition_point(|(k, _)| k.first() <= Some(&b)))
        };
        let ranges = (0..=u8::MAX).map(range).collect();
        Self { entries, ranges }
    }

    /// Adds the tokens of a text.
    pub(super) fn find(&self, bytes: &[u8], spans: &mut Vec<Span>) {
        let mut i = 0;
        while i < bytes.len() {
            let (start, end) = self.ranges.get(usize::from(at(bytes, i))).copied().unwrap_or((0, 0));
            // Keywords start where a word does, or with the dot in a host.
            let opens = start < end && (at(bytes, i) == b'.' || starts_token(bytes, i));
            let found = opens.then(|| self.entries.get(start..end).unwrap_or_default()).and_then(|list| {
                list.iter().filter(|(k, _)| has(bytes, i, k)).find_map(|(k, r)| token(bytes, i, k, r))
            });
            match found {
                Some(span) => {
                    i = span.end.max(inc(i));
                    spans.push(span);
                }
                None => i = inc(i),
            }
        }
    }
}

/// Lengths that differ by no more than this are those of one format; a longer run is something else.
const FIXED: usize = 8;

/// The token of a rule whose keyword stands at `i`.
fn token(bytes: &[u8], i: usize, keyword: &[u8], rule: &'static Rule) -> Option<Span> {
    let Shape::Token { alphabet, min, max, needs } = rule.shape else { return None };
    if needs != Needs::Url && !bounded(bytes, i, keyword) {
        return None;
    }
    let start = i.saturating_add(keyword.len());
    let fixed = max.saturating_sub(min) <= FIXED;
    let stop = run(bytes, start, start.saturating_add(max).saturating_add(1), |b| alphabet.holds(b));
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
        Needs::Random => score(body) >= 2 && body.iter().any(u8::is_ascii_digit),
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
