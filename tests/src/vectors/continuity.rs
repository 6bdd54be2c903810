//! Answers of the checkpoint room: merging, the queue, the cap, what is due, the configuration.
use super::{Answer, number, text};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use throughline_core::{
    checkpoint::{self, ContinuityOptions, Queue, Words},
    id::{CheckpointId, SessionId},
    json::parse,
    model::{CheckpointHead, Draft, Pending, PromptEntry, Ranked, SessionRow, Structural, Trigger},
    redact::{Clean, Redactor},
    time::Timestamp,
};

pub(super) fn answer(group: &str) -> Option<Answer> {
    Some(match group {
        "checkpoint_merge" => merge,
        "checkpoint_queue" => queue,
        "checkpoint_cap" => cap,
        "checkpoint_due" => due,
        "checkpoint_config" => config,
        _ => return None,
    })
}

fn start() -> Timestamp {
    Timestamp::parse("2026-03-01T09:00:00Z").unwrap_or(Timestamp::EPOCH)
}

fn session(key: &str) -> SessionId {
    SessionId::new("claude-code", "", key).expect("the session of a case can be named")
}

fn trigger(name: &str) -> Trigger {
    Trigger::parse(name).expect("the trigger of a case is one of the five")
}

fn items<'a>(input: &'a Value, field: &str) -> impl Iterator<Item = &'a Value> {
    input[field].as_array().into_iter().flatten()
}

fn cleans(input: &Value, field: &str) -> Vec<Clean> {
    items(input, field).filter_map(clean).collect()
}

fn clean(value: &Value) -> Option<Clean> {
    value.as_str().map(|text| Redactor::standard().clean(text))
}

fn draft(input: &Value) -> Draft {
    let trigger = trigger(text(input, "trigger"));
    let time = |field| Timestamp::parse(text(input, field)).unwrap_or_else(|_| start());
    let ranked = |field: &str| clean(&input[field]).map(|text| Ranked { rank: trigger.rank(), text });
    let structural = input.get("structural").map(|of| Structural {
        focal_entities: cleans(of, "focal_entities"),
        active_aspects: cleans(of, "active_aspects"),
        active_constraints: cleans(of, "active_constraints"),
        traversal_memories: number(of, "traversal_memories") as u64,
    });
    let prompt = |of: &Value| Some(PromptEntry { ordinal: of[0].as_u64()?, text: clean(&of[1])? });
    Draft {
        session: session("k"),
        project: clean(&input["project"]),
        project_normalized: None,
        trigger,
        prompt_count: number(input, "count") as u64,
        total_prompts: number(input, "total") as u64,
        memory_queries: cleans(input, "queries"),
        recent_remembers: cleans(input, "remembers"),
        recent_prompts: items(input, "prompts").filter_map(prompt).collect(),
        context: ranked("context"),
        note: ranked("note"),
        structural,
        started_at: time("started_at"),
        created_at: time("created_at"),
    }
}

fn merge(input: &Value) -> Value {
    let Some(merged) = items(input, "drafts").map(draft).reduce(checkpoint::merge) else {
        return json!(null);
    };
    let prompts: Vec<Value> =
        merged.recent_prompts.iter().map(|prompt| json!([prompt.ordinal, prompt.text])).collect();
    json!({
        "trigger": merged.trigger, "prompt_count": merged.prompt_count, "total_prompts": merged.total_prompts,
        "queries": merged.memory_queries, "remembers": merged.recent_remembers, "prompts": prompts,
        "context": merged.context.map(|of| of.text), "note": merged.note.map(|of| of.text),
        "project": merged.project, "structural": merged.structural,
        "started_at": merged.started_at, "created_at": merged.created_at,
    })
}

/// Instants of the queue's cases are milliseconds, and ids numbers.
#[derive(Default)]
struct Names(BTreeMap<CheckpointId, u64>);

