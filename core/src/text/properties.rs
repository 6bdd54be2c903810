use super::*;
use proptest::prelude::*;
use std::vec::Vec;
use unicode_segmentation::UnicodeSegmentation;

fn any_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        prop::sample::select(
            &[
                "e\u{301}",
                "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
                "\u{301}",
                "😀",
                "👨\u{200d}👩\u{200d}👧",
                "🇩🇪",
                "🇩",
                "\r\n",
                "\r",
                "[REDACTED:bearer]",
                "[REDACTED:a:k7f3q2wd]",
                "[REDACTED:",
                "]",
                "한",
                "\u{1112}\u{1161}",
                "\u{600}",
                "क्षि",
            ][..],
        )
        .prop_map(String::from),
        "[a-z ]{0,9}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

fn any_limit() -> impl Strategy<Value = usize> {
    prop_oneof![0usize..12, 12usize..60]
}

fn marks(text: &str) -> Vec<(usize, usize)> {
    text.char_indices().filter_map(|(at, _)| Some((at, at + mark_len(&text[at..])?))).collect()
}

fn graphemes(text: &str) -> Vec<(usize, usize)> {
    text.grapheme_indices(true).map(|(at, grapheme)| (at, at + grapheme.len())).collect()
}

fn around(ranges: &[(usize, usize)], cut: usize) -> Option<(usize, usize)> {
    ranges.iter().copied().find(|(start, end)| *start < cut && cut < *end)
}

/// Where the rules put a cut at `limit`, found by looking at all graphemes and all marks.
fn expected_cut(text: &str, limit: usize, max: usize, side: fn((usize, usize)) -> usize) -> usize {
    let on_grapheme = |cut: usize| match around(&graphemes(text), cut) {
        Some(grapheme) if chars(&text[grapheme.0..grapheme.1]) <= max / 2 => side(grapheme),
        _ => cut,
    };
    let cut = on_grapheme(limit);
    around(&marks(text), cut).map_or(cut, |mark| on_grapheme(side(mark)))
}

proptest! {
    #[test]
    fn heads_are_cut_by_the_rules(text in any_text(), max in any_limit()) {
        let limit = text.char_indices().nth(max).map_or(text.len(), |(at, _)| at);
        let expected = if limit == text.len() { limit } else { expected_cut(&text, limit, max, |(start, _)| start) };
        let head = head(&text, max);
        prop_assert_eq!(head, &text[..expected]);
        prop_assert!(chars(head) <= max);
        prop_assert_eq!(around(&marks(&text), expected), None);
    }

    #[test]
    fn tails_are_cut_by_the_rules(text in any_text(), max in any_limit()) {
        let limit = text.char_indices().nth(chars(&text).saturating_sub(max)).map_or(text.len(), |(at, _)| at);
        let expected = if limit == 0 { 0 } else { expected_cut(&text, limit, max, |(_, end)| end) };
        let tail = tail(&text, max);
        prop_assert_eq!(tail, &text[expected..]);
        prop_assert!(chars(tail) <= max);
        prop_assert_eq!(around(&marks(&text), expected), None);
    }

    #[test]
    fn clips_and_excerpts_fit(text in any_text(), max in any_limit()) {
        for cut in [clip(&text, max), excerpt(&text, max)] {
            prop_assert!(chars(&cut) <= max);
            prop_assert_eq!(cut == text, chars(&text) <= max);
            let kept = marks(&cut).len();
            prop_assert_eq!(cut.matches("[REDACTED:").count() - kept <= text.matches("[REDACTED:").count() - marks(&text).len(), true);
        }
    }

    #[test]
    fn bytes_are_cut_outside_marks(text in any_text(), max in 0usize..120) {
        let (head, tail) = (head_bytes(&text, max), tail_bytes(&text, max));
        prop_assert!(head.len() <= max && text.starts_with(head));
        prop_assert!(tail.len() <= max && text.ends_with(tail));
        prop_assert_eq!(around(&marks(&text), head.len()), None);
        prop_assert_eq!(around(&marks(&text), text.len() - tail.len()), None);
    }

    #[test]
    fn folding_leaves_no_cr(text in any_text()) {
        let folded = fold_line_ends(&text);
        prop_assert_eq!(&folded, &text.replace("\r\n", "\n").replace('\r', "\n"));
        prop_assert_eq!(&fold_line_ends(&folded), &folded);
    }
}
