//! What a line leaves open: what the next lines may belong to.
//!
//! Values are read within a line. A few places go on over line ends: key blocks, the text of an XML element, the
//! strings of a list, members that say what the next one is, a login and its password, a command line that ends in a
//! backslash, a token that a terminal wrapped, a blob that is written in lines, and an exact value of the host. Lines
//! that belong together are judged together, and as soon as nothing is open what came before is final.
use super::bytes::{at, back, blank, has, inc, name, part, quote, run, run_back, starts_token};
use super::exact::FirstLines;
use super::folded::Begun;
use super::keys::Block;
use super::members;
use super::names;
use super::order;
use super::pairs::Pairs;
use crate::redact::{
    Confidence,
    rules::{Row, Shape},
};
use alloc::vec::Vec;
use core::ops::Range;
use memchr::memmem;

/// How far from where it began a place goes on; key blocks have no bound, exact values their length, and blobs one of
/// their own.
pub(super) const HOLD: usize = 2 * 1024;
/// The farthest that is looked back for a login: over a word, what stands before that, and another one.
const LOGIN: usize = HOLD * 2 + 64;
/// The farthest that is looked back for the start of an element.
const ELEMENT: usize = 640;
/// The fewest bytes of a token that is taken for a wrapped one, and the most that are read of it.
const WRAPPED: usize = 12;
const TOKEN: usize = 512;
/// The longest keyword of a token.
const LONGEST: usize = 24;
/// What a BEGIN starts with.
const DASHES: usize = 5;

/// What is open after a line. Places that began are kept as the offsets of their lines' ends.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::redact) struct Open {
    key: bool,
    element: Option<usize>,
    /// Whether the text of the element was seen.
    text: bool,
    list: Option<usize>,
    login: Option<usize>,
    command: bool,
    wrap: Option<(usize, u8)>,
    folded: Option<Begun>,
    member: Option<usize>,
    /// Where an exact value ends that may have begun.
    exact: usize,
}

impl Open {
    /// Whether anything is open.
    pub(in crate::redact) fn any(&self) -> bool {
        self.key
            || self.command
            || self.element.is_some()
            || self.list.is_some()
            || self.login.is_some()
            || self.wrap.is_some()
            || self.folded.is_some()
            || self.member.is_some()
            || self.exact > 0
    }

    /// Reads a line, without its line feed; `begin` says whether a BEGIN may stand in it. `None` when a key block ended
    /// before the line, and nothing else is open.
    pub(in crate::redact) fn line(
        mut self,
        wraps: &Wraps,
        bytes: &[u8],
        Range { start, end }: Range<usize>,
        begin: bool,
    ) -> Option<Self> {
        let line = part(bytes, start, end);
        let inside = self.key;
        let begins = |line: &[u8]| begin && wraps.begin.find(line).is_some() && Block::begins(line);
        let exact = wraps.exact.until(line, end);
        if line.is_empty() && exact == 0 && !self.any() {
            return Some(self);
        }
        if inside {
            // An exact value over lines makes one line of them once it is hidden.
            let joined = self.exact > 0 || exact > end;
            let may_end = || !joined && Block::end(line).is_none() && !begins(line);
            if let Some(stop) = Block::closes(line) {
                // The dashes of END may be those of another BEGIN, once its label is hidden.
                self.key = begins(part(line, stop.saturating_sub(DASHES), line.len()));
            } else if may_end() && !Block::may_go_on(line) {
                // Where another block begins, a mark in its place would be one of this block's lines.
                self.key = false;
                if !self.any() {
                    return None;
                }
            }
        } else {
            self.key = begins(line);
        }
        self.exact = self.exact.max(exact);
        self.exact = if self.exact > end { self.exact } else { 0 };
        self.folded = Begun::behind(self.folded, bytes, start..end);
        let line = line.trim_ascii();
        let fresh = |since: &usize| end.saturating_sub(*since) <= HOLD;
        self.element = self.element(line, end).filter(fresh);
        self.list = self.list(line, end).filter(fresh);
        self.member = self.member(line, end);
        // A block may end within its last line, with a login behind it; one before the block stays open.
        let login = self.login(wraps, line, end);
        self.login = if inside { login.or(self.login) } else { login }.filter(fresh);
        self.wrap = self.wrap(wraps, line, end).filter(|(since, _)| fresh(since));
        self.command = command(line);
        Some(self)
    }

    /// `<password>`, a value, `</password>`, each on a line of its own or not.
    fn element(&mut self, line: &[u8], end: usize) -> Option<usize> {
        let tail = part(line, line.len().saturating_sub(ELEMENT), line.len());
        let raw = |open: &usize| has(tail, *open, b"<![CDATA[");
        if let Some(open) = memchr::memrchr(b'<', tail).filter(|open| !raw(open)) {
            let from = inc(open);
            let close = run(tail, from, from.saturating_add(64), |b| name(b) || b == b':');
            let telling = at(tail, close) == b'>' && names::strength(part(tail, from, close)).is_some();
            let property = || {
                names::of_property(tail, tail.len().saturating_sub(1))
                    .is_some_and(|name| names::strength(name).is_some())
            };
            let telling = telling || property();
            self.text = !part(tail, inc(close), tail.len()).trim_ascii().is_empty();
            return telling.then_some(end);
        }
        let since = self.element?;
        if !line.is_empty() && core::mem::replace(&mut self.text, true) {
            return None;
        }
        Some(since)
    }

