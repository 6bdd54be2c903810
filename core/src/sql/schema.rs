use crate::model::StorageError;
use alloc::format;

/// `application_id` of our SQLite files: `THLN` in ASCII. It marks a file as ours.
pub const APPLICATION_ID: i32 = 0x5448_4C4E;

const MIGRATIONS: &[&str] = &[include_str!("migrations/0001.sql")];

/// The migrations of SQLite in order; after the first n, `user_version` is n. They only go forward.
#[must_use]
pub fn migrations() -> &'static [&'static str] {
    MIGRATIONS
}

/// Judges a SQLite file by its header and its number of tables: the schema that it has, 0 for an empty one.
///
/// ```
/// use throughline_core::sql::{APPLICATION_ID, migrations, schema_found};
/// assert_eq!(schema_found(0, 0, 0), Ok(0));
/// assert_eq!(schema_found(APPLICATION_ID, 1, 6), Ok(1));
/// assert_eq!(schema_found(0, 3, 12).unwrap_err().code(), "storage_foreign");
/// let next = i64::try_from(migrations().len()).unwrap() + 1;
/// assert_eq!(schema_found(APPLICATION_ID, next, 6).unwrap_err().code(), "schema_newer");
/// ```
///
/// # Errors
/// `storage_foreign` for a database of another program, `schema_newer` for one of ours that this version
/// cannot read.
pub fn schema_found(application_id: i32, user_version: i64, tables: u64) -> Result<u32, StorageError> {
    let known = u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX);
    if application_id == APPLICATION_ID {
        let found = u32::try_from(user_version)
            .map_err(|_| StorageError::Foreign { what: format!("its schema version is {user_version}") })?;
        return if found > known { Err(StorageError::SchemaNewer { found, known }) } else { Ok(found) };
    }
    if application_id == 0 && user_version == 0 && tables == 0 {
        return Ok(0);
    }
    let what = format!("a SQLite database of another program (application id {application_id})");
    Err(StorageError::Foreign { what })
}
