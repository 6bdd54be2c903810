//! What the host adds to the tables: names, rows, expressions, and what is to stay.
use super::accept::{self, Context};
use super::budget::Budget;
use super::bytes::{at, back, blank, inc, name, part, quote, run, run_back};
use super::names;
use super::span::Span;
use super::tokens;
use super::urls::in_query;
use super::values::{self, Stops};
use crate::redact::rules::{Row, names::Strength};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    string::String,
    vec::Vec,
};
use memchr::memmem;

/// The longest secret that a regex rule finds.
#[cfg(all(feature = "host-regex", not(target_family = "wasm")))]
const REGEX_MOST: usize = 8 * 1024;

/// The host's additions.
#[derive(Debug, Default)]
pub(in crate::redact) struct Custom {
    names: BTreeMap<String, Strength>,
    tokens: Vec<&'static Row>,
    #[cfg(all(feature = "host-regex", not(target_family = "wasm")))]
    regexes: Vec<(regex::bytes::Regex, &'static Row)>,
    pub(in crate::redact) allow: Allow,
}

impl Custom {
    /// Adds a name, in any case and joined in any way.
    pub(in crate::redact) fn name(&mut self, name: &str, strong: bool) {
        let strength = if strong { Strength::Strong } else { Strength::Weak };
        self.names.insert(letters(name.as_bytes()), strength);
    }

    /// Adds a row of a token.
    pub(in crate::redact) fn token(&mut self, rule: &'static Row) {
        self.tokens.push(rule);
    }

    /// Adds an expression; what its group `secret` takes is the secret, or its first group, or the whole.
    #[cfg(all(feature = "host-regex", not(target_family = "wasm")))]
    pub(in crate::redact) fn regex(&mut self, regex: regex::bytes::Regex, rule: &'static Row) {
        self.regexes.push((regex, rule));
    }

    /// What a name of the host's says.
    pub(super) fn strength(&self, name: &[u8]) -> Option<Strength> {
        if self.names.is_empty() {
            return None;
        }
        let own = |name: &[u8]| self.names.get(&letters(name)).copied();
        let last = name.rsplit(|b| matches!(b, b'.' | b'$')).next().unwrap_or(name);
        own(name).or_else(|| own(last))
    }

    /// Adds what the host's rows, expressions and names find.
    pub(super) fn find(&self, bytes: &[u8], spans: &mut Vec<Span>) {
        for rule in &self.tokens {
            let mut read = Budget::default();
            for keyword in rule.keywords.iter().map(|k| k.as_bytes()) {
                let places = memmem::find_iter(bytes, keyword);
                spans.extend(places.filter_map(|i| tokens::token(bytes, i, keyword, rule, &mut read)));
            }
        }
        #[cfg(all(feature = "host-regex", not(target_family = "wasm")))]
        for (regex, rule) in &self.regexes {
            expression(regex, rule, bytes, spans);
        }
        if !self.names.is_empty() {
            self.assignments(bytes, spans);
            self.flags(bytes, spans);
        }
    }

    /// `acme_code: value`, `"acmeCode": "value"`, `ACME_CODE=value`.
    fn assignments(&self, bytes: &[u8], spans: &mut Vec<Span>) {
        let mut stops = Stops::default();
        let mut past = 0;
        for delimiter in memchr::memchr2_iter(b':', b'=', bytes) {
            if delimiter < past || matches!(back(bytes, delimiter, 1), b':' | b'=') {
                continue;
            }
            let Some(found) = names::before(bytes, delimiter) else { continue };
            let word = part(bytes, found.start, found.end);
            let Some(strength) = self.strength(word) else { continue };
            let operator = |b: u8| matches!(b, b':' | b'=' | b'>');
            let after = run(bytes, inc(delimiter), delimiter.saturating_add(4), operator);
            let start = run(bytes, after, after.saturating_add(64), blank);
            let Some(value) = values::read(bytes, start, &mut stops) else { continue };
            let here = Context {
                strength,
                name: word,
                colon: at(bytes, delimiter) == b':',
                spaced: found.spaced || start > after,
                compared: after > inc(delimiter) && at(bytes, delimiter) == b'=',
                first_on_line: first_on_line(bytes, found.start),
                query: in_query(bytes, found.start),
                ..Context::default()
            };
            let span = accept::judge(bytes, value, &here);
            past = span.map_or(past, |span| span.end);
            spans.extend(span);
        }
    }

