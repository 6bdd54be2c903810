use super::line::one_line;
use serde_json::json;
use std::io::{self, Write};
use throughline_core::{
    engine::EngineError, host::StorageError, id::IdError, redact::RedactError, time::TimestampError,
};

/// The status for what is not found.
pub(super) const NOT_SO: u8 = 1;
/// The status for bad input and usage.
pub(super) const USAGE: u8 = 2;
/// The status for a store that failed.
pub(super) const STORAGE: u8 = 3;

/// Why a command failed: one line on standard error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CliError {
    code: &'static str,
    message: String,
    at: Option<String>,
    exit: u8,
}

/// The reader of standard output has gone: nothing is left to be said to it.
const CLOSED_PIPE: &str = "output_closed";

impl CliError {
    pub(super) fn new(code: &'static str, message: impl Into<String>, exit: u8) -> Self {
        Self { code, message: message.into(), at: None, exit }
    }

    pub(super) fn usage(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, message, USAGE)
    }

    /// A file that cannot be read.
    pub(super) fn input(file: &std::path::Path, error: &io::Error) -> Self {
        Self::usage("input_unreadable", io_words(error)).at(file.display().to_string())
    }

    pub(super) fn output(error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::usage(CLOSED_PIPE, "standard output is closed");
        }
        Self::new("output_failed", format!("the answer cannot be written: {}", io_words(error)), STORAGE)
    }

    /// Says where: a file, an argument, a path within the input.
    pub(super) fn at(mut self, at: impl Into<String>) -> Self {
        self.at = Some(at.into());
        self
    }

    pub(super) fn exit(&self) -> u8 {
        self.exit
    }

    pub(super) fn is_closed_pipe(&self) -> bool {
        self.code == CLOSED_PIPE
    }

    /// `throughline: <code>: <message> [<where>]`, always one line.
    fn line(&self) -> String {
        let at = self.at.as_ref().map(|at| format!(" [{at}]")).unwrap_or_default();
        one_line(&format!("throughline: {}: {}{at}", self.code, self.message))
    }

    pub(super) fn print(&self, json: bool) {
        let mut text = self.line() + "\n";
        if json {
            let error = json!({ "code": self.code, "message": self.message, "path": self.at });
            text += &(json!({ "error": error }).to_string() + "\n");
        }
        // There is no better place to say that this place is closed.
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

/// The error as the system words it, without its number.
pub(super) fn io_words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.clone(), |(words, _)| words.to_owned())
}

impl From<StorageError> for CliError {
    fn from(error: StorageError) -> Self {
        Self::new(error.code(), error.to_string(), STORAGE)
    }
}

impl From<crate::EntropyError> for CliError {
    fn from(error: crate::EntropyError) -> Self {
        Self::new(error.code(), error.to_string(), STORAGE)
    }
}

impl From<TimestampError> for CliError {
    fn from(error: TimestampError) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

impl From<IdError> for CliError {
    fn from(error: IdError) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

impl From<RedactError> for CliError {
    fn from(error: RedactError) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

impl From<EngineError> for CliError {
    fn from(error: EngineError) -> Self {
        let exit = match &error {
            EngineError::Storage(_) | EngineError::Stale(_) | EngineError::Contended { .. } => STORAGE,
            EngineError::SessionUnknown { .. } | EngineError::CheckpointUnknown { .. } => NOT_SO,
            _ => USAGE,
        };
        Self::new(error.code(), error.to_string(), exit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line() {
        let error = CliError::usage("input_unreadable", "no\nsuch file\u{1b}[31m").at("a\tb");
        assert_eq!(error.line(), "throughline: input_unreadable: no such file [31m [a b]");
        assert_eq!(error.exit(), 2);
    }

    #[test]
    fn the_status_says_whose_fault_it_is() {
        let of = |error: EngineError| CliError::from(error).exit();
        assert_eq!(of(EngineError::SessionUnknown { session: "s".into() }), 1);
        assert_eq!(of(EngineError::CheckpointUnknown { checkpoint: "c".into() }), 1);
        assert_eq!(of(EngineError::EmptyMessage), 2);
        assert_eq!(of(StorageError::Locked { why: "busy".into() }.into()), 3);
    }
}
