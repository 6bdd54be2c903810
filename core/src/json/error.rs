//! What the JSON reader refuses, and where.
use thiserror::Error;

/// A place in the input that was given to the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Bytes from the start of the input.
    pub offset: usize,
    /// The line, from 1; lines end with LF.
    pub line: usize,
    /// The byte in the line, from 1.
    pub column: usize,
}

/// What is wrong with a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The input ends before the value does.
    #[error("the input ends before the value does")]
    EndOfInput,
    /// No value begins here.
    #[error("a value is expected: an object, array, string, number, true, false or null")]
    NoValue,
    /// An object goes on neither with a pair nor with its end.
    #[error("a key in double quotes is expected")]
    NoKey,
    /// A key is not followed by a colon.
    #[error("`:` is expected after the key")]
    NoColon,
    /// An array goes on neither with a value nor with its end.
    #[error("`,` or `]` is expected")]
    ArrayGoesOn,
    /// An object goes on neither with a pair nor with its end.
    #[error("`,` or `}}` is expected")]
    ObjectGoesOn,
    /// A number lacks digits.
    #[error("a number needs a digit here")]
    NoDigit,
    /// An unescaped control character in a string.
    #[error("a control character in a string must be escaped")]
    ControlCharacter,
    /// An escape that JSON does not have.
    #[error("an escape is one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hexadecimal digits")]
    Escape,
    /// Half a surrogate pair as an escape.
    #[error("a surrogate escape stands alone")]
    LoneSurrogate,
    /// Bytes that are no UTF-8.
    #[error("the string is not UTF-8")]
    Utf8,
}

/// A JSON text that was not read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JsonError {
    /// The text is no JSON.
    #[error("json at line {}, column {}: {problem}", at.line, at.column)]
    Invalid {
        /// What is wrong.
        problem: Problem,
        /// Where.
        at: Place,
    },
    /// Arrays and objects are nested deeper than accepted.
    #[error("json at line {}, column {}: nested deeper than {max_depth}", at.line, at.column)]
    TooDeep {
        /// The depth that is accepted.
        max_depth: usize,
        /// Where the first array or object that is too deep begins.
        at: Place,
    },
    /// Something other than white space stands after the value.
    #[error("json at line {}, column {}: nothing but white space is expected after the value", at.line, at.column)]
    Trailing {
        /// Where it stands.
        at: Place,
    },
}

impl JsonError {
    /// The stable code: `json_invalid`, `json_too_deep` or `json_trailing`.
    pub fn code(&self) -> &'static str {
        match self {
            JsonError::Invalid { .. } => "json_invalid",
            JsonError::TooDeep { .. } => "json_too_deep",
            JsonError::Trailing { .. } => "json_trailing",
        }
    }

    /// Where in the input the fault is.
    pub fn place(&self) -> Place {
        match self {
            JsonError::Invalid { at, .. } | JsonError::TooDeep { at, .. } | JsonError::Trailing { at } => *at,
        }
    }

    /// Whether the value only lacks its end, as the last line of a log that is being written does.
    pub fn is_end_of_input(&self) -> bool {
        matches!(self, JsonError::Invalid { problem: Problem::EndOfInput, .. })
    }
}

/// A fault as the reader meets it; its line and column are worked out when it is handed on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {
    Invalid(Problem, usize),
    TooDeep(usize),
}

impl Fault {
    pub(super) fn into_error(self, input: &[u8], max_depth: usize) -> JsonError {
        match self {
            Fault::Invalid(problem, offset) => JsonError::Invalid { problem, at: place_of(input, offset) },
            Fault::TooDeep(offset) => JsonError::TooDeep { max_depth, at: place_of(input, offset) },
        }
    }
}

pub(super) fn place_of(input: &[u8], offset: usize) -> Place {
    let before = input.get(..offset).unwrap_or(input);
    let line = memchr::memchr_iter(b'\n', before).count().saturating_add(1);
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |end| end.saturating_add(1));
    Place { offset, line, column: before.len().saturating_sub(line_start).saturating_add(1) }
}
