//! Hooks in the settings file of a harness, merged in and taken out without touching a byte that is not ours.
//!
//! Settings are JSON as people write it: comments, commas before a closing bracket, a byte order mark, any
//! indentation and line ends. Nothing is formatted anew: [`install`] only inserts, except for the command of an older
//! entry of ours, which is exchanged; [`uninstall`] only deletes. Both are functions of the bytes of three [`Files`];
//! writing them is the host's part.
//!
//! An entry is ours when its type is `command` and its command runs `throughline hook` or `throughline-node hook`,
//! wherever the program lies and whatever flags follow ([`is_ours`]). So an entry of an earlier installation is
//! replaced, and never doubled. So are those with the very command that is put in, and those with one that was put in
//! as the record tells, whatever their program is called. What people made of such an entry (another timeout, a matcher) stays.
//!
//! Beside the file, install keeps the file as it was without us, and a record of hashes. While the file is as
//! install left it, uninstall puts that back byte for byte, or removes a file that was not there before. Else it
//! deletes our entries, and what holds nothing any more without them, not even a comment, and did not stand in the
//! backup. A backup of settings that are gone, or in which
//! nothing of ours is, stays.
//!
//! ```
//! use throughline_core::hook::settings::{Files, install, uninstall};
//! let before = Files { file: Some(b"{\n  // mine\n  \"model\": \"opus\"\n}\n".to_vec()), ..Files::default() };
//! let there = install(&before, "/usr/bin/throughline hook")?;
//! assert_eq!(there.added.len(), 7);
//! assert_eq!(install(&there.files, "/usr/bin/throughline hook")?.files, there.files);
//! assert_eq!(uninstall(&there.files)?.files, before);
//! # Ok::<(), throughline_core::hook::settings::SettingsError>(())
//! ```

mod backup;
mod command;
mod diff;
mod edit;
mod entries;
mod error;
mod merge;
mod read;
#[cfg(test)]
mod tests;

pub use backup::Files;
pub use command::{is_ours, shell_words};
pub use diff::unified;
pub use entries::{EVENTS, Entry};
pub use error::{SettingsError, SettingsProblem};

use alloc::vec::Vec;
use backup::Record;
use merge::Theirs;

/// What installing or uninstalling comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The files as they are to be.
    pub files: Files,
    /// Entries that are new.
    pub added: Vec<Entry>,
    /// Entries that are gone; one that is replaced is in both lists.
    pub removed: Vec<Entry>,
    /// Whether the file is what it was before the first installation, byte for byte.
    pub restored: bool,
    /// Whether the settings say that no hooks run (`disableAllHooks`).
    pub disabled: bool,
}

/// Puts `command` into the settings of Claude Code, once for each of [`EVENTS`]. A file that is absent, empty or
/// holds nothing but comments becomes one with hooks alone. Doing it twice is doing it once.
///
/// # Errors
/// `settings_invalid`: the file is no settings file; it is to be left alone.
pub fn install(files: &Files, command: &str) -> Result<Outcome, SettingsError> {
    let text = read::decode(files.file.as_deref().unwrap_or_default())?;
    let record = Record::read(files);
    let ours = record.ours(Some(command));
    let theirs = Theirs::of(files.backup.as_deref());
    let change = merge::install(text, command, &ours, &theirs)?;
    let mut outcome = Outcome {
        files: files.clone(),
        added: change.added,
        removed: change.removed,
        restored: false,
        disabled: change.disabled,
    };
    if change.text == text && files.file.is_some() {
        return Ok(outcome);
    }
    let file = change.text.into_bytes();
    let before = match record.before(files) {
        // What was there before the first installation stays what is kept.
        Some(before) => before,
        None => files
            .file
            .as_ref()
            .map(|_| merge::uninstall(text, &ours, &theirs).map(|change| change.text.into_bytes()))
            .transpose()?,
    };
    outcome.files = Files::kept(file, before, command);
    if outcome.files.backup.is_none() {
        // Of settings that are not there any more: nobody else has them.
        outcome.files.backup.clone_from(&files.backup);
    }
    Ok(outcome)
}

/// Takes every entry of ours out of the settings: by putting back what was there before, where the file is as
/// [`install`] left it, else by deleting the entries alone.
///
/// # Errors
/// `settings_invalid`: the file was changed since, and is no JSON; it is to be left alone.
pub fn uninstall(files: &Files) -> Result<Outcome, SettingsError> {
    let Some(file) = &files.file else {
        // A backup is then all that is left of the settings.
        let files = if files.backup.is_some() { files.clone() } else { Files::default() };
        return Ok(Outcome { files, ..Outcome::nothing() });
    };
    let record = Record::read(files);
    let ours = record.ours(None);
    let theirs = Theirs::of(files.backup.as_deref());
    let taken = || read::decode(file).and_then(|text| merge::uninstall(text, &ours, &theirs));
    let stray = files.backup.clone().filter(|_| record.is_of_new_file());
    if let Some(before) = record.before(files) {
        let removed = taken().map(|change| change.removed);
        let files = Files { file: before, backup: stray, record: None };
        return Ok(Outcome {
            files,
            removed: removed.unwrap_or_default(),
            restored: true,
            ..Outcome::nothing()
        });
    }
    let change = taken()?;
    let after = Some(change.text.into_bytes());
    let files = if files.file == after && files.backup.is_some() && files.backup != after {
        // Somebody else took the entries out, and may want what was there before.
        files.clone()
    } else {
        Files { file: after, backup: stray, record: None }
    };
    Ok(Outcome { files, removed: change.removed, disabled: change.disabled, ..Outcome::nothing() })
}

impl Outcome {
    fn nothing() -> Self {
        Self {
            files: Files::default(),
            added: Vec::new(),
            removed: Vec::new(),
            restored: false,
            disabled: false,
        }
    }
}
