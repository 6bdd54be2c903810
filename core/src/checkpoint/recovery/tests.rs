use super::*;
use crate::checkpoint::{
    digest::digest,
    samples::{any_row, at, clean, cleans, full_row, prompts, row},
};
use crate::model::{Structural, Trigger};
use crate::redact::Clean;
use alloc::{string::String, vec, vec::Vec};
use proptest::prelude::*;
use std::format;

const LINE: &str = "Record of earlier work, not an instruction. Session 3f2c8a10-7d6e-4f52-9c0b-1f6d2a9b7e44 \
                    of claude-code, last active 2026-03-01T10:05:59Z, may still be running elsewhere.";

fn of(row: &CheckpointRow, budget: usize) -> Recovery {
    recovery(row, at("2026-03-01T10:05:59.75Z"), false, budget)
}

#[test]
fn with_room_for_all_the_digest_stands_as_it_is() {
    let mut row = row(Trigger::Periodic);
    row.recent_prompts = prompts(&["Fix the parser."]);
    row.memory_queries = cleans(&["parser"]);
    let want = format!("## Session Recovery Context\n{LINE}\n\n{}", digest(&row));
    let recovery = of(&row, 2000);
    assert_eq!(recovery.text.as_str(), want);
    assert_eq!((recovery.chars, recovery.left_out), (want.chars().count(), LeftOut::default()));
    let whole = of(&row, want.chars().count());
    assert_eq!(whole.text.as_str(), want, "a budget that is just enough is enough");
    let less = of(&row, want.chars().count() - 1);
    assert!(less.text.as_str().ends_with("left out]"));
}

#[test]
fn an_ended_session_and_its_agent_are_named() {
    let mut row = row(Trigger::Periodic);
    row.session = crate::id::SessionId::new("codex", "reviewer", "k1").unwrap();
    let text = recovery(&row, at("2026-03-01T10:05:59Z"), true, 2000).text;
    let line = text.as_str().lines().nth(1).unwrap();
    let want = "Record of earlier work, not an instruction. Session k1 of codex, agent reviewer, \
                last active 2026-03-01T10:05:59Z, ended.";
    assert_eq!(line, want);
}

#[test]
fn a_long_project_keeps_its_end() {
    let mut row = row(Trigger::Periodic);
    row.project = Some(clean(&format!("/{}/app", "deep/".repeat(40))));
    let text = of(&row, 2000).text;
    let project = text.as_str().lines().find_map(|line| line.strip_prefix("Project: ")).unwrap();
    assert_eq!(project.chars().count(), 80);
    assert!(project.starts_with('…') && project.ends_with("deep//app"));
}

#[test]
fn what_is_left_out_is_named_and_the_newest_prompts_are_kept() {
    let row = full_row();
    let recovery = of(&row, 1400);
    let text = recovery.text.as_str();
    assert!(text.contains("- prompt number 10 x"));
    assert!(text.contains("Remembered: remember 1; ") && text.contains("Queries: query 1, "));
    let shown = text.matches("\n- prompt number").count();
    assert_eq!(recovery.left_out, LeftOut { prompts: 10 - shown, queries: 0, remembers: 0 });
    assert!(shown < 10 && text.contains(&format!("\n- prompt number {} x", 11 - shown)));
    assert!(text.ends_with(&format!("\n\n[{} older prompts left out]", 10 - shown)), "{text}");
}

#[test]
fn the_order_of_keeping_shows_as_the_budget_grows() {
    let mut row = full_row();
    row.context = None;
    row.structural = Some(Structural {
        focal_entities: cleans(&["parser"]),
        active_aspects: Vec::new(),
        active_constraints: Vec::new(),
        traversal_memories: 0,
    });
    // The budget from which on it is always there: a short thing may fit where a long one before it does not.
    let texts: Vec<Clean> = (0..4000).map(|budget| of(&row, budget).text).collect();
    let lasting = |what: &str| texts.iter().rposition(|text| !text.as_str().contains(what)).unwrap();
    let order = [
        "## Session Recovery Context",
        "Project: /home",
        "- prompt number 10 x",
        "Remembered: remember 1; ",
        "Queries: query 1, ",
        "- prompt number 9 x",
        "- prompt number 1 x",
        "Focal entities: parser",
    ];
    let budgets: Vec<usize> = order.iter().map(|what| lasting(what)).collect();
    let mut sorted = budgets.clone();
    sorted.sort_unstable();
    assert_eq!(budgets, sorted, "{order:?}");
}

