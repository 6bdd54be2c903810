//! Errors of rusqlite as the core reads them.

use super::file;
use rusqlite::Error;
use throughline_core::sql::sqlite::Fault;

pub(super) fn fault(error: &Error) -> Fault {
    let code = match error {
        Error::SqliteFailure(error, _) | Error::SqlInputError { error, .. } => error.extended_code,
        _ => 0,
    };
    Fault { code, text: words(error), size_limit: file::size_limit() }
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