impl Names {
    fn id(&mut self, number: u64) -> CheckpointId {
        let entropy = *u128::from(number).to_be_bytes().last_chunk().expect("ten of sixteen bytes");
        let id = CheckpointId::generate(start(), entropy);
        self.0.insert(id.clone(), number);
        id
    }

    fn handed(&self, handed: &[Pending]) -> Value {
        let one = |pending: &Pending| {
            json!([self.0.get(&pending.id), pending.draft.trigger, pending.draft.prompt_count])
        };
        handed.iter().map(one).collect()
    }
}

fn queue(input: &Value) -> Value {
    let (mut queue, mut names) = (Queue::default(), Names::default());
    let mut answers = Vec::new();
    for step in items(input, "steps") {
        let whole = |index: usize| step[index].as_u64().unwrap_or_default();
        let at = |index| start().saturating_add_millis(i64::try_from(whole(index)).unwrap_or_default());
        let answer = match step[0].as_str().unwrap_or_default() {
            "enqueue" => {
                let row = SessionRow::new(session(step[2].as_str().unwrap_or_default()), start());
                let why = trigger(step[3].as_str().unwrap_or_default());
                let mut draft = checkpoint::draft(&row, why, Words::default(), start());
                draft.prompt_count = 1;
                let id = names.id(whole(4));
                json!(names.0.get(&queue.enqueue(draft, id, at(1))))
            }
            "due" => names.handed(&queue.due(at(1))),
            "flush" => names.handed(&queue.flush(at(1))),
            "confirm" => {
                queue.confirm(&names.id(whole(1)));
                Value::Null
            }
            _ => {
                queue.retry(&names.id(whole(2)), at(1));
                Value::Null
            }
        };
        answers.push(json!([answer, queue.next_deadline().map(|at| at.millis_since(start()))]));
    }
    json!({ "answers": answers })
}

fn cap(input: &Value) -> Value {
    let mut names = Names::default();
    let numbered = items(input, "triggers").filter_map(Value::as_str).zip(1..);
    let heads: Vec<CheckpointHead> = numbered
        .map(|(name, seq)| CheckpointHead {
            id: names.id(seq),
            seq,
            trigger: trigger(name),
            created_at: start(),
        })
        .collect();
    let max = u32::try_from(number(input, "max")).unwrap_or(u32::MAX);
    let gone = checkpoint::beyond_cap(&heads, max);
    let kept: Vec<u64> = heads.iter().filter(|head| !gone.contains(head)).map(|head| head.seq).collect();
    json!({ "kept": kept })
}

fn due(input: &Value) -> Value {
    let at = |field: &str| {
        let minutes = input[field].as_i64()?;
        Some(start().saturating_add_millis(minutes * 60_000))
    };
    let mut session = SessionRow::new(session("k"), start());
    session.cleared_at = at("cleared");
    session.continuity.last_checkpoint_at = at("last");
    let text = Redactor::standard().clean("go on");
    for _ in 0..number(input, "prompts") {
        checkpoint::record_prompt(&mut session.continuity, &text);
    }
    if number(input, "queries") > 0 {
        checkpoint::record_query(&mut session.continuity, &text);
    }
    let enabled = input["enabled"].as_bool().unwrap_or(true);
    let mut options = ContinuityOptions { enabled, ..ContinuityOptions::default() };
    let change = |field: &str, of: &mut u32| {
        if let Some(number) = input[field].as_u64().and_then(|number| number.try_into().ok()) {
            *of = number;
        }
    };
    change("promptInterval", &mut options.prompt_interval);
    change("timeIntervalMs", &mut options.time_interval_millis);
    let now = at("now").unwrap_or_else(start);
    json!({
        "due": checkpoint::is_due(&session, now, &options),
        "next": checkpoint::next_due(&session, now, &options),
    })
}

fn config(input: &Value) -> Value {
    let given = parse(text(input, "json")).expect("the configuration of a case is JSON");
    match ContinuityOptions::resolve(&given) {
        Ok(resolved) => json!(resolved),
        Err(error) => json!({ "error": error.code(), "message": error.to_string() }),
    }
}
