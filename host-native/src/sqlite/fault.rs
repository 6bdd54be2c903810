use super::file;
use rusqlite::{Error, ErrorCode, ffi};
use throughline_core::host::StorageError;

/// What SQLite said, and what it means for a store.
#[derive(Debug)]
pub(super) struct Fault {
    code: Option<ErrorCode>,
    extended: i32,
    text: String,
    /// The limit for file sizes under which a write failed.
    limit: Option<u64>,
}

impl Fault {
    pub(super) fn new(error: &Error) -> Self {
        let (code, extended) = match error {
            Error::SqliteFailure(error, _) | Error::SqlInputError { error, .. } => {
                (Some(error.code), error.extended_code)
            }
            _ => (None, 0),
        };
        let growing = matches!(extended, ffi::SQLITE_IOERR_WRITE | ffi::SQLITE_IOERR_SHMSIZE);
        let limit = if growing { file::size_limit() } else { None };
        Self { code, extended, text: words(error), limit }
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
        if let Some(limit) = fault.limit {
            let why = format!("a write failed, and this process may write files of {limit} bytes at most");
            return Self::Full { why };
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
