//! Answers of the engine over storage in memory: a log in; sessions, digest, recovery and prompt out.
use super::{Answer, number, text};
use serde_json::{Value, json};
use std::cell::Cell;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use throughline_core::engine::{Engine, EngineError, IngestOptions, Options, RecoverRequest};
use throughline_core::host::{Entropy, FixedClock, MemoryStorage, Parts};
use throughline_core::id::SessionId;
use throughline_core::prompt::Request;
use throughline_core::redact::Redactor;
use throughline_core::time::Timestamp;

pub(super) fn answer(group: &str) -> Option<Answer> {
    (group == "engine_log").then_some(engine_log)
}

thread_local! {
    static DRAWN: Cell<u64> = const { Cell::new(0) };
}

/// Draws that are never alike, and the same on every platform.
struct Counted;

impl Entropy for Counted {
    fn bytes(&self) -> [u8; 16] {
        let drawn = DRAWN.get() + 1;
        DRAWN.set(drawn);
        u128::from(drawn).to_be_bytes()
    }
}

/// Runs a future that waits for nothing, as those over storage in memory do.
fn at_once<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("storage in memory waits for nothing"),
    }
}

/// Reads `lines` twice, and says what came of it.
fn engine_log(input: &Value) -> Value {
    let lines = input["lines"].as_array().map_or(&[][..], Vec::as_slice);
    let log: Vec<String> = lines.iter().map(Value::to_string).collect();
    let outcome = at_once(run(&log.join("\n"), text(input, "now"), number(input, "budget")));
    outcome.unwrap_or_else(|error| json!({"error": error.code()}))
}

async fn run(log: &str, now: &str, budget: usize) -> Result<Value, EngineError> {
    let clock = FixedClock(Timestamp::parse(now).unwrap_or(Timestamp::EPOCH));
    let host = Parts { storage: MemoryStorage::default(), clock, entropy: Counted };
    let engine = Engine::new(host, Redactor::standard(), Options::default());
    let mut reports = Vec::new();
    for _ in 0..2 {
        let mut ingest =
            engine.ingest(IngestOptions { fallback_key: "stem".into(), ..IngestOptions::default() });
        ingest.push(log.as_bytes()).await?;
        reports.push(ingest.finish().await?);
    }
    let key = reports[0].session.clone().unwrap_or_default();
    let session = SessionId::new("claude-code", "", key)?;
    let sessions = engine.sessions(10, None).await?;
    let request =
        RecoverRequest { session: Some(session.clone()), budget: Some(budget), ..RecoverRequest::default() };
    let recovered = engine.recover(&request).await?;
    let prompt = engine.prompt(&session, &Request::default()).await?;
    Ok(json!({
        "added": [reports[0].added, reports[1].added],
        "unchanged": [reports[0].unchanged, reports[1].unchanged],
        "findings": reports[0].summary.findings,
        "sessions": sessions.sessions,
        "digest": recovered.as_ref().map(|recovered| recovered.checkpoint.digest.clone()),
        "recovery": recovered.map(|recovered| recovered.recovery.text),
        "prompt": shown(&serde_json::to_value(&prompt).unwrap_or_default()),
    }))
}

/// What a vector says of a prompt.
fn shown(prompt: &Value) -> Value {
    let names = ["fingerprint", "system", "boundary", "messages", "stable_len", "stable_hash", "tail_hash"];
    names.iter().map(|name| ((*name).to_owned(), prompt[*name].clone())).collect()
}
