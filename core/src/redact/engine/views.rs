//! Text in which delimiters are escaped: percent-encoding, entities of HTML, `\u003d`. It is read a second time with
//! the escapes undone, and what is found is mapped back.
use super::bytes::{MARK, at, back, blank, has, inc, part, quote, run, run_back_shown, seek};
use super::late::Offsets;
use super::span::Span;
use super::work;
use alloc::vec::Vec;

/// How far before its first escape a stretch starts at most.
const BEFORE: usize = 256;
/// How far behind an escape a stretch goes on.
const BEHIND: usize = 1024;
/// The longest stretch.
const MOST: usize = 8 * 1024;

/// Finds the secrets of a text whose escapes are undone.
type Scan<'a> = &'a dyn Fn(&[u8]) -> Vec<Span>;

/// Adds what a text holds once its escapes are undone; `scan` looks through that. Places are the last bytes of escapes
/// with a percent sign, the second ones of entities, and the last ones of `\u00`. Gives back where such texts start.
pub(super) fn find(bytes: &[u8], places: [&Offsets; 3], scan: Scan<'_>, spans: &mut Vec<Span>) -> Vec<usize> {
    let mut starts = Vec::new();
    let [percents, entities, unicodes] = places;
    let percent = before(percents, 2);
    let mut read = |view: &View, start| {
        starts.push(start);
        spans.extend(scan(&view.text).into_iter().filter_map(|span| view.back(span)));
    };
    stretches(bytes, &mut read, percent, percent_escape, |b| b > b' ' && !quote(b) && b != b'<');
    let line = |b: u8| b != b'\n';
    stretches(bytes, &mut read, before(entities, 1), entity, line);
    let unicode = before(unicodes, 3);
    stretches(bytes, &mut read, unicode, unicode_escape, line);
    starts
}

/// Places that stand so far before others.
fn before(places: &Offsets, n: usize) -> impl Iterator<Item = usize> {
    places.iter().map(move |i| i.saturating_sub(n))
}

/// An escape that starts at `i`: the byte it stands for, and where it ends.
type Escape = fn(&[u8], usize) -> Option<(u8, usize)>;

/// Reads the stretches around the escapes of a delimiter, each once.
fn stretches(
    bytes: &[u8],
    read: &mut dyn FnMut(&View, usize),
    places: impl Iterator<Item = usize>,
    escape: Escape,
    goes_on: fn(u8) -> bool,
) {
    let mut past = 0;
    for place in places {
        if place < past || !escape(bytes, place).is_some_and(|(b, _)| delimits(b)) {
            continue;
        }
        let start = stretch_start(bytes, place, goes_on).max(past);
        let end = stretch_end(bytes, start, place, escape, goes_on);
        read(&View::new(bytes, start, end, escape), start);
        past = end;
    }
}

/// Whether a byte may stand beside a name or a value.
fn delimits(b: u8) -> bool {
    matches!(b, b':' | b'=' | b'"' | b'\'' | b'&' | b'@' | b'<' | b'>' | b'%' | b'\n') || blank(b)
}

/// Where the stretch starts whose first escape stands at `place`: so far before it, and no word in two.
fn stretch_start(bytes: &[u8], place: usize, goes_on: fn(u8) -> bool) -> usize {
    let start = run_back_shown(bytes, place, BEFORE, goes_on);
    let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
    if word(back(bytes, start, 1)) { run(bytes, start, place, word) } else { start }
}

/// Where the stretch ends that starts at `start`: so far behind its last escape, and before what ends it.
fn stretch_end(bytes: &[u8], start: usize, first: usize, escape: Escape, goes_on: fn(u8) -> bool) -> usize {
    let mut limit = start.saturating_add(MOST);
    let (mut i, mut last) = (first, first);
    while i < limit.min(bytes.len()) && i.saturating_sub(last) <= BEHIND && goes_on(at(bytes, i)) {
        match at(bytes, i) {
            // What is hidden does not count.
            MARK => (limit, last) = (inc(limit), inc(last)),
            b'%' | b'&' | b'\\' if escape(bytes, i).is_some() => last = i,
            _ => {}
        }
        i = inc(i);
    }
    i
}

