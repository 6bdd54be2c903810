use super::*;
use crate::{
    checkpoint::{
        CONTEXT_MAX_CHARS, Words, draft,
        samples::{any_row, at, awkward, clean, cleans, session},
    },
    model::Trigger,
};
use proptest::prelude::*;
use std::{format, string::String};

fn texts(list: &[Clean]) -> Vec<&str> {
    list.iter().map(Clean::as_str).collect()
}

fn of(trigger: Trigger, note: &str) -> Draft {
    let words = Words { note: Some(clean(note)), ..Words::default() };
    draft(&session(), trigger, words, at("2026-03-01T10:00:00Z"))
}

#[test]
fn counts_add_and_totals_do_not() {
    let (mut a, mut b) = (of(Trigger::Periodic, ""), of(Trigger::Agent, ""));
    (a.prompt_count, a.total_prompts) = (3, 8);
    (b.prompt_count, b.total_prompts) = (2, 10);
    (a.started_at, a.created_at) = (at("2026-03-01T09:00:00Z"), at("2026-03-01T11:00:00Z"));
    (b.started_at, b.created_at) = (at("2026-03-01T08:00:00Z"), at("2026-03-01T10:00:00Z"));
    let merged = merge(a, b);
    assert_eq!((merged.prompt_count, merged.total_prompts), (5, 10));
    assert_eq!(merged.started_at, at("2026-03-01T08:00:00Z"));
    assert_eq!(merged.created_at, at("2026-03-01T11:00:00Z"));
    assert_eq!(merged.trigger, Trigger::Agent);
}

#[test]
fn lists_are_unions_of_the_newest() {
    let (mut a, mut b) = (of(Trigger::Periodic, ""), of(Trigger::Periodic, ""));
    a.memory_queries = cleans(&["a", "b", "A"]);
    b.memory_queries = cleans(&["b", "c"]);
    assert_eq!(texts(&merge(a.clone(), b.clone()).memory_queries), ["a", "A", "b", "c"]);
    a.memory_queries = (0..20).map(|n| clean(&format!("a{n}"))).collect();
    b.memory_queries = (0..15).map(|n| clean(&format!("b{n}"))).collect();
    a.recent_remembers = (0..10).map(|n| clean(&format!("a{n}"))).collect();
    b.recent_remembers = (0..4).map(|n| clean(&format!("b{n}"))).collect();
    let merged = merge(a, b);
    assert_eq!((merged.memory_queries.len(), merged.recent_remembers.len()), (20, 10));
    assert_eq!(texts(&merged.memory_queries)[4..6], ["a19", "b0"]);
    assert_eq!(texts(&merged.recent_remembers)[5..7], ["a9", "b0"]);
}

#[test]
fn prompts_are_a_union_by_ordinal() {
    let (mut a, mut b) = (of(Trigger::Periodic, ""), of(Trigger::Periodic, ""));
    let prompts = |ordinals: core::ops::Range<u64>| -> Vec<PromptEntry> {
        ordinals.map(|ordinal| PromptEntry { ordinal, text: clean(&format!("p{ordinal}")) }).collect()
    };
    (a.recent_prompts, b.recent_prompts) = (prompts(1..9), prompts(5..15));
    let ordinals: Vec<u64> = merge(a, b).recent_prompts.iter().map(|prompt| prompt.ordinal).collect();
    assert_eq!(ordinals, (5..15).collect::<Vec<_>>());
}

#[test]
fn context_and_note_keep_the_rank_they_came_with() {
    let note = |draft: &Draft| draft.note.as_ref().map(|note| (note.rank, note.text.as_str().to_owned()));
    use std::borrow::ToOwned;
    let strong = merge(of(Trigger::PreCompaction, "strong"), of(Trigger::Periodic, "weak"));
    assert_eq!(note(&strong), Some((4, "strong".to_owned())));
    // The trigger is pre_compaction by now, and a note of an agent still beats one of a periodic.
    let silent = merge(of(Trigger::PreCompaction, " "), of(Trigger::Agent, "agent's"));
    assert_eq!((silent.trigger, note(&silent)), (Trigger::PreCompaction, Some((2, "agent's".to_owned()))));
    let later = merge(silent.clone(), of(Trigger::Periodic, "weak"));
    assert_eq!(note(&later), Some((2, "agent's".to_owned())));
    let tie = merge(silent, of(Trigger::Agent, "later"));
    assert_eq!(note(&tie), Some((2, "later".to_owned())));
}

