//! Text on one line of a terminal.

/// The text without line ends and other control characters, which could steer a terminal.
pub(super) fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}
