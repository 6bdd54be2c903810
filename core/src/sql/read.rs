use super::{
    columns::{body_of, checkpoint_id, columns, instant, int, number, odd, session_id, text},
    inspect, retention,
    statement::{Statement, Value},
};
use crate::{
    id::{CheckpointId, RowId, SessionId},
    model::{
        Answer, CheckpointHead, Delivery, DueDraft, Part, Query, Row, RowKind, RowPlace, RowSummary,
        SessionCursor, StorageError, StoredRow, Trigger,
    },
    time::Timestamp,
};
use alloc::{string::String, vec, vec::Vec};
use serde::de::DeserializeOwned;

/// The statement that asks for the answer to a query.
#[must_use]
pub fn read(query: &Query) -> Statement {
    match query {
        Query::Batch { id } => Statement::new("SELECT 1 FROM batches WHERE id = ?", vec![id.as_str().into()]),
        Query::Session { session } => {
            Statement::new("SELECT body FROM sessions WHERE id = ?", vec![key(session)])
        }
        Query::Sessions { key, project_hash, after, limit } => {
            sessions(key.as_deref(), project_hash.as_deref(), after.as_ref(), *limit)
        }
        Query::Rows { session, from } => rows(session, from.as_ref()),
        Query::RowIndex { session } => {
            let sql = "SELECT m.id, m.kind, m.created_at, m.live, (\
                       SELECT COUNT(*) FROM parts p WHERE p.session = m.session AND p.message = m.id) \
                       FROM messages m WHERE m.session = ? ORDER BY m.created_at, m.id";
            Statement::new(sql, vec![key(session)])
        }
        Query::Boundary { session } => {
            let sql = "SELECT b.body FROM boundaries b WHERE b.session = ? AND NOT EXISTS (\
                       SELECT 1 FROM messages m WHERE m.session = b.session AND m.id = b.anchor AND m.live = 0) \
                       ORDER BY b.seq DESC LIMIT 1";
            Statement::new(sql, vec![key(session)])
        }
        Query::Checkpoint { id } => {
            Statement::new("SELECT body FROM checkpoints WHERE id = ?", vec![id.as_str().into()])
        }
        Query::Checkpoints { session: Some(session), limit } => {
            let sql = "SELECT body FROM checkpoints WHERE session = ? ORDER BY seq DESC LIMIT ?";
            Statement::new(sql, vec![key(session), (*limit).into()])
        }
        Query::Checkpoints { session: None, limit } => {
            let sql = "SELECT body FROM checkpoints ORDER BY created_at DESC, id DESC LIMIT ?";
            Statement::new(sql, vec![(*limit).into()])
        }
        Query::CheckpointHeads { session } => {
            let sql = "SELECT id, seq, kind, created_at FROM checkpoints WHERE session = ? ORDER BY seq";
            Statement::new(sql, vec![key(session)])
        }
        Query::Pending { session } => {
            Statement::new("SELECT body FROM pending_checkpoints WHERE session = ?", vec![key(session)])
        }
        Query::Due { until, limit } => {
            let sql = "SELECT p.due_at, s.harness, s.agent, s.key FROM pending_checkpoints p \
                       JOIN sessions s ON s.id = p.session \
                       WHERE p.due_at <= ? ORDER BY p.due_at, p.session LIMIT ?";
            Statement::new(sql, vec![until.order_key().into(), (*limit).into()])
        }
        Query::Delivery { receiver, checkpoint } => {
            let sql = "SELECT version, offered_at, delivered_at FROM deliveries \
                       WHERE receiver = ? AND checkpoint = ?";
            Statement::new(sql, vec![key(receiver), checkpoint.as_str().into()])
        }
        Query::Expired { kind, before, limit } => retention::expired(*kind, *before, *limit),
        Query::Tally { table } => inspect::tally(*table),
        Query::Bodies { table, after, limit } => inspect::bodies(*table, after.as_ref(), *limit),
    }
}

