use super::statement::{Statement, Value};
use crate::{
    id::{BatchId, SessionId},
    model::{Batch, Boundary, CheckpointRow, Op, Part, Precondition, Row, SessionRow, StorageError},
};
use alloc::{format, string::String, vec, vec::Vec};
use serde::Serialize;

/// How long the id of a committed batch is kept, by the times in the ids.
pub const BATCH_KEPT_MILLIS: i64 = 7 * 24 * 60 * 60 * 1000;

/// The first statement of a transaction: it changes no row when the batch was committed before.
#[must_use]
pub fn already(batch: &Batch) -> Statement {
    let at = unix_millis(&batch.id).map_or(Value::Null, Value::Int);
    let params = vec![batch.id.as_str().into(), at];
    Statement::new("INSERT INTO batches (id, committed_at) VALUES (?, ?) ON CONFLICT DO NOTHING", params)
}

/// The statements of a batch, to be run in order after [`already`] and in its transaction.
///
/// # Errors
/// `storage_unavailable` when a value cannot be written as JSON.
pub fn statements(batch: &Batch) -> Result<Vec<Statement>, StorageError> {
    let mut list = Vec::with_capacity(batch.preconditions.len().saturating_add(batch.ops.len()));
    list.extend(batch.preconditions.iter().map(precondition));
    for op in &batch.ops {
        list.push(operation(op)?);
    }
    list.extend(unix_millis(&batch.id).map(forget_old_batches));
    Ok(list)
}

/// The time in a UUIDv7; other ids have none, and are kept for good.
fn unix_millis(id: &BatchId) -> Option<i64> {
    let id = uuid::Uuid::try_parse(id.as_str()).ok()?;
    if id.get_version_num() != 7 {
        return None;
    }
    i64::try_from(id.as_u128() >> 80).ok()
}

/// A few at a time: more than a commit adds, and never many.
fn forget_old_batches(now: i64) -> Statement {
    let sql = "DELETE FROM batches WHERE id IN (\
               SELECT id FROM batches WHERE committed_at < ? ORDER BY committed_at LIMIT 16)";
    Statement::new(sql, vec![Value::Int(now.saturating_sub(BATCH_KEPT_MILLIS))])
}

/// A check is an update that changes nothing, so that it counts rows as every other statement does.
fn precondition(precondition: &Precondition) -> Statement {
    match precondition {
        Precondition::SessionVersion { session, is: 0 } => {
            let sql = "UPDATE sessions SET version = version WHERE id = ?";
            Statement::new(sql, vec![key(session)]).changing(0, format!("session {session} is there already"))
        }
        Precondition::SessionVersion { session, is } => {
            let sql = "UPDATE sessions SET version = version WHERE id = ? AND version = ?";
            Statement::new(sql, vec![key(session), (*is).into()])
                .changing(1, format!("session {session} is not at version {is}"))
        }
    }
}

fn operation(op: &Op) -> Result<Statement, StorageError> {
    match op {
        Op::PutSession { session } => put_session(session),
        Op::InsertRow { session, row } => insert_row(session, row),
        Op::InsertPart { session, part } => insert_part(session, part),
        Op::SetLive { session, row, live } => {
            let sql = "UPDATE messages SET live = ? WHERE session = ? AND id = ?";
            let params = vec![(*live).into(), key(session), row.as_str().into()];
            Ok(Statement::new(sql, params).changing(1, format!("there is no row {row} in session {session}")))
        }
        Op::InsertBoundary { session, boundary } => insert_boundary(session, boundary),
        Op::InsertCheckpoint { checkpoint } => insert_checkpoint(checkpoint),
    }
}

fn put_session(session: &SessionRow) -> Result<Statement, StorageError> {
    let sql = "INSERT INTO sessions (id, harness, agent, key, project_hash, last_activity, version, body) \
               VALUES (?, ?, ?, ?, ?, ?, ?, ?) \
               ON CONFLICT (id) DO UPDATE SET project_hash = excluded.project_hash, \
               last_activity = excluded.last_activity, version = excluded.version, body = excluded.body";
    let params = vec![
        key(&session.id),
        session.id.harness().into(),
        session.id.agent().into(),
        session.id.key().into(),
        session.project_hash.as_deref().into(),
        session.last_activity.order_key().into(),
        session.version.into(),
        body(session)?,
    ];
    Ok(Statement::new(sql, params).changing(1, format!("session {} was not written", session.id)))
}

/// Inserts select from the table above, so that a missing session or row counts as no row changed.
fn insert_row(session: &SessionId, row: &Row) -> Result<Statement, StorageError> {
    let sql = "INSERT INTO messages (session, id, created_at, live, sidechain, kind, body) \
               SELECT id, ?, ?, ?, ?, ?, ? FROM sessions WHERE id = ? ON CONFLICT DO NOTHING";
    let params = vec![
        row.id.as_str().into(),
        row.created_at.order_key().into(),
        row.live.into(),
        row.sidechain.into(),
        row.kind.as_str().into(),
        body(row)?,
        key(session),
    ];
    let what = format!("row {} is there already, or session {session} is not", row.id);
    Ok(Statement::new(sql, params).changing(1, what))
}

fn insert_part(session: &SessionId, part: &Part) -> Result<Statement, StorageError> {
    let sql = "INSERT INTO parts (session, message, idx, body) \
               SELECT session, id, ?, ? FROM messages WHERE session = ? AND id = ? ON CONFLICT DO NOTHING";
    let params = vec![part.index.into(), body(part)?, key(session), part.row.as_str().into()];
    let what = format!("part {} of row {} is there already, or the row is not", part.index, part.row);
    Ok(Statement::new(sql, params).changing(1, what))
}

fn insert_boundary(session: &SessionId, boundary: &Boundary) -> Result<Statement, StorageError> {
    let sql = "INSERT INTO boundaries (session, seq, id, anchor, body) \
               SELECT id, ?, ?, ?, ? FROM sessions WHERE id = ? ON CONFLICT DO NOTHING";
    let params = vec![
        boundary.seq.into(),
        boundary.id.as_str().into(),
        boundary.anchor.as_str().into(),
        body(boundary)?,
        key(session),
    ];
    let what = format!(
        "boundary {} or one with seq {} is there already, or session {session} is not",
        boundary.id, boundary.seq
    );
    Ok(Statement::new(sql, params).changing(1, what))
}

fn insert_checkpoint(checkpoint: &CheckpointRow) -> Result<Statement, StorageError> {
    let sql = "INSERT INTO checkpoints (id, session, seq, created_at, body) \
               SELECT ?, id, ?, ?, ? FROM sessions WHERE id = ? ON CONFLICT DO NOTHING";
    let params = vec![
        checkpoint.id.as_str().into(),
        checkpoint.seq.into(),
        checkpoint.created_at.order_key().into(),
        body(checkpoint)?,
        key(&checkpoint.session),
    ];
    let what = format!(
        "checkpoint {} or one with seq {} is there already, or session {} is not",
        checkpoint.id, checkpoint.seq, checkpoint.session
    );
    Ok(Statement::new(sql, params).changing(1, what))
}

fn key(session: &SessionId) -> Value {
    session.storage_key().into()
}

fn body<T: Serialize>(value: &T) -> Result<Value, StorageError> {
    let text: Result<String, _> = serde_json::to_string(value);
    text.map(Value::Text).map_err(|error| StorageError::Unavailable { why: format!("{error}") })
}
