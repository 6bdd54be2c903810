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

/// The end of a mark that starts at `i`: `[REDACTED:`, a kind, optionally `:` and 8 base32 characters, `]`.
pub(super) fn mark(bytes: &[u8], i: usize) -> Option<usize> {
    const OPEN: &[u8] = b"[REDACTED:";
    if !has(bytes, i, OPEN) {
        return None;
    }
    let kind = i.saturating_add(OPEN.len());
    let kind_end = run(bytes, kind, kind.saturating_add(40), |b| {
        b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'
    });
    if !super::super::rules::is_kind(part(bytes, kind, kind_end)) {
        return None;
    }
    let mut end = kind_end;
    if at(bytes, end) == b':' {
        let tag = end.saturating_add(1);
        end = run(bytes, tag, tag.saturating_add(8), |b| b.is_ascii_lowercase() || matches!(b, b'2'..=b'7'));
        if end.saturating_sub(tag) != 8 {
            return None;
        }
    }
    (at(bytes, end) == b']').then(|| end.saturating_add(1))
}

/// Whether a token may start at `i`: after anything but a letter, a digit, or a byte of a longer word; an escape
/// (`\n`, `\u003d`, `%3D`) and a colour code end before the token although they end in a letter or a digit.
pub(super) fn starts_token(bytes: &[u8], i: usize) -> bool {
    let before = back(bytes, i, 1);
    if !before.is_ascii_alphanumeric() {
        return true;
    }
    after_escape(bytes, i) || (before == b'm' && after_colour(bytes, i))
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
