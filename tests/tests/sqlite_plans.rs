//! Every statement finds what it needs through an index, so that it costs what it gives back.

mod common;

use common::{at, batch_id, row, session, state};
use rusqlite::{Connection, params_from_iter};
use throughline::SqliteStorage;
use throughline_core::{
    id::{CheckpointId, RowId},
    model::{Aging, Batch, Delivery, Op, Precondition, Query, RowPlace, SessionCursor, Table},
    sql::{self, Statement, Value},
};

fn plan(connection: &Connection, statement: &Statement) -> Vec<String> {
    let params = statement.params.iter().map(|value| match value {
        Value::Null => rusqlite::types::Value::Null,
        Value::Int(number) => (*number).into(),
        Value::Text(text) => text.clone().into(),
    });
    let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", statement.sql)).unwrap();
    let steps = explain.query_map(params_from_iter(params), |row| row.get("detail")).unwrap();
    steps.collect::<Result<_, _>>().unwrap()
}

fn queries() -> Vec<Query> {
    let one = session("one");
    let mut list = vec![
        Query::Batch { id: batch_id() },
        Query::Session { session: one.clone() },
        Query::Rows { session: one.clone(), from: None },
        Query::Rows {
            session: one.clone(),
            from: Some(RowPlace { created_at: at("2026-03-01"), id: RowId::new("m1").unwrap() }),
        },
        Query::RowIndex { session: one.clone() },
        Query::Boundary { session: one.clone() },
        Query::Checkpoint { id: CheckpointId::generate(at("2026-03-01"), [7; 10]) },
        Query::Checkpoints { session: Some(one.clone()), limit: 10 },
        Query::Checkpoints { session: None, limit: 10 },
        Query::CheckpointHeads { session: one.clone() },
        Query::Pending { session: one.clone() },
        Query::Due { until: at("2026-03-01"), limit: 10 },
        Query::Delivery {
            receiver: one.clone(),
            checkpoint: CheckpointId::generate(at("2026-03-01"), [7; 10]),
        },
    ];
    list.extend(Aging::ALL.map(|kind| Query::Expired { kind, before: at("2026-03-01"), limit: 10 }));
    list.extend(Table::ALL.map(|table| Query::Bodies { table, after: None, limit: 10 }));
    let cursor = SessionCursor { last_activity: at("2026-03-01"), storage_key: one.storage_key() };
    for key in [None, Some("one".to_owned())] {
        for project_hash in [None, Some("ab".to_owned())] {
            for after in [None, Some(cursor.clone())] {
                let (key, project_hash) = (key.clone(), project_hash.clone());
                list.push(Query::Sessions { key, project_hash, after, limit: 10 });
            }
        }
    }
    list
}

#[test]
fn reads_search_an_index_and_never_sort_or_scan() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStorage::open(folder.path().join("store.db")).unwrap();
    let connection = Connection::open(store.path()).unwrap();
    for query in queries() {
        for step in plan(&connection, &sql::read(&query)) {
            println!("{query:?}: {step}");
            assert!(!step.contains("TEMP B-TREE"), "{query:?}: {step}");
            // The newest of all, up to the limit: the index is walked from its end.
            let newest = matches!(
                query,
                Query::Checkpoints { session: None, .. }
                    | Query::Sessions { key: None, project_hash: None, after: None, .. }
            );
            let walked = newest && step.starts_with("SCAN") && step.contains("_recent");
            assert!(!step.starts_with("SCAN") || walked, "{query:?}: {step}");
        }
    }
}

#[test]
fn writes_search_an_index() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStorage::open(folder.path().join("store.db")).unwrap();
    let connection = Connection::open(store.path()).unwrap();
    let one = session("one");
    let is = |is| Precondition::SessionVersion { session: one.clone(), is };
    let mut batch = common::step(&one, 1, "m1", "text");
    batch.preconditions =
        vec![is(0), is(1), Precondition::NotCleared { session: one.clone(), at: at("2026-03-01") }];
    let checkpoint = CheckpointId::generate(at("2026-03-01"), [7; 10]);
    let delivery = |version| Delivery {
        receiver: one.clone(),
        checkpoint: checkpoint.clone(),
        version,
        offered_at: at("2026-03-01"),
        delivered_at: None,
    };
    batch.ops.extend([
        Op::DeletePending { session: one.clone(), id: checkpoint.clone(), version: 1 },
        Op::DeleteCheckpoint { session: one.clone(), checkpoint: checkpoint.clone() },
        Op::PutDelivery { delivery: delivery(1) },
        Op::PutDelivery { delivery: delivery(2) },
        Op::DeleteDelivery { receiver: one.clone(), checkpoint: checkpoint.clone() },
        Op::DeleteSession { session: one.clone() },
    ]);
    batch.ops.push(Op::SetLive { session: one.clone(), row: row("m1").id, live: false });
    let mut statements = vec![sql::already(&batch)];
    statements.extend(sql::statements(&batch).unwrap());
    assert_eq!(statements.len(), 16);
    for statement in statements {
        for step in plan(&connection, &statement) {
            println!("{}: {step}", statement.sql);
            assert!(!step.starts_with("SCAN") && !step.contains("TEMP B-TREE"), "{}: {step}", statement.sql);
        }
    }
}

#[test]
fn ids_of_batches_are_forgotten_after_seven_days() {
    use throughline_core::{host::Storage, id::BatchId, model::Answer};
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStorage::open(folder.path().join("store.db")).unwrap();
    let id = |time: &str, last: u8| BatchId::generate(at(time), [1, 2, 3, 4, 5, 6, 7, 8, 9, last]);
    let commit = |id: BatchId| {
        let ops = vec![Op::PutSession { session: state(&session("one"), 1) }];
        pollster::block_on(store.commit(&Batch { id, preconditions: vec![], ops })).unwrap()
    };
    let known = |id: &BatchId| match pollster::block_on(store.read(&Query::Batch { id: id.clone() })) {
        Ok(Answer::Batch(known)) => known,
        other => panic!("{other:?}"),
    };
    let old: Vec<BatchId> = (0..40).map(|last| id("2026-03-01T00:00:00Z", last)).collect();
    old.iter().for_each(|id| assert!(!commit(id.clone()).repeated));
    commit(id("2026-03-07T23:59:59Z", 100));
    assert!(old.iter().all(known));
    // A few at a time, so that no commit pays for the past.
    let left = |store: &dyn Fn(&BatchId) -> bool| old.iter().filter(|id| store(id)).count();
    commit(id("2026-03-08T00:00:01Z", 101));
    assert_eq!(left(&known), 24);
    commit(id("2026-03-08T00:00:01Z", 102));
    commit(id("2026-03-08T00:00:01Z", 103));
    assert_eq!(left(&known), 0);
    assert!(known(&id("2026-03-07T23:59:59Z", 100)));
}
