use crate::json::{Place, Problem};
use alloc::string::String;
use thiserror::Error;

/// What is wrong with a settings file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SettingsProblem {
    /// The text is no JSON.
    #[error("{0}")]
    Json(Problem),
    /// A block comment has no end.
    #[error("a comment that begins with /* ends with */")]
    CommentOpen,
    /// Bytes that are no UTF-8.
    #[error("settings are UTF-8 text")]
    Utf8,
    /// Arrays and objects within each other beyond reason.
    #[error("nested deeper than {max}")]
    TooDeep {
        /// The depth that is accepted.
        max: usize,
    },
    /// Something stands after the value.
    #[error("nothing but comments is expected after the settings")]
    Trailing,
    /// What comes of the change is not read as it is meant.
    #[error("the entry of {event} would not be read exactly once")]
    Unmerged {
        /// The event of the harness.
        event: &'static str,
    },
    /// A value of another type than the harness reads.
    #[error("{path} is expected to be {accepted}")]
    Kind {
        /// The path of the value.
        path: String,
        /// What is accepted.
        accepted: &'static str,
    },
}

/// A settings file that is not touched, since it is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {}, column {}: {problem}", at.line, at.column)]
pub struct SettingsError {
    /// What is wrong.
    pub problem: SettingsProblem,
    /// Where: the column is counted in bytes.
    pub at: Place,
}

impl SettingsError {
    /// `settings_invalid`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "settings_invalid"
    }
}
