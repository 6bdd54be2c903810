//! The native host of [`throughline_core`]: stores in SQLite and PostgreSQL, the system's clock and entropy, and the
//! `throughline` command.
//!
//! ```
//! use throughline::SqliteStorage;
//! use throughline_core::{host::Storage, model::{Answer, Query}};
//! let folder = tempfile::tempdir()?;
//! let store = SqliteStorage::open(folder.path().join("throughline.db"))?;
//! let query = Query::Sessions { key: None, project_hash: None, after: None, limit: 10 };
//! assert_eq!(pollster::block_on(store.read(&query))?, Answer::Sessions(vec![]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cli;
mod fault;
#[cfg(feature = "postgres")]
mod postgres;
mod sqlite;
mod system;
mod timers;

#[cfg(feature = "postgres")]
pub use postgres::{PostgresOptions, PostgresStorage};
pub use sqlite::{LazySqliteStorage, OpenOptions, SqliteStorage};
pub use system::{EntropyError, SystemClock, SystemEntropy};
pub use timers::Timers;
