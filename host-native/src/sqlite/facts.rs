//! What a store says of itself.
use super::{SqliteStorage, fault, file};
use std::fs;
use throughline_core::{console::SqliteFacts, host::StorageError};

impl SqliteStorage {
    /// Looks through the file: its schema, its size, and whether SQLite finds damage in it. It costs as much as
    /// the file is long.
    ///
    /// # Errors
    /// `storage_corrupt`, `storage_unavailable`, `storage_locked`.
    pub fn facts(&self) -> Result<SqliteFacts, StorageError> {
        let connection = self.connection();
        let read = || -> rusqlite::Result<SqliteFacts> {
            let pragma = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, u32>(0));
            let mut check = connection.prepare("PRAGMA quick_check")?;
            let integrity = check.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
            let mut references = connection.prepare("PRAGMA foreign_key_check")?;
            let mut orphans = 0;
            let mut rows = references.query([])?;
            while rows.next()?.is_some() {
                orphans += 1;
            }
            Ok(SqliteFacts {
                schema: pragma("user_version")?,
                bytes: 0,
                integrity,
                orphans,
                journal: connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?,
                file_system: file::file_system_of(self.path()),
                mode: None,
            })
        };
        let mut facts = read().map_err(fault)?;
        let sizes = ["", "-wal", "-shm", "-journal"].map(|suffix| file::beside(self.path(), suffix));
        facts.bytes = sizes.iter().filter_map(|path| fs::metadata(path).ok()).map(|found| found.len()).sum();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            facts.mode = fs::metadata(self.path()).ok().map(|found| found.permissions().mode());
        }
        Ok(facts)
    }
}
