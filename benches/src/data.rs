//! Logs and rows of any size, the same on every run.
use serde_json::{Value, json};
use std::fmt::Write;
use throughline_core::{
    id::{CheckpointId, RowId, SessionId},
    json,
    model::{
        Arguments, CheckpointRow, Draft, Issuer, Part, PartBody, PromptEntry, ResultStatus, Round, Row,
        RowKind, StoredRow, Trigger,
    },
    redact::{Clean, Redactor},
    time::Timestamp,
};

/// Text as a tool prints it: numbered lines of code, about `bytes` long.
fn tool_output(seed: usize, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 80);
    let mut line = 0;
    while text.len() < bytes {
        line += 1;
        let _ = writeln!(
            text,
            "{line:>6}\tlet value_{line} = parse(input[{seed}], \"field-{line}\")?; // checked above"
        );
    }
    text
}

fn at(second: usize) -> Timestamp {
    let start = Timestamp::parse("2026-01-01T00:00:00Z").unwrap_or(Timestamp::EPOCH);
    start.saturating_add_millis(i64::try_from(second).unwrap_or(0) * 1000)
}

/// A Claude Code log of at least `bytes`: rounds of a prompt, an answer with thinking and two calls, their
/// results with the second copy that the harness keeps, and a progress record.
pub fn log(bytes: usize) -> String {
    let mut log = String::with_capacity(bytes + 16_384);
    let mut round = 0;
    let mut parent = Value::Null;
    while log.len() < bytes {
        round += 1;
        for record in records(round, &mut parent) {
            let _ = writeln!(log, "{record}");
        }
    }
    log
}

fn records(round: usize, parent: &mut Value) -> Vec<Value> {
    let mut second = round * 10;
    let mut record = |kind: &str, name: &str, body: Value| {
        second += 1;
        let uuid = format!("00000000-0000-4000-8000-{round:08}{name:0>4}");
        let mut record = json!({
            "parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/home/dev/parcel",
            "sessionId": "6f1c2a9e-0000-4000-8000-000000000001", "version": "2.1.14", "gitBranch": "main",
            "type": kind, "uuid": uuid, "timestamp": at(second).to_string(),
        });
        for (key, value) in body.as_object().into_iter().flatten() {
            record[key] = value.clone();
        }
        *parent = uuid.into();
        record
    };
    let message = |block: Value| {
        json!({"message": {"id": format!("msg_{round:08}"), "type": "message", "role": "assistant",
            "model": "claude-opus-4-5-20251101", "content": [block], "stop_reason": null,
            "usage": {"input_tokens": 9, "cache_creation_input_tokens": 812, "cache_read_input_tokens": 40660, "output_tokens": 8}}})
    };
    let result = |call: &str, text: String| {
        json!({"message": {"role": "user", "content": [{"tool_use_id": call, "type": "tool_result", "content": text}]},
            "toolUseResult": {"type": "text", "file": {"filePath": "/home/dev/parcel/src/lib.rs", "content": text}}})
    };
    let (first, other) = (format!("toolu_a{round:08}"), format!("toolu_b{round:08}"));
    let prompt = format!(
        "Please look at round {round}:\n  the parser drops the last field when a line ends in a comma."
    );
    vec![
        record("user", "1", json!({"message": {"role": "user", "content": prompt}})),
        record(
            "assistant",
            "2",
            message(
                json!({"type": "thinking", "thinking": "The user sees a dropped field. I should read the parser before I change it.", "signature": "c2lnbmF0dXJl".repeat(30)}),
            ),
        ),
        record(
            "assistant",
            "3",
            message(json!({"type": "text", "text": "Let me read the parser and its tests."})),
        ),
        record(
            "assistant",
            "4",
            message(
                json!({"type": "tool_use", "id": first, "name": "Read", "input": {"file_path": "/home/dev/parcel/src/lib.rs", "limit": 200}}),
            ),
        ),
        record(
            "assistant",
            "5",
            message(
                json!({"type": "tool_use", "id": other, "name": "Bash", "input": {"command": "cargo test --all 2>&1 | tail -30"}}),
            ),
        ),
        record(
            "progress",
            "6",
            json!({"data": {"type": "bash_progress", "output": tool_output(round, 500)}, "toolUseID": other}),
        ),
        record("user", "7", result(&first, tool_output(round, 3000))),
        record("user", "8", result(&other, tool_output(round, 1200))),
    ]
}

/// `count` rows of a conversation: of five, one a prompt, one an answer and three its calls with results.
pub fn rows(count: usize) -> Vec<StoredRow> {
    let redactor = Redactor::standard();
    (0..count).map(|number| row(number, &redactor)).collect()
}

