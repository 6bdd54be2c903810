//! A boundary on its way into a storage: once, twice, and with a fault.
use super::rows;
use crate::vectors::number;
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use throughline_core::engine::{
    Begun, Cause, CompactRequest, CompactionEffect, CompactionEvent, Engine, EngineError, Options, Session,
    Summarizers,
};
use throughline_core::host::{
    Committed, EstimatedTokens, FixedClock, MemoryStorage, Parts, Storage, StorageError,
};
use throughline_core::id::{BatchId, SessionId};
use throughline_core::json::parse;
use throughline_core::model::{Answer, Batch, Op, Precondition, Query, RowKind};
use throughline_core::redact::Redactor;
use throughline_core::time::Timestamp;

thread_local! {
    static DRAWN: Cell<u64> = const { Cell::new(0) };
    /// After so many operations of the next commit the storage refuses it.
    static FAULT: RefCell<Option<usize>> = const { RefCell::new(None) };
}

fn entropy() -> [u8; 16] {
    DRAWN.set(DRAWN.get() + 1);
    u128::from(DRAWN.get()).to_be_bytes()
}

/// Storage in memory that takes back what it did of a batch, once.
#[derive(Default)]
struct Faulty(MemoryStorage);

impl Storage for Faulty {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        let Some(at) = FAULT.take() else { return self.0.commit(batch).await };
        let mut refused = batch.clone();
        let again = Op::InsertRow {
            session: session(),
            row: throughline_core::model::Row::new(row_id("row-000"), RowKind::User, Timestamp::EPOCH),
        };
        refused.ops.insert(at.min(refused.ops.len()), again);
        assert!(self.0.commit(&refused).await.is_err(), "the row is there already");
        Err(StorageError::Unavailable { why: "told to".into() })
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        self.0.read(query).await
    }
}

fn row_id(text: &str) -> throughline_core::id::RowId {
    throughline_core::id::RowId::new(text).expect("an id of a case")
}

fn session() -> SessionId {
    SessionId::new("vectors", "", "s").expect("a session of a case")
}

fn at_once<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("storage in memory waits for nothing"),
    }
}

type Lab = Engine<Parts<Faulty, FixedClock, fn() -> [u8; 16]>>;

/// Compacts the `first` rows, then asks for a compaction, adds the rest and compacts again: `commit_times` times,
/// with a fault after `fault` operations of the batch where it is named.
pub(super) fn commit(input: &Value) -> Value {
    at_once(run(input)).unwrap_or_else(|error| json!({"error": error.code()}))
}

async fn run(input: &Value) -> Result<Value, EngineError> {
    let host = Parts {
        storage: Faulty::default(),
        clock: FixedClock(Timestamp::EPOCH),
        entropy: entropy as fn() -> _,
    };
    let engine: Lab = Engine::new(host, Redactor::standard(), Options::default());
    let all = rows::rows(&input["rows"]);
    let (first, rest) = all.split_at(number(input, "first").min(all.len()));
    write(&engine, first, 0).await?;
    if !first.is_empty() {
        let compaction = begun(&engine, Cause::Requested).await?;
        engine.commit_compaction(&compaction).await?;
    }
    engine
        .set_compaction_config(
            &session(),
            Some(&parse(r#"{"max_tokens":2000}"#).unwrap_or(throughline_core::json::Json::Null)),
        )
        .await?;
    engine.request_compaction(&session()).await?;
    let version = version(&engine).await?;
    write(&engine, rest, version).await?;
    let before = state(&engine).await?;
    let compaction = begun(&engine, Cause::Step { reported: None }).await?;
    FAULT.set(input["fault"].as_u64().and_then(|at| usize::try_from(at).ok()));
    let mut error = None;
    for _ in 0..number(input, "commit_times").max(1) {
        error = engine.commit_compaction(&compaction).await.err().map(|error| error.code());
    }
    FAULT.set(None);
    let after = state(&engine).await?;
    Ok(json!({"error": error, "before": before, "after": after}))
}

async fn begun(engine: &Lab, cause: Cause) -> Result<throughline_core::engine::Compaction, EngineError> {
    let asked = CompactRequest { summarizers: Summarizers::Fold, ..CompactRequest::new(cause) };
    let Begun::Due(mut compaction) = engine.begin_compaction(&session(), &asked, &EstimatedTokens).await?
    else {
        panic!("a compaction of a case is due");
    };
    match engine.on_compaction(&mut compaction, CompactionEvent::Begun, &EstimatedTokens).await? {
        CompactionEffect::Commit(_) => Ok(compaction),
        other => panic!("a compaction of a case can be committed: {other:?}"),
    }
}

async fn version(engine: &Lab) -> Result<u64, EngineError> {
    match engine.host().storage.read(&Query::Session { session: session() }).await? {
        Answer::Session(Some(found)) => Ok(found.version),
        _ => Ok(0),
    }
}

/// Rows as a host writes them, beside the engine; the session stays as it is but for its version.
async fn write(
    engine: &Lab,
    rows: &[throughline_core::model::StoredRow],
    is: u64,
) -> Result<(), EngineError> {
    let mut next = Session::new(session(), Timestamp::EPOCH).row().clone();
    if let Answer::Session(Some(found)) =
        engine.host().storage.read(&Query::Session { session: session() }).await?
    {
        (next.counts, next.boundary_seq) = (found.counts, found.boundary_seq);
        next.compaction.requested = found.compaction.requested;
        next.compaction.config = found.compaction.config.map(|config| Redactor::standard().clean(&config));
    }
    next.version = is + 1;
    next.last_created_at = rows.last().map(|stored| stored.row.created_at);
    let mut ops = vec![Op::PutSession { session: next }];
    for stored in rows {
        ops.push(Op::InsertRow { session: session(), row: stored.row.clone() });
        ops.extend(stored.parts.iter().map(|part| Op::InsertPart { session: session(), part: part.clone() }));
    }
    let preconditions = vec![Precondition::SessionVersion { session: session(), is }];
    let id = BatchId::generate(Timestamp::EPOCH, *entropy().last_chunk().expect("sixteen bytes hold ten"));
    engine.host().storage.commit(&Batch { id, preconditions, ops }).await?;
    Ok(())
}

async fn state(engine: &Lab) -> Result<Value, EngineError> {
    let storage = &engine.host().storage;
    let Answer::Session(Some(found)) = storage.read(&Query::Session { session: session() }).await? else {
        return Ok(Value::Null);
    };
    let Answer::Boundary(boundary) = storage.read(&Query::Boundary { session: session() }).await? else {
        return Ok(Value::Null);
    };
    let Answer::RowIndex(index) = storage.read(&Query::RowIndex { session: session() }).await? else {
        return Ok(Value::Null);
    };
    let metadata = boundary.as_ref().and_then(|boundary| boundary.metadata.as_ref());
    Ok(json!({
        "requested": found.compaction.requested,
        "config": found.compaction.config,
        "seq": found.boundary_seq,
        "anchor": boundary.as_ref().map(|boundary| boundary.anchor.as_str()),
        "summary": boundary.as_ref().map(|boundary| boundary.summary.as_str()),
        "reason": metadata.map(|metadata| metadata.checkpoint_reason),
        "source": metadata.map(|metadata| metadata.checkpoint_source),
        "audit_entries": index.iter().filter(|row| row.kind == RowKind::System).count(),
        "other_rows": index.iter().filter(|row| row.kind != RowKind::System).count(),
    }))
}
