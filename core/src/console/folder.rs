use crate::host::FileFault;
use alloc::{string::String, vec::Vec};
use core::future::Future;
use serde::Deserialize;

/// A folder that is watched for logs.
pub trait FolderWatch {
    /// Waits until something in the folder may have changed, or `most` milliseconds are over, or the program is told
    /// to end. Changes that come close to each other are one.
    fn wait(&mut self, most: u32) -> impl Future<Output = Waited>;

    /// Every file in the folder and the folders in it whose name ends in `.jsonl`. Links to folders are not followed.
    fn logs(&mut self) -> impl Future<Output = Result<Vec<SeenLog>, FileFault>>;

    /// What the last look at the folder found and cannot name, since its name is no text: logs, and folders, in which
    /// nothing is looked for. Each with what there is of its name.
    fn unnamed(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the program was told to end.
    fn stopped(&self) -> bool;
}

/// How a wait ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Waited {
    /// How long it was, in milliseconds.
    pub millis: u64,
    /// Whether the program was told to end.
    pub stopped: bool,
}

/// A file as the system tells of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SeenLog {
    /// Its path, that of the folder included.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// When it was changed, in milliseconds since 1970.
    pub changed: i64,
}
