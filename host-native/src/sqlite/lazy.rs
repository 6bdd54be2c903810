use super::{OpenOptions, SqliteStorage, file};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};
use throughline_core::{
    console::SqliteFacts,
    host::{Committed, MemoryStorage, Storage, StorageError},
    model::{Answer, Batch, Query},
};

/// A SQLite store that is made by the first commit: to read a store that is not there, or to fail before
/// anything is stored, leaves no file behind.
#[derive(Debug)]
pub struct LazySqliteStorage {
    path: PathBuf,
    options: OpenOptions,
    opened: Mutex<Option<Arc<SqliteStorage>>>,
}

impl LazySqliteStorage {
    /// Opens the store at `path` when there is one.
    ///
    /// # Errors
    /// Those of [`SqliteStorage::open`]; `storage_unavailable` where there is none and none could be made.
    pub fn open(path: &Path) -> Result<Self, StorageError> {
        Self::open_with(OpenOptions::default(), path)
    }

    /// The same, in another way than the default one.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(options: OpenOptions, path: &Path) -> Result<Self, StorageError> {
        // Absolute, so that no name means something else to SQLite (`:memory:`).
        let path = std::path::absolute(path)
            .map_err(|error| StorageError::Unavailable { why: format!("no path to a file: {error}") })?;
        let opened = match path.symlink_metadata() {
            Ok(_) => Some(Arc::new(options.open(&path)?)),
            Err(_) => None,
        };
        if opened.is_none() {
            file::can_make(&path)?;
        }
        Ok(Self { path, options, opened: Mutex::new(opened) })
    }

    /// What the store says of itself; `None` when there is none yet.
    ///
    /// # Errors
    /// Those of [`SqliteStorage::facts`].
    pub fn facts(&self) -> Result<Option<SqliteFacts>, StorageError> {
        self.existing()?.map(|storage| storage.facts()).transpose()
    }

    fn existing(&self) -> Result<Option<Arc<SqliteStorage>>, StorageError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        // Another process may have made it meanwhile.
        if opened.is_none() && self.path.exists() {
            *opened = Some(Arc::new(self.options.open(&self.path)?));
        }
        Ok(opened.clone())
    }

    fn made(&self) -> Result<Arc<SqliteStorage>, StorageError> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        match &*opened {
            Some(storage) => Ok(Arc::clone(storage)),
            None => Ok(Arc::clone(opened.insert(Arc::new(self.options.open(&self.path)?)))),
        }
    }
}

impl Storage for LazySqliteStorage {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        self.made()?.commit(batch).await
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        match self.existing()? {
            Some(storage) => storage.read(query).await,
            None => MemoryStorage::default().read(query).await,
        }
    }
}
