//! Reading bytes without a bound to watch: outside the text there is NUL, which no rule accepts.

/// The byte at `i`.
pub(super) fn at(bytes: &[u8], i: usize) -> u8 {
    bytes.get(i).copied().unwrap_or(0)
}

/// The byte `n` before `i`.
pub(super) fn back(bytes: &[u8], i: usize, n: usize) -> u8 {
    i.checked_sub(n).map_or(0, |j| at(bytes, j))
}

/// The bytes from `start` to `end`; none when there is no such range.
pub(super) fn part(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    bytes.get(start..end).unwrap_or_default()
}

/// Whether `literal` stands at `i`.
pub(super) fn has(bytes: &[u8], i: usize, literal: &[u8]) -> bool {
    bytes.get(i..).is_some_and(|rest| rest.starts_with(literal))
}

/// Whether `literal` ends before `i`.
pub(super) fn ends(bytes: &[u8], i: usize, literal: &[u8]) -> bool {
    bytes.get(..i).is_some_and(|head| head.ends_with(literal))
}

/// The first position from `i` on, before `limit`, whose byte is not `wanted`.
pub(super) fn run(bytes: &[u8], i: usize, limit: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let n = part(bytes, i, limit.min(bytes.len())).iter().take_while(|b| wanted(**b)).count();
    i.saturating_add(n)
}

/// The first position of a run of `wanted` bytes that ends before `i`, at most `most` bytes long.
pub(super) fn run_back(bytes: &[u8], i: usize, most: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let n = part(bytes, 0, i).iter().rev().take(most).take_while(|b| wanted(**b)).count();
    i.saturating_sub(n)
}

/// Space or tab.
pub(super) fn blank(b: u8) -> bool {
    matches!(b, b' ' | b'\t')
}

/// A quote of any language.
pub(super) fn quote(b: u8) -> bool {
    matches!(b, b'"' | b'\'' | b'`')
}

/// A byte of a name: `client_secret`, `spring.datasource.password`, `x-api-key`, `$token`.
pub(super) fn name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'$')
}

/// What stands for a byte of a mark: no byte of UTF-8, so no rule takes it for text.
pub(super) const MARK: u8 = 0xff;

/// Whether a token may start at `i`: after anything but a letter, a digit, or a byte of a longer word; an escape
/// (`\n`, `\u003d`, `%3D`) and a colour code end before the token although they end in a letter or a digit.
pub(super) fn starts_token(bytes: &[u8], i: usize) -> bool {
    let before = back(bytes, i, 1);
    if !before.is_ascii_alphanumeric() {
        return true;
    }
    after_escape(bytes, i) || (before == b'm' && after_colour(bytes, i))
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

fn after_colour(bytes: &[u8], i: usize) -> bool {
    let open = run_back(bytes, i.saturating_sub(1), 16, |b| b.is_ascii_digit() || b == b';');
    back(bytes, open, 1) == b'['
}
