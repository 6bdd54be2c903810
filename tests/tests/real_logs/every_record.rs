//! Every log cut behind every record: whatever a cut leaves, the prompt is valid, and thinking is sent as it
//! stands in the log or not at all.
use super::logs::{RECORD_TYPES, WHOLE, in_memory, read};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use throughline_core::{
    engine::{Engine, IngestOptions},
    host::Host,
    id::SessionId,
    json,
    prompt::{Prompt, Request},
    render,
};

/// Thinking of a log by its signature, as its own JSON has it.
fn signed(log: &[u8]) -> BTreeMap<String, String> {
    fn collect(value: &Value, found: &mut BTreeMap<String, String>) {
        match value {
            Value::Object(object) => {
                if let (Some("thinking"), Some(text), Some(signature)) = (
                    object.get("type").and_then(Value::as_str),
                    object.get("thinking").and_then(Value::as_str),
                    object.get("signature").and_then(Value::as_str),
                ) {
                    found.insert(signature.to_owned(), text.to_owned());
                }
                object.values().for_each(|value| collect(value, found));
            }
            Value::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let mut found = BTreeMap::new();
    for record in serde_json::Deserializer::from_slice(log).into_iter::<Value>().map_while(Result::ok) {
        collect(&record, &mut found);
    }
    // Glued records and torn lines end the stream above: line by line finds the rest.
    for line in String::from_utf8_lossy(log).lines() {
        for record in serde_json::Deserializer::from_str(line).into_iter::<Value>().map_while(Result::ok) {
            collect(&record, &mut found);
        }
    }
    found
}

fn items<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

/// What Anthropic's Messages API refuses, asked of the body alone. Gives the signed blocks in it.
fn validate(body: &Value, at: &str) -> Vec<(String, String)> {
    let mut blocks_signed = Vec::new();
    let mut waiting: BTreeSet<String> = BTreeSet::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (index, message) in items(body, "messages").iter().enumerate() {
        let (role, blocks) = (message["role"].as_str().unwrap(), items(message, "content"));
        assert!(!blocks.is_empty(), "{at}: message {index} is empty");
        assert!(index > 0 || role == "user", "{at}: the first message is the {role}'s");
        let mut results = BTreeSet::new();
        let mut only_results = true;
        for block in blocks {
            let kind = block["type"].as_str().unwrap();
            match (role, kind) {
                ("user", "tool_result") => {
                    assert!(only_results, "{at}: message {index}: a result stands behind something else");
                    assert!(results.insert(block["tool_use_id"].as_str().unwrap().to_owned()), "{at}: twice");
                }
                (_, "text") => {
                    only_results = false;
                    assert!(
                        !block["text"].as_str().unwrap().is_empty(),
                        "{at}: message {index}: an empty text"
                    );
                }
                ("user", "image" | "document") => only_results = false,
                ("assistant", "thinking") => {
                    let text = |key: &str| block[key].as_str().unwrap().to_owned();
                    blocks_signed.push((text("signature"), text("thinking")));
                }
                ("assistant", "redacted_thinking") => {}
                ("assistant", "tool_use") => {
                    let id = block["id"].as_str().unwrap().to_owned();
                    assert!(block["input"].is_object(), "{at}: message {index}: no input");
                    assert!(seen.insert(id.clone()), "{at}: message {index}: the id {id} stands twice");
                    waiting.insert(id);
                }
                (role, kind) => panic!("{at}: message {index}: {kind} of the {role}"),
            }
        }
        if role == "user" {
            assert_eq!(results, waiting, "{at}: message {index}: results that do not answer the calls");
            waiting.clear();
        } else {
            assert!(results.is_empty());
            assert!(blocks.iter().any(|block| block["type"] != "thinking"), "{at}: thinking alone");
        }
        let next = items(body, "messages").get(index + 1);
        assert!(
            waiting.is_empty() || next.is_some_and(|next| next["role"] == "user"),
            "{at}: calls unanswered"
        );
    }
    assert!(waiting.is_empty(), "{at}: calls without results at the end: {waiting:?}");
    blocks_signed
}

fn prompt<H: Host>(engine: &Engine<H>, session: &SessionId) -> Prompt {
    pollster::block_on(engine.prompt(session, &Request::default())).unwrap()
}

/// Each cut reads the log from its beginning, so a long one is cut behind every fourth record, unless
/// `EVERY_RECORD` is set.
fn stride(log: &[u8]) -> usize {
    let is_long = log.iter().filter(|byte| **byte == b'\n').count() > 200;
    if is_long && std::env::var_os("EVERY_RECORD").is_none() { 4 } else { 1 }
}

/// `EVERY_RECORD=1 cargo test -p throughline-tests --test real_logs every -- --nocapture` prints the table.
#[test]
fn a_log_cut_behind_every_record_gives_a_valid_prompt() {
    for name in WHOLE.into_iter().chain([RECORD_TYPES]) {
        let Some(log) = read(name) else { return };
        let known = signed(&log);
        let engine = in_memory();
        let (mut cuts, mut sent, mut longest) = (0, BTreeSet::new(), 0);
        let mut last: Option<Prompt> = None;
        pollster::block_on(async {
            let mut session = None;
            let ends = (0..log.len()).filter(|at| log[*at] == b'\n').map(|at| at + 1).chain([log.len()]);
            for end in ends.step_by(stride(&log)) {
                let options = IngestOptions { fallback_key: "stem".into(), ..IngestOptions::default() };
                let mut ingest = engine.ingest(options);
                ingest.push(&log[..end]).await.unwrap();
                let Ok(report) = ingest.finish().await else { continue };
                if report.session.is_some() && report.added + report.unchanged > 0 {
                    session = report.session.map(|key| SessionId::new("claude-code", "", key).unwrap());
                }
                let Some(session) = &session else { continue };
                let at = format!("{name}, cut at {end}");
                let now = prompt(&engine, session);
                let rendered = render::anthropic(&now, &render::Options::default());
                let body: Value = serde_json::from_str(&json::canonical(&rendered.body)).unwrap();
                for (signature, text) in validate(&body, &at) {
                    assert_eq!(known.get(&signature), Some(&text), "{at}: thinking that is not the log's");
                    sent.insert(signature);
                }
                if let Some(before) = last.filter(|before| before.boundary == now.boundary) {
                    let promised = before.messages.get(..before.stable_len).unwrap();
                    assert!(now.messages.starts_with(promised), "{at}: parts from what was promised");
                }
                (cuts, longest) = (cuts + 1, longest.max(now.messages.len()));
                last = Some(now);
            }
        });
        println!(
            "{name:<44}{cuts:>6} cuts  {longest:>5} messages at most  {:>4} of {:>4} signed blocks sent  0 invalid",
            sent.len(),
            known.len()
        );
        assert!(cuts > 10, "{name}: {cuts} cuts say little");
    }
}