    /// `"passwords": [`, then strings.
    fn list(&self, line: &[u8], end: usize) -> Option<usize> {
        if line.last() == Some(&b'[') {
            let before = run_back(line, line.len().saturating_sub(1), 64, blank);
            let delimiter = run_back(line, before, 3, |b| matches!(b, b':' | b'=' | b'>'));
            let name = (delimiter < before).then(|| names::before(line, delimiter)).flatten()?;
            return names::strength(part(line, name.start, name.end)).map(|_| end);
        }
        let since = self.list?;
        let string = run(line, 0, 16, |b| b == b'\\');
        let more = line.is_empty() || (quote(at(line, string)) && line.last() == Some(&b','));
        more.then_some(since)
    }

    /// `name: DB_PASSWORD`, then `value: …`; `"password": {`, then `"value": …`.
    fn member(&self, line: &[u8], end: usize) -> Option<usize> {
        if members::ends_in_name(line) || members::opens_object(line) {
            return Some(end);
        }
        let closed = |line: &[u8]| memchr::memchr3(b'{', b'}', b'[', line).is_some();
        self.member.filter(|since| end.saturating_sub(*since) <= members::FAR && !closed(line))
    }

    /// `login app`, then `password secret`.
    fn login(&self, wraps: &Wraps, line: &[u8], end: usize) -> Option<usize> {
        if line.is_empty() {
            return self.login;
        }
        // Most lines say nothing of one where it would count.
        let tail = part(line, line.len().saturating_sub(LOGIN), line.len());
        if !self.key && self.login.is_none() && wraps.login.find(tail).is_none() {
            return None;
        }
        // A name that is too long may be short once a part of it is hidden.
        let spot = |i: usize| run_back(line, i, HOLD, |b| b > b' ');
        // A key block is one word, whatever its length, or the end of one.
        if let Some(block) = self.key.then(|| memmem::rfind(line, b"-----BEGIN")).flatten()
            && [block, spot(block)].iter().any(|i| part(line, 0, *i).trim_ascii_end().ends_with(b"login"))
        {
            return Some(end);
        }
        let last = spot(line.len());
        let before = run_back(line, last, 32, |b| b.is_ascii_whitespace());
        let ends = |i: usize, j: usize| part(line, i, j).ends_with(b"login");
        // The name of the login alone on a line goes on to the next one as well.
        let named = self.login.is_some() && last == 0 && !line.ends_with(b"login");
        let here = ends(last, line.len()) || ends(spot(before), before);
        if here { Some(end) } else { self.login.filter(|_| named) }
    }

    /// A token of a certain rule that goes to the end of its line.
    fn wrap(&self, wraps: &Wraps, line: &[u8], end: usize) -> Option<(usize, u8)> {
        let start = run_back(line, line.len(), TOKEN, token);
        if wraps.opens(line, start) {
            return Some((end, 1));
        }
        let (since, lines) = self.wrap?;
        // In the middle of a wrapped token a line is nothing but a part of it.
        (start == 0 && lines < 3 && !line.is_empty()).then_some((since, lines.saturating_add(1)))
    }
}

/// Whether a line ends in a backslash that escapes its end.
fn command(line: &[u8]) -> bool {
    let slashes = run_back(line, line.len(), 64, |b| b == b'\\');
    line.len().saturating_sub(slashes) & 1 == 1
}

fn token(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'=' | b'+' | b'/' | b'~' | b':')
}

/// The keywords of certain tokens, which may go on at the start of the next line.
#[derive(Debug)]
pub(in crate::redact) struct Wraps {
    keywords: Vec<&'static [u8]>,
    pairs: Pairs,
    /// Most lines begin no key block, and name no login: they are done with by these.
    begin: memmem::Finder<'static>,
    login: memmem::Finder<'static>,
    /// The first lines of exact values that go over lines.
    exact: FirstLines,
}

impl Wraps {
    pub(super) fn new(rules: &'static [Row], exact: FirstLines) -> Self {
        let certain = rules.iter().filter(|rule| {
            rule.confidence == Confidence::Certain && matches!(rule.shape, Shape::Token { .. })
        });
        let mut keywords: Vec<_> = certain.flat_map(|rule| rule.keywords).map(|k| k.as_bytes()).collect();
        keywords.extend([&b"eyJ"[..]]);
        order::sort(&mut keywords, Ord::cmp);
        keywords.dedup();
        let mut pairs = Pairs::default();
        for keyword in &keywords {
            pairs.add(keyword);
        }
        let [begin, login] = ["BEGIN", "login"].map(memmem::Finder::new);
        Self { keywords, pairs, begin, login, exact }
    }

    /// How far from where it began a place goes on that is no key block and no blob.
    pub(in crate::redact) fn hold(&self) -> usize {
        self.exact.longest().max(HOLD)
    }

    /// Whether the run from `start` to the end of a line is, or may be, the start of a certain token.
    fn opens(&self, line: &[u8], start: usize) -> bool {
        if line.len().saturating_sub(start) < WRAPPED {
            return false;
        }
        let mut i = start;
        while let Some(place) = self.pairs.next(line, i) {
            let free = starts_token(line, place) && back(line, place, 1) != b'\\';
            if free && self.starts(line.get(place..).unwrap_or_default()) {
                return true;
            }
            i = inc(place);
        }
        false
    }

    /// Whether a text starts with a keyword. Those with the same first two bytes stand together.
    fn starts(&self, text: &[u8]) -> bool {
        let first = self.keywords.partition_point(|keyword| keyword.get(..2) < text.get(..2));
        let alike = self.keywords.get(first..).unwrap_or_default().iter();
        let mut alike = alike.take_while(|keyword| keyword.get(..2) == text.get(..2));
        alike.any(|keyword| keyword.len() <= LONGEST && text.starts_with(keyword))
    }
}
