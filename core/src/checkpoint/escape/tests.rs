use super::*;
use crate::checkpoint::samples::{awkward, clean};
use alloc::vec::Vec;
use proptest::prelude::*;

#[test]
fn a_prompt_that_begins_like_markdown_gets_a_backslash() {
    let cases = [
        ("# a", "\\# a"),
        ("- a", "\\- a"),
        ("+ a", "\\+ a"),
        ("* a", "\\* a"),
        ("> a", "\\> a"),
        ("~~~", "\\~~~"),
        ("=== a", "\\=== a"),
        ("| a |", "\\| a |"),
        ("<b>", "\\<b>"),
        ("[REDACTED:bearer]", "\\[REDACTED:bearer]"),
        ("```", "\\```"),
        ("1. a", "\\1. a"),
        ("12) a", "\\12) a"),
        ("  # a", "\\  # a"),
        ("1 a", "1 a"),
        (".5", ".5"),
        ("a # b", "a # b"),
        ("_a_", "_a_"),
        ("", ""),
    ];
    for (given, want) in cases {
        assert_eq!(prompt(&clean(given)).as_str(), want, "{given:?}");
    }
}

#[test]
fn lines_of_a_block_that_begin_a_heading_or_a_fence_get_a_backslash() {
    let cases = [
        ("a\n# b\nc", "a\n\\# b\nc"),
        ("### Note", "\\### Note"),
        ("```rust\nx\n```", "\\```rust\nx\n\\```"),
        ("~~~\n---\n--- a", "\\~~~\n\\---\n\\--- a"),
        ("a\n   ## b", "a\n\\   ## b"),
        ("a\n===\nb\n-", "a\n\\===\nb\n\\-"),
        ("a\n    # code\n- item\n1. item\n> quote", "a\n    # code\n- item\n1. item\n> quote"),
        ("-- a\n``b``\n= c", "-- a\n``b``\n= c"),
    ];
    for (given, want) in cases {
        assert_eq!(block(&clean(given)).as_str(), want, "{given:?}");
    }
}

proptest! {
    #[test]
    fn escaping_adds_backslashes_and_nothing_else(text in awkward(30)) {
        let folded = clean(&text).fold_line_ends().trim();
        let escaped = block(&folded);
        let plain: Vec<&str> = folded.as_str().split('\n').collect();
        let lines: Vec<&str> = escaped.as_str().split('\n').collect();
        prop_assert_eq!(plain.len(), lines.len());
        for (plain, line) in plain.iter().zip(lines) {
            prop_assert!(line == *plain || line.strip_prefix('\\') == Some(*plain));
            prop_assert!(!breaks(line));
        }
    }
}
