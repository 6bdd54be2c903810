use super::*;
use crate::{
    checkpoint::{
        Words, draft, record_prompt, record_query, record_remember,
        samples::{any_row, at, clean, cleans, prompts, row, session},
    },
    id::CheckpointId,
    model::{Structural, Trigger},
};
use alloc::{format, vec::Vec};
use proptest::prelude::*;

#[test]
fn periodic_says_where_the_session_stands() {
    let mut row = row(Trigger::Periodic);
    row.recent_prompts = prompts(&["Fix the parser.", "# not a heading"]);
    row.memory_queries = cleans(&["parser", "lexer\nrules"]);
    row.recent_remembers = cleans(&["tabs are 4", "no unsafe"]);
    assert_eq!(
        digest(&row).as_str(),
        "## Session Checkpoint\nProject: /home/user/app\nPrompts: 12 | Duration: 1h 5m\n\n\
         ### Recent Prompts\n- Fix the parser.\n- \\# not a heading\n\n\
         ### Memory Activity Since Last Checkpoint\nQueries: parser, lexer ⏎ rules\nRemembered: tabs are 4; no unsafe"
    );
}

#[test]
fn pre_compaction_and_session_end_put_the_duration_first() {
    let mut row = row(Trigger::PreCompaction);
    row.context = Some(clean("\nWorking on\r\n# the parser\n"));
    row.recent_remembers = cleans(&["tabs are 4"]);
    assert_eq!(
        digest(&row).as_str(),
        "## Pre-Compaction Checkpoint\nProject: /home/user/app\nDuration: 1h 5m | Prompts: 12\n\n\
         ### Session Context\nWorking on\n\\# the parser\n\n### Memory Activity\nRemembered: tabs are 4"
    );
    row.trigger = Trigger::SessionEnd;
    (row.context, row.project) = (None, None);
    assert_eq!(
        digest(&row).as_str(),
        "## Session End Checkpoint\nProject: unknown\nDuration: 1h 5m | Total Prompts: 40\n\n\
         ### Memory Activity\nRemembered: tabs are 4"
    );
}

#[test]
fn agent_and_explicit_have_a_note() {
    for (trigger, name) in [(Trigger::Agent, "Agent"), (Trigger::Explicit, "Explicit")] {
        let mut row = row(trigger);
        row.note = Some(clean("Stopped at the lexer."));
        row.memory_queries = cleans(&["lexer"]);
        let want = format!(
            "## {name} Checkpoint\nProject: /home/user/app\nPrompts: 12 | Duration: 1h 5m\n\n\
             ### Note\nStopped at the lexer.\n\n### Memory Activity Since Last Checkpoint\nQueries: lexer"
        );
        assert_eq!(digest(&row).as_str(), want);
    }
}

#[test]
fn structural_context_stands_before_the_prompts() {
    let mut row = row(Trigger::Periodic);
    row.recent_prompts = prompts(&["go on"]);
    let mut structural = Structural {
        focal_entities: cleans(&["parser", "lexer"]),
        active_aspects: Vec::new(),
        active_constraints: cleans(&["no unsafe"]),
        traversal_memories: 4,
    };
    row.structural = Some(structural.clone());
    let text = digest(&row);
    assert!(text.as_str().ends_with(
        "\n\n### Structural Context\nFocal entities: parser, lexer\nActive constraints: no unsafe\n\
         Traversal memories: 4\n\n### Recent Prompts\n- go on"
    ));
    (structural.focal_entities, structural.active_constraints) = (Vec::new(), cleans(&[" "]));
    structural.traversal_memories = 0;
    row.structural = Some(structural);
    assert!(!digest(&row).as_str().contains("Structural"));
}

#[test]
fn an_entry_is_cut_at_120_characters() {
    let mut row = row(Trigger::Periodic);
    row.memory_queries = cleans(&[&"q".repeat(121), &"q".repeat(120)]);
    let want = format!("Queries: {}…, {}", "q".repeat(119), "q".repeat(120));
    assert!(digest(&row).as_str().ends_with(&want));
}

