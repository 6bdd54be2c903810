use super::{failure::Failure, table::Table};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use serde::Serialize;

/// What a program prints, and how it ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error: whole lines.
    pub stderr: String,
    /// The exit status, 0 to 3.
    pub exit: u8,
}

impl Answer {
    /// A text on standard output.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Self { stdout: text.into().into_bytes(), ..Self::default() }
    }

    /// One JSON value with sorted keys, and a newline.
    pub(super) fn json<T: Serialize>(value: &T) -> Result<Self, Failure> {
        // A `serde_json::Value` keeps its keys sorted.
        let value = serde_json::to_value(value);
        let value = value.map_err(|error| Failure::storage("output_failed", error.to_string()))?;
        Ok(Self::text(format!("{value}\n")))
    }

    pub(super) fn table(table: &Table) -> Self {
        Self::text(table.to_string())
    }

    pub(super) fn failed(failure: &Failure, json: bool) -> Self {
        Self { stderr: failure.print(json), exit: failure.exit(), ..Self::default() }
    }

    /// Adds a remark for people, beside the answer.
    pub(super) fn remark(mut self, text: &str) -> Self {
        self.stderr.push_str(text);
        self.stderr.push('\n');
        self
    }

    pub(super) fn exit(self, exit: u8) -> Self {
        Self { exit, ..self }
    }
}
