//! Reading bytes without a bound to watch: outside the text there is NUL, which no rule accepts.
use super::work;

/// One more.
pub(super) fn inc(i: usize) -> usize {
    i.saturating_add(1)
}

/// The byte at `i`.
pub(super) fn at(bytes: &[u8], i: usize) -> u8 {
    work::count(1);
    bytes.get(i).copied().unwrap_or(0)
}

/// The byte `n` before `i`.
pub(super) fn back(bytes: &[u8], i: usize, n: usize) -> u8 {
    i.checked_sub(n).map_or(0, |j| at(bytes, j))
}

/// The bytes from `start` to `end`, to be read whole; none when there is no such range. What is read up to the first
/// hit is [`seek`]'s.
pub(super) fn part(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    let part = bytes.get(start..end).unwrap_or_default();
    work::count(part.len());
    part
}

/// The first position from `i` on, before `limit`, at which `find` finds something; `limit` (or the end of the text)
/// when there is none.
pub(super) fn seek(bytes: &[u8], i: usize, limit: usize, find: impl FnOnce(&[u8]) -> Option<usize>) -> usize {
    let window = bytes.get(i..limit.min(bytes.len())).unwrap_or_default();
    let n = find(window).unwrap_or(window.len());
    work::count(n);
    i.saturating_add(n)
}

/// Whether two short texts are the same. Most differ in their first byte, which costs less than a call.
#[inline(always)]
pub(super) fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// The same for texts of which most are: many bytes at a time.
pub(super) fn alike(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len()
        && match a.len() {
            0..4 => same(a, b),
            4..8 => edges::<4>(a) == edges(b),
            8..=16 => edges::<8>(a) == edges(b),
            _ => a == b,
        }
}

/// The first bytes of a text and the last ones.
pub(super) fn edges<const N: usize>(text: &[u8]) -> Option<(&[u8; N], &[u8; N])> {
    text.first_chunk().zip(text.last_chunk())
}

/// The first eight bytes of a text as a number, the first one lowest; zeros where it ends before that. A loop over so
/// few bytes would become a call.
#[inline]
pub(super) fn eight(text: &[u8]) -> u64 {
    if let Some(bytes) = text.first_chunk() {
        return u64::from_le_bytes(*bytes);
    }
    if let Some((first, last)) = edges(text) {
        let (first, last) = (u64::from(u32::from_le_bytes(*first)), u64::from(u32::from_le_bytes(*last)));
        let bits = u32::try_from(text.len().saturating_sub(4).saturating_mul(8)).unwrap_or(0);
        return first | last.wrapping_shl(bits);
    }
    match text {
        [a, b, c] => u64::from_le_bytes([*a, *b, *c, 0, 0, 0, 0, 0]),
        [a, b] => u64::from(u16::from_le_bytes([*a, *b])),
        [a] => u64::from(*a),
        _ => 0,
    }
}

/// How many bytes of a short text are kept.
pub(super) const SHORT: usize = 32;

/// The first bytes of a text, with zeros where it ends before that.
pub(super) fn padded(text: &[u8]) -> [u8; SHORT] {
    let mut bytes = [0; SHORT];
    for (n, to) in bytes.as_chunks_mut().0.iter_mut().enumerate() {
        *to = eight(text.get(n.saturating_mul(8)..).unwrap_or_default()).to_le_bytes();
    }
    bytes
}

/// Whether `literal` stands at `i`.
pub(super) fn has(bytes: &[u8], i: usize, literal: &[u8]) -> bool {
    work::count(literal.len());
    bytes.get(i..i.saturating_add(literal.len())).is_some_and(|here| same(here, literal))
}

/// Whether `literal` ends before `i`.
pub(super) fn ends(bytes: &[u8], i: usize, literal: &[u8]) -> bool {
    work::count(literal.len());
    i.checked_sub(literal.len()).and_then(|from| bytes.get(from..i)).is_some_and(|here| same(here, literal))
}

