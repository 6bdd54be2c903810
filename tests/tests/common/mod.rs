//! Batches for the tests of the store.
#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]

pub mod faulty;

use throughline_core::{
    host::{Entropy, Storage},
    id::{BatchId, RowId, SessionId},
    model::{
        Answer, Batch, Continuity, Counts, Op, Part, PartBody, Precondition, Query, Row, RowKind, SessionRow,
        Status,
    },
    redact::Redactor,
    time::Timestamp,
};

pub fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

pub fn session(key: &str) -> SessionId {
    SessionId::new("test", "", key).unwrap()
}

pub fn batch_id() -> BatchId {
    let bytes = throughline::SystemEntropy::new().unwrap().bytes();
    BatchId::generate(at("2026-03-01"), *bytes.first_chunk().unwrap())
}

pub fn state(session: &SessionId, version: u64) -> SessionRow {
    SessionRow {
        id: session.clone(),
        version,
        status: Status::Idle,
        project: None,
        project_normalized: None,
        project_hash: None,
        started_at: at("2026-03-01"),
        last_activity: at("2026-03-01"),
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

pub fn row(id: &str) -> Row {
    Row::new(RowId::new(id).unwrap(), RowKind::User, at("2026-03-01"))
}

/// Moves the session from one version to the next and adds a row with one text.
pub fn step(session: &SessionId, from: u64, row_id: &str, text: &str) -> Batch {
    let body = PartBody::Text { text: Redactor::standard().clean(text) };
    let part = Part::new(RowId::new(row_id).unwrap(), 0, body);
    Batch {
        id: batch_id(),
        preconditions: vec![Precondition::SessionVersion { session: session.clone(), is: from }],
        ops: vec![
            Op::PutSession { session: state(session, from + 1) },
            Op::InsertRow { session: session.clone(), row: row(row_id) },
            Op::InsertPart { session: session.clone(), part },
        ],
    }
}

pub fn session_query(session: &SessionId) -> Query {
    Query::Session { session: session.clone() }
}

pub fn version_of(answer: Answer) -> u64 {
    match answer {
        Answer::Session(found) => found.map_or(0, |found| found.version),
        other => panic!("{other:?}"),
    }
}

pub fn version(store: &impl Storage, session: &SessionId) -> u64 {
    version_of(pollster::block_on(store.read(&session_query(session))).unwrap())
}

pub fn row_ids(store: &impl Storage, session: &SessionId) -> Vec<String> {
    let query = Query::Rows { session: session.clone(), from: None };
    match pollster::block_on(store.read(&query)).unwrap() {
        Answer::Rows(rows) => rows.into_iter().map(|found| found.row.id.as_str().to_owned()).collect(),
        other => panic!("{other:?}"),
    }
}
