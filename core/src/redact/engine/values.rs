//! Reading the value that follows a delimiter. A value never crosses a line and never takes a backslash that
//! escapes a quote.
use super::budget::Budget;
use super::bytes::{MARK, Set, at, blank, escaped, has, inc, part, quote, run, run_back, seek};
use memchr::memmem;

/// The longest quoted value that is read; a longer one is no password.
const MOST: usize = 8192;
/// So many bytes are read one by one.
const SHORT: usize = 64;
/// The longest value without quotes.
const MOST_BARE: usize = 512;

/// A value, by its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    pub start: usize,
    pub end: usize,
    pub quoted: bool,
    /// The first byte after the value that is no blank and no closing quote.
    pub next: u8,
}

/// The value that starts at `i`, after a delimiter and its blanks; none inside of a value that was read often enough.
pub(super) fn read(bytes: &[u8], i: usize, stops: &mut Stops) -> Option<Value> {
    if stops.read.spent(i) {
        return None;
    }
    let i = skip_prefix(bytes, i);
    let slashes_end = run(bytes, i, i.saturating_add(64), |b| b == b'\\');
    if quote(at(bytes, slashes_end)) {
        return quoted(bytes, slashes_end, slashes_end.saturating_sub(i), stops);
    }
    match entity(bytes, i) {
        Some(entity) => between(bytes, i.saturating_add(entity.len()), entity, stops),
        None => bare(bytes, i, stops),
    }
}

/// The end of the blanks at `i`, escaped tabs among them.
pub(super) fn space(bytes: &[u8], mut i: usize) -> usize {
    for _ in 0..4 {
        i = run(bytes, i, i.saturating_add(32), blank);
        let slashes = run(bytes, i, i.saturating_add(16), |b| b == b'\\');
        if slashes == i || at(bytes, slashes) != b't' {
            break;
        }
        i = inc(slashes);
    }
    i
}

/// Behind the blanks from `i` on; in a string, behind escaped tabs as well.
pub(super) fn behind(bytes: &[u8], i: usize, most: usize, stops: &mut Stops) -> usize {
    let start = run(bytes, i, i.saturating_add(most), blank);
    if at(bytes, start) == b'\\' && stops.inside(bytes, start) { space(bytes, start) } else { start }
}

/// What stands for a quote at `i`.
fn entity(bytes: &[u8], i: usize) -> Option<&'static [u8]> {
    let entities: &[&[u8]] = match at(bytes, i) {
        b'&' => &[b"&quot;", b"&apos;", b"&#39;", b"&#34;"],
        b'%' => &[b"%22"],
        b'\\' => &[b"\\u0022"],
        _ => return None,
    };
    entities.iter().find(|entity| has(bytes, i, entity)).copied()
}

/// String prefixes of languages: `b"…"`, `r'…'`, `f"…"`, `@"…"`, `N'…'`, `$'…'`.
fn skip_prefix(bytes: &[u8], i: usize) -> usize {
    let next = i.saturating_add(1);
    let prefix = matches!(at(bytes, i), b'b' | b'r' | b'f' | b'u' | b'@' | b'N' | b'L' | b'$');
    if prefix && quote(at(bytes, next)) { next } else { i }
}

/// A string whose opening quote stands at `open` behind `depth` backslashes.
fn quoted(bytes: &[u8], open: usize, depth: usize, stops: &mut Stops) -> Option<Value> {
    let q = at(bytes, open);
    // A quote behind n backslashes belongs to the string that is escaped as often as n + 1 is even.
    let level = depth.saturating_add(1).trailing_zeros();
    let inside = stops.inside(bytes, open);
    if q == b'"' && level == 0 && inside && closes(bytes, inc(open)) {
        return None;
    }
    let start = string_start(bytes, open, q);
    let limit = stops.line(bytes, start).min(start.saturating_add(MOST));
    let end = string_end(bytes, start, limit, q, level, inside);
    stops.read.spend(start, end.unwrap_or_else(|at| at));
    let end = end.ok()?;
    if end == limit && end.saturating_sub(start) >= MOST {
        return None;
    }
    let after = run(bytes, end, end.saturating_add(80), |b| b == b'\\' || quote(b) || blank(b));
    (end > start).then(|| Value { start, end, quoted: true, next: at(bytes, after) })
}

