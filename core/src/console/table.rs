use super::line::one_line;
use alloc::{borrow::ToOwned, format, string::String, vec, vec::Vec};
use core::fmt;

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

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.numbers.len()).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), number) in row.iter().zip(&widths).zip(&self.numbers) {
                line.push_str(if line.is_empty() { "" } else { "  " });
                let cell = if *number { format!("{cell:>width$}") } else { format!("{cell:<width$}") };
                line.push_str(&cell);
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
