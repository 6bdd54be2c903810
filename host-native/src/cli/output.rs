//! Standard output: one JSON value, or text and tables for people.

use super::{error::CliError, line::one_line};
use serde::Serialize;
use std::io::{self, Write};
use throughline_core::time::Timestamp;

pub(super) struct Output {
    json: bool,
    to: io::StdoutLock<'static>,
}

impl Output {
    pub(super) fn new(json: bool) -> Self {
        Self { json, to: io::stdout().lock() }
    }

    /// Whether the answer is one JSON value.
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// One value with sorted keys, and a newline.
    pub(super) fn value<T: Serialize>(&mut self, value: &T) -> Result<(), CliError> {
        // A `serde_json::Value` keeps its keys sorted.
        let value = serde_json::to_value(value);
        let value = value.map_err(|error| CliError::output(&io::Error::other(error)))?;
        self.text(&format!("{value}\n"))
    }

    pub(super) fn text(&mut self, text: &str) -> Result<(), CliError> {
        self.bytes(text.as_bytes())
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.to.write_all(bytes).and_then(|()| self.to.flush()).map_err(|error| CliError::output(&error))
    }

    pub(super) fn table(&mut self, table: &Table) -> Result<(), CliError> {
        self.text(&table.to_string())
    }

    /// A remark for people, beside the answer.
    pub(super) fn remark(&self, text: &str) {
        if !self.json {
            // Nobody reads it when it cannot be written.
            let _ = writeln!(io::stderr(), "{text}");
        }
    }
}

/// Aligned columns under a heading. Numbers stand at the right.
pub(super) struct Table {
    rows: Vec<Vec<String>>,
    numbers: Vec<bool>,
}

impl Table {
    /// A heading that begins with `#` is of a column of numbers.
    pub(super) fn new(heads: &[&str]) -> Self {
        let numbers = heads.iter().map(|head| head.starts_with('#')).collect();
        let heads = heads.iter().map(|head| head.trim_start_matches('#').to_owned()).collect();
        Self { rows: vec![heads], numbers }
    }

    pub(super) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.iter().map(|cell| one_line(cell)).collect());
    }
}

impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.numbers.len()).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), number) in row.iter().zip(&widths).zip(&self.numbers) {
                let gap = if line.is_empty() { "" } else { "  " };
                line += gap;
                line += &if *number { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// An instant as people read it: date and minute, in UTC.
pub(super) fn minute(at: Timestamp) -> String {
    let key = at.order_key();
    let (date, time) = key.split_once('T').unwrap_or((&key, ""));
    let time: String = time.chars().take(5).collect();
    format!("{date} {time}Z")
}

/// What can be counted, in words: `1 row`, `2 rows`.
pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["name", "#count"]);
        table.row(vec!["é\u{1b}x".into(), "7".into()]);
        table.row(vec!["longer name".into(), "1234567".into()]);
        assert_eq!(table.to_string(), "name           count\né x                7\nlonger name  1234567\n");
    }

    #[test]
    fn times_are_readable() {
        assert_eq!(minute(Timestamp::parse("2026-03-01T09:30:59.9Z").unwrap()), "2026-03-01 09:30Z");
    }
}