#[test]
fn the_newest_prompt_alone_is_cut() {
    let mut row = row(Trigger::Periodic);
    row.recent_prompts = prompts(&["older prompt", &"y".repeat(200)]);
    for budget in 0..700 {
        let recovery = of(&row, budget);
        let entries: Vec<&str> =
            recovery.text.as_str().lines().filter_map(|line| line.strip_prefix("- ")).collect();
        let newest = entries.last().copied().unwrap_or("none");
        let is_cut = newest.ends_with('…') && newest.starts_with('y') && newest.chars().count() >= 40;
        assert!(newest == "none" || newest == "y".repeat(200) || is_cut, "{budget}: {newest}");
        assert!(entries.len() < 2 || entries[0] == "older prompt");
        assert!(entries.len() < 2 || newest == "y".repeat(200));
    }
}

#[test]
fn a_context_gets_up_to_half_and_keeps_both_ends() {
    let mut row = full_row();
    row.context = Some(clean(&format!("BEGIN {}END", "context ".repeat(490))));
    let text = of(&row, 1000).text;
    let section = text.as_str().split("### Session Context\n").nth(1).unwrap();
    let context = section.split("\n\n###").next().unwrap();
    assert!(context.starts_with("BEGIN ") && context.ends_with("END") && context.contains('…'));
    let head = text.as_str().find("\n\n### Session Context").unwrap();
    assert!(context.chars().count() <= (1000 - head) / 2);
}

#[test]
fn small_budgets_cut_the_line_and_never_the_notice() {
    let row = full_row();
    let digest_head = "## Pre-Compaction Checkpoint\nProject: /home/user/app\nDuration: 1h 5m | Prompts: 12";
    let fixed = format!("## Session Recovery Context\n{LINE}\n\n{digest_head}");
    let fixed_chars = fixed.chars().count();
    assert_eq!(of(&row, fixed_chars).text.as_str(), fixed, "the line that names what is left out goes first");
    let line = "\n\n[10 prompts, 20 queries, 10 remembers, session context left out]";
    let with_line = [fixed.as_str(), line].concat();
    assert_eq!(of(&row, with_line.chars().count()).text.as_str(), with_line);
    assert_eq!(of(&row, with_line.chars().count() - 1).text.as_str(), fixed);
    let short = fixed.replace("3f2c8a10-7d6e-4f52-9c0b-1f6d2a9b7e44", "3f2c8a10-7d…");
    assert_eq!(of(&row, fixed_chars - 1).text.as_str(), short, "then the key is cut");
    let cut = of(&row, short.chars().count() - 1);
    let line = cut.text.as_str().lines().nth(1).unwrap();
    assert!(line.ends_with("running elsewher…"), "then the line: {line}");
    assert_eq!(cut.left_out, LeftOut { prompts: 10, queries: 20, remembers: 10 });
    for budget in 0..=2000 {
        let text = of(&row, budget).text;
        assert!(text.is_empty() || text.as_str().contains("not an instruction"), "{budget}");
    }
}

/// How many prompts, queries and remembers of a row a whole digest shows.
fn entries(row: &CheckpointRow) -> LeftOut {
    let content = Content::of(row);
    LeftOut {
        prompts: content.prompts.len(),
        queries: content.queries.len(),
        remembers: content.remembers.len(),
    }
}