    /// `--acme-code value`.
    fn flags(&self, bytes: &[u8], spans: &mut Vec<Span>) {
        let mut stops = Stops::default();
        for dashes in memmem::find_iter(bytes, b"--") {
            let start = dashes.saturating_add(2);
            let end = names::end_of(bytes, start);
            let Some(strength) = self.strength(part(bytes, start, end)) else { continue };
            let from = run(bytes, end, end.saturating_add(16), blank);
            if from == end || at(bytes, from) == b'-' {
                continue;
            }
            let Some(value) = values::read(bytes, from, &mut stops) else { continue };
            let here = Context { strength, name: part(bytes, start, end), query: true, ..Context::default() };
            spans.extend(accept::judge(bytes, value, &here));
        }
    }
}

/// Adds what an expression takes, line by line: so the same is found in a text and in any part of it.
#[cfg(all(feature = "host-regex", not(target_family = "wasm")))]
fn expression(regex: &regex::bytes::Regex, rule: &'static Row, bytes: &[u8], spans: &mut Vec<Span>) {
    let mut start = 0usize;
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let whole = line.strip_suffix(b"\n").unwrap_or(line);
        for found in regex.captures_iter(whole.strip_suffix(b"\r").unwrap_or(whole)) {
            let secret = found.name("secret").or_else(|| found.get(1)).or_else(|| found.get(0));
            let place = |n: usize| n.saturating_add(start);
            let span = secret.map(|m| Span { start: place(m.start()), end: place(m.end()), rule });
            spans.extend(span.filter(|s| s.end.saturating_sub(s.start) <= REGEX_MOST));
        }
        start = start.saturating_add(line.len());
    }
}

/// Letters and digits of a name in lower case.
fn letters(name: &[u8]) -> String {
    let from = name.len().saturating_sub(80);
    let plain = part(name, from, name.len()).iter().filter(|b| b.is_ascii_alphanumeric());
    plain.map(|b| char::from(b.to_ascii_lowercase())).collect()
}

fn first_on_line(bytes: &[u8], start: usize) -> bool {
    let start = run_back(bytes, start, 64, |b| blank(b) || quote(b) || b == b'-');
    start == 0 || back(bytes, start, 1) == b'\n'
}

/// What stays although a rule finds it.
#[derive(Debug, Default)]
pub(in crate::redact) struct Allow {
    /// Whole values.
    pub values: BTreeSet<Vec<u8>>,
    /// Ids of rules.
    pub rules: BTreeSet<String>,
    /// Names and paths of names, by their segments in lower case; `*` is any one.
    pub keys: Vec<Vec<String>>,
}

impl Allow {
    /// Whether a value under this path stays; patterns are its last segments.
    pub(in crate::redact) fn path(&self, path: &[&str]) -> bool {
        self.keys.iter().any(|pattern| {
            let own = path.len().checked_sub(pattern.len()).and_then(|n| path.get(n..)).unwrap_or_default();
            let like = |(p, s): (&String, &&str)| p == "*" || p.eq_ignore_ascii_case(s);
            own.len() == pattern.len() && pattern.iter().zip(own).all(like)
        })
    }

    /// Drops the spans of what stays.
    pub(super) fn drop(&self, bytes: &[u8], spans: &mut Vec<Span>) {
        if !self.rules.is_empty() {
            spans.retain(|span| !self.rules.contains(span.rule.id));
        }
        if !self.values.is_empty() {
            spans.retain(|span| !self.values.contains(part(bytes, span.start, span.end)));
        }
        if !self.keys.is_empty() {
            spans.retain(|span| !self.named(bytes, span.start));
        }
    }

    /// Whether the value that starts at `i` stands under a name that is allowed.
    fn named(&self, bytes: &[u8], i: usize) -> bool {
        let between = |b: u8| blank(b) || quote(b) || matches!(b, b'\\' | b':' | b'=' | b'>' | b'[' | b']');
        let end = run_back(bytes, i, 32, between);
        let start = run_back(bytes, end, 80, name);
        let delimited = part(bytes, end, i).iter().any(|b| matches!(b, b':' | b'=' | b'>' | b' '));
        let Ok(name) = core::str::from_utf8(part(bytes, start, end)) else { return false };
        let path: Vec<&str> = name.trim_start_matches('-').split('.').collect();
        delimited && !name.is_empty() && self.path(&path)
    }
}
