//! What is older than it may be.
use super::{
    columns::{checkpoint_id, columns, session_id},
    statement::{Statement, Value},
};
use crate::{
    model::{Aging, Expired, StorageError},
    time::Timestamp,
};
use alloc::{vec, vec::Vec};

/// Session and, where there is one, checkpoint of what is too old, the oldest first: in this order the index is
/// walked, also by a server that plans without knowing the time and would guess that much is too old.
pub(super) fn expired(kind: Aging, before: Timestamp, limit: u32) -> Statement {
    let sql = match kind {
        Aging::Checkpoint => {
            "SELECT s.harness, s.agent, s.key, c.id FROM checkpoints c JOIN sessions s ON s.id = c.session \
             WHERE c.created_at < ? ORDER BY c.created_at LIMIT ?"
        }
        Aging::Draft => {
            "SELECT s.harness, s.agent, s.key, NULL FROM pending_checkpoints p \
             JOIN sessions s ON s.id = p.session WHERE p.created_at < ? ORDER BY p.created_at LIMIT ?"
        }
        Aging::State => {
            "SELECT harness, agent, key, NULL FROM sessions WHERE state_at < ? ORDER BY state_at LIMIT ?"
        }
        Aging::Delivery => {
            "SELECT harness, agent, key, checkpoint FROM deliveries WHERE offered_at < ? \
             ORDER BY offered_at LIMIT ?"
        }
    };
    Statement::new(sql, vec![before.order_key().into(), limit.into()])
}

pub(super) fn record(row: Vec<Value>) -> Result<Expired, StorageError> {
    let expected = "what is too old";
    let [harness, agent, key, checkpoint] = columns(row, expected)?;
    let session = session_id([harness, agent, key], expected)?;
    let checkpoint = match checkpoint {
        Value::Null => None,
        id => Some(checkpoint_id(id, expected)?),
    };
    Ok(Expired { session, checkpoint })
}
