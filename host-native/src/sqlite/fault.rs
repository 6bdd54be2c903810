use super::file;
use rusqlite::{Error, ErrorCode, ffi};
use std::path::Path;
use throughline_core::host::StorageError;

/// What SQLite said, with what it means for a store at `path`.
#[derive(Debug)]
pub(super) struct Fault {
    code: Option<ErrorCode>,
    extended: i32,
    text: String,
    /// The write met the limit that this process has for file sizes (`ulimit -f`).
    at_limit: bool,
}

impl Fault {
    pub(super) fn new(error: &Error, path: &Path) -> Self {
        let (code, extended) = match error {
            Error::SqliteFailure(error, _) | Error::SqlInputError { error, .. } => {
                (Some(error.code), error.extended_code)
            }
            _ => (None, 0),
        };
        let at_limit = code == Some(ErrorCode::SystemIoFailure) && file::at_size_limit(path);
        Self { code, extended, text: words(error), at_limit }
    }

    /// Whether waiting may help.
    pub(super) fn is_busy(&self) -> bool {
        matches!(
            self.code,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed)
        )
    }

    /// As [`StorageError::from`], when the commit itself failed: after a failed sync the batch may or may
    /// not be there when the file is opened again.
    pub(super) fn at_commit(self) -> StorageError {
        let unsynced = matches!(self.extended, ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_DIR_FSYNC);
        if unsynced { StorageError::OutcomeUnknown { why: self.text } } else { self.into() }
    }
}

impl From<Fault> for StorageError {
    fn from(fault: Fault) -> Self {
        let why = fault.text;
        if fault.at_limit {
            return Self::Full { why: "the limit of this process for file sizes is reached".into() };
        }
        match fault.code {
            Some(
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed,
            ) => Self::Locked { why },
            Some(ErrorCode::DiskFull) => Self::Full { why },
            Some(
                ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                | ErrorCode::ConstraintViolation
                | ErrorCode::SchemaChanged
                | ErrorCode::Unknown,
            )
            | None => Self::Corrupt { what: format!("a damaged database ({why})"), expected: "a whole one" },
            Some(_) => Self::Unavailable { why },
        }
    }
}

/// The error in words, without the names of types.
fn words(error: &Error) -> String {
    match error {
        Error::SqliteFailure(error, None) => error.to_string(),
        Error::SqliteFailure(_, Some(text)) => text.clone(),
        Error::SqlInputError { msg, .. } => msg.clone(),
        Error::FromSqlConversionFailure(column, ..) | Error::InvalidColumnType(column, ..) => {
            format!("column {column} holds another type of value")
        }
        Error::Utf8Error(..) => "a text is no UTF-8".into(),
        _ => "an answer of another shape".into(),
    }
}
