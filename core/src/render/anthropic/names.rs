//! Ids and names that the provider takes.

use crate::prompt::Diagnostic;
use alloc::string::String;

const LONGEST: usize = 128;

fn is_taken(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Letters, digits, `_` and `-`, at least one.
pub(super) fn is_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(is_taken)
}

/// Whether a tool may have this name.
pub(super) fn is_accepted(name: &str) -> bool {
    is_id(name) && name.len() <= LONGEST
}

/// The name that a tool is sent with, in its declaration and in its calls alike.
pub(super) fn sent(name: &str) -> String {
    if is_accepted(name) {
        return name.into();
    }
    let put =
        |character: char| if character.is_ascii() && is_taken(character as u8) { character } else { '_' };
    let sent: String = name.chars().map(put).take(LONGEST).collect();
    if sent.is_empty() { "_".into() } else { sent }
}

pub(super) fn refused() -> Diagnostic {
    Diagnostic::new(
        "tool_name_refused",
        "a tool's name is 1 to 128 of A-Z a-z 0-9 _ and -; `_` stands for others",
    )
}
