//! The command line, without a process around it: words in, an [`Answer`] out. What a host brings
//! ([`Surroundings`]) is files, the environment and an engine over a store; every host gives the same bytes.
//!
//! Exit status: 0 done, 1 the thing asked about is not so, 2 bad input or usage, 3 storage failed; for a hook
//! always 0. Standard output holds the answer alone; an error is one line on standard error, with its code (`spec/cli.md`).
//!
//! Nothing here awaits but the engine and what the surroundings read.

mod answer;
mod arguments;
mod checkpoints;
mod commands;
mod compact;
mod diff;
mod doctor;
mod explained;
mod failure;
mod files;
mod folder;
mod help;
mod hook;
mod ingest;
mod install;
mod install_text;
mod line;
mod log_file;
mod nearest;
mod options;
mod place;
mod prompt;
mod recover;
mod redact;
mod redact_options;
mod remove;
mod rules;
mod sessions;
mod store;
mod surroundings;
mod table;
mod take;
#[cfg(test)]
mod tests;
mod watch;

pub use answer::Answer;
pub use failure::Failure;
pub use folder::{FolderWatch, SeenLog, Waited};
pub use hook::{FOREIGN, HookSystem, IRREGULAR, LINK};
pub use log_file::LogFile;
pub use store::Store;
pub use surroundings::{PostgresFacts, SqliteFacts, StoreFacts, Surroundings};

use crate::host::FileFault;
use alloc::string::String;
use arguments::{Call, Parsed};
use place::Place;

/// Runs a command: the words after the program's name.
///
/// Writing the answer is the host's part, standard output first; when that fails, the program ends with
/// [`unwritten`].
pub async fn run<S: Surroundings>(words: &[String], surroundings: &S) -> Answer {
    let json = wants_json(words);
    let result = match arguments::read(words) {
        Ok(Parsed::Call(call)) => command(&call, surroundings).await,
        Ok(Parsed::Print(text)) => Ok(Answer::text(text)),
        Err(failure) => Err(failure),
    };
    let is_hook = is_hook(words);
    let answer = result.unwrap_or_else(|failure| Answer::failed(&failure, json && !is_hook));
    // A harness takes any other status for a refusal of what its user does.
    if is_hook { answer.exit(0) } else { answer }
}

/// Whether the words are those of `hook`, whose process ends with status 0 whatever happens: a program that stops in
/// the middle says [`UNEXPECTED`] and ends so.
///
/// ```
/// use throughline_core::console::is_hook;
/// assert!(is_hook(&["--store".into(), "sqlite:a.db".into(), "hook".into()]));
/// assert!(!is_hook(&["show".into(), "hook".into()]));
/// ```
#[must_use]
pub fn is_hook(words: &[String]) -> bool {
    arguments::command_of(words) == Some("hook")
}

/// The line of a hook that stops in the middle: nothing of its input is in it.
pub const UNEXPECTED: &str = "throughline: unexpected: a fault in this program; the event was not taken\n";

/// The answer in place of one that could not be written to standard output: nothing at all when its reader
/// has gone, else `output_failed`.
#[must_use]
pub fn unwritten(words: &[String], fault: &FileFault) -> Answer {
    Failure::unwritten(fault)
        .map_or_else(Answer::default, |failure| Answer::failed(&failure, wants_json(words)))
}

/// Whether errors are wanted as JSON as well; asked before the words are known to be right.
fn wants_json(words: &[String]) -> bool {
    words.iter().take_while(|word| *word != "--").any(|word| word == "--json")
}

async fn command<S: Surroundings>(call: &Call, surroundings: &S) -> Result<Answer, Failure> {
    match call.command() {
        "redact" => return redact::run(call, surroundings).await,
        "rules" => return rules::run(call),
        "options" => return options::run(call, surroundings).await,
        "diff" => return diff::run(call, surroundings).await,
        "install" | "uninstall" => return install::run(call, surroundings).await,
        _ => {}
    }
    let place = Place::find(call, surroundings).await?;
    let answer = match call.command() {
        "ingest" => ingest::run(call, &place, surroundings).await,
        "watch" => watch::run(call, &place, surroundings).await,
        "sessions" => sessions::run(call, &place, surroundings).await,
        "checkpoints" => checkpoints::list(call, &place, surroundings).await,
        "checkpoint" => take::run(call, &place, surroundings).await,
        "prune" | "clear" | "forget" => remove::run(call, &place, surroundings).await,
        "doctor" => doctor::run(call, &place, surroundings).await,
        "show" => checkpoints::show(call, &place, surroundings).await,
        "hook" => hook::run(call, &place, surroundings).await,
        "recover" => recover::run(call, &place, surroundings).await,
        "compact" => compact::run(call, &place, surroundings).await,
        _ => prompt::run(call, &place, surroundings).await,
    }?;
    Ok(place.warnings().iter().fold(answer, |answer, warning| answer.remark(warning)))
}
