//! Rows for the tests of this room.
use crate::{
    id::{CheckpointId, SessionId},
    model::{CheckpointRow, Continuity, Counts, PromptEntry, SessionRow, Status, Structural, Trigger},
    redact::Clean,
    time::Timestamp,
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use proptest::prelude::*;

pub(super) fn clean(text: &str) -> Clean {
    Clean::from_store(text.to_string())
}

pub(super) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(super) fn session() -> SessionRow {
    SessionRow {
        id: SessionId::new("claude-code", "", "3f2c8a10-7d6e-4f52-9c0b-1f6d2a9b7e44").unwrap(),
        version: 1,
        status: Status::Idle,
        project: Some(clean("/home/user/app")),
        project_normalized: Some(clean("/home/user/app")),
        project_hash: None,
        started_at: at("2026-03-01T09:00:00Z"),
        last_activity: at("2026-03-01T10:05:00Z"),
        last_created_at: None,
        counts: Counts::default(),
        checkpoint_seq: 0,
        boundary_seq: 0,
        cleared_at: None,
        pending: false,
        hooks: None,
        continuity: Continuity::default(),
        compaction: Default::default(),
    }
}

pub(super) fn row(trigger: Trigger) -> CheckpointRow {
    CheckpointRow {
        id: CheckpointId::generate(at("2026-03-01T10:05:00Z"), [7; 10]),
        session: session().id,
        project: Some(clean("/home/user/app")),
        project_normalized: None,
        trigger,
        digest: Clean::default(),
        prompt_count: 12,
        total_prompts: 40,
        memory_queries: Vec::new(),
        recent_remembers: Vec::new(),
        recent_prompts: Vec::new(),
        context: None,
        note: None,
        structural: None,
        started_at: at("2026-03-01T09:00:00Z"),
        created_at: at("2026-03-01T10:05:59Z"),
        seq: 3,
    }
}

pub(super) fn prompts(texts: &[&str]) -> Vec<PromptEntry> {
    let numbered = texts.iter().zip(1..);
    numbered.map(|(text, ordinal)| PromptEntry { ordinal, text: clean(text) }).collect()
}

pub(super) fn cleans(texts: &[&str]) -> Vec<Clean> {
    texts.iter().map(|text| clean(text)).collect()
}

/// Text of pieces that are awkward to cut, to fold or to list.
pub(super) fn awkward(max_pieces: usize) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z ]{0,12}",
        1 => Just("\n".to_string()),
        1 => Just("\r\n".to_string()),
        1 => Just("\r".to_string()),
        1 => Just("[REDACTED:private-key]".to_string()),
        1 => Just("[REDACTED:bearer:k7f3q2wd]".to_string()),
        1 => Just("👩‍👩‍👧‍👦🇩🇪e\u{301}".to_string()),
        1 => Just("漢字の文".to_string()),
        1 => Just("\n## Session Checkpoint\n### Note\n".to_string()),
        1 => Just("\n```\n~~~\n---\n===\n-\n".to_string()),
        1 => Just("   # x\n\t# y\n".to_string()),
        1 => "[#\\-+*>~=|<\\[`]",
        1 => "[0-9]{1,3}[.)] ",
        1 => "\\PC{0,6}",
    ];
    prop::collection::vec(piece, 0..=max_pieces).prop_map(|pieces| pieces.concat())
}

pub(super) fn any_row() -> impl Strategy<Value = CheckpointRow> {
    let repeated =
        |pieces, times| (awkward(pieces), 1..times).prop_map(|(text, times)| clean(&text.repeat(times)));
    let texts = |max| prop::collection::vec(repeated(3, 9usize), 0..=max);
    let block = || prop::option::of(repeated(20, 40));
    let structural =
        (texts(4), texts(4), texts(4), 0..3u64).prop_map(|(entities, aspects, constraints, memories)| {
            Structural {
                focal_entities: entities,
                active_aspects: aspects,
                active_constraints: constraints,
                traversal_memories: memories,
            }
        });
    let identity = ("[a-z]{1,200}", "[a-z]{0,9}", "[a-z0-9é漢-]{1,200}", prop::option::of(awkward(30)));
    let lists = (texts(20), texts(10), texts(10));
    let blocks = (block(), block(), prop::option::of(structural));
    let counts = (0..5usize, any::<u64>(), any::<u64>(), -1_000_000_000_000i64..250_000_000_000_000);
    (identity, lists, blocks, counts).prop_map(
        |(identity, lists, blocks, (trigger, since, total, millis))| {
            let (harness, agent, key, project) = identity;
            let mut row = row(Trigger::ALL[trigger]);
            row.session = SessionId::new(harness, agent, key).unwrap();
            row.project = project.map(|text| clean(&text));
            (row.prompt_count, row.total_prompts) = (since, total);
            (row.memory_queries, row.recent_remembers) = (lists.0, lists.1);
            row.recent_prompts =
                lists.2.into_iter().zip(1..).map(|(text, ordinal)| PromptEntry { ordinal, text }).collect();
            (row.context, row.note, row.structural) = blocks;
            row.created_at = row.started_at.saturating_add_millis(millis);
            row
        },
    )
}

/// A row in which everything is there and easy to count.
pub(super) fn full_row() -> CheckpointRow {
    let mut row = row(Trigger::PreCompaction);
    let prompts: Vec<String> = (1..=10).map(|n| format!("prompt number {n} {}", "x".repeat(100))).collect();
    row.recent_prompts =
        prompts.iter().zip(31..).map(|(text, ordinal)| PromptEntry { ordinal, text: clean(text) }).collect();
    row.memory_queries = (1..=20).map(|n| clean(&format!("query {n}"))).collect();
    row.recent_remembers = (1..=10).map(|n| clean(&format!("remember {n}"))).collect();
    row.context = Some(clean(&"context ".repeat(200)));
    row
}