/// Behind the quote at `open`, or the three of a long string, or the two of a code span.
fn string_start(bytes: &[u8], open: usize, q: u8) -> usize {
    let start = inc(open);
    let twice = at(bytes, start) == q;
    match () {
        () if twice && at(bytes, inc(start)) == q => start.saturating_add(2),
        () if twice && q == b'`' => inc(start),
        () => start,
    }
}

/// The end of a string with the quote `q` at an escape level; `limit` when it is not closed before that; where a mark
/// stands in it, as an error. `inside` says that all of this stands in another string, which ends it as well.
fn string_end(
    bytes: &[u8],
    start: usize,
    limit: usize,
    q: u8,
    level: u32,
    inside: bool,
) -> Result<usize, usize> {
    let mut i = start;
    loop {
        let here = seek(bytes, i, limit, |rest| memchr::memchr3(q, MARK, b'"', rest));
        if here >= limit {
            return Ok(limit);
        }
        i = inc(here);
        if q != b'"' && at(bytes, here) == b'"' {
            if inside && !escaped(bytes, here) && closes(bytes, i) {
                return Ok(here);
            }
            continue;
        }
        if at(bytes, here) == MARK {
            return Err(here);
        }
        let slashes = here.saturating_sub(run_back(bytes, here, 64, |b| b == b'\\').max(start));
        // `''` stands for a quote in the strings of YAML and SQL.
        let (second, third) = (at(bytes, i), at(bytes, inc(i)));
        let goes_on = third.is_ascii_alphanumeric() || !third.is_ascii() && third != MARK;
        if q == b'\'' && second == q && here > start && slashes == 0 && goes_on {
            i = inc(i);
            continue;
        }
        let quote_level = slashes.saturating_add(1).trailing_zeros();
        if quote_level <= level {
            return Ok(here.saturating_sub(1usize.wrapping_shl(quote_level).saturating_sub(1)));
        }
    }
}

/// A string between two entities such as `&quot;`, on one line.
fn between(bytes: &[u8], start: usize, entity: &[u8], stops: &mut Stops) -> Option<Value> {
    let limit = start.saturating_add(MOST_BARE).min(bytes.len());
    let end = seek(bytes, start, limit, |rest| memmem::find(rest, entity));
    stops.read.spend(start, end);
    let text = part(bytes, start, end);
    let good = end < limit && !text.is_empty() && !text.iter().any(|b| matches!(b, b'\n' | b'"'));
    let next = at(bytes, end.saturating_add(entity.len()));
    good.then_some(Value { start, end, quoted: true, next })
}

/// A value without quotes: to a blank, a quote, a bracket that closes what was not opened in it, or a separator.
fn bare(bytes: &[u8], start: usize, stops: &mut Stops) -> Option<Value> {
    // Inside a value without brackets the tail of it ends where it ends.
    let limit = |stops: &mut Stops| stops.bare(bytes, start).min(start.saturating_add(MOST_BARE));
    let (end, plain) = match stops.last {
        Some((from, to, true)) if from <= start && start < to => (to, true),
        // A long one goes on from where it was left.
        Some((from, to, false)) if from <= start && start < to => bare_end(bytes, to, limit(stops)),
        _ => bare_end(bytes, start, limit(stops)),
    };
    let long = end.saturating_sub(start) >= MOST_BARE;
    stops.last = plain.then_some((start, end, !long));
    stops.read.spend(start, end);
    let after = run(bytes, end, end.saturating_add(80), blank);
    (end > start && !long && at(bytes, end) != MARK).then(|| Value {
        start,
        end,
        quoted: false,
        next: at(bytes, after),
    })
}

