//! Two texts side by side, as `diff -u` shows them and `patch` reads them.

use alloc::{format, string::String, vec, vec::Vec};

/// How many lines around a change are shown.
const CONTEXT: usize = 3;
/// The most cells of a table of common lines (lines times lines); beyond it what lies between the first and the last
/// change is shown as one.
const CELLS: usize = 4_000_000;

/// What becomes of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line<'a> {
    Same(&'a str),
    Gone(&'a str),
    New(&'a str),
}

/// The unified diff from `before` to `after`, under these names; empty when they are equal.
///
/// ```
/// let diff = throughline_core::hook::settings::unified("a", "b", "one\n", "one\ntwo\n");
/// assert_eq!(diff, "--- a\n+++ b\n@@ -1 +1,2 @@\n one\n+two\n");
/// ```
#[must_use]
pub fn unified(name_before: &str, name_after: &str, before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let lines = lines(
        &before.split_inclusive('\n').collect::<Vec<_>>(),
        &after.split_inclusive('\n').collect::<Vec<_>>(),
    );
    let mut out = format!("--- {name_before}\n+++ {name_after}\n");
    let changed: Vec<usize> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !matches!(line, Line::Same(_)))
        .map(|(index, _)| index)
        .collect();
    let mut rest = changed.as_slice();
    while let [first, ..] = rest {
        // Changes with less than two contexts between them are one hunk.
        let near = rest
            .windows(2)
            .take_while(|pair| matches!(pair, [a, b] if b.saturating_sub(*a) <= CONTEXT * 2 + 1));
        let (hunk, later) = rest.split_at(near.count().saturating_add(1));
        let start = first.saturating_sub(CONTEXT);
        let end = hunk.last().unwrap_or(first).saturating_add(CONTEXT + 1).min(lines.len());
        write(&lines, start, end, &mut out);
        rest = later;
    }
    out
}

fn write(lines: &[Line<'_>], start: usize, end: usize, out: &mut String) {
    let count = |lines: &[Line<'_>], skipped: fn(&Line<'_>) -> bool| {
        lines.iter().filter(|line| !skipped(line)).count()
    };
    let old = |lines: &[Line<'_>]| count(lines, |line| matches!(line, Line::New(_)));
    let new = |lines: &[Line<'_>]| count(lines, |line| matches!(line, Line::Gone(_)));
    let (before, hunk) = (lines.get(..start).unwrap_or_default(), lines.get(start..end).unwrap_or_default());
    let range = |before: usize, length: usize| match length {
        0 => format!("{before},0"),
        1 => format!("{}", before.saturating_add(1)),
        _ => format!("{},{length}", before.saturating_add(1)),
    };
    let (from, to) = (range(old(before), old(hunk)), range(new(before), new(hunk)));
    out.push_str(&format!("@@ -{from} +{to} @@\n"));
    for line in hunk {
        let (mark, text) = match line {
            Line::Same(text) => (' ', text),
            Line::Gone(text) => ('-', text),
            Line::New(text) => ('+', text),
        };
        out.push(mark);
        out.push_str(text);
        if !text.ends_with('\n') {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}

fn lines<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<Line<'a>> {
    let head = before.iter().zip(after).take_while(|(a, b)| a == b).count();
    let (same, before) = before.split_at(head);
    let after = after.get(head..).unwrap_or_default();
    let tail = before.iter().rev().zip(after.iter().rev()).take_while(|(a, b)| a == b).count();
    let (before, end) = before.split_at(before.len().saturating_sub(tail));
    let after = after.get(..after.len().saturating_sub(tail)).unwrap_or_default();
    let mut all: Vec<_> = same.iter().map(|line| Line::Same(line)).collect();
    middle(before, after, &mut all);
    all.extend(end.iter().map(|line| Line::Same(line)));
    all
}

/// By the longest common subsequence.
fn middle<'a>(before: &[&'a str], after: &[&'a str], all: &mut Vec<Line<'a>>) {
    let width = after.len().saturating_add(1);
    let cells = before.len().saturating_add(1).saturating_mul(width);
    if cells > CELLS || before.is_empty() || after.is_empty() {
        all.extend(before.iter().map(|line| Line::Gone(line)));
        all.extend(after.iter().map(|line| Line::New(line)));
        return;
    }
    let at = |row: usize, column: usize| row.saturating_mul(width).saturating_add(column);
    // How long the longest one is of what is left of both.
    let mut table = vec![0u32; cells];
    let cell = |table: &[u32], row, column| table.get(at(row, column)).copied().unwrap_or_default();
    for (row, old) in before.iter().enumerate().rev() {
        for (column, new) in after.iter().enumerate().rev() {
            let (down, right) = (row.saturating_add(1), column.saturating_add(1));
            let longest = if old == new {
                cell(&table, down, right).saturating_add(1)
            } else {
                cell(&table, down, column).max(cell(&table, row, right))
            };
            if let Some(place) = table.get_mut(at(row, column)) {
                *place = longest;
            }
        }
    }
    let (mut row, mut column) = (0, 0);
    loop {
        match (before.get(row), after.get(column)) {
            (Some(old), Some(new)) if old == new => {
                all.push(Line::Same(old));
                row = row.saturating_add(1);
                column = column.saturating_add(1);
            }
            (Some(old), new)
                if new.is_none()
                    || cell(&table, row.saturating_add(1), column)
                        >= cell(&table, row, column.saturating_add(1)) =>
            {
                all.push(Line::Gone(old));
                row = row.saturating_add(1);
            }
            (_, Some(new)) => {
                all.push(Line::New(new));
                column = column.saturating_add(1);
            }
            (_, None) => return,
        }
    }
}
