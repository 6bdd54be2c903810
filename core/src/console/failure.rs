use super::line::one_line;
use crate::{
    checkpoint::ContinuityError,
    compaction::CompactionError,
    engine::EngineError,
    hook::{HookError, settings::SettingsError},
    host::{FileFault, StorageError},
    id::IdError,
    json::JsonError,
    prompt::PromptError,
    redact::{Clean, RedactError, Redactor},
    time::TimestampError,
};
use alloc::{
    format,
    string::{String, ToString},
};
use serde_json::json;

/// The status for what is not found.
pub(super) const NOT_SO: u8 = 1;
/// The status for bad input and usage.
const USAGE: u8 = 2;
/// The status for a store that failed.
const STORAGE: u8 = 3;

/// Why a command failed: one line on standard error, and the exit status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    code: &'static str,
    message: String,
    at: Option<String>,
    exit: u8,
}

impl Failure {
    pub(super) fn new(code: &'static str, message: impl Into<String>, exit: u8) -> Self {
        Self { code, message: message.into(), at: None, exit }
    }

    pub(super) fn usage(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, message, USAGE)
    }

    /// A host that cannot give what a store needs; exit status 3.
    pub fn storage(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, message, STORAGE)
    }

    /// A file that cannot be read.
    pub(super) fn input(file: &str, fault: &FileFault) -> Self {
        Self::usage("input_unreadable", fault.to_string()).at(file)
    }

    /// An answer that cannot be written; `None` when its reader has gone, to whom nothing is left to be said.
    pub(super) fn unwritten(fault: &FileFault) -> Option<Self> {
        let failure = || Self::storage("output_failed", format!("the answer cannot be written: {fault}"));
        (*fault != FileFault::Closed).then(failure)
    }

    /// A file of the home folder that cannot be written.
    pub(super) fn unkept(file: &str, fault: &FileFault) -> Self {
        Self::storage("output_failed", format!("the place in the log cannot be kept: {fault}")).at(file)
    }

    /// An event that cannot be kept for later.
    pub(super) fn unspooled(fault: &FileFault) -> Self {
        Self::storage("output_failed", format!("the event could not be kept: {fault}"))
    }

    /// An answer that a harness did not take.
    pub(super) fn untold(fault: &FileFault) -> Self {
        Self::storage("output_failed", format!("the answer cannot be written: {fault}"))
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Says what else went wrong.
    pub(super) fn and(mut self, message: &str) -> Self {
        self.message = format!("{}; {message}", self.message);
        self
    }

    /// Whether the store failed.
    pub(super) fn is_of_storage(&self) -> bool {
        self.exit == STORAGE
    }

    /// Says where: a file, an argument, a path within the input.
    pub(super) fn at(mut self, at: impl Into<String>) -> Self {
        self.at = Some(at.into());
        self
    }

    pub(super) fn exit(&self) -> u8 {
        self.exit
    }

    /// `throughline: <code>: <message> [<where>]`, always one line; with `json` a second one that holds the
    /// same as JSON.
    pub(super) fn print(&self, json: bool) -> String {
        let (message, at) = self.scrubbed();
        let at = at.map(|at| format!(" [{at}]")).unwrap_or_default();
        let line = one_line(&format!("throughline: {}: {message}{at}", self.code));
        if !json {
            return format!("{line}\n");
        }
        format!("{line}\n{}\n", json!({ "error": self.value() }))
    }

    /// Whether the store failed, and not the input.
    pub(super) fn is_storage(&self) -> bool {
        self.exit == STORAGE
    }

    /// The same as a JSON object.
    pub(super) fn value(&self) -> serde_json::Value {
        let (message, at) = self.scrubbed();
        json!({ "code": self.code, "message": message, "path": at })
    }

    /// What is said, and where. Messages repeat what came in, and what is printed is kept: by CI, and by agents.
    fn scrubbed(&self) -> (Clean, Option<Clean>) {
        let redactor = Redactor::standard();
        (redactor.clean(&self.message), self.at.as_ref().map(|at| redactor.clean(at)))
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        Self::storage(error.code(), error.to_string())
    }
}

impl From<TimestampError> for Failure {
    fn from(error: TimestampError) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

impl From<IdError> for Failure {
    fn from(error: IdError) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

impl From<ContinuityError> for Failure {
    fn from(error: ContinuityError) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

impl From<RedactError> for Failure {
    fn from(error: RedactError) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

impl From<JsonError> for Failure {
    fn from(error: JsonError) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

impl From<PromptError> for Failure {
    fn from(error: PromptError) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

impl From<CompactionError> for Failure {
    fn from(error: CompactionError) -> Self {
        let exit = if is_not_so(&error) { NOT_SO } else { USAGE };
        let failure = Self::new(error.code(), error.to_string(), exit);
        match error.path() {
            Some(path) => failure.at(path),
            None => failure,
        }
    }
}

/// Whether there was nothing to gain, and nothing wrong with what was asked.
fn is_not_so(error: &CompactionError) -> bool {
    matches!(
        error,
        CompactionError::NothingToCompact
            | CompactionError::SummaryTooLarge { .. }
            | CompactionError::HeldBack { .. }
            | CompactionError::Superseded
    )
}

impl From<HookError> for Failure {
    fn from(error: HookError) -> Self {
        Self::usage(error.code(), error.to_string())
    }
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        let exit = match &error {
            EngineError::Storage(_) | EngineError::Stale(_) | EngineError::Contended { .. } => STORAGE,
            EngineError::SessionUnknown { .. } | EngineError::CheckpointUnknown { .. } => NOT_SO,
            EngineError::Compaction(error) if is_not_so(error) => NOT_SO,
            _ => USAGE,
        };
        Self::new(error.code(), error.to_string(), exit)
    }
}
