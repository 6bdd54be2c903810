//! Which store, and the engine over it.

use super::{args::Global, error::CliError};
use crate::{LazySqliteStorage, SystemClock, SystemEntropy};
use std::{
    env,
    path::{Path, PathBuf},
};
use throughline_core::{
    engine::{Engine, Options},
    host::{Clock, Parts},
    redact::Redactor,
    time::Timestamp,
};

/// The engine of the command line.
pub(super) type CliEngine = Engine<Parts<LazySqliteStorage, CliClock, SystemEntropy>>;

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

/// Where a command works, and by which time; nothing is opened yet.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    clock: CliClock,
}

impl Place {
    /// What the arguments say, else the environment, else the home folder.
    pub(super) fn find(global: &Global) -> Result<Self, CliError> {
        let clock = match &global.now {
            Some(text) => {
                CliClock::Fixed(Timestamp::parse(text).map_err(|error| CliError::from(error).at("--now"))?)
            }
            None => CliClock::System,
        };
        let path = match (&global.store, variable("THROUGHLINE_STORE")) {
            (Some(store), _) => sqlite_path(store, "--store")?,
            (None, Some(store)) => sqlite_path(&store.to_string_lossy(), "THROUGHLINE_STORE")?,
            (None, None) => home()?.join("throughline.db"),
        };
        Ok(Self { path, clock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Opens the store; one that is not there is made by the first commit.
    pub(super) fn engine(&self) -> Result<CliEngine, CliError> {
        let storage = LazySqliteStorage::open(&self.path)
            .map_err(|error| CliError::from(error).at(self.path.display().to_string()))?;
        let host = Parts { storage, clock: self.clock, entropy: SystemEntropy::new()? };
        Ok(Engine::new(host, Redactor::standard(), Options::default()))
    }
}

/// A variable of the environment that is set to something.
fn variable(name: &str) -> Option<std::ffi::OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}

fn home() -> Result<PathBuf, CliError> {
    if let Some(home) = variable("THROUGHLINE_HOME") {
        return Ok(home.into());
    }
    let user = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    user.map(|home| home.join(".throughline")).ok_or_else(|| {
        CliError::usage(
            "home_unknown",
            "there is no home folder to keep a store in; set THROUGHLINE_HOME or --store",
        )
    })
}

fn sqlite_path(store: &str, at: &'static str) -> Result<PathBuf, CliError> {
    let accepted = "accepted: sqlite:PATH";
    match store.strip_prefix("sqlite:") {
        Some("") => {
            Err(CliError::usage("store_invalid", format!("no path after `sqlite:`; {accepted}")).at(at))
        }
        Some(path) => Ok(path.into()),
        None if store.starts_with("postgres:") || store.starts_with("postgresql:") => {
            let message = format!("this build has no PostgreSQL; {accepted}");
            Err(CliError::usage("store_unsupported", message).at(at))
        }
        // The text is not repeated: an address may hold a password.
        None if store.contains("://") => {
            Err(CliError::usage("store_unsupported", format!("an unknown kind of store; {accepted}")).at(at))
        }
        None => {
            let message =
                format!("`{store}` does not say what kind of store it is; did you mean sqlite:{store}?");
            Err(CliError::usage("store_invalid", message).at(at))
        }
    }
}
