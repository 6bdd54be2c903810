//! Keeping user text from breaking the structure of a digest (`spec/checkpoints.md`, "Digests").
use crate::redact::{Clean, CleanBuf};

/// What a prompt must not begin with in a list, beside a number with `.` or `)`.
const PROMPT_STARTS: [char; 11] = ['#', '-', '+', '*', '>', '~', '=', '|', '<', '[', '`'];

/// A prompt as an entry of a list: with a backslash in front when it would begin something else.
pub(super) fn prompt(text: &Clean) -> Clean {
    // White space in front does not keep a mark of markdown from working.
    let start = text.as_str().trim_start();
    if !start.starts_with(PROMPT_STARTS) && !is_numbered(start) {
        return text.clone();
    }
    let mut escaped = CleanBuf::new();
    escaped.lit("\\").clean(text);
    escaped.finish()
}

/// Text of several lines, ended by LF: with a backslash before each line that would begin a heading or a
/// fence, or that would make one of the line before it.
pub(super) fn block(text: &Clean) -> Clean {
    if !text.as_str().split('\n').any(breaks) {
        return text.clone();
    }
    let mut escaped = CleanBuf::new();
    for (index, line) in text.lines().enumerate() {
        if index > 0 {
            escaped.lit("\n");
        }
        if breaks(line.as_str()) {
            escaped.lit("\\");
        }
        escaped.clean(&line);
    }
    escaped.finish()
}

fn is_numbered(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with(['.', ')'])
}

fn breaks(line: &str) -> bool {
    let start = line.trim_start_matches(' ');
    // Four spaces make the line code, in which nothing begins.
    if line.len().saturating_sub(start.len()) > 3 {
        return false;
    }
    start.starts_with(['#'])
        || ["```", "~~~", "---"].iter().any(|mark| start.starts_with(mark))
        || underlines(start)
}

/// Whether the line is one that makes a heading of the line before it: nothing but `=` or `-`.
fn underlines(line: &str) -> bool {
    let line = line.trim_end();
    ['=', '-'].iter().any(|mark| line.starts_with(*mark) && line.trim_start_matches(*mark).is_empty())
}

#[cfg(test)]
mod tests;