/// The first position from `i` on, before `limit`, whose byte is not `wanted`.
pub(super) fn run(bytes: &[u8], i: usize, limit: usize, wanted: impl Fn(u8) -> bool) -> usize {
    // Most runs are short or none at all: a loop without slices costs least.
    let (mut end, limit) = (i, limit.min(bytes.len()));
    while end < limit && bytes.get(end).is_some_and(|b| wanted(*b)) {
        end = inc(end);
    }
    work::count(end.saturating_sub(i));
    end
}

/// As [`run`] to the end of the text, for runs that are long: eight bytes at a time.
pub(super) fn long_run(bytes: &[u8], i: usize, wanted: &Set) -> usize {
    let mut end = i;
    while let Some(eight) = bytes.get(end..).and_then(<[u8]>::first_chunk::<8>) {
        if !eight.iter().fold(true, |all, b| all & wanted.holds(*b)) {
            break;
        }
        end = end.saturating_add(8);
    }
    work::count(end.saturating_sub(i));
    run(bytes, end, bytes.len(), |b| wanted.holds(b))
}

/// The first position of a run of `wanted` bytes that ends before `i`, at most `most` bytes long.
pub(super) fn run_back(bytes: &[u8], i: usize, most: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let (mut start, limit) = (i, i.saturating_sub(most));
    while start > limit && bytes.get(start.saturating_sub(1)).is_some_and(|b| wanted(*b)) {
        start = start.saturating_sub(1);
    }
    work::count(i.saturating_sub(start));
    start
}

/// Whether a mark stands in a value: it was judged when it was whole.
pub(super) fn judged(value: &[u8]) -> bool {
    value.contains(&MARK)
}

/// As [`run_back`], but that bytes that are hidden do not count: their mark may be longer or shorter.
pub(super) fn run_back_shown(bytes: &[u8], i: usize, most: usize, wanted: impl Fn(u8) -> bool) -> usize {
    run_back(bytes, i, i.saturating_sub(before_hidden(bytes, i, most)), wanted)
}

/// The place so many bytes before `i`, of which those that are hidden are none: their mark may be longer or shorter.
pub(super) fn before_hidden(bytes: &[u8], i: usize, most: usize) -> usize {
    let (mut start, mut end) = (i.saturating_sub(most), i);
    loop {
        let hidden = part(bytes, start, end).iter().filter(|b| **b == MARK).count();
        if hidden == 0 || start == 0 {
            return start;
        }
        (start, end) = (start.saturating_sub(hidden), start);
    }
}

/// Where the line that `i` is in starts.
pub(in crate::redact) fn line_start(bytes: &[u8], i: usize) -> usize {
    let start = bytes.get(..i).and_then(|head| memchr::memrchr(b'\n', head)).map_or(0, inc);
    work::count(i.saturating_sub(start));
    start
}

/// Where the line that `i` is in ends.
pub(in crate::redact) fn line_end(bytes: &[u8], i: usize) -> usize {
    seek(bytes, i, bytes.len(), |rest| memchr::memchr(b'\n', rest))
}

/// Whether a value starts with one of a list.
pub(super) fn starts_with_any(value: &[u8], list: &[&str]) -> bool {
    let Some(first) = value.first() else { return false };
    list.iter().map(|p| p.as_bytes()).any(|p| p.first() == Some(first) && value.starts_with(p))
}

/// Whether a value ends with one of a list.
pub(super) fn ends_with_any(value: &[u8], list: &[&str]) -> bool {
    let Some(last) = value.last() else { return false };
    list.iter().map(|p| p.as_bytes()).any(|p| p.last() == Some(last) && value.ends_with(p))
}

/// Whether `needle` (in lower case) stands in `value`, without regard to case.
pub(super) fn contains_fold(value: &[u8], needle: &[u8]) -> bool {
    let Some(first) = needle.first() else { return true };
    let mut places = value.windows(needle.len());
    places.any(|w| w.first().is_some_and(|b| b.eq_ignore_ascii_case(first)) && w.eq_ignore_ascii_case(needle))
}

/// Whether a text ends with another, without regard to case.
pub(super) fn ends_fold(text: &[u8], end: &[u8]) -> bool {
    text.len().checked_sub(end.len()).is_some_and(|n| part(text, n, text.len()).eq_ignore_ascii_case(end))
}