/// A stretch with its escapes undone.
struct View {
    text: Vec<u8>,
    /// Where each byte of `text` starts in the stretch's own text, and where the last one ends.
    places: Vec<usize>,
}

impl View {
    fn new(bytes: &[u8], start: usize, end: usize, escape: Escape) -> Self {
        let mut view = Self { text: Vec::new(), places: Vec::new() };
        let mut i = start;
        while i < end {
            let (b, next) = escape(bytes, i).unwrap_or_else(|| (outer(bytes, i), inc(i)));
            view.text.push(b);
            view.places.push(i);
            i = next;
        }
        view.places.push(i.min(bytes.len()));
        work::count(end.saturating_sub(start));
        view
    }

    /// A span of the view in the text it was made of.
    fn back(&self, span: Span) -> Option<Span> {
        let (start, end) = (*self.places.get(span.start)?, *self.places.get(span.end)?);
        Some(Span { start, end, ..span })
    }
}

/// A byte that is no escape. A quote, and a backslash before one, belong to the string all of this stands in: nothing
/// goes on over them.
fn outer(bytes: &[u8], i: usize) -> u8 {
    match at(bytes, i) {
        b'"' => b'\n',
        b'\\' if at(bytes, run(bytes, i, i.saturating_add(16), |b| b == b'\\')) == b'"' => b'\n',
        b => b,
    }
}

/// `%3D`; bytes of ASCII alone.
fn percent_escape(bytes: &[u8], i: usize) -> Option<(u8, usize)> {
    (at(bytes, i) == b'%').then(|| hex(bytes, inc(i))).flatten().map(|b| (b, i.saturating_add(3)))
}

/// `\u003d`, behind any number of backslashes.
fn unicode_escape(bytes: &[u8], i: usize) -> Option<(u8, usize)> {
    if at(bytes, i) != b'\\' {
        return None;
    }
    let letter = run(bytes, i, i.saturating_add(16), |b| b == b'\\');
    let digits = letter.saturating_add(3);
    has(bytes, letter, b"u00").then(|| hex(bytes, digits)).flatten().map(|b| (b, digits.saturating_add(2)))
}

/// `&quot;`, `&#34;`, `&#x22;`.
fn entity(bytes: &[u8], i: usize) -> Option<(u8, usize)> {
    const NAMED: [(&[u8], u8); 8] = [
        (b"&quot;", b'"'),
        (b"&apos;", b'\''),
        (b"&amp;", b'&'),
        (b"&lt;", b'<'),
        (b"&gt;", b'>'),
        (b"&colon;", b':'),
        (b"&equals;", b'='),
        (b"&nbsp;", b' '),
    ];
    if at(bytes, i) != b'&' {
        return None;
    }
    if let Some((name, b)) = NAMED.iter().find(|(name, _)| has(bytes, i, name)) {
        return Some((*b, i.saturating_add(name.len())));
    }
    if at(bytes, inc(i)) != b'#' {
        return None;
    }
    let end = seek(bytes, i, i.saturating_add(8), |rest| memchr::memchr(b';', rest));
    let digits = core::str::from_utf8(part(bytes, i.saturating_add(2), end)).ok()?;
    let number = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u8::from_str_radix(digits, 16),
        None => digits.parse(),
    };
    let b = number.ok().filter(|b| b.is_ascii() && *b >= b'\t')?;
    (at(bytes, end) == b';').then(|| (b, inc(end)))
}

/// Two hexadecimal digits of a byte of ASCII.
fn hex(bytes: &[u8], i: usize) -> Option<u8> {
    let digit = |n: usize| char::from(at(bytes, n)).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let b = digit(i)?.wrapping_mul(16).wrapping_add(digit(inc(i))?);
    (b.is_ascii() && b >= b'\t').then_some(b)
}
