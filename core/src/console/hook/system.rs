use super::super::log_file::LogFile;
use crate::{host::FileFault, time::Timestamp};
use alloc::{string::String, vec::Vec};
use core::future::Future;

/// What `hook` needs of the system beside everything that commands need: files of its own in the home folder,
/// logs of harnesses, and how much time went by.
pub trait HookSystem {
    /// A log that is being read.
    type Log: LogFile;

    /// The time, unless `now` stands in for it, and 16 bytes that no other process gets.
    fn moment(&self, now: Option<Timestamp>) -> (Timestamp, [u8; 16]);

    /// Milliseconds since any moment, by a clock that never goes back.
    fn elapsed_millis(&self) -> u64;

    /// Whether an absolute path begins with a drive or a share, as on Windows, and not with `/`.
    fn has_drives(&self) -> bool;

    /// The names in a folder; none where there is no folder.
    fn names(&self, folder: &str) -> impl Future<Output = Result<Vec<String>, FileFault>>;

    /// Writes a file in the place of one that is there, whole or not at all, for this user alone (0600, new
    /// folders 0700). `lasting`: it is on the disk when this returns.
    fn keep(&self, path: &str, bytes: &[u8], lasting: bool) -> impl Future<Output = Result<(), FileFault>>;

    /// Removes a file, if it is there.
    fn discard(&self, path: &str) -> impl Future<Output = Result<(), FileFault>>;

    /// Removes a folder in which nothing is; what is no such folder stays.
    fn discard_folder(&self, path: &str) -> impl Future<Output = Result<(), FileFault>>;

    /// Opens a log at an offset, and gives its length in bytes. It has to be a regular file of this user, and
    /// no link in its last component: [`LINK`], [`IRREGULAR`] and [`FOREIGN`] say so.
    fn log(&self, path: &str, from: u64) -> impl Future<Output = Result<(u64, Self::Log), FileFault>>;
}

/// What is said of a link in the place of a log.
pub const LINK: &str = "is a symbolic link";
/// What is said of a log that is no regular file.
pub const IRREGULAR: &str = "is no regular file";
/// What is said of a log that belongs to another user.
pub const FOREIGN: &str = "belongs to another user";