/// Sessions newest first, with any of the three conditions.
macro_rules! select_sessions {
    ($($condition:literal),*) => {
        concat!(
            "SELECT body FROM sessions", $($condition,)*
            " ORDER BY last_activity DESC, id DESC LIMIT ?"
        )
    };
}

fn sessions(
    key: Option<&str>,
    project_hash: Option<&str>,
    after: Option<&SessionCursor>,
    limit: u32,
) -> Statement {
    let sql = match (key.is_some(), project_hash.is_some(), after.is_some()) {
        (false, false, false) => select_sessions!(),
        (false, false, true) => select_sessions!(" WHERE (last_activity, id) < (?, ?)"),
        (false, true, false) => select_sessions!(" WHERE project_hash = ?"),
        (false, true, true) => {
            select_sessions!(" WHERE project_hash = ?", " AND (last_activity, id) < (?, ?)")
        }
        (true, false, false) => select_sessions!(" WHERE key = ?"),
        (true, false, true) => select_sessions!(" WHERE key = ?", " AND (last_activity, id) < (?, ?)"),
        (true, true, false) => select_sessions!(" WHERE key = ?", " AND project_hash = ?"),
        (true, true, true) => {
            select_sessions!(" WHERE key = ?", " AND project_hash = ?", " AND (last_activity, id) < (?, ?)")
        }
    };
    let mut params: Vec<Value> = [key, project_hash].into_iter().flatten().map(Value::from).collect();
    if let Some(after) = after {
        params.push(after.last_activity.order_key().into());
        params.push(after.storage_key.as_str().into());
    }
    params.push(limit.into());
    Statement::new(sql, params)
}

/// One statement, so that rows and parts are of one moment; the head comes again with each part.
macro_rules! select_rows {
    ($condition:literal) => {
        concat!(
            "SELECT m.id, m.body, p.body FROM messages m \
             LEFT JOIN parts p ON p.session = m.session AND p.message = m.id \
             WHERE m.session = ? AND m.live = 1 AND m.sidechain = 0",
            $condition,
            " ORDER BY m.created_at, m.id, p.idx"
        )
    };
}

fn rows(session: &SessionId, from: Option<&RowPlace>) -> Statement {
    let Some(from) = from else {
        return Statement::new(select_rows!(""), vec![key(session)]);
    };
    let params = vec![key(session), from.created_at.order_key().into(), from.id.as_str().into()];
    Statement::new(select_rows!(" AND (m.created_at, m.id) >= (?, ?)"), params)
}

/// Makes the answer to a query of all rows that its statement gave, each a list of its columns.
///
/// # Errors
/// `storage_corrupt` when they do not read as what was asked for.
pub fn answer(query: &Query, rows: Vec<Vec<Value>>) -> Result<Answer, StorageError> {
    Ok(match query {
        Query::Batch { .. } => Answer::Batch(!rows.is_empty()),
        Query::Session { .. } => Answer::Session(bodies(rows, "a session")?.pop()),
        Query::Sessions { .. } => Answer::Sessions(bodies(rows, "a session")?),
        Query::Rows { .. } => Answer::Rows(stored_rows(rows)?),
        Query::RowIndex { .. } => Answer::RowIndex(each(rows, summary)?),
        Query::Boundary { .. } => Answer::Boundary(bodies(rows, "a compaction boundary")?.pop()),
        Query::Checkpoint { .. } | Query::Checkpoints { .. } => {
            Answer::Checkpoints(bodies(rows, "a checkpoint")?)
        }
        Query::CheckpointHeads { .. } => Answer::CheckpointHeads(each(rows, checkpoint_head)?),
        Query::Pending { .. } => Answer::Pending(bodies(rows, "a pending draft")?.pop()),
        Query::Due { .. } => Answer::Due(each(rows, due)?),
        Query::Delivery { receiver, checkpoint } => {
            let record = |row| delivery(row, receiver, checkpoint);
            Answer::Delivery(each(rows, record)?.pop())
        }
        Query::Expired { .. } => Answer::Expired(each(rows, retention::record)?),
        Query::Tally { .. } => Answer::Tally(each(rows, inspect::tallied)?.pop().unwrap_or_default()),
        Query::Bodies { .. } => Answer::Bodies(each(rows, inspect::body)?),
    })
}

