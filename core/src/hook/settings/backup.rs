//! What is kept beside a settings file: the file as it was without us, and a record of hashes in the form of
//! `sha256sum`. Those of the two files show that neither was touched since, that of the command shows which entries
//! were put in, whatever the program was called.

use super::command::is_ours;
use crate::id::sha256_hex;
use alloc::{format, string::String, vec::Vec};

/// The settings file, and the two files beside it; `None` where there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    /// The settings.
    pub file: Option<Vec<u8>>,
    /// The settings without us, under the file's name with [`Files::BACKUP`] after it.
    pub backup: Option<Vec<u8>>,
    /// Hashes of the two and of the command, under the file's name with [`Files::RECORD`] after it.
    pub record: Option<Vec<u8>>,
}

/// The names in a record.
const FILE: &str = "settings";
const BEFORE: &str = "backup";
const COMMAND: &str = "command";

impl Files {
    /// What follows the name of the settings file in that of its backup.
    pub const BACKUP: &str = ".throughline-backup";
    /// What follows the name of the settings file in that of the record of hashes.
    pub const RECORD: &str = ".throughline-backup.sha256";

    /// The record that stands while the settings are being written: it agrees with the file as it is and as it is to
    /// be, so that a writer who is cut short leaves a file that can be put back.
    pub(crate) fn record_between(&self, after: &Self) -> Option<Vec<u8>> {
        let record = after.record.as_ref()?;
        let Some(file) = self.file.as_deref().filter(|_| self.file != after.file) else {
            return Some(record.clone());
        };
        let mut text = line(file, FILE).into_bytes();
        text.extend(record);
        for hash in Record::read(self).commands {
            text.extend(format!("{hash}  {COMMAND}\n").into_bytes());
        }
        Some(text)
    }

    /// A file as install leaves it, and what was there before.
    pub(super) fn kept(file: Vec<u8>, before: Option<Vec<u8>>, command: &str) -> Self {
        let mut record = line(&file, FILE);
        if let Some(before) = &before {
            record.push_str(&line(before, BEFORE));
        }
        record.push_str(&line(command.as_bytes(), COMMAND));
        Self { file: Some(file), backup: before, record: Some(record.into_bytes()) }
    }
}

/// A record as it is read.
#[derive(Debug, Default)]
pub(super) struct Record<'a> {
    settings: Vec<&'a str>,
    backup: Option<&'a str>,
    commands: Vec<&'a str>,
}

impl<'a> Record<'a> {
    /// What the record says; nothing where there is none, or what is there is none.
    pub(super) fn read(files: &'a Files) -> Self {
        let mut record = Self::default();
        let text = core::str::from_utf8(files.record.as_deref().unwrap_or_default()).unwrap_or_default();
        for line in text.lines() {
            match line.split_once("  ") {
                Some((hash, FILE)) => record.settings.push(hash),
                Some((hash, BEFORE)) => record.backup = Some(hash),
                Some((hash, COMMAND)) => record.commands.push(hash),
                _ => return Self::default(),
            }
        }
        record
    }

    /// The file before the first installation, or that there was none, when the file is as install left it and the
    /// backup is whole; else `None`.
    pub(super) fn before(&self, files: &Files) -> Option<Option<Vec<u8>>> {
        let is = |bytes: &[u8], hash: &str| sha256_hex(bytes) == hash;
        let file = files.file.as_deref()?;
        if !self.settings.iter().any(|hash| is(file, hash)) {
            return None;
        }
        match self.backup {
            None => Some(None),
            Some(hash) => files.backup.clone().filter(|backup| is(backup, hash)).map(Some),
        }
    }

    /// Whether install made the file, so that a backup which is there is of another time.
    pub(super) fn is_of_new_file(&self) -> bool {
        self.backup.is_none() && !self.settings.is_empty()
    }

    /// Which entries are ours: those that are known by their program, that were put in, or have the command that is
    /// to be put in.
    pub(super) fn ours<'b>(&self, command: Option<&'b str>) -> Ours<'b>
    where
        'a: 'b,
    {
        Ours { command, recorded: self.commands.clone() }
    }
}

/// Which commands are ours.
#[derive(Debug, Clone)]
pub(super) struct Ours<'a> {
    /// The one that is being put in.
    command: Option<&'a str>,
    /// Hashes of those that were put in.
    recorded: Vec<&'a str>,
}

impl Ours<'_> {
    pub(super) fn is(&self, command: &str) -> bool {
        let is_recorded = || {
            let hash = sha256_hex(command.as_bytes());
            self.recorded.iter().any(|recorded| *recorded == hash)
        };
        is_ours(command) || self.command == Some(command) || (!self.recorded.is_empty() && is_recorded())
    }
}

fn line(bytes: &[u8], name: &str) -> String {
    format!("{}  {name}\n", sha256_hex(bytes))
}
