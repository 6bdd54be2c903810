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
    /// A statement that may change any number of rows, for what a driver adds of its own.
    #[must_use]
    pub fn plain(sql: &'static str, params: Vec<Value>) -> Self {
        Self::new(sql, params)
    }

    pub(super) fn new(sql: &'static str, params: Vec<Value>) -> Self {
        Self { sql, params, rows: None, what: String::new() }
    }

    pub(super) fn changing(mut self, rows: u64, else_what: String) -> Self {
        (self.rows, self.what) = (Some(rows), else_what);
        self
    }
}
