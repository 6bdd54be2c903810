use super::{PREPARED, SqliteStorage, fault::fault, file};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, config::DbConfig};
use std::{
    path::Path,
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};
use throughline_core::{
    host::StorageError,
    sql::{
        APPLICATION_ID, migrations, schema_found,
        sqlite::{PRAGMAS, Refusal as FileRefusal},
    },
};

/// How long a log that stays gets, in pages: whoever opens the store reads it.
const KEPT_PAGES: u32 = 100;

/// How a store is opened.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct OpenOptions {
    /// How long another writer is waited for; then `storage_locked`. 10 seconds by default.
    pub wait: Duration,
    /// Whether the write-ahead log stays where it is when the store is closed, for a process that ends after a
    /// commit or two and is waited for; what is in it is in the store. No by default: whoever closes the store last
    /// writes the log into the file.
    pub keep_log: bool,
}

impl Default for OpenOptions {
    fn default() -> Self {
        Self { wait: Duration::from_secs(10), keep_log: false }
    }
}

impl OpenOptions {
    /// Sets how long another writer is waited for.
    #[must_use]
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sets whether the write-ahead log stays where it is when the store is closed.
    #[must_use]
    pub fn keep_log(mut self, keep_log: bool) -> Self {
        self.keep_log = keep_log;
        self
    }

    /// Opens or makes a store; see [`SqliteStorage::open`].
    ///
    /// # Errors
    /// As [`SqliteStorage::open`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<SqliteStorage, StorageError> {
        // Absolute, so that no name means something else to SQLite (`:memory:`).
        let path = std::path::absolute(path.as_ref())
            .map_err(|error| StorageError::Unavailable { why: format!("no path to a file: {error}") })?;
        file::prepare(&path)?;
        let connection = self.patiently(|| self.connect(&path))?;
        Ok(SqliteStorage { connection: Mutex::new(connection), path })
    }

    fn connect(&self, path: &Path) -> Result<Connection, Refusal> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut connection = Connection::open_with_flags(path, flags)?;
        connection.set_prepared_statement_cache_capacity(PREPARED);
        connection.busy_timeout(self.wait)?;
        if connection.is_readonly("main")? {
            return Err(FileRefusal::ReadOnly.at(&path.to_string_lossy()).into());
        }
        if self.keep_log {
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            connection.pragma_update(None, "wal_autocheckpoint", KEPT_PAGES)?;
        }
        connection.execute_batch(PRAGMAS)?;
        if schema(&connection)? < known() {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            migrate(&transaction)?;
            transaction.commit()?;
        }
        // After the schema is in the file itself, not in a log beside it.
        let wanted = file::journal_of(path);
        let found: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if found != wanted {
            connection.pragma_update_and_check(None, "journal_mode", wanted, |_| Ok(()))?;
        }
        Ok(connection)
    }

    /// Some locks of opening (recovery, the change of the journal) are refused at once, whatever the
    /// timeout of the connection: those are tried again for as long as a writer is waited for.
    fn patiently<T>(&self, attempt: impl Fn() -> Result<T, Refusal>) -> Result<T, StorageError> {
        #[allow(clippy::disallowed_methods, reason = "bounds a wait; no result depends on it")]
        let now = Instant::now;
        let start = now();
        loop {
            let fault = match attempt() {
                Ok(done) => return Ok(done),
                Err(Refusal::Ours(error)) => return Err(error),
                Err(Refusal::Sqlite(error)) => fault(&error),
            };
            if !fault.is_busy() || now().duration_since(start) >= self.wait {
                return Err(fault.into());
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Why a connection was not made.
enum Refusal {
    Ours(StorageError),
    Sqlite(rusqlite::Error),
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        Self::Ours(error)
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

fn known() -> u32 {
    u32::try_from(migrations().len()).unwrap_or(u32::MAX)
}

/// Judges the file once more, now as SQLite sees it.
fn schema(connection: &Connection) -> Result<u32, Refusal> {
    let application_id = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let user_version = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let tables: i64 = connection.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(schema_found(application_id, user_version, tables.unsigned_abs())?)
}

/// Runs the migrations that are missing, in the transaction that found them missing.
fn migrate(transaction: &Transaction<'_>) -> Result<(), Refusal> {
    let (found, known) = (schema(transaction)?, known());
    for migration in migrations().iter().skip(found as usize) {
        transaction.execute_batch(migration)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", known)?;
    Ok(())
}
