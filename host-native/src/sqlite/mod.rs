//! The SQLite driver: it runs the statements that the core writes.

mod facts;
mod fault;
mod file;
mod lazy;
mod open;

pub use lazy::LazySqliteStorage;
pub use open::OpenOptions;

use rusqlite::{Connection, TransactionBehavior, params_from_iter, types};
use std::{
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
use throughline_core::{
    host::{Committed, Storage, StorageError},
    model::{Answer, Batch, Query},
    sql::{self, Statement, Value},
};

/// Prepared statements that are kept; the core writes about thirty different ones.
const PREPARED: usize = 64;

/// A store in one SQLite file, shared by any number of processes of one machine.
///
/// Write-ahead log, `synchronous=FULL`: what a commit acknowledged is on the disk. Each batch is one
/// `BEGIN IMMEDIATE` transaction; another writer is waited for ([`OpenOptions::wait`]), then
/// `storage_locked`. Calls do their work at once, on the calling thread, one at a time.
#[derive(Debug)]
pub struct SqliteStorage {
    connection: Mutex<Connection>,
    path: PathBuf,
}

impl SqliteStorage {
    /// Opens or makes a store with the default options.
    ///
    /// A new file has mode 0600, a new folder 0700. What is not a store of ours is left as it is, to the
    /// byte.
    ///
    /// # Errors
    /// `storage_foreign`, `schema_newer`, `storage_corrupt`, `storage_unavailable`, `storage_locked` and
    /// `storage_full`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StorageError> {
        OpenOptions::default().open(path)
    }

    /// The absolute path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        // A panic while the lock was held dropped its transaction, which rolled it back.
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a batch whole or not at all.
    fn transaction(&self, already: &Statement, statements: &[Statement]) -> Result<Committed, StorageError> {
        let mut connection = self.connection();
        let transaction =
            connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(fault)?;
        let run = |statement: &Statement| {
            let mut prepared = transaction.prepare_cached(statement.sql)?;
            prepared.execute(params_from_iter(statement.params.iter().map(Param)))
        };
        if run(already).map_err(fault)? == 0 {
            return Ok(Committed { repeated: true });
        }
        for statement in statements {
            let changed = run(statement).map_err(fault)?;
            if statement.rows.is_some_and(|rows| u64::try_from(changed) != Ok(rows)) {
                return Err(StorageError::Conflict { what: statement.what.clone() });
            }
        }
        transaction.commit().map_err(|error| fault::fault(&error).at_commit())?;
        Ok(Committed { repeated: false })
    }

    fn query(&self, statement: &Statement) -> Result<Vec<Vec<Value>>, StorageError> {
        let connection = self.connection();
        let run = || -> rusqlite::Result<Vec<Vec<Value>>> {
            let mut prepared = connection.prepare_cached(statement.sql)?;
            let columns = prepared.column_count();
            let params = params_from_iter(statement.params.iter().map(Param));
            let rows =
                prepared.query_map(params, |row| (0..columns).map(|column| value(row, column)).collect())?;
            rows.collect()
        };
        run().map_err(fault)
    }
}

impl Storage for SqliteStorage {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        self.transaction(&sql::already(batch), &sql::statements(batch)?)
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        sql::answer(query, self.query(&sql::read(query))?)
    }
}

fn fault(error: rusqlite::Error) -> StorageError {
    fault::fault(&error).into()
}

struct Param<'a>(&'a Value);

impl rusqlite::ToSql for Param<'_> {
    fn to_sql(&self) -> rusqlite::Result<types::ToSqlOutput<'_>> {
        Ok(match self.0 {
            Value::Null => types::Null.into(),
            Value::Int(number) => (*number).into(),
            Value::Text(text) => text.as_str().into(),
        })
    }
}

fn value(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Value> {
    use types::{FromSqlError, ValueRef};
    Ok(match row.get_ref(column)? {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        text @ ValueRef::Text(_) => Value::Text(text.as_str()?.to_owned()),
        ValueRef::Real(_) | ValueRef::Blob(_) => return Err(FromSqlError::InvalidType.into()),
    })
}
