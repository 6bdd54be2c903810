//! The file itself, before SQLite opens it.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Read},
    path::{Path, PathBuf},
};
use throughline_core::{host::StorageError, sql::schema_found};

/// The database header (100 bytes), then the head of the root page of the schema table.
const HEAD: usize = 108;
const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// A page type: a table's leaf.
const LEAF: u8 = 13;

fn unavailable(what: &str, path: &Path, error: &io::Error) -> StorageError {
    StorageError::Unavailable { why: format!("{what} {}: {}", path.display(), words(error)) }
}

/// The error as the system words it, without its number.
fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.clone(), |(words, _)| words.to_owned())
}

/// Judges what stands at `path` without SQLite, which may write to a file that it only reads (recovery, the
/// write-ahead log). Makes the file, and its folder, when there is none.
pub(super) fn prepare(path: &Path) -> Result<(), StorageError> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => judge(path),
        Ok(found) => {
            let kind = if found.is_dir() { "a folder" } else { "no regular file" };
            Err(StorageError::Unavailable { why: format!("{} is {kind}", path.display()) })
        }
        Err(error) if error.kind() == ErrorKind::NotFound => make(path),
        Err(error) => Err(unavailable("cannot look at", path, &error)),
    }
}

/// Whether a file can be made at `path`, whose folder may be missing as well; nothing stays behind.
pub(super) fn can_make(path: &Path) -> Result<(), StorageError> {
    let cannot = |error: io::Error| unavailable("cannot make", path, &error);
    let Some(folder) = path.ancestors().skip(1).find(|folder| folder.exists()) else {
        return Err(cannot(ErrorKind::NotFound.into()));
    };
    let probe = folder.join(format!(".throughline-{}", std::process::id()));
    File::create_new(&probe).map_err(cannot)?;
    fs::remove_file(&probe).map_err(cannot)
}

fn judge(path: &Path) -> Result<(), StorageError> {
    let unreadable = |error: io::Error| unavailable("cannot read", path, &error);
    let mut head = Vec::with_capacity(HEAD);
    File::open(path).map_err(unreadable)?.take(HEAD as u64).read_to_end(&mut head).map_err(unreadable)?;
    if head.is_empty() {
        return Ok(());
    }
    let Some((number, tables)) = header(&head) else {
        return Err(StorageError::Foreign { what: format!("{} is no SQLite database", path.display()) });
    };
    let application_id = number(68).cast_signed();
    // The schema may stand in a log beside a file that does not name its owner: then it is not ours.
    let logged = fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0);
    schema_found(application_id, number(60).into(), tables + u64::from(logged)).map(drop).map_err(|error| {
        match error {
            StorageError::Foreign { what } => {
                StorageError::Foreign { what: format!("{} is {what}", path.display()) }
            }
            other => other,
        }
    })
}

/// A reader of the header's big-endian numbers, and how many tables the first page tells of.
fn header(head: &[u8]) -> Option<(impl Fn(usize) -> u32, u64)> {
    if !head.starts_with(MAGIC) {
        return None;
    }
    let number = |at: usize| {
        let bytes = head.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        u32::from_be_bytes(bytes.unwrap_or_default())
    };
    let cells = u64::from(number(103) >> 16);
    let tables = if head.get(100) == Some(&LEAF) { cells } else { cells.max(1) };
    (head.len() == HEAD).then_some((number, tables))
}

fn make(path: &Path) -> Result<(), StorageError> {
    if let Some(folder) = path.parent() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder).map_err(|error| unavailable("cannot make the folder", folder, &error))?;
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
        Err(error) => Err(unavailable("cannot make", path, &error)),
    }
}

/// The path of a file that SQLite keeps beside the database.
fn beside(path: &Path, suffix: &str) -> PathBuf {
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

/// Whether the file lies on a file system that other machines may write, or that cannot share memory
/// between processes: the write-ahead log needs both to be otherwise.
#[cfg(target_os = "linux")]
pub(super) fn is_remote(path: &Path) -> bool {
    const REMOTE: &[i64] = &[
        0x6969,      // NFS
        0x517B,      // SMB
        0xFE53_4D42, // SMB 2
        0xFF53_4D42, // CIFS
        0x0102_1997, // 9P
        0x5346_414F, // AFS
        0x00C3_6400, // Ceph
        0x0BD0_0BD0, // Lustre
        0x4750_4653, // GPFS
        0x6573_5546, // FUSE
    ];
    rustix::fs::statfs(path).is_ok_and(|found| {
        #[allow(clippy::useless_conversion, reason = "the width of the field depends on the machine")]
        let kind = i64::from(found.f_type) & 0xFFFF_FFFF;
        REMOTE.contains(&kind)
    })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn is_remote(_path: &Path) -> bool {
    false
}
