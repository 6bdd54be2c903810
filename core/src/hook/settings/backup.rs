//! What is kept beside a settings file: the file as it was without us, and a record of two hashes in the form of
//! `sha256sum`, which is what shows that neither was touched since.

use crate::text::hex;
use alloc::{format, string::String, vec::Vec};
use sha2::{Digest, Sha256};

/// The settings file, and the two files beside it; `None` where there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    /// The settings.
    pub file: Option<Vec<u8>>,
    /// The settings without us, under the file's name with [`Files::BACKUP`] after it.
    pub backup: Option<Vec<u8>>,
    /// Hashes of the two, under the file's name with [`Files::RECORD`] after it.
    pub record: Option<Vec<u8>>,
}

/// The names in a record.
const FILE: &str = "settings";
const BEFORE: &str = "backup";

impl Files {
    /// What follows the name of the settings file in that of its backup.
    pub const BACKUP: &str = ".throughline-backup";
    /// What follows the name of the settings file in that of the record of hashes.
    pub const RECORD: &str = ".throughline-backup.sha256";

    /// A file as install leaves it, and what was there before.
    pub(super) fn kept(file: Vec<u8>, before: Option<Vec<u8>>) -> Self {
        let mut record = line(&file, FILE);
        if let Some(before) = &before {
            record.push_str(&line(before, BEFORE));
        }
        Self { file: Some(file), backup: before, record: Some(record.into_bytes()) }
    }
}

/// A record that agrees with the files beside it.
pub(super) struct Record {
    was_there: bool,
}

impl Record {
    /// The record, when the file is as install left it and the backup is whole.
    pub(super) fn of(files: &Files) -> Option<Self> {
        let record = files.record.as_deref()?;
        let file = line(files.file.as_deref()?, FILE);
        let was_there = match record.strip_prefix(file.as_bytes())? {
            [] => false,
            rest if rest == line(files.backup.as_deref()?, BEFORE).as_bytes() => true,
            _ => return None,
        };
        Some(Self { was_there })
    }

    /// The file before the first installation; `None` when there was none.
    pub(super) fn before(&self, files: &Files) -> Option<Vec<u8>> {
        files.backup.clone().filter(|_| self.was_there)
    }
}

fn line(bytes: &[u8], name: &str) -> String {
    format!("{}  {name}\n", hex(&Sha256::digest(bytes)))
}
