//! Answers of the checkpoint room: what is kept of prompts, digests, recovery texts, the choice.
use super::{Answer, number, text};
use serde_json::{Value, json};
use throughline_core::checkpoint::{self, Candidate, RECOVERY_WINDOW_MILLIS, Words};
use throughline_core::id::{CheckpointId, SessionId};
use throughline_core::model::{CheckpointRow, Continuity, Counts, SessionRow, Status, Structural, Trigger};
use throughline_core::redact::{Clean, Redactor};
use throughline_core::time::Timestamp;

pub(super) fn answer(group: &str) -> Option<Answer> {
    Some(match group {
        "checkpoint_continuity" => continuity,
        "checkpoint_digest" => |input| json!({"digest": row(input).digest}),
        "checkpoint_recovery" => recovery,
        "checkpoint_choice" => choice,
        _ => return None,
    })
}

fn continuity(input: &Value) -> Value {
    let state = recorded(input);
    let prompts: Vec<Value> =
        state.recent_prompts.iter().map(|prompt| json!([prompt.ordinal, prompt.text])).collect();
    json!({"prompts": prompts, "queries": state.memory_queries, "remembers": state.remembers,
        "since": state.prompts_since, "total": state.total_prompts})
}

fn recovery(input: &Value) -> Value {
    let ended = input["ended"].as_bool().unwrap_or_default();
    let recovery =
        checkpoint::recovery(&row(input), time(input, "last_activity"), ended, number(input, "budget"));
    json!(recovery)
}

fn choice(input: &Value) -> Value {
    let candidates: Vec<Candidate> = list(input, "candidates")
        .map(|of| Candidate {
            session: session_id(of),
            checkpoint: CheckpointId::generate(time(of, "created_at"), [0; 10]),
            created_at: time(of, "created_at"),
            last_activity: time(of, "last_activity"),
            ended: of["ended"].as_bool().unwrap_or_default(),
        })
        .collect();
    let chosen = checkpoint::choose(&candidates, time(input, "now"), RECOVERY_WINDOW_MILLIS);
    json!({"session": chosen.map(|chosen| chosen.session.key())})
}

/// What a session that recorded the prompts, queries and remembers of the input knows.
fn recorded(input: &Value) -> Continuity {
    let mut state = Continuity { total_prompts: number(input, "earlier") as u64, ..Continuity::default() };
    cleans(input, "prompts").iter().for_each(|prompt| checkpoint::record_prompt(&mut state, prompt));
    cleans(input, "queries").iter().for_each(|query| checkpoint::record_query(&mut state, query));
    cleans(input, "remembers").iter().for_each(|fact| checkpoint::record_remember(&mut state, fact));
    state
}

fn row(input: &Value) -> CheckpointRow {
    let session = SessionRow {
        id: session_id(input),
        version: 1,
        status: Status::Running,
        project: clean(&input["project"]),
        project_normalized: None,
        project_hash: None,
        started_at: time(input, "started_at"),
        last_activity: time(input, "created_at"),
        last_created_at: None,
        counts: Counts::default(),
        checkpoint_seq: 0,
        boundary_seq: 0,
        cleared_at: None,
        pending: false,
        hooks: None,
        continuity: recorded(input),
        compaction: Default::default(),
    };
    let trigger = Trigger::ALL.into_iter().find(|trigger| trigger.as_str() == text(input, "trigger"));
    let structural = input.get("structural").map(|of| Structural {
        focal_entities: cleans(of, "focal_entities"),
        active_aspects: cleans(of, "active_aspects"),
        active_constraints: cleans(of, "active_constraints"),
        traversal_memories: number(of, "traversal_memories") as u64,
    });
    let at = time(input, "created_at");
    let words = Words { context: clean(&input["context"]), note: clean(&input["note"]), structural };
    let trigger = trigger.expect("the trigger of a case is one of the five");
    checkpoint::draft(&session, trigger, words, at).into_row(CheckpointId::generate(at, [0; 10]), 1)
}

fn session_id(input: &Value) -> SessionId {
    let key = input["key"].as_str().unwrap_or("k");
    let harness = input["harness"].as_str().unwrap_or("claude-code");
    SessionId::new(harness, text(input, "agent"), key).expect("the session of a case can be named")
}

fn time(input: &Value, field: &str) -> Timestamp {
    Timestamp::parse(text(input, field)).expect("a time of a case can be read")
}

fn clean(value: &Value) -> Option<Clean> {
    value.as_str().map(|text| Redactor::standard().clean(text))
}

fn cleans(input: &Value, field: &str) -> Vec<Clean> {
    list(input, field).filter_map(clean).collect()
}

fn list<'a>(input: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    input[field].as_array().into_iter().flatten()
}
