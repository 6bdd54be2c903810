//! Text on one line of a terminal.

use crate::time::Timestamp;
use alloc::{format, string::String};

/// The text without line ends and other control characters, which could steer a terminal.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// An instant as people read it: date and minute, in UTC.
pub(super) fn minute(at: Timestamp) -> String {
    let key = at.order_key();
    let (date, time) = key.split_once('T').unwrap_or((&key, ""));
    let time: String = time.chars().take(5).collect();
    format!("{date} {time}Z")
}

/// What can be counted, in words: `1 row`, `2 rows`.
pub(super) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
