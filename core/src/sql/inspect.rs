//! All that is stored, for `doctor`.
use super::{
    columns::{columns, number, text},
    statement::{Statement, Value},
};
use crate::model::{Body, BodyKey, StorageError, Table, Tally};
use alloc::{vec, vec::Vec};

macro_rules! tally {
    ($table:literal, $bytes:literal) => {
        concat!("SELECT COUNT(*), CAST(COALESCE(SUM(", $bytes, "), 0) AS BIGINT) FROM ", $table)
    };
}

pub(super) fn tally(table: Table) -> Statement {
    let sql = match table {
        Table::Sessions => tally!("sessions", "OCTET_LENGTH(body)"),
        Table::Messages => tally!("messages", "OCTET_LENGTH(body)"),
        Table::Parts => tally!("parts", "OCTET_LENGTH(body)"),
        Table::Boundaries => tally!("boundaries", "OCTET_LENGTH(body)"),
        Table::Checkpoints => tally!("checkpoints", "OCTET_LENGTH(body)"),
        Table::PendingCheckpoints => tally!("pending_checkpoints", "OCTET_LENGTH(body)"),
        Table::Deliveries => tally!("deliveries", "0"),
    };
    Statement::new(sql, Vec::new())
}

pub(super) fn tallied(row: Vec<Value>) -> Result<Tally, StorageError> {
    let expected = "the size of a table";
    let [rows, bytes] = columns(row, expected)?;
    Ok(Tally { rows: number(&rows, expected)?, bytes: number(&bytes, expected)? })
}

/// Every key is greater than the empty one, so that the first page needs no statement of its own.
pub(super) fn bodies(table: Table, after: Option<&BodyKey>, limit: u32) -> Statement {
    let first = || Value::from(after.map_or("", |after| &*after.first));
    let second = || Value::from(after.map_or("", |after| &*after.second));
    let third = || Value::from(after.map_or(0, |after| after.third));
    let (sql, mut params) = match table {
        Table::Sessions => {
            ("SELECT id, '', 0, body FROM sessions WHERE id > ? ORDER BY id LIMIT ?", vec![first()])
        }
        Table::Messages => (
            "SELECT session, id, 0, body FROM messages WHERE (session, id) > (?, ?) \
             ORDER BY session, id LIMIT ?",
            vec![first(), second()],
        ),
        Table::Parts => (
            "SELECT session, message, idx, body FROM parts WHERE (session, message, idx) > (?, ?, ?) \
             ORDER BY session, message, idx LIMIT ?",
            vec![first(), second(), third()],
        ),
        Table::Boundaries => (
            "SELECT session, '', seq, body FROM boundaries WHERE (session, seq) > (?, ?) \
             ORDER BY session, seq LIMIT ?",
            vec![first(), third()],
        ),
        Table::Checkpoints => {
            ("SELECT id, '', 0, body FROM checkpoints WHERE id > ? ORDER BY id LIMIT ?", vec![first()])
        }
        Table::PendingCheckpoints => (
            "SELECT session, '', 0, body FROM pending_checkpoints WHERE session > ? ORDER BY session LIMIT ?",
            vec![first()],
        ),
        Table::Deliveries => (
            "SELECT receiver, checkpoint, 0, '' FROM deliveries WHERE (receiver, checkpoint) > (?, ?) \
             ORDER BY receiver, checkpoint LIMIT ?",
            vec![first(), second()],
        ),
    };
    params.push(limit.into());
    Statement::new(sql, params)
}

pub(super) fn body(row: Vec<Value>) -> Result<Body, StorageError> {
    let expected = "a stored body";
    let [first, second, third, body] = columns(row, expected)?;
    let (first, second, third) = (text(first, expected)?, text(second, expected)?, number(&third, expected)?);
    Ok(Body { key: BodyKey { first, second, third }, text: text(body, expected)? })
}
