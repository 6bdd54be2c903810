//! Reading the value that follows a delimiter. A value never crosses a line and never takes a backslash that
//! escapes a quote.
use super::bytes::{at, blank, has, mark, part, quote, run};

/// The longest quoted value that is read; a longer one is no password.
const MOST: usize = 8192;
/// The longest value without quotes.
const MOST_BARE: usize = 1024;

/// A value, by its place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Value {
    pub start: usize,
    pub end: usize,
    pub quoted: bool,
    /// The first byte after the value that is no blank and no closing quote.
    pub next: u8,
}

/// The value that starts at `i`, after a delimiter and its blanks.
pub(super) fn read(bytes: &[u8], i: usize, stops: &mut Stops) -> Option<Value> {
    let i = skip_prefix(bytes, i);
    let slashes_end = run(bytes, i, i.saturating_add(64), |b| b == b'\\');
    if quote(at(bytes, slashes_end)) {
        return quoted(bytes, slashes_end, slashes_end.saturating_sub(i), stops);
    }
    for entity in [&b"&quot;"[..], b"&apos;", b"&#39;", b"&#34;", b"%22", b"\\u0022"] {
        if has(bytes, i, entity) {
            return between(bytes, i.saturating_add(entity.len()), entity);
        }
    }
    bare(bytes, i, stops)
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
    let mut start = open.saturating_add(1);
    if at(bytes, start) == q && at(bytes, start.saturating_add(1)) == q {
        start = start.saturating_add(2);
    } else if q == b'`' && at(bytes, start) == q {
        start = start.saturating_add(1);
    }
    // A literal backslash of the string stands as 2 (depth + 1) of them; what is left over belongs to the quote.
    let unit = depth.saturating_add(1).saturating_mul(2);
    let limit = stops.line(bytes, start).min(start.saturating_add(MOST));
    let mut i = start;
    let mut end = limit;
    while let Some(found) = memchr::memchr2(q, b'[', part(bytes, i, limit)) {
        let here = i.saturating_add(found);
        i = here.saturating_add(1);
        if at(bytes, here) == b'[' {
            if mark(bytes, here).is_some() {
                end = here;
                break;
            }
            continue;
        }
        let slashes = super::bytes::run_back(bytes, here, 64, |b| b == b'\\');
        let slashes = here.saturating_sub(slashes.max(start));
        if slashes < depth || slashes.checked_rem(unit) == Some(depth) {
            end = here.saturating_sub(depth.min(slashes));
            break;
        }
    }
    if end == limit && end.saturating_sub(start) >= MOST {
        return None;
    }
    let after = run(bytes, end, end.saturating_add(80), |b| b == b'\\' || quote(b) || blank(b));
    (end > start).then(|| Value { start, end, quoted: true, next: at(bytes, after) })
}

/// A string between two entities such as `&quot;`.
fn between(bytes: &[u8], start: usize, entity: &[u8]) -> Option<Value> {
    let window = part(bytes, start, start.saturating_add(512).min(bytes.len()));
    let length = memchr::memmem::find(window, entity)?;
    let line = memchr::memchr(b'\n', window).unwrap_or(window.len());
    let end = start.saturating_add(length);
    (length > 0 && length < line).then(|| Value {
        start,
        end,
        quoted: true,
        next: at(bytes, end.saturating_add(entity.len())),
    })
}

/// A value without quotes: to a blank, a quote, a bracket that closes what was not opened in it, or a separator.
fn bare(bytes: &[u8], start: usize, stops: &mut Stops) -> Option<Value> {
    // Inside a value without brackets the tail of it ends where it ends.
    let (end, nested) = match stops.last {
        Some((from, to)) if from <= start && start < to => (to, true),
        _ => bare_end(bytes, start, stops.bare(bytes, start).min(start.saturating_add(MOST_BARE))),
    };
    stops.last = nested.then_some((start, end));
    let after = run(bytes, end, end.saturating_add(80), blank);
    let long = end.saturating_sub(start) >= MOST_BARE;
    (end > start && !long).then(|| Value { start, end, quoted: false, next: at(bytes, after) })
}

/// The end of a value, and whether it holds no bracket.
fn bare_end(bytes: &[u8], start: usize, limit: usize) -> (usize, bool) {
    let (mut open, mut plain, mut i) = (0usize, true, start);
    while i < limit {
        let b = at(bytes, i);
        let next = at(bytes, i.saturating_add(1));
        let ends = match b {
            b'[' if mark(bytes, i).is_some() => true,
            b'(' | b'[' | b'{' => {
                (open, plain) = (open.saturating_add(1), false);
                false
            }
            b')' | b']' | b'}' => {
                plain = false;
                open.checked_sub(1).map(|less| open = less).is_none()
            }
            // A comma separates unless the value goes on after it with no name.
            b',' => {
                !next.is_ascii_graphic() || quote(next) || next == b'\\' || pair(bytes, i.saturating_add(1))
            }
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
    /// The last value without quotes or brackets.
    last: Option<(usize, usize)>,
}

impl Stops {
    /// The end of the line that `i` is in.
    pub(super) fn line(&mut self, bytes: &[u8], i: usize) -> usize {
        if self.line < i || (self.line == 0 && i == 0) {
            let rest = part(bytes, i, bytes.len());
            self.line = i.saturating_add(memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len()));
        }
        self.line
    }

    /// The first byte from `i` on that no value without quotes goes over.
    fn bare(&mut self, bytes: &[u8], i: usize) -> usize {
        if self.bare < i || (self.bare == 0 && i == 0) {
            self.bare = run(bytes, i, bytes.len(), |b| {
                !matches!(b, 0..=b' ' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | 127)
            });
        }
        self.bare
    }
}