#[test]
fn durations_are_whole_minutes() {
    let cases = [
        ("2026-03-01T08:00:00Z", "0m"),
        ("2026-03-01T09:00:59.999Z", "0m"),
        ("2026-03-01T09:59:59Z", "59m"),
        ("2026-03-01T10:00:00Z", "1h"),
        ("2026-03-01T10:01:00Z", "1h 1m"),
        ("2026-03-02T11:30:00Z", "1d 2h"),
    ];
    for (created_at, want) in cases {
        let mut row = row(Trigger::Periodic);
        row.created_at = at(created_at);
        assert!(digest(&row).as_str().ends_with(&format!("| Duration: {want}")), "{want}");
    }
}

#[test]
fn a_draft_takes_the_session_as_it_is() {
    let mut session = session();
    for n in 1..=12 {
        record_prompt(&mut session.continuity, &clean(&format!("p{n}")));
    }
    record_query(&mut session.continuity, &clean("q"));
    record_remember(&mut session.continuity, &clean("r"));
    let context = clean(&"é\r\n".repeat(5000));
    let now = at("2026-03-01T10:05:00Z");
    let words = Words { context: Some(context), note: Some(clean(" ")), structural: None };
    let draft = draft(&session, Trigger::PreCompaction, words, now);
    let row = draft.into_row(CheckpointId::generate(now, [0; 10]), 9);
    assert_eq!((row.seq, row.prompt_count, row.total_prompts), (9, 12, 12));
    assert_eq!((row.started_at, row.created_at), (session.started_at, now));
    assert_eq!((row.recent_prompts.len(), row.recent_prompts[0].ordinal), (10, 3));
    assert_eq!((row.memory_queries, row.recent_remembers), (cleans(&["q"]), cleans(&["r"])));
    assert_eq!(row.note, None);
    let context = row.context.unwrap();
    assert_eq!(context.chars(), 4000);
    assert!(context.as_str().starts_with("é\né\n") && context.as_str().ends_with("\né"));
    assert!(row.digest.as_str().contains("\n\n### Session Context\né\né\n"));
}

/// Lines that a reader of markdown takes as the start of a heading or a fence.
fn structure(text: &str) -> Vec<&str> {
    let starts = |line: &&str| {
        let start = line.trim_start_matches(' ');
        line.len() - start.len() < 4 && ["#", "```", "~~~", "---"].iter().any(|mark| start.starts_with(mark))
    };
    text.split('\n').filter(starts).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn user_text_never_adds_structure(row in any_row()) {
        let text = digest(&row);
        let content = Content::of(&row);
        let mut want = Vec::from([content.heading]);
        want.extend(content.context.is_some().then_some(CONTEXT));
        want.extend(content.note.is_some().then_some(NOTE));
        want.extend((!content.structural.is_empty()).then_some(STRUCTURAL));
        want.extend((!content.prompts.is_empty()).then_some(PROMPTS));
        let memory = !content.queries.is_empty() || !content.remembers.is_empty();
        want.extend(memory.then_some(content.memory_heading));
        prop_assert_eq!(structure(text.as_str()), want);
        prop_assert!(!text.as_str().contains('\r') && !text.as_str().ends_with('\n'));
    }

    #[test]
    fn every_prompt_is_one_entry_and_nothing_in_it_begins_something_else(row in any_row()) {
        let text = digest(&row);
        let list = text.as_str().split("\n\n### Recent Prompts\n").nth(1).unwrap_or_default();
        let list = list.split("\n\n### Memory Activity").next().unwrap_or_default();
        let entries: Vec<&str> = list.split('\n').filter(|line| !line.is_empty()).collect();
        let given = row.recent_prompts.iter().filter(|prompt| !prompt.text.one_line().is_empty()).count();
        prop_assert_eq!(entries.len(), given);
        for entry in entries {
            let inside = entry.strip_prefix("- ").unwrap().trim_start();
            prop_assert!(!inside.starts_with(['#', '-', '+', '*', '>', '~', '=', '|', '<', '[', '`']), "{}", entry);
        }
    }
}
