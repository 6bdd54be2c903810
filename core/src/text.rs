//! Counting and cutting text: scalars, bytes, excerpts, line ends.
//!
//! *Characters* are Unicode scalar values. A cut by characters falls on the last grapheme boundary
//! within the limit, or on a scalar when one grapheme is longer than half the limit, and no cut falls
//! inside a redaction mark: a mark is kept whole or goes whole. An `…` counts like any character.
//! These are the rules of `spec/checkpoints.md` (words) and `spec/prompt.md` (boundary, in bytes).
//! Everything here is linear in the text or in the limit.
use alloc::borrow::Cow;
use alloc::string::String;
use unicode_segmentation::GraphemeCursor;

mod tokens;
mod utf16;

pub use tokens::estimate_tokens;
pub use utf16::{Utf16Places, utf16_len};

/// What every redaction mark begins with.
const MARK_START: &str = "[REDACTED:";
/// The longest kind a mark can name, in bytes.
const KIND_MAX: usize = 40;
/// The length of the optional tag of a mark, in bytes.
const TAG_LEN: usize = 8;
/// The longest mark, in bytes: start, kind, `:` and tag, `]`.
const MARK_MAX: usize = 60;
/// Stands where text was cut.
const ELLIPSIS: char = '…';

/// The number of characters (Unicode scalar values) in `text`.
///
/// ```
/// assert_eq!(throughline_core::text::chars("né…"), 3);
/// ```
pub fn chars(text: &str) -> usize {
    text.chars().count()
}

/// The length in bytes of the redaction mark that stands at the start of `text`, if one does.
///
/// A mark is `[REDACTED:`, a kind (1–40 of `a-z0-9-`, not beginning with `-`), optionally `:` and eight
/// base32 characters (`a-z2-7`), and `]` (`spec/redaction.md`, contract).
///
/// ```
/// use throughline_core::text::mark_len;
/// assert_eq!(mark_len("[REDACTED:bearer] and more"), Some(17));
/// assert_eq!(mark_len("[REDACTED:Bearer]"), None);
/// ```
pub fn mark_len(text: &str) -> Option<usize> {
    let after_start = text.strip_prefix(MARK_START)?.as_bytes();
    let kind = after_start.iter().take_while(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-')).count();
    if kind == 0 || kind > KIND_MAX || after_start.first() == Some(&b'-') {
        return None;
    }
    let after_kind = after_start.get(kind..)?;
    let tag = match after_kind.first()? {
        b']' => 0,
        b':' => {
            let tag = after_kind.get(1..)?;
            let is_tag = tag.iter().take_while(|b| matches!(b, b'a'..=b'z' | b'2'..=b'7')).count() == TAG_LEN;
            if !is_tag || tag.get(TAG_LEN) != Some(&b']') {
                return None;
            }
            TAG_LEN.saturating_add(1)
        }
        _ => return None,
    };
    Some(MARK_START.len().saturating_add(kind).saturating_add(tag).saturating_add(1))
}

/// The longest start of `text` of at most `max_chars` characters, cut by the rules of this module.
///
/// ```
/// use throughline_core::text::head;
/// assert_eq!(head("hello world", 5), "hello");
/// assert_eq!(head("key [REDACTED:bearer] end", 10), "key ");
/// ```
pub fn head(text: &str, max_chars: usize) -> &str {
    match offset_of(text, max_chars) {
        None => text,
        Some(limit) => text.get(..head_cut(text, limit, max_chars)).unwrap_or_default(),
    }
}

/// The longest end of `text` of at most `max_chars` characters, cut by the rules of this module.
///
/// ```
/// use throughline_core::text::tail;
/// assert_eq!(tail("hello world", 5), "world");
/// assert_eq!(tail("key [REDACTED:bearer] end", 10), " end");
/// ```
pub fn tail(text: &str, max_chars: usize) -> &str {
    match offset_from_end(text, max_chars) {
        None => text,
        Some(limit) => text.get(tail_cut(text, limit, max_chars)..).unwrap_or_default(),
    }
}

/// `text` as it is when it has at most `max_chars` characters, else its [`head`] and an `…`, which counts
/// in the limit.
///
/// ```
/// use throughline_core::text::clip;
/// assert_eq!(clip("hello", 5), "hello");
/// assert_eq!(clip("hello!", 5), "hell…");
/// ```
pub fn clip(text: &str, max_chars: usize) -> Cow<'_, str> {
    if offset_of(text, max_chars).is_none() {
        return Cow::Borrowed(text);
    }
    let Some(room) = max_chars.checked_sub(1) else { return Cow::Borrowed("") };
    let mut cut = String::from(head(text, room));
    cut.push(ELLIPSIS);
    Cow::Owned(cut)
}

/// `text` as it is when it has at most `max_chars` characters, else both its ends around an `…`, which
/// counts in the limit; the start gets the odd character.
///
/// ```
/// use throughline_core::text::excerpt;
/// assert_eq!(excerpt("abcdefghij", 6), "abc…ij");
/// ```
pub fn excerpt(text: &str, max_chars: usize) -> Cow<'_, str> {
    if offset_of(text, max_chars).is_none() {
        return Cow::Borrowed(text);
    }
    let Some(room) = max_chars.checked_sub(1) else { return Cow::Borrowed("") };
    let back = room / 2;
    let mut cut = String::from(head(text, room.saturating_sub(back)));
    cut.push(ELLIPSIS);
    cut.push_str(tail(text, back));
    Cow::Owned(cut)
}

