use super::*;
use crate::checkpoint::samples::{at, clean};
use alloc::{format, string::String};
use std::vec;

fn texts(list: &[Clean]) -> Vec<&str> {
    list.iter().map(Clean::as_str).collect()
}

#[test]
fn a_prompt_is_shown_on_one_line_and_cut_to_200_characters() {
    let mut continuity = Continuity::default();
    record_prompt(&mut continuity, &clean("a\r\nb\rc\nd"));
    record_prompt(&mut continuity, &clean(&"é".repeat(200)));
    record_prompt(&mut continuity, &clean(&"é".repeat(201)));
    record_prompt(&mut continuity, &clean(&format!("{}[REDACTED:bearer]", "a".repeat(190))));
    let prompts: Vec<&str> = continuity.recent_prompts.iter().map(|prompt| prompt.text.as_str()).collect();
    let cut = format!("{}…", "é".repeat(199));
    let before_mark = format!("{}…", "a".repeat(190));
    assert_eq!(prompts, ["a ⏎ b ⏎ c ⏎ d", &"é".repeat(200), &cut, &before_mark]);
}

#[test]
fn line_ends_are_folded_before_the_cut() {
    let mut continuity = Continuity::default();
    record_prompt(&mut continuity, &clean(&"ab\n".repeat(100)));
    let text = &continuity.recent_prompts[0].text;
    assert_eq!(text.chars(), 200);
    assert!(text.as_str().ends_with('…') && !text.as_str().contains('\n'));
}

#[test]
fn the_newest_ten_prompts_are_kept_with_their_ordinals() {
    let mut continuity = Continuity::default();
    for n in 1..=12 {
        record_prompt(&mut continuity, &clean(&format!("p{n}")));
    }
    let kept: Vec<u64> = continuity.recent_prompts.iter().map(|prompt| prompt.ordinal).collect();
    assert_eq!(kept, vec![3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    assert_eq!((continuity.prompts_since, continuity.total_prompts), (12, 12));
}

#[test]
fn a_prompt_without_text_counts_and_takes_no_place() {
    let mut continuity = Continuity::default();
    record_prompt(&mut continuity, &clean(" \n "));
    record_prompt(&mut continuity, &clean("next"));
    assert_eq!(continuity.total_prompts, 2);
    assert_eq!(continuity.recent_prompts.len(), 1);
    assert_eq!(continuity.recent_prompts[0].ordinal, 2);
}

#[test]
fn queries_and_remembers_stand_once_at_their_last_place() {
    let mut continuity = Continuity::default();
    for query in ["a", "b", "a", "  ", "c"] {
        record_query(&mut continuity, &clean(query));
    }
    assert_eq!(texts(&continuity.memory_queries), ["b", "a", "c"]);
    for n in 0..30 {
        record_query(&mut continuity, &clean(&format!("q{n}")));
        record_remember(&mut continuity, &clean(&format!("r{n}")));
    }
    let last: Vec<String> = (10..30).map(|n| format!("q{n}")).collect();
    assert_eq!(texts(&continuity.memory_queries), last);
    let last: Vec<String> = (20..30).map(|n| format!("r{n}")).collect();
    assert_eq!(texts(&continuity.remembers), last);
}

#[test]
fn taking_moves_out_what_is_new_and_keeps_the_prompts() {
    let mut continuity = Continuity::default();
    assert!(!has_news(&continuity));
    record_prompt(&mut continuity, &clean("p"));
    record_query(&mut continuity, &clean("q"));
    record_remember(&mut continuity, &clean("r"));
    assert!(has_news(&continuity));
    let now = at("2026-03-01T10:00:00Z");
    take(&mut continuity, now);
    assert!(!has_news(&continuity));
    assert_eq!(continuity.last_checkpoint_at, Some(now));
    assert_eq!((continuity.prompts_since, continuity.total_prompts), (0, 1));
    assert_eq!(continuity.recent_prompts.len(), 1);
    record_remember(&mut continuity, &clean("r"));
    assert!(has_news(&continuity), "a remember alone is news");
}
