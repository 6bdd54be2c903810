//! Both ends of a long text, within a limit of bytes.

use super::{head_bytes, tail_bytes};
use alloc::borrow::Cow;
use alloc::format;

/// `text` as it is when it has at most `max_bytes` UTF-8 bytes, else both its ends around
/// `\n[… N bytes omitted …]\n`, which counts in the limit (`spec/prompt.md`, boundary).
///
/// The bytes are split evenly, cut on character boundaries and never inside a redaction mark. Where the limit
/// has no room for the words in the middle, the start alone is kept.
///
/// ```
/// use throughline_core::text::ends_bytes;
/// let long = "a".repeat(30) + &"z".repeat(30);
/// assert_eq!(ends_bytes(&long, 40), "aaaaaa\n[… 48 bytes omitted …]\nzzzzzz");
/// ```
#[must_use]
pub fn ends_bytes(text: &str, max_bytes: usize) -> Cow<'_, str> {
    if text.len() <= max_bytes {
        return Cow::Borrowed(text);
    }
    // No number of omitted bytes has more digits than that of all of them.
    let widest = omitted(text.len()).len();
    let Some(room) = max_bytes.checked_sub(widest) else {
        return Cow::Borrowed(head_bytes(text, max_bytes));
    };
    let back = room / 2;
    let head = head_bytes(text, room.saturating_sub(back));
    let tail = tail_bytes(text, back);
    let gone = text.len().saturating_sub(head.len()).saturating_sub(tail.len());
    Cow::Owned(format!("{head}{}{tail}", omitted(gone)))
}

fn omitted(bytes: usize) -> alloc::string::String {
    format!("\n[… {bytes} bytes omitted …]\n")
}

#[cfg(test)]
mod tests {
    use super::ends_bytes;
    use alloc::string::String;

    #[test]
    fn ends_stay_within_the_limit_and_on_boundaries() {
        let text: String = "é€𝄞x".repeat(40);
        for limit in 0..=text.len() {
            let cut = ends_bytes(&text, limit);
            assert!(cut.len() <= limit, "{limit}: {}", cut.len());
        }
        assert_eq!(ends_bytes(&text, text.len()), text);
    }

    #[test]
    fn a_mark_is_kept_whole_or_goes_whole() {
        let text = String::from("secret [REDACTED:bearer] then ") + &"x".repeat(200);
        for limit in 40..120 {
            let cut = ends_bytes(&text, limit);
            assert_eq!(cut.contains("[RED"), cut.contains("[REDACTED:bearer]"), "{limit}: {cut}");
        }
    }
}