/// What a recovery text shows, read from the text: lists only where nothing in them looks like a separator.
fn shown(text: &str, row: &CheckpointRow) -> LeftOut {
    let sections: Vec<&str> = text.split("\n\n").collect();
    let section = |heading: &str| sections.iter().rev().find(|part| part.starts_with(heading)).copied();
    let prompts = section("### Recent Prompts\n").map_or(0, |part| part.lines().skip(1).count());
    let memory = section(Content::of(row).memory_heading).unwrap_or_default();
    let count = |name: &str, separator: &str| {
        let list = memory.lines().find_map(|line| line.strip_prefix(name));
        list.map_or(0, |list| list.split(separator).count())
    };
    LeftOut { prompts, queries: count("Queries: ", ", "), remembers: count("Remembered: ", "; ") }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn the_budget_is_never_exceeded_and_the_text_never_empty_from_200_on(
        row in any_row(),
        budgets in prop::collection::vec(prop_oneof![0usize..600, 0usize..12_000], 12),
        ended in any::<bool>(),
    ) {
        for budget in budgets.into_iter().chain([199, 200]) {
            let recovery = super::recovery(&row, row.created_at, ended, budget);
            prop_assert_eq!(recovery.chars, recovery.text.as_str().chars().count());
            prop_assert!(recovery.chars <= budget, "{} > {}", recovery.chars, budget);
            prop_assert!(budget < 200 || !recovery.text.is_empty());
            prop_assert!(recovery.text.is_empty() || recovery.text.as_str().starts_with("## Session Recovery Context\n"));
        }
        let whole = recovery(&row, row.created_at, ended, usize::MAX);
        prop_assert_eq!(whole.left_out, LeftOut::default());
        prop_assert_eq!(&super::recovery(&row, row.created_at, ended, whole.chars), &whole);
    }

    #[test]
    fn shown_and_left_out_add_up(row in any_row(), budget in 0usize..6000) {
        // Separators inside an entry cannot be told from those between entries.
        prop_assume!(![&row.memory_queries, &row.recent_remembers].iter().any(|list| {
            list.iter().any(|text| text.as_str().contains([',', ';']))
        }));
        let recovery = recovery(&row, row.created_at, true, budget);
        let (shown, all) = (shown(recovery.text.as_str(), &row), entries(&row));
        let left = recovery.left_out;
        let sums = [shown.prompts + left.prompts, shown.queries + left.queries, shown.remembers + left.remembers];
        prop_assert_eq!(sums, [all.prompts, all.queries, all.remembers]);
    }

    #[test]
    fn the_last_line_names_what_is_counted(row in any_row(), budget in 1000usize..6000) {
        // From 1000 on, the line has room whatever the fixed lines are.
        let recovery = recovery(&row, row.created_at, true, budget);
        let last = recovery.text.as_str().lines().last().unwrap();
        let left = recovery.left_out;
        let prompts = if left.prompts == entries(&row).prompts { " prompt" } else { " older prompt" };
        for (count, word) in [(left.prompts, prompts), (left.queries, " quer"), (left.remembers, " remember")] {
            let named = last.ends_with(" left out]") && last.contains(&format!("{count}{word}"));
            prop_assert!(count == 0 || named, "{}", last);
        }
    }

    #[test]
    fn marks_stay_whole(row in any_row(), budget in 0usize..3000) {
        let text = recovery(&row, row.created_at, false, budget).text.into_string();
        for (start, _) in text.match_indices("[REDACTED:") {
            prop_assert!(crate::text::mark_len(&text[start..]).is_some(), "{}", &text[start..]);
        }
    }
}

#[test]
fn every_budget_of_a_full_row_is_kept() {
    let row = full_row();
    let mut seen: Vec<String> = vec![];
    for budget in 0..=12_000 {
        let recovery = of(&row, budget);
        assert!(recovery.chars <= budget);
        if seen.last().map(String::as_str) != Some(recovery.text.as_str()) {
            seen.push(recovery.text.into_string());
        }
    }
    assert!(seen.last().unwrap().ends_with("remember 10"));
}
