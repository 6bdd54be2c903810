//! The request of a turn, restored behind a boundary.
use crate::redact::{Clean, CleanBuf};

/// The longest restored request, in UTF-8 bytes, the omission marker included.
pub const RESTORED_MAX_BYTES: usize = 6000;

/// Digits of the greatest number of bytes.
const MAX_DIGITS: usize = 20;

/// The text as it is when it has at most [`RESTORED_MAX_BYTES`] bytes, else both its ends around
/// `\n[… N bytes omitted …]\n`: the bytes split evenly, cut on character boundaries and outside of redaction
/// marks (`spec/prompt.md`, "Boundary").
///
/// ```
/// use throughline_core::{prompt::restored_request, redact::Redactor};
/// let long = Redactor::standard().clean(&"word ".repeat(2000));
/// let short = restored_request(&long);
/// assert!(short.len() <= 6000);
/// assert!(short.as_str().contains("\n[… 4"));
/// ```
#[must_use]
pub fn restored_request(text: &Clean) -> Clean {
    if text.len() <= RESTORED_MAX_BYTES {
        return text.clone();
    }
    // The number in the marker takes room of its own: the fewest digits that it fits in.
    let frame = marker(0).len().saturating_sub(1);
    (1..=MAX_DIGITS)
        .map(|digits| both_ends(text, RESTORED_MAX_BYTES.saturating_sub(frame).saturating_sub(digits)))
        .find(|cut| cut.len() <= RESTORED_MAX_BYTES)
        .unwrap_or_default()
}

/// Both ends of a text, of at most `room` bytes together, around the marker.
fn both_ends(text: &Clean, room: usize) -> Clean {
    let back = room / 2;
    let head = text.head_bytes(room.saturating_sub(back));
    let tail = text.tail_bytes(back);
    let omitted = text.len().saturating_sub(head.len()).saturating_sub(tail.len());
    let mut out = CleanBuf::new();
    out.clean(&head).clean(&marker(omitted)).clean(&tail);
    out.finish()
}

fn marker(omitted: usize) -> Clean {
    let mut out = CleanBuf::new();
    out.lit("\n[… ").num(u64::try_from(omitted).unwrap_or(u64::MAX)).lit(" bytes omitted …]\n");
    out.finish()
}

#[cfg(test)]
mod tests {
    use super::{RESTORED_MAX_BYTES, restored_request};
    use crate::redact::Clean;
    use alloc::string::String;
    use proptest::prelude::*;

    fn restored(text: &str) -> String {
        restored_request(&Clean::from_store(text.into())).into_string()
    }

    #[test]
    fn what_fits_stays_and_what_does_not_keeps_both_ends() {
        let (fits, longer) = ("a".repeat(6000), "a".repeat(6001));
        assert_eq!(restored(&fits), fits);
        let cut = restored(&longer);
        assert_eq!(cut.len(), RESTORED_MAX_BYTES);
        // 6001 bytes less 5974 kept beside a marker of 26 bytes and two digits.
        assert!(cut.contains("\n[… 29 bytes omitted …]\n"), "{cut}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn both_ends_stay_within_the_limit(
            pieces in prop::collection::vec(
                prop_oneof![Just("[REDACTED:github-token:abcdefgh]"), Just("é"), Just("word "), Just("😀")],
                1500..3000,
            ),
        ) {
            let text = pieces.concat();
            let cut = restored(&text);
            prop_assert!(cut.len() <= RESTORED_MAX_BYTES);
            if text.len() > RESTORED_MAX_BYTES {
                let (head, rest) = cut.split_once("\n[… ").unwrap();
                let (number, tail) = rest.split_once(" bytes omitted …]\n").unwrap();
                prop_assert!(text.starts_with(head) && text.ends_with(tail));
                prop_assert_eq!(number.parse::<usize>().unwrap(), text.len() - head.len() - tail.len());
                prop_assert_eq!(cut.matches("[REDACTED:").count(), cut.matches("abcdefgh]").count());
                prop_assert!(head.len().abs_diff(tail.len()) <= 70);
                prop_assert!(cut.len() >= RESTORED_MAX_BYTES - 80);
            }
        }
    }
}
