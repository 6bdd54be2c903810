use super::{failure::Failure, folder::FolderWatch, hook::HookSystem, log_file::LogFile, store::Store};
use crate::{
    engine::Engine,
    host::{FileFault, Host},
    time::Timestamp,
};
use alloc::{string::String, vec::Vec};
use core::future::Future;
use serde::Deserialize;

/// What the command line needs of the program that it runs in.
pub trait Surroundings: HookSystem {
    /// What engines run on.
    type Host: Host;
    /// A file that is being read.
    type File: LogFile;
    /// A folder that is being watched.
    type Folder: FolderWatch;

    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;

    /// The user's home folder.
    fn home(&self) -> Option<String>;

    /// The working directory, which a relative project is in.
    fn folder(&self) -> Option<String>;

    /// Opens the store; `now` stands in for the clock, and `wait_millis` for how long another writer is waited for. One
    /// that is not there is made by
    /// the first commit, so that a command which stores nothing leaves nothing behind; where none could be
    /// made, that is said here.
    fn open(
        &self,
        store: &Store,
        now: Option<Timestamp>,
        wait_millis: Option<u32>,
    ) -> impl Future<Output = Result<Engine<Self::Host>, Failure>>;

    /// What the store says of itself; `None` when there is none yet. Asked once it was opened.
    fn facts(&self, store: &Store) -> impl Future<Output = Result<Option<StoreFacts>, Failure>>;

    /// Opens a file to be read; `-` is standard input.
    fn file(&self, path: &str) -> impl Future<Output = Result<Self::File, FileFault>>;

    /// Writes bytes to standard output at once, for answers that have no end.
    fn write(&self, bytes: &[u8]) -> impl Future<Output = Result<(), FileFault>>;

    /// The words by which this program is called from anywhere: an absolute path, and a script's after that of its
    /// interpreter. `None` when the system does not tell.
    fn program(&self) -> Option<Vec<String>>;

    /// Puts these bytes in the place of a file's, whole or not at all: they are written beside it and renamed. A
    /// link stays one, and what it names is written. The file keeps its mode; a new one takes that of the file
    /// `like`, where there is one. Folders on the way are made.
    fn replace(&self, path: &str, bytes: &[u8], like: &str) -> impl Future<Output = Result<(), FileFault>>;

    /// Removes a file, or what a link names; one that is not there is removed.
    fn remove(&self, path: &str) -> impl Future<Output = Result<(), FileFault>>;

    /// Opens a file to be read from this byte on; one that is shorter gives nothing.
    fn tail(&self, path: &str, offset: u64) -> impl Future<Output = Result<Self::File, FileFault>>;

    /// Begins to watch a folder and all in it.
    fn watch(&self, folder: &str) -> impl Future<Output = Result<Self::Folder, FileFault>>;
}

/// What a store says of itself, for `doctor`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoreFacts {
    /// A SQLite file.
    Sqlite(SqliteFacts),
    /// A database of PostgreSQL, which looks after its own files.
    Postgres(PostgresFacts),
}

impl StoreFacts {
    /// The number of its schema.
    #[must_use]
    pub fn schema(&self) -> u32 {
        match self {
            Self::Sqlite(facts) => facts.schema,
            Self::Postgres(facts) => facts.schema,
        }
    }

    /// What it takes on the disk, in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Sqlite(facts) => facts.bytes,
            Self::Postgres(facts) => facts.bytes,
        }
    }
}

/// What a database of PostgreSQL says of a store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostgresFacts {
    /// The number in its mark.
    pub schema: u32,
    /// The size of its tables with their indexes ([`SIZE`](crate::sql::postgres::SIZE)), in bytes.
    pub bytes: u64,
}

/// What a SQLite store says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SqliteFacts {
    /// `PRAGMA user_version`.
    pub schema: u32,
    /// The size of the database and of what SQLite keeps beside it, in bytes.
    pub bytes: u64,
    /// The rows of `PRAGMA quick_check`.
    pub integrity: Vec<String>,
    /// How many rows `PRAGMA foreign_key_check` gives.
    pub orphans: u64,
    /// `PRAGMA journal_mode`.
    pub journal: String,
    /// The kind of the file system (`f_type` of `statfs`), where the system tells.
    #[serde(default)]
    pub file_system: Option<i64>,
    /// The mode of the file, where the system has modes.
    #[serde(default)]
    pub mode: Option<u32>,
}

/// All bytes of a file, `None` when there is none.
pub(super) async fn whole_if_there<S: Surroundings>(
    surroundings: &S,
    path: &str,
) -> Result<Option<Vec<u8>>, FileFault> {
    match whole(surroundings, path).await {
        Ok(bytes) => Ok(Some(bytes)),
        Err(FileFault::NotFound) => Ok(None),
        Err(fault) => Err(fault),
    }
}

/// All bytes of a file.
pub(super) async fn whole<S: Surroundings>(surroundings: &S, path: &str) -> Result<Vec<u8>, FileFault> {
    let mut file = surroundings.file(path).await?;
    let mut bytes = Vec::new();
    while let Some(more) = file.next().await? {
        bytes.extend(more);
    }
    Ok(bytes)
}
