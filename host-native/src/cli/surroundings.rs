use super::{files::Source, replace};
use crate::{LazySqliteStorage, OpenOptions, SystemClock, SystemEntropy, watch::FolderWatch};
use std::{
    env,
    ffi::OsString,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};
use throughline_core::{
    console::{Failure, Store, StoreFacts, Surroundings},
    engine::{Engine, Options},
    host::{Clock, DynStorage, FileFault, Parts},
    redact::Redactor,
    time::Timestamp,
};

/// The process that the command line runs in.
pub(super) struct Process {
    arguments: Vec<OsString>,
    pub(super) started: Instant,
}

impl Process {
    pub(super) fn new(arguments: Vec<OsString>) -> Self {
        #[allow(clippy::disallowed_methods, reason = "bounds how long a hook reads; no result depends on it")]
        let started = Instant::now();
        Self { arguments, started }
    }

    /// The name as it was given: a word that is no text comes back with marks in the place of its bytes.
    fn name(&self, path: &str) -> PathBuf {
        let given = self.arguments.iter().find(|word| word.to_string_lossy() == path);
        given.map_or_else(|| path.into(), PathBuf::from)
    }
}

/// The system's clock, or the instant of `--now`.
#[derive(Debug, Clone, Copy)]
pub(super) enum CliClock {
    System,
    Fixed(Timestamp),
}

impl Clock for CliClock {
    fn now(&self) -> Timestamp {
        match self {
            Self::System => SystemClock.now(),
            Self::Fixed(at) => *at,
        }
    }
}

impl Surroundings for Process {
    type Host = Parts<Arc<dyn DynStorage>, CliClock, SystemEntropy>;
    type File = Source;
    type Folder = FolderWatch;

    fn variable(&self, name: &str) -> Option<String> {
        env::var_os(name).map(|value| value.to_string_lossy().into_owned())
    }

    fn home(&self) -> Option<String> {
        env::home_dir().map(|home| home.to_string_lossy().into_owned())
    }

    fn folder(&self) -> Option<String> {
        env::current_dir().ok().map(|folder| folder.to_string_lossy().into_owned())
    }

    async fn open(
        &self,
        store: &Store,
        now: Option<Timestamp>,
        wait_millis: Option<u32>,
    ) -> Result<Engine<Self::Host>, Failure> {
        let storage = storage(store, wait_millis.map(|millis| Duration::from_millis(millis.into()))).await?;
        let entropy =
            SystemEntropy::new().map_err(|error| Failure::storage(error.code(), error.to_string()))?;
        let host = Parts { storage, clock: now.map_or(CliClock::System, CliClock::Fixed), entropy };
        Ok(Engine::new(host, Redactor::standard(), Options::default()))
    }

    async fn facts(&self, store: &Store) -> Result<Option<StoreFacts>, Failure> {
        match store {
            Store::Sqlite(path) => {
                Ok(LazySqliteStorage::open(Path::new(path))?.facts()?.map(StoreFacts::Sqlite))
            }
            #[cfg(feature = "postgres")]
            Store::Postgres(address) => {
                let storage = crate::PostgresOptions::default().lazy(true).open(address).await?;
                Ok(storage.facts().await?.map(StoreFacts::Postgres))
            }
            _ => Err(unsupported()),
        }
    }

    async fn file(&self, path: &str) -> Result<Source, FileFault> {
        if path == "-" { Ok(Source::stdin()) } else { Source::open(&self.name(path)) }
    }

    async fn write(&self, bytes: &[u8]) -> Result<(), FileFault> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|error| crate::fault::of(&error))
    }

    fn program(&self) -> Option<Vec<String>> {
        let path = env::current_exe().ok()?;
        Some(vec![path.to_str()?.to_owned()])
    }

    async fn replace(&self, path: &str, bytes: &[u8], like: &str) -> Result<(), FileFault> {
        replace::replace(&self.name(path), bytes, &self.name(like)).map_err(|error| crate::fault::of(&error))
    }

    async fn remove(&self, path: &str) -> Result<(), FileFault> {
        replace::remove(&self.name(path)).map_err(|error| crate::fault::of(&error))
    }

    async fn tail(&self, path: &str, offset: u64) -> Result<Source, FileFault> {
        Source::tail(&self.name(path), offset)
    }

    async fn watch(&self, folder: &str) -> Result<FolderWatch, FileFault> {
        FolderWatch::new(&self.name(folder))
    }
}

/// A store that is made by the first commit.
async fn storage(store: &Store, wait: Option<Duration>) -> Result<Arc<dyn DynStorage>, Failure> {
    match store {
        Store::Sqlite(path) => {
            let options = OpenOptions::default();
            // Who cannot wait for others cannot wait for the log to be written into the file either.
            let options = wait.map_or(options.clone(), |wait| options.wait(wait).keep_log(true));
            Ok(Arc::new(LazySqliteStorage::open_with(options, Path::new(path))?))
        }
        #[cfg(feature = "postgres")]
        Store::Postgres(address) => {
            let options = crate::PostgresOptions::default().lazy(true);
            let options = wait.map_or(options.clone(), |wait| options.wait(wait));
            Ok(Arc::new(options.open(address).await?))
        }
        _ => Err(unsupported()),
    }
}

fn unsupported() -> Failure {
    Failure::storage("store_unsupported", "this build does not know this kind of store")
}