/// The longest start of `text` of at most `max_bytes` UTF-8 bytes that ends on a character boundary and
/// outside every redaction mark (`spec/prompt.md`, boundary).
///
/// ```
/// assert_eq!(throughline_core::text::head_bytes("aé", 2), "a");
/// ```
pub fn head_bytes(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        return text;
    }
    let cut = text.floor_char_boundary(max_bytes);
    let cut = mark_around(text, cut).map_or(cut, |(start, _)| start);
    text.get(..cut).unwrap_or_default()
}

/// The longest end of `text` of at most `max_bytes` UTF-8 bytes that begins on a character boundary and
/// outside every redaction mark (`spec/prompt.md`, boundary).
///
/// ```
/// assert_eq!(throughline_core::text::tail_bytes("éa", 2), "a");
/// ```
pub fn tail_bytes(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        return text;
    }
    let cut = text.ceil_char_boundary(text.len().saturating_sub(max_bytes));
    let cut = mark_around(text, cut).map_or(cut, |(_, end)| end);
    text.get(cut..).unwrap_or_default()
}

/// `text` with every CRLF and every lone CR as one LF; borrowed when there is none.
///
/// ```
/// assert_eq!(throughline_core::text::fold_line_ends("a\r\nb\rc\n"), "a\nb\nc\n");
/// ```
pub fn fold_line_ends(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut folded = String::with_capacity(text.len());
    let mut pieces = text.split('\r');
    folded.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        // The CR becomes the LF; an LF that follows it belongs to the same line end.
        folded.push('\n');
        folded.push_str(piece.strip_prefix('\n').unwrap_or(piece));
    }
    Cow::Owned(folded)
}

/// `bytes` as lower-case hexadecimal text.
///
/// ```
/// assert_eq!(throughline_core::text::hex(&[0, 171]), "00ab");
/// ```
pub fn hex(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The byte offset of character number `n` (from 0), or none when `text` has no more than `n` characters.
fn offset_of(text: &str, n: usize) -> Option<usize> {
    if text.len() <= n {
        return None;
    }
    if text.as_bytes().get(..n).is_some_and(<[u8]>::is_ascii) {
        return Some(n);
    }
    text.char_indices().nth(n).map(|(offset, _)| offset)
}

/// The byte offset at which the last `n` characters begin, or none when `text` has no more than `n`.
fn offset_from_end(text: &str, n: usize) -> Option<usize> {
    let ascii_start = text.len().checked_sub(n).filter(|start| *start > 0)?;
    if text.as_bytes().get(ascii_start..).is_some_and(<[u8]>::is_ascii) {
        return Some(ascii_start);
    }
    let start = text.char_indices().rev().nth(n.checked_sub(1)?).map(|(offset, _)| offset);
    start.filter(|start| *start > 0)
}

/// Where a head that may reach to byte `limit` ends.
fn head_cut(text: &str, limit: usize, max_chars: usize) -> usize {
    let cut = grapheme_around(text, limit, max_chars).map_or(limit, |(start, _)| start);
    match mark_around(text, cut) {
        None => cut,
        Some((mark, _)) => grapheme_around(text, mark, max_chars).map_or(mark, |(start, _)| start),
    }
}

/// Where a tail that may reach back to byte `limit` begins.
fn tail_cut(text: &str, limit: usize, max_chars: usize) -> usize {
    let cut = grapheme_around(text, limit, max_chars).map_or(limit, |(_, end)| end);
    match mark_around(text, cut) {
        None => cut,
        Some((_, mark)) => grapheme_around(text, mark, max_chars).map_or(mark, |(_, end)| end),
    }
}

/// The byte range of the grapheme that `cut` falls inside of; none when `cut` is a boundary, or when the
/// grapheme is longer than half the limit, so that it is cut like plain characters.
fn grapheme_around(text: &str, cut: usize, max_chars: usize) -> Option<(usize, usize)> {
    let around = (text.as_bytes().get(cut.checked_sub(1)?)?, text.as_bytes().get(cut)?);
    if around.0.is_ascii() && around.1.is_ascii() && around != (&b'\r', &b'\n') {
        return None;
    }
    // What lies further ahead than half the limit cannot change the answer, so it is not looked at.
    let half = max_chars / 2;
    let ahead = text.get(cut..)?;
    let seen = offset_of(ahead, half.saturating_add(2)).map_or(text.len(), |more| cut.saturating_add(more));
    let text = text.get(..seen)?;
    let mut cursor = GraphemeCursor::new(cut, text.len(), true);
    if cursor.is_boundary(text, 0).ok()? {
        return None;
    }
    let start = cursor.prev_boundary(text, 0).ok()??;
    let end = GraphemeCursor::new(cut, text.len(), true).next_boundary(text, 0).ok()??;
    let grapheme = text.get(start..end)?;
    (offset_of(grapheme, half).is_none()).then_some((start, end))
}

/// The byte range of the redaction mark that `cut` falls inside of.
fn mark_around(text: &str, cut: usize) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let from = cut.saturating_sub(MARK_MAX);
    let mut before = bytes.get(from..cut)?;
    while let Some(found) = memchr::memrchr(b'[', before) {
        let start = from.saturating_add(found);
        if let Some(length) = text.get(start..).and_then(mark_len) {
            let end = start.saturating_add(length);
            return (end > cut).then_some((start, end));
        }
        before = before.get(..found)?;
    }
    None
}

#[cfg(test)]
mod tests;
