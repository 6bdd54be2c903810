//! Columns of an answer as what they stand for.
use super::statement::Value;
use crate::{
    id::{CheckpointId, SessionId},
    model::StorageError,
    time::Timestamp,
};
use alloc::{format, string::String, vec::Vec};
use serde::de::DeserializeOwned;

pub(super) fn corrupt(what: String, expected: &'static str) -> StorageError {
    StorageError::Corrupt { what, expected }
}

pub(super) fn columns<const N: usize>(
    row: Vec<Value>,
    expected: &'static str,
) -> Result<[Value; N], StorageError> {
    let wrong = |row: Vec<Value>| corrupt(format!("{} columns in place of {N}", row.len()), expected);
    row.try_into().map_err(wrong)
}

pub(super) fn text(value: Value, expected: &'static str) -> Result<String, StorageError> {
    match value {
        Value::Text(text) => Ok(text),
        Value::Int(_) => Err(corrupt("a number in place of a text".into(), expected)),
        Value::Null => Err(corrupt("nothing in place of a text".into(), expected)),
    }
}

pub(super) fn int(value: &Value, expected: &'static str) -> Result<i64, StorageError> {
    match value {
        Value::Int(number) => Ok(*number),
        Value::Text(_) | Value::Null => Err(corrupt("no number where one stands".into(), expected)),
    }
}

pub(super) fn session_id(parts: [Value; 3], expected: &'static str) -> Result<SessionId, StorageError> {
    let [harness, agent, key] = parts;
    let (harness, agent) = (text(harness, expected)?, text(agent, expected)?);
    SessionId::new(harness, agent, text(key, expected)?).map_err(|_| odd("session id", expected))
}

pub(super) fn checkpoint_id(value: Value, expected: &'static str) -> Result<CheckpointId, StorageError> {
    CheckpointId::parse(&text(value, expected)?).map_err(|_| odd("checkpoint id", expected))
}

pub(super) fn instant(value: Value, expected: &'static str) -> Result<Timestamp, StorageError> {
    Timestamp::from_order_key(&text(value, expected)?).map_err(|_| odd("order key", expected))
}

pub(super) fn number(value: &Value, expected: &'static str) -> Result<u64, StorageError> {
    u64::try_from(int(value, expected)?).map_err(|_| odd("number", expected))
}

pub(super) fn odd(what: &str, expected: &'static str) -> StorageError {
    corrupt(format!("an unknown {what}"), expected)
}

/// Reads JSON text. The message says where it goes wrong, and nothing of what stands there.
pub(super) fn body_of<T: DeserializeOwned>(text: &str, expected: &'static str) -> Result<T, StorageError> {
    serde_json::from_str(text).map_err(|error| {
        let what = if error.is_data() { "JSON of another shape" } else { "text that is no JSON" };
        corrupt(format!("{what} (from column {})", error.column()), expected)
    })
}