#[test]
fn the_later_project_that_is_named_counts() {
    let (mut a, mut b) = (of(Trigger::Periodic, ""), of(Trigger::Periodic, ""));
    (a.project, a.project_normalized) = (Some(clean("/a/")), Some(clean("/a")));
    (b.project, b.project_normalized) = (None, None);
    let merged = merge(a.clone(), b.clone());
    assert_eq!((merged.project, merged.project_normalized), (Some(clean("/a/")), Some(clean("/a"))));
    (b.project, b.project_normalized) = (Some(clean("/b")), None);
    let merged = merge(a, b);
    assert_eq!((merged.project, merged.project_normalized), (Some(clean("/b")), None));
}

#[test]
fn structural_context_is_an_ordered_union() {
    let (mut a, mut b) = (of(Trigger::Periodic, ""), of(Trigger::Periodic, ""));
    let structural = |entities: &[&str], memories| Structural {
        focal_entities: cleans(entities),
        active_aspects: Vec::new(),
        active_constraints: Vec::new(),
        traversal_memories: memories,
    };
    a.structural = Some(structural(&["parser", "lexer"], 7));
    assert_eq!(merge(a.clone(), b.clone()).structural, a.structural);
    b.structural = Some(structural(&["lexer", "writer"], 3));
    let merged = merge(a, b).structural.unwrap();
    assert_eq!(texts(&merged.focal_entities), ["parser", "lexer", "writer"]);
    assert_eq!(merged.traversal_memories, 7);
}

/// A draft of anything, within its caps or far beyond them.
fn any_draft() -> impl Strategy<Value = Draft> {
    let few = prop::collection::vec("[a-d]{0,2}", 0..40);
    let ordinals = prop::collection::vec((1u64..30, "[a-z]{1,4}"), 0..20);
    let block = || prop::option::of((1u8..=5, awkward(6), 1usize..400));
    let structural = prop::option::of((prop::collection::vec("[a-e]{1,2}", 0..6), 0u64..9));
    (any_row(), few.clone(), few, ordinals, (block(), block()), structural, any::<u64>()).prop_map(
        |(row, queries, remembers, prompts, (context, note), structural, count)| {
            let ranked = |of: Option<(u8, String, usize)>| {
                of.map(|(rank, text, times)| Ranked { rank, text: clean(&text.repeat(times)) })
            };
            let mut draft = of(row.trigger, "");
            (draft.project, draft.created_at) = (row.project, row.created_at);
            (draft.prompt_count, draft.total_prompts) = (count, row.total_prompts);
            draft.memory_queries = queries.iter().map(|text| clean(text)).collect();
            draft.recent_remembers = remembers.iter().map(|text| clean(text)).collect();
            let prompt = |(ordinal, text): (u64, String)| PromptEntry { ordinal, text: clean(&text) };
            draft.recent_prompts = prompts.into_iter().map(prompt).collect();
            (draft.context, draft.note) = (ranked(context), ranked(note));
            draft.structural = structural.map(|(entities, memories)| Structural {
                focal_entities: entities.iter().map(|text| clean(text)).collect(),
                active_aspects: Vec::new(),
                active_constraints: Vec::new(),
                traversal_memories: memories,
            });
            draft
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn merging_is_associative(a in any_draft(), b in any_draft(), c in any_draft()) {
        let left = merge(merge(a.clone(), b.clone()), c.clone());
        prop_assert_eq!(left, merge(a, merge(b, c)));
    }

    #[test]
    fn caps_are_never_exceeded(drafts in prop::collection::vec(any_draft(), 2..6)) {
        let merged = drafts.into_iter().reduce(merge).unwrap();
        prop_assert!(merged.memory_queries.len() <= QUERIES_MAX);
        prop_assert!(merged.recent_remembers.len() <= REMEMBERS_MAX);
        prop_assert!(merged.recent_prompts.len() <= PROMPTS_MAX);
        prop_assert!(merged.recent_prompts.is_sorted_by_key(|prompt| prompt.ordinal));
        for text in [merged.context, merged.note].into_iter().flatten() {
            prop_assert!((1..=CONTEXT_MAX_CHARS).contains(&text.text.chars()));
        }
    }
}
