use super::*;
use alloc::string::ToString;
use std::vec::Vec;

const MARK: &str = "[REDACTED:bearer]";
const FAMILY: &str = "👨\u{200d}👩\u{200d}👧";

#[test]
fn counts() {
    assert_eq!((chars(""), chars("aé😀")), (0, 3));
    assert_eq!((utf16_len(""), utf16_len("aé😀")), (0, 4));
    assert_eq!(hex(&[0x00, 0x9f, 0xff]), "009fff");
}

#[test]
fn marks_are_recognised_exactly() {
    let long = ["[REDACTED:", &"a".repeat(40), ":k7f3q2wd]"].concat();
    assert_eq!(mark_len(&long), Some(MARK_MAX));
    for mark in ["[REDACTED:a]", "[REDACTED:url-password]", "[REDACTED:2fa:abcdefgh]"] {
        assert_eq!(mark_len(&[mark, "]x"].concat()), Some(mark.len()), "{mark}");
    }
    let too_long = ["[REDACTED:", &"a".repeat(41), "]"].concat();
    for text in [
        "",
        "[REDACTED:]",
        "[REDACTED:-a]",
        "[REDACTED:A]",
        "[REDACTED:a:abcdefg]",
        "[REDACTED:a:abcdefghi]",
        "[REDACTED:a:abcdefg1]",
        "[REDACTED:a:]",
        "[REDACTED:a",
        "[REDACTED:é]",
        " [REDACTED:a]",
        &too_long,
    ] {
        assert_eq!(mark_len(text), None, "{text}");
    }
}

#[test]
fn head_and_tail_keep_graphemes() {
    assert_eq!((head("abc", 3), head("abc", 2), head("abc", 0)), ("abc", "ab", ""));
    assert_eq!((tail("abc", 3), tail("abc", 2), tail("abc", 0)), ("abc", "bc", ""));
    assert_eq!(head("aaae\u{301}b", 4), "aaa");
    assert_eq!(tail("be\u{301}aaa", 4), "aaa");
    assert_eq!(head("aaaa\r\nb", 5), "aaaa");
    assert_eq!(tail("b\r\naaaa", 5), "aaaa");
    let family = ["abcdefgh", FAMILY, "ijklmnop"].concat();
    assert_eq!(head(&family, 10), "abcdefgh");
    assert_eq!(tail(&family, 10), "ijklmnop");
    assert_eq!(head(&family, 13), ["abcdefgh", FAMILY].concat());
}

#[test]
fn a_grapheme_longer_than_half_the_limit_is_cut() {
    assert_eq!(head(FAMILY, 4), "👨\u{200d}👩\u{200d}");
    let tower = ["a", &"\u{301}".repeat(100_000)].concat();
    assert_eq!(chars(head(&tower, 10)), 10);
    assert_eq!(chars(tail(&tower, 10)), 10);
}

#[test]
fn no_cut_falls_inside_a_mark() {
    let text = ["key ", MARK, " end"].concat();
    for limit in 0..text.len() {
        let (head, tail) = (head(&text, limit), tail(&text, limit));
        let (head_bytes, tail_bytes) = (head_bytes(&text, limit), tail_bytes(&text, limit));
        assert_eq!((head, tail), (head_bytes, tail_bytes));
        let holds_all = |part: &str| part.contains(MARK) || !part.contains(['[', ']', 'R']);
        assert!(holds_all(head) && holds_all(tail), "{limit}: {head:?} {tail:?}");
    }
    assert_eq!(head(&text, 21), ["key ", MARK].concat());
    assert_eq!(tail(&text, 21), [MARK, " end"].concat());
    let accented = ["key ", MARK, "\u{301} end"].concat();
    assert_eq!(head(&accented, 21), "key ");
    assert_eq!(tail(&accented, 6), " end");
}

#[test]
fn clips_and_excerpts_count_the_ellipsis() {
    assert_eq!(clip("hello", 5), "hello");
    assert_eq!(clip("hello!", 5), "hell…");
    assert_eq!((clip("ab", 1), clip("ab", 0), clip("", 0)), ("…".into(), "".into(), "".into()));
    assert_eq!(excerpt("abcdefghij", 10), "abcdefghij");
    assert_eq!(excerpt("abcdefghij", 6), "abc…ij");
    assert_eq!(excerpt("abcdefghij", 5), "ab…ij");
    assert_eq!((excerpt("ab", 1), excerpt("ab", 0)), ("…".into(), "".into()));
}

#[test]
fn bytes_are_cut_between_characters() {
    assert_eq!((head_bytes("aé", 2), head_bytes("aé", 3), head_bytes("é", 1)), ("a", "aé", ""));
    assert_eq!((tail_bytes("éa", 2), tail_bytes("éa", 3), tail_bytes("é", 1)), ("a", "éa", ""));
}

#[test]
fn line_ends_fold() {
    assert!(matches!(fold_line_ends("a\nb"), Cow::Borrowed(_)));
    assert_eq!(fold_line_ends("\r\r\n\n\r"), "\n\n\n\n");
    assert_eq!(fold_line_ends("a\r\nb\rc"), "a\nb\nc");
}

#[test]
fn flags_are_cut_between_flags() {
    let flags: Vec<_> = ["🇩🇪"; 6].to_vec();
    let text = flags.concat();
    assert_eq!(head(&text, 5), flags[..2].concat());
    assert_eq!(tail(&text, 5), flags[..2].concat());
    assert_eq!(head(&text, 4).to_string(), tail(&text, 4));
}