fn row(number: usize, redactor: &Redactor) -> StoredRow {
    let id = |number: usize| RowId::new(format!("row_{number:08}")).unwrap_or_else(|error| panic!("{error}"));
    let clean = |text: &str| redactor.clean(text);
    let place = number % 5;
    let kind =
        [RowKind::User, RowKind::Assistant, RowKind::Function, RowKind::Function, RowKind::Function][place];
    let round = (place > 1)
        .then(|| Round { row: id(number - place + 1), index: u32::try_from(place - 1).unwrap_or(0) });
    let mut head =
        Row { source_at: Some(at(number)), imported: true, round, ..Row::new(id(number), kind, at(number)) };
    let part = |index: u32, body: PartBody| Part::new(id(number), index, body);
    let parts = match kind {
        RowKind::User => vec![part(
            0,
            PartBody::Text { text: clean(&format!("Prompt {number}: look at the parser again.")) },
        )],
        RowKind::Assistant => {
            head.issuer = Some(Issuer { provider: clean("anthropic"), model: clean("claude-opus-4-5") });
            head.generation_checkpoint_id = Some(String::new());
            vec![part(
                0,
                PartBody::Text { text: clean("Let me read the parser, its tests and the callers.") },
            )]
        }
        _ => {
            let input = json::parse(r#"{"file_path":"/home/dev/parcel/src/lib.rs","limit":200}"#)
                .unwrap_or(json::Json::Null);
            let call_id = format!("toolu_{number:08}");
            let arguments = Arguments::Json(redactor.redact_json(&input).0.to_clean());
            let content = vec![PartBody::Text { text: clean(&tool_output(number, 1000)) }];
            let result =
                PartBody::ToolResult { call_id: call_id.clone(), status: ResultStatus::Success, content };
            vec![part(0, PartBody::ToolCall { call_id, name: clean("Read"), arguments }), part(1, result)]
        }
    };
    StoredRow { row: head, parts }
}

/// A checkpoint with everything in it.
pub fn checkpoint() -> CheckpointRow {
    let redactor = Redactor::standard();
    let texts = |count: usize, what: &str| -> Vec<Clean> {
        (0..count)
            .map(|number| redactor.clean(&format!("{what} {number}: how the parser treats a trailing comma")))
            .collect()
    };
    let prompts =
        texts(10, "prompt").into_iter().zip(31..).map(|(text, ordinal)| PromptEntry { ordinal, text });
    CheckpointRow {
        id: CheckpointId::generate(at(0), [1; 10]),
        session: SessionId::new("claude-code", "", "6f1c2a9e-0000-4000-8000-000000000001")
            .unwrap_or_else(|error| panic!("{error}")),
        project: Some(redactor.clean("/home/dev/parcel")),
        project_normalized: Some(redactor.clean("/home/dev/parcel")),
        trigger: Trigger::PreCompaction,
        digest: Clean::default(),
        prompt_count: 10,
        total_prompts: 40,
        memory_queries: texts(20, "query"),
        recent_remembers: texts(10, "remember"),
        recent_prompts: prompts.collect(),
        context: Some(redactor.clean(&tool_output(1, 3900))),
        note: None,
        structural: None,
        started_at: at(0),
        created_at: at(5000),
        seq: 4,
    }
}

/// The session of a number.
pub fn session(number: usize) -> SessionId {
    SessionId::new("claude-code", "", format!("session-{number}")).unwrap_or_else(|error| panic!("{error}"))
}

/// The checkpoint id of a number.
pub fn checkpoint_id(number: usize) -> CheckpointId {
    let bytes = u128::try_from(number).unwrap_or_default().to_be_bytes();
    CheckpointId::generate(at(0), *bytes.last_chunk().unwrap_or(&[0; 10]))
}

/// A periodic draft of each of so many sessions: what ten prompts leave.
pub fn drafts(sessions: usize) -> Vec<Draft> {
    let row = checkpoint();
    let draft = |number: usize| Draft {
        session: session(number),
        project: row.project.clone(),
        project_normalized: row.project_normalized.clone(),
        trigger: Trigger::Periodic,
        prompt_count: 10,
        total_prompts: 40,
        memory_queries: row.memory_queries.clone(),
        recent_remembers: row.recent_remembers.clone(),
        recent_prompts: row.recent_prompts.clone(),
        context: None,
        note: None,
        structural: None,
        started_at: row.started_at,
        created_at: row.created_at,
    };
    (0..sessions).map(draft).collect()
}
