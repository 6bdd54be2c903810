//! Which store, and the engine over it.

use super::{arguments::Call, failure::Failure, files, store::Store, surroundings::Surroundings};
use crate::{checkpoint::ContinuityOptions, engine::Engine, hook::settings::shell_words, time::Timestamp};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// The folders of the home folder: events that wait for the store, and how far logs were read.
const NOTES: [&str; 2] = ["spool", "cursors"];

/// Where a command works, and by which time; nothing is opened yet.
#[derive(Debug)]
pub(super) struct Place {
    store: Store,
    /// The store as `--store` names it; `None` for the one that is used without a word.
    elsewhere: Option<String>,
    home: Option<String>,
    /// Whether the home folder is that of the store, which may hold other things of its user.
    beside: bool,
    project: Option<String>,
    now: Option<Timestamp>,
    continuity: Option<ContinuityOptions>,
    warnings: Vec<String>,
}

impl Place {
    /// What the arguments say, else the environment, else the home folder.
    pub(super) async fn find<S: Surroundings>(call: &Call, surroundings: &S) -> Result<Self, Failure> {
        let now = match call.value("--now") {
            Some(text) => Some(Timestamp::parse(text).map_err(|error| Failure::from(error).at("--now"))?),
            None => None,
        };
        // A variable that is set to nothing is not set.
        let variable = |name: &str| surroundings.variable(name).filter(|value| !value.is_empty());
        let user = || surroundings.home().filter(|home| !home.is_empty());
        let named = match (call.value("--store"), variable("THROUGHLINE_STORE")) {
            (Some(store), _) => Some(Store::read(store, "--store", variable)?),
            (None, Some(store)) => Some(Store::read(&store, "THROUGHLINE_STORE", variable)?),
            (None, None) => None,
        };
        let home = variable("THROUGHLINE_HOME");
        // A hook is called without the variable: what it keeps stands beside the store that its command names.
        let folder = match &named {
            Some(Store::Sqlite(path)) if home.is_none() => Some(folder_of(path)),
            _ => None,
        };
        let beside = folder.is_some();
        let home = home.or(folder).or_else(|| user().map(|user| join(&user, ".throughline")));
        let store = match named {
            Some(store) => store,
            None => Store::Sqlite(join(home.as_ref().ok_or_else(homeless)?, "throughline.db")),
        };
        let standard = user().map(|user| join(&join(&user, ".throughline"), "throughline.db"));
        let elsewhere = match &store {
            Store::Sqlite(path) if Some(path) == standard.as_ref() => None,
            Store::Sqlite(path) => Some(format!("sqlite:{}", absolute(path, surroundings))),
            Store::Postgres(address) => Some(address.to_string()),
        };
        let project = call.value("--project").map(|project| absolute(project, surroundings));
        let (continuity, warnings) = match call.value("--continuity") {
            Some(file) => continuity(surroundings, file).await?,
            None => (None, Vec::new()),
        };
        Ok(Self { store, elsewhere, home, beside, project, now, continuity, warnings })
    }

    /// What was odd about the file of `--continuity`: a line each.
    pub(super) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }

    /// The command that shows a checkpoint of this store, as a shell of this user reads it in any folder. It holds no
    /// password.
    pub(super) fn show(&self, checkpoint: &str) -> String {
        let store = self.elsewhere.as_ref().map(|store| ["--store", store]);
        let words = ["throughline", "show", checkpoint];
        shell_words(words.into_iter().chain(store.into_iter().flatten()))
    }

    /// The home folder, in which what is no part of the store is kept.
    pub(super) fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }

    /// Where notes are kept that are no part of the store.
    pub(super) fn notes(&self) -> Option<String> {
        let home = self.home.as_deref()?;
        Some(NOTES.map(|name| join(home, name)).join(" and "))
    }

    /// All that is kept, for who wants to delete it: the home folder, and a store that lies elsewhere. Of a folder
    /// that is the home only because the store is in it, what is ours.
    pub(super) fn kept(&self) -> String {
        let inside =
            |path: &str, home: &str| path.strip_prefix(home).is_some_and(|rest| rest.starts_with('/'));
        match (&self.store, &self.home) {
            (store, Some(home)) if self.beside => {
                let [spool, cursors] = NOTES.map(|name| join(home, name));
                format!("{store}, {spool} and {cursors}")
            }
            (Store::Sqlite(path), Some(home)) if inside(path, home) => home.clone(),
            (store, Some(home)) => format!("{store} and {home}"),
            (store, None) => store.to_string(),
        }
    }

    /// The instant of `--now`.
    pub(super) fn now(&self) -> Option<Timestamp> {
        self.now
    }

    /// The project of `--project`, as logs name it: with its whole path.
    pub(super) fn project(&self) -> Option<&str> {
        self.project.as_deref()
    }

    /// Opens the store; one that is not there is made by the first commit.
    pub(super) async fn open<S: Surroundings>(&self, surroundings: &S) -> Result<Engine<S::Host>, Failure> {
        self.opened(surroundings, None).await
    }

    /// Opens the store for who can wait no longer than this for another writer.
    pub(super) async fn open_for<S: Surroundings>(
        &self,
        surroundings: &S,
        wait_millis: u32,
    ) -> Result<Engine<S::Host>, Failure> {
        self.opened(surroundings, Some(wait_millis)).await
    }

    async fn opened<S: Surroundings>(
        &self,
        surroundings: &S,
        wait_millis: Option<u32>,
    ) -> Result<Engine<S::Host>, Failure> {
        let opened = surroundings.open(&self.store, self.now, wait_millis).await;
        let engine = opened.map_err(|failure| failure.at(self.store.to_string()))?;
        Ok(match self.continuity {
            Some(options) => engine.with_continuity(options),
            None => engine,
        })
    }
}

/// The options in a file, and what was odd about them.
async fn continuity<S: Surroundings>(
    surroundings: &S,
    file: &str,
) -> Result<(Option<ContinuityOptions>, Vec<String>), Failure> {
    let given = files::json(surroundings, file).await?;
    let wrong = |error| Failure::from(error).at(file);
    let resolved = ContinuityOptions::resolve(&given).map_err(wrong)?;
    let warnings = resolved.warnings.iter().map(|warning| format!("{warning} [{file}]"));
    Ok((Some(resolved.options), warnings.collect()))
}

/// The folder that a file is in.
fn folder_of(path: &str) -> String {
    let is_windows = path.chars().nth(1) == Some(':') || path.starts_with("\\\\");
    let end = path.rfind(|character| character == '/' || (is_windows && character == '\\'));
    match end {
        Some(0) => "/".into(),
        Some(end) => path.get(..end).unwrap_or_default().into(),
        None => ".".into(),
    }
}

pub(super) fn join(folder: &str, name: &str) -> String {
    let gap = if folder.ends_with('/') { "" } else { "/" };
    format!("{folder}{gap}{name}")
}

/// A relative path is one of the working directory.
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
