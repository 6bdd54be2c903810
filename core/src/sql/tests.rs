use super::{Statement, Value, already, answer, migrations, read, statements};
use crate::{
    id::{BatchId, SessionId},
    model::{Answer, Batch, Precondition, Query, StorageError},
    time::Timestamp,
};
use alloc::{string::ToString, vec, vec::Vec};

fn session() -> SessionId {
    SessionId::new("test", "", "one").unwrap()
}

fn placeholders(statement: &Statement) -> usize {
    statement.sql.matches('?').count()
}

#[test]
fn a_batch_id_carries_its_time() {
    let at = Timestamp::parse("2026-03-01T00:00:00.5Z").unwrap();
    let batch = Batch { id: BatchId::generate(at, [9; 10]), preconditions: vec![], ops: vec![] };
    assert_eq!(already(&batch).params.last(), Some(&Value::Int(at.unix_millis())));
    assert_eq!(statements(&batch).unwrap().len(), 1, "old ids are forgotten");

    let id = BatchId::parse("6ba7b810-9dad-41d1-80b4-00c04fd430c8").unwrap();
    let batch = Batch { id, preconditions: vec![], ops: vec![] };
    assert_eq!(already(&batch).params.last(), Some(&Value::Null), "no time, kept for good");
    assert_eq!(statements(&batch).unwrap(), []);
}

#[test]
fn every_statement_has_a_parameter_for_each_placeholder() {
    let after = crate::model::SessionCursor { last_activity: Timestamp::EPOCH, storage_key: "k".into() };
    for key in [None, Some("k".to_string())] {
        for project_hash in [None, Some("p".to_string())] {
            for after in [None, Some(after.clone())] {
                let (key, project_hash) = (key.clone(), project_hash.clone());
                let statement = read(&Query::Sessions { key, project_hash, after, limit: 1 });
                assert_eq!(placeholders(&statement), statement.params.len(), "{}", statement.sql);
            }
        }
    }
}

#[test]
fn a_precondition_counts_rows() {
    let id = BatchId::generate(Timestamp::EPOCH, [0; 10]);
    let preconditions: Vec<_> =
        [0, 7].map(|is| Precondition::SessionVersion { session: session(), is }).to_vec();
    let list = statements(&Batch { id, preconditions, ops: vec![] }).unwrap();
    assert_eq!((list[0].rows, list[0].what.as_str()), (Some(0), "session test/one is there already"));
    assert_eq!((list[1].rows, list[1].what.as_str()), (Some(1), "session test/one is not at version 7"));
}

#[test]
fn rows_of_another_shape_are_corrupt_and_not_quoted() {
    let one = Query::Session { session: session() };
    let private = |text: &str| Value::Text(text.into());
    for (rows, what) in [
        (vec![vec![]], "0 columns in place of 1"),
        (vec![vec![Value::Null]], "nothing in place of a text"),
        (vec![vec![Value::Int(1)]], "a number in place of a text"),
        (vec![vec![private("private")]], "text that is no JSON (from column 1)"),
        (vec![vec![private("{\"private\":1}")]], "JSON of another shape (from column 13)"),
    ] {
        let error = answer(&one, rows).unwrap_err();
        assert_eq!(error, StorageError::Corrupt { what: what.into(), expected: "a session" });
    }
    let index = Query::RowIndex { session: session() };
    let row = |id: &str, kind: &str, at: &str, parts| {
        vec![vec![private(id), private(kind), private(at), Value::Int(1), Value::Int(parts)]]
    };
    let at = Timestamp::EPOCH.order_key();
    assert!(matches!(answer(&index, row("m1", "user", &at, 0)), Ok(Answer::RowIndex(_))));
    for (rows, what) in [
        (row("", "user", &at, 0), "an unknown row id"),
        (row("m1", "private", &at, 0), "an unknown kind of row"),
        (row("m1", "user", "private", 0), "an unknown order key"),
        (row("m1", "user", &at, -1), "an unknown number of parts"),
    ] {
        let error = answer(&index, rows).unwrap_err();
        assert_eq!(error, StorageError::Corrupt { what: what.into(), expected: "the head of a row" });
    }
}

#[test]
fn values_are_plain_json() {
    let list = [Value::Null, Value::Int(1 << 53), Value::Text("1".into())];
    let text = serde_json::to_string(&list).unwrap();
    assert_eq!(text, r#"[null,9007199254740992,"1"]"#);
    assert_eq!(serde_json::from_str::<Vec<Value>>(&text).unwrap(), list);
    assert_eq!(Value::from(u64::MAX), Value::Int(i64::MAX));
}

#[test]
fn migrations_do_not_end_the_transaction_that_runs_them() {
    for migration in migrations() {
        let upper = migration.to_uppercase();
        for word in ["BEGIN", "COMMIT;", "ROLLBACK", "PRAGMA", "VACUUM"] {
            assert!(!upper.contains(word), "{word}");
        }
    }
}
