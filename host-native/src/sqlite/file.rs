//! The file itself, before SQLite opens it.

use crate::fault;
use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read},
    path::{Path, PathBuf},
};
use throughline_core::{
    host::{FileFault, StorageError},
    sql::sqlite::{HEAD_BYTES, Refusal, journal, judge},
};

fn refused(how: fn(FileFault) -> Refusal, path: &Path, error: &io::Error) -> StorageError {
    how(fault::of(error)).at(&path.to_string_lossy())
}

/// Judges what stands at `path` without SQLite, which may write to a file that it only reads (recovery, the
/// write-ahead log). Makes the file, and its folder, when there is none.
pub(super) fn prepare(path: &Path) -> Result<(), StorageError> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {
            let head = head(path).map_err(|error| refused(Refusal::Read, path, &error))?;
            let logged = fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0);
            judge(&path.to_string_lossy(), &head, logged).map(drop)
        }
        Ok(found) => {
            let refusal = if found.is_dir() { Refusal::Folder } else { Refusal::Irregular };
            Err(refusal.at(&path.to_string_lossy()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => make(path),
        Err(error) => Err(refused(Refusal::Look, path, &error)),
    }
}

fn head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::with_capacity(HEAD_BYTES);
    File::open(path)?.take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Whether a file can be made at `path`, whose folder may be missing as well; nothing stays behind.
pub(super) fn can_make(path: &Path) -> Result<(), StorageError> {
    let cannot = |error: io::Error| refused(Refusal::Make, path, &error);
    let Some(folder) = path.ancestors().skip(1).find(|folder| folder.exists()) else {
        return Err(cannot(ErrorKind::NotFound.into()));
    };
    let probe = folder.join(format!(".throughline-{}", std::process::id()));
    File::create_new(&probe).map_err(cannot)?;
    fs::remove_file(&probe).map_err(cannot)
}

fn make(path: &Path) -> Result<(), StorageError> {
    if let Some(folder) = path.parent() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(|error| refused(Refusal::MakeFolder, folder, &error))?;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    // The write-ahead log gets the mode of the database.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        // Another process was faster; what it makes is judged once more when it is open.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(refused(Refusal::Make, path, &error)),
    }
}

/// The path of a file that SQLite keeps beside the database.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The greatest file that this process may write, in bytes, when there is a limit (`ulimit -f`). SQLite tells
/// of a write beyond it as of any failed write, and by then has cut the file back.
#[cfg(unix)]
pub(super) fn size_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Fsize).current
}

#[cfg(not(unix))]
pub(super) fn size_limit() -> Option<u64> {
    None
}

/// The kind of the file system, where the system tells.
#[cfg(target_os = "linux")]
pub(super) fn file_system_of(path: &Path) -> Option<i64> {
    let found = rustix::fs::statfs(path).ok()?;
    #[allow(clippy::useless_conversion, reason = "the width of the field depends on the machine")]
    Some(i64::from(found.f_type))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn file_system_of(_path: &Path) -> Option<i64> {
    None
}

/// The journal that the file gets.
pub(super) fn journal_of(path: &Path) -> &'static str {
    journal(file_system_of(path))
}
