//! The one schema and its statements, as text: a host's driver is two functions, `transaction` and `query`.
//!
//! - `transaction`: begin as the only writer; run [`already`], and when it changes no row, roll back and
//!   answer `repeated`; run [`statements`] in order, and when one changes another number of rows than it
//!   must, roll back and answer `conflict` with its `what`; commit.
//! - `query`: run [`read`], hand all rows to [`answer`].
//!
//! Opening: judge the file with [`schema_found`] before anything is written to it; then run the
//! [`migrations`] that are missing in one transaction, which also sets `application_id` to
//! [`APPLICATION_ID`] and `user_version` to the number of migrations. A driver migrates before it turns the
//! write-ahead log on, so that the header of the file says from the first byte whose it is.
//!
//! Parameters are plain `?` in order. Ids and instants are text that sorts by its bytes (instants as
//! [order keys](crate::time::Timestamp::order_key)), bodies are JSON text. Every statement is of the cost of
//! what it writes or gives back (`spec/hosts.md`, "Storage").

mod read;
mod schema;
mod write;

#[cfg(test)]
mod tests;

pub use read::{answer, read};
pub use schema::{APPLICATION_ID, migrations, schema_found};
pub use write::{BATCH_KEPT_MILLIS, already, statements};

use alloc::{string::String, vec::Vec};
use serde::{Deserialize, Serialize};

/// A parameter, or a column of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// NULL.
    Null,
    /// INTEGER.
    Int(i64),
    /// TEXT.
    Text(String),
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Int(flag.into())
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<u64> for Value {
    /// A number that SQL cannot hold becomes the greatest that it can; versions and `seq` count by one.
    fn from(number: u64) -> Self {
        Self::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<Option<&str>> for Value {
    fn from(text: Option<&str>) -> Self {
        text.map_or(Self::Null, Self::from)
    }
}

/// One statement with its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// The text: one of a fixed few, so that drivers may keep them prepared.
    pub sql: &'static str,
    /// What stands for each `?`, in order.
    pub params: Vec<Value>,
    /// How many rows it must change; any other number is a conflict. `None`: any.
    pub rows: Option<u64>,
    /// What the conflict is, in words.
    pub what: String,
}

impl Statement {
    fn new(sql: &'static str, params: Vec<Value>) -> Self {
        Self { sql, params, rows: None, what: String::new() }
    }

    fn changing(mut self, rows: u64, else_what: String) -> Self {
        (self.rows, self.what) = (Some(rows), else_what);
        self
    }
}
