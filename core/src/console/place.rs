//! Which store, and the engine over it.

use super::{arguments::Call, failure::Failure, surroundings::Surroundings};
use crate::{engine::Engine, time::Timestamp};
use alloc::{format, string::String};

/// Where a command works, and by which time; nothing is opened yet.
#[derive(Debug)]
pub(super) struct Place {
    path: String,
    project: Option<String>,
    now: Option<Timestamp>,
}

impl Place {
    /// What the arguments say, else the environment, else the home folder.
    pub(super) fn find<S: Surroundings>(call: &Call, surroundings: &S) -> Result<Self, Failure> {
        let now = match call.value("--now") {
            Some(text) => Some(Timestamp::parse(text).map_err(|error| Failure::from(error).at("--now"))?),
            None => None,
        };
        // A variable that is set to nothing is not set.
        let variable = |name: &str| surroundings.variable(name).filter(|value| !value.is_empty());
        let path = match (call.value("--store"), variable("THROUGHLINE_STORE")) {
            (Some(store), _) => sqlite_path(store, "--store")?,
            (None, Some(store)) => sqlite_path(&store, "THROUGHLINE_STORE")?,
            (None, None) => {
                let user = || surroundings.home().filter(|home| !home.is_empty());
                let home =
                    variable("THROUGHLINE_HOME").or_else(|| user().map(|user| join(&user, ".throughline")));
                join(&home.ok_or_else(homeless)?, "throughline.db")
            }
        };
        let project = call.value("--project").map(|project| absolute(project, surroundings));
        Ok(Self { path, project, now })
    }

    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The project of `--project`, as logs name it: with its whole path.
    pub(super) fn project(&self) -> Option<&str> {
        self.project.as_deref()
    }

    /// Opens the store; one that is not there is made by the first commit.
    pub(super) async fn open<S: Surroundings>(&self, surroundings: &S) -> Result<Engine<S::Host>, Failure> {
        surroundings.open(&self.path, self.now).await.map_err(|failure| failure.at(&*self.path))
    }
}

fn join(folder: &str, name: &str) -> String {
    let gap = if folder.ends_with('/') { "" } else { "/" };
    format!("{folder}{gap}{name}")
}

/// A relative project is one of the working directory.
fn absolute<S: Surroundings>(project: &str, surroundings: &S) -> String {
    let elsewhere = project.is_empty() || project.contains(':') || project.starts_with(['/', '\\']);
    match surroundings.folder() {
        Some(folder) if !elsewhere => join(&folder, project),
        _ => project.into(),
    }
}

fn homeless() -> Failure {
    let message = "there is no home folder to keep a store in; set THROUGHLINE_HOME or --store";
    Failure::usage("home_unknown", message)
}

fn sqlite_path(store: &str, at: &'static str) -> Result<String, Failure> {
    let accepted = "accepted: sqlite:PATH";
    let (code, message) = match store.strip_prefix("sqlite:") {
        Some("") => ("store_invalid", format!("no path after `sqlite:`; {accepted}")),
        Some(path) => return Ok(path.into()),
        None if store.starts_with("postgres:") || store.starts_with("postgresql:") => {
            ("store_unsupported", format!("this build has no PostgreSQL; {accepted}"))
        }
        // The text is not repeated: an address may hold a password.
        None if store.contains("://") => {
            ("store_unsupported", format!("an unknown kind of store; {accepted}"))
        }
        None if store.is_empty() => ("store_invalid", format!("no store is named; {accepted}")),
        None => {
            let message =
                format!("`{store}` does not say what kind of store it is; did you mean sqlite:{store}?");
            ("store_invalid", message)
        }
    };
    Err(Failure::usage(code, message).at(at))
}