/// The end of a value, and whether it holds no bracket.
fn bare_end(bytes: &[u8], start: usize, limit: usize) -> (usize, bool) {
    let (mut open, mut plain, mut i) = (0usize, true, start);
    loop {
        i = run(bytes, i, limit, |b| !SPECIAL.holds(b));
        if i >= limit {
            break;
        }
        let b = at(bytes, i);
        let next = at(bytes, inc(i));
        let ends = match b {
            MARK => true,
            b'(' | b'[' | b'{' => {
                (open, plain) = (open.saturating_add(1), false);
                false
            }
            b')' | b']' | b'}' => {
                plain = false;
                open.checked_sub(1).map(|less| open = less).is_none()
            }
            // A comma separates unless the value goes on after it with no name.
            b',' => !next.is_ascii_graphic() || quote(next) || next == b'\\' || pair(bytes, inc(i)),
            b';' | b'&' => true,
            b'\\' => matches!(next, b'n' | b'r' | b't' | b'"' | b'\'' | b'\\' | b'u' | b'\n' | b'\r' | b'`'),
            _ => false,
        };
        if ends {
            break;
        }
        i = i.saturating_add(1);
    }
    (i, plain)
}

/// The bytes that may end a value without quotes.
static SPECIAL: Set = Set::of(b"()[]{},;&\\\xff");

/// The bytes that no value without quotes goes over.
static BORDER: Set = Set::range(0, b' ').and(b"\"'`<>|\x7f");

/// Whether a name with a delimiter starts at `i`: `pwd=`, `host:`.
fn pair(bytes: &[u8], i: usize) -> bool {
    let end = run(bytes, i, i.saturating_add(32), |b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    end > i && matches!(at(bytes, end), b'=' | b':')
}

/// Where values end at the latest. Looked up once for all values of a stretch, so that a flood of delimiters
/// does not read the same bytes again and again.
#[derive(Debug, Default)]
pub(super) struct Stops {
    line: usize,
    bare: usize,
    /// The last value without quotes or brackets, and whether it was read to its end.
    last: Option<(usize, usize, bool)>,
    /// A place, and whether it is inside of a string of its line.
    string: (usize, bool),
    /// The values that were read.
    pub(super) read: Budget,
    /// Where the cookies end that were read last.
    pub(super) cookies: usize,
    /// Where the list ends that was read last.
    pub(super) list: usize,
}

impl Stops {
    /// Notes whether `i` is inside of a string of its line.
    pub(super) fn note(&mut self, i: usize, inside: bool) {
        if self.string.0 <= i {
            self.string = (i, inside);
        }
    }

    /// The end of the line that `i` is in.
    pub(super) fn line(&mut self, bytes: &[u8], i: usize) -> usize {
        if self.line < i || (self.line == 0 && i == 0) {
            self.line = seek(bytes, i, bytes.len(), |rest| memchr::memchr2(b'\n', b'\r', rest));
        }
        self.line
    }

    /// The first byte from `i` on that no value without quotes goes over.
    fn bare(&mut self, bytes: &[u8], i: usize) -> usize {
        if self.bare < i || (self.bare == 0 && i == 0) {
            self.bare = run(bytes, i, bytes.len(), |b| !BORDER.holds(b));
        }
        self.bare
    }

    /// Whether an uneven number of double quotes without backslashes stands in the line before `i`.
    pub(super) fn inside(&mut self, bytes: &[u8], i: usize) -> bool {
        let (from, mut inside) = self.string;
        let (low, high) = (from.min(i), from.max(i));
        let between = part(bytes, low, high);
        let opens = |n: usize| !escaped(bytes, low.saturating_add(n));
        if between.len() <= SHORT {
            for (n, b) in between.iter().enumerate() {
                match b {
                    b'"' => inside ^= opens(n),
                    // Only the line of `i` counts.
                    b'\n' if i > from => inside = false,
                    _ => {}
                }
            }
        } else {
            let newline = memchr::memrchr(b'\n', between).filter(|_| i > from);
            let start = newline.map_or(0, inc);
            let quotes = memchr::memchr_iter(b'"', part(between, start, between.len()));
            let open = quotes.filter(|n| opens(start.saturating_add(*n))).count();
            inside = (inside && newline.is_none()) != (open & 1 == 1);
        }
        self.string = (i, inside);
        inside
    }
}

/// Whether a double quote before `i` ends a string of JSON: a comma, a colon or a bracket follows, or nothing.
fn closes(bytes: &[u8], i: usize) -> bool {
    let next = run(bytes, i, i.saturating_add(64), blank);
    matches!(at(bytes, next), 0 | b',' | b':' | b']' | b'}' | b'\n' | b'\r')
}