/// Whether a text starts with another, without regard to case.
pub(super) fn starts_fold(text: &[u8], start: &[u8]) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

/// Space or tab.
pub(super) fn blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t')
}

/// A quote of any language.
pub(super) fn quote(b: u8) -> bool {
    matches!(b, b'"' | b'\'' | b'`')
}

/// A set of bytes, as a table.
#[derive(Debug)]
pub(super) struct Set([bool; 256]);

impl Set {
    /// The bytes of a list.
    pub(super) const fn of(list: &[u8]) -> Self {
        Self([false; 256]).and(list)
    }

    /// The bytes from one to another.
    pub(super) const fn range(first: u8, last: u8) -> Self {
        let mut table = [false; 256];
        let mut byte = first;
        while byte < last {
            set(&mut table, byte);
            byte = byte.saturating_add(1);
        }
        set(&mut table, last);
        Self(table)
    }

    /// With the bytes of a list.
    pub(super) const fn and(mut self, mut list: &[u8]) -> Self {
        while let [byte, rest @ ..] = list {
            set(&mut self.0, *byte);
            list = rest;
        }
        self
    }

    #[inline(always)]
    pub(super) fn holds(&self, b: u8) -> bool {
        self.0.get(usize::from(b)).is_some_and(|holds| *holds)
    }
}

const fn set(table: &mut [bool; 256], byte: u8) {
    if let (_, [slot, ..]) = table.split_at_mut(byte as usize) {
        *slot = true;
    }
}

/// Letters and digits.
pub(super) const ALNUM: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// A byte of a name: `client_secret`, `spring.datasource.password`, `x-api-key`, `$token`.
pub(super) fn name(b: u8) -> bool {
    static NAME: Set = Set::of(ALNUM).and(b"_-.$");
    NAME.holds(b)
}

/// What sequences for a terminal start with.
pub(super) const ESCAPE: u8 = 0x1b;

/// What stands for a byte of a mark: no byte of UTF-8, so no rule takes it for text.
pub(super) const MARK: u8 = 0xff;

/// Whether a token may start at `i`: after anything but a letter, a digit, or a byte of a longer word; an escape
/// (`\n`, `\u003d`, `%3D`) and a colour code end before the token although they end in a letter or a digit.
pub(super) fn starts_token(bytes: &[u8], i: usize) -> bool {
    let before = back(bytes, i, 1);
    if !before.is_ascii_alphanumeric() {
        return true;
    }
    after_escape(bytes, i) || after_colour(bytes, i)
}

/// Whether a backslash that is none itself stands before `i`.
pub(super) fn escaped(bytes: &[u8], i: usize) -> bool {
    i.saturating_sub(run_back(bytes, i, 64, |b| b == b'\\')) & 1 == 1
}

/// Whether the byte at `i` is the letter of an escape such as `\n`.
pub(super) fn in_escape(bytes: &[u8], i: usize) -> bool {
    escaped(bytes, i)
        && matches!(at(bytes, i), b'n' | b'r' | b't' | b'b' | b'f' | b'v' | b'a' | b'0' | b'u' | b'x')
}

fn after_escape(bytes: &[u8], i: usize) -> bool {
    let hex = |n: usize| (1..=n).all(|k| back(bytes, i, k).is_ascii_hexdigit());
    (back(bytes, i, 2) == b'\\'
        && matches!(back(bytes, i, 1), b'n' | b'r' | b't' | b'b' | b'f' | b'v' | b'a' | b'0'))
        || (hex(2) && (back(bytes, i, 3) == b'%' || ends(bytes, i.saturating_sub(2), b"\\x")))
        || (hex(4) && ends(bytes, i.saturating_sub(4), b"\\u"))
}

/// Whether a colour ends before `i`: `[32m`.
fn after_colour(bytes: &[u8], i: usize) -> bool {
    if back(bytes, i, 1) != b'm' {
        return false;
    }
    let open = run_back(bytes, i.saturating_sub(1), 16, |b| b.is_ascii_digit() || b == b';');
    back(bytes, open, 1) == b'['
}