fn each<T>(
    rows: Vec<Vec<Value>>,
    read: impl Fn(Vec<Value>) -> Result<T, StorageError>,
) -> Result<Vec<T>, StorageError> {
    rows.into_iter().map(read).collect()
}

fn checkpoint_head(row: Vec<Value>) -> Result<CheckpointHead, StorageError> {
    let expected = "the head of a checkpoint";
    let [id, seq, kind, created_at] = columns(row, expected)?;
    Ok(CheckpointHead {
        id: checkpoint_id(id, expected)?,
        seq: number(&seq, expected)?,
        trigger: Trigger::parse(&text(kind, expected)?).ok_or_else(|| odd("trigger", expected))?,
        created_at: instant(created_at, expected)?,
    })
}

fn due(row: Vec<Value>) -> Result<DueDraft, StorageError> {
    let expected = "the end of a window";
    let [due_at, harness, agent, key] = columns(row, expected)?;
    Ok(DueDraft { due_at: instant(due_at, expected)?, session: session_id([harness, agent, key], expected)? })
}

fn delivery(
    row: Vec<Value>,
    receiver: &SessionId,
    checkpoint: &CheckpointId,
) -> Result<Delivery, StorageError> {
    let expected = "a delivery record";
    let [version, offered_at, delivered_at] = columns(row, expected)?;
    Ok(Delivery {
        receiver: receiver.clone(),
        checkpoint: checkpoint.clone(),
        version: number(&version, expected)?,
        offered_at: instant(offered_at, expected)?,
        delivered_at: match delivered_at {
            Value::Null => None,
            at => Some(instant(at, expected)?),
        },
    })
}

fn bodies<T: DeserializeOwned>(
    rows: Vec<Vec<Value>>,
    expected: &'static str,
) -> Result<Vec<T>, StorageError> {
    rows.into_iter()
        .map(|row| {
            let [body] = columns(row, expected)?;
            body_of(&text(body, expected)?, expected)
        })
        .collect()
}

fn stored_rows(rows: Vec<Vec<Value>>) -> Result<Vec<StoredRow<String>>, StorageError> {
    let mut found: Vec<StoredRow<String>> = Vec::new();
    for row in rows {
        let [id, head, part] = columns(row, "a row")?;
        let id = text(id, "a row")?;
        if found.last().is_none_or(|last| last.row.id.as_str() != id) {
            let mut row: Row<String> = body_of(&text(head, "a row")?, "a row")?;
            // The column is the truth: a row that left the conversation and came back is live again.
            row.live = true;
            found.push(StoredRow { row, parts: Vec::new() });
        }
        if let (Value::Text(part), Some(last)) = (part, found.last_mut()) {
            let part: Part<String> = body_of(&part, "a part of a row")?;
            last.parts.push(part);
        }
    }
    Ok(found)
}

fn summary(row: Vec<Value>) -> Result<RowSummary, StorageError> {
    let expected = "the head of a row";
    let [id, kind, created_at, live, parts] = columns(row, expected)?;
    let (id, kind, created_at) = (text(id, expected)?, text(kind, expected)?, text(created_at, expected)?);
    let odd = |what: &str| odd(what, expected);
    Ok(RowSummary {
        id: RowId::new(id).map_err(|_| odd("row id"))?,
        kind: RowKind::parse(&kind).ok_or_else(|| odd("kind of row"))?,
        created_at: Timestamp::from_order_key(&created_at).map_err(|_| odd("order key"))?,
        live: int(&live, expected)? != 0,
        parts: u32::try_from(int(&parts, expected)?).map_err(|_| odd("number of parts"))?,
    })
}

fn key(session: &SessionId) -> Value {
    session.storage_key().into()
}
