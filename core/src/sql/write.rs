use super::statement::{Statement, Value};
use crate::{
    id::{BatchId, SessionId},
    model::{
        Batch, Boundary, CheckpointRow, Delivery, Op, Part, Pending, Precondition, Row, SessionRow,
        StorageError,
    },
    time::Timestamp,
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
        if let Op::DeleteSession { session } = op {
            let sql = "DELETE FROM deliveries WHERE receiver = ?";
            list.push(Statement::new(sql, vec![key(session)]));
        }
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
        Precondition::NotCleared { session, at } => {
            let sql = "UPDATE sessions SET version = version WHERE id = ? AND cleared_at >= ?";
            Statement::new(sql, vec![key(session), at.order_key().into()])
                .changing(0, format!("session {session} was cleared at or after {at}"))
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
        Op::DeleteCheckpoint { session, checkpoint } => {
            let sql = "DELETE FROM checkpoints WHERE id = ? AND session = ?";
            let what = format!("there is no checkpoint {checkpoint} of session {session}");
            Ok(Statement::new(sql, vec![checkpoint.as_str().into(), key(session)]).changing(1, what))
        }
        Op::PutPending { pending } => put_pending(pending),
        Op::DeletePending { session, id, version } => {
            let sql = "DELETE FROM pending_checkpoints WHERE session = ? AND id = ? AND version = ?";
            let params = vec![key(session), id.as_str().into(), (*version).into()];
            Ok(Statement::new(sql, params).changing(1, format!("draft {id} is not at version {version}")))
        }
        Op::PutDelivery { delivery } => Ok(put_delivery(delivery)),
        Op::DeleteDelivery { receiver, checkpoint } => {
            let sql = "DELETE FROM deliveries WHERE receiver = ? AND checkpoint = ?";
            Ok(Statement::new(sql, vec![key(receiver), checkpoint.as_str().into()]))
        }
        Op::DeleteSession { session } => {
            let what = format!("there is no session {session}");
            Ok(Statement::new("DELETE FROM sessions WHERE id = ?", vec![key(session)]).changing(1, what))
        }
    }
}

fn put_session(session: &SessionRow) -> Result<Statement, StorageError> {
    let sql = "INSERT INTO sessions (id, harness, agent, key, project_hash, last_activity, version, cleared_at, state_at, body) \
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
               ON CONFLICT (id) DO UPDATE SET project_hash = excluded.project_hash, \
               last_activity = excluded.last_activity, version = excluded.version, \
               cleared_at = excluded.cleared_at, state_at = excluded.state_at, body = excluded.body";
    let state_at = (!session.continuity.is_empty()).then_some(session.last_activity);
    let params = vec![
        key(&session.id),
        session.id.harness().into(),
        session.id.agent().into(),
        session.id.key().into(),
        session.project_hash.as_deref().into(),
        session.last_activity.order_key().into(),
        session.version.into(),
        order_key(session.cleared_at),
        order_key(state_at),
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
    let sql = "INSERT INTO checkpoints (id, session, seq, kind, created_at, body) \
               SELECT ?, id, ?, ?, ?, ? FROM sessions WHERE id = ? ON CONFLICT DO NOTHING";
    let params = vec![
        checkpoint.id.as_str().into(),
        checkpoint.seq.into(),
        checkpoint.trigger.as_str().into(),
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

fn put_pending(pending: &Pending) -> Result<Statement, StorageError> {
    let session = &pending.draft.session;
    let (id, due_at) = (Value::from(pending.id.as_str()), Value::from(pending.due_at.order_key()));
    let (created_at, body) = (Value::from(pending.draft.created_at.order_key()), body(pending)?);
    let (sql, params) = match pending.version.checked_sub(1).filter(|before| *before > 0) {
        None => (
            "INSERT INTO pending_checkpoints (session, id, version, due_at, created_at, body) \
             SELECT id, ?, ?, ?, ?, ? FROM sessions WHERE id = ? ON CONFLICT DO NOTHING",
            vec![id, pending.version.into(), due_at, created_at, body, key(session)],
        ),
        Some(before) => (
            "UPDATE pending_checkpoints SET version = ?, due_at = ?, created_at = ?, body = ? \
             WHERE session = ? AND id = ? AND version = ?",
            vec![pending.version.into(), due_at, created_at, body, key(session), id, before.into()],
        ),
    };
    let what = format!("the draft of session {session} is not at the version before {}", pending.version);
    Ok(Statement::new(sql, params).changing(1, what))
}

fn put_delivery(delivery: &Delivery) -> Statement {
    let Delivery { receiver, checkpoint, version, offered_at, delivered_at } = delivery;
    let (offered_at, delivered_at) = (Value::from(offered_at.order_key()), order_key(*delivered_at));
    let (sql, params) = match version.checked_sub(1).filter(|before| *before > 0) {
        None => (
            "INSERT INTO deliveries (receiver, checkpoint, version, harness, agent, key, offered_at, delivered_at) \
             SELECT ?, id, ?, ?, ?, ?, ?, ? FROM checkpoints WHERE id = ? ON CONFLICT DO NOTHING",
            vec![
                key(receiver),
                (*version).into(),
                receiver.harness().into(),
                receiver.agent().into(),
                receiver.key().into(),
                offered_at,
                delivered_at,
                checkpoint.as_str().into(),
            ],
        ),
        Some(before) => (
            "UPDATE deliveries SET version = ?, offered_at = ?, delivered_at = ? \
             WHERE receiver = ? AND checkpoint = ? AND version = ?",
            vec![
                (*version).into(),
                offered_at,
                delivered_at,
                key(receiver),
                checkpoint.as_str().into(),
                before.into(),
            ],
        ),
    };
    let what = format!("the delivery of {checkpoint} to {receiver} is not at the version before {version}");
    Statement::new(sql, params).changing(1, what)
}

fn order_key(at: Option<Timestamp>) -> Value {
    at.map_or(Value::Null, |at| at.order_key().into())
}

fn key(session: &SessionId) -> Value {
    session.storage_key().into()
}

fn body<T: Serialize>(value: &T) -> Result<Value, StorageError> {
    let text: Result<String, _> = serde_json::to_string(value);
    text.map(Value::Text).map_err(|error| StorageError::Unavailable { why: format!("{error}") })
}
