//! What every driver of SQLite decides alike, whichever library it is written on: which file is ours, what an
//! error of SQLite means, and how a refusal is worded.

use super::schema::schema_found;
use crate::model::{FileFault, StorageError};
use alloc::{format, string::String};

/// How many bytes of a file [`judge`] asks for: the header (100 bytes), then the head of the first page.
pub const HEAD_BYTES: usize = 108;

/// What a connection is told first. The journal is set after the migrations; see [`journal`].
pub const PRAGMAS: &str = "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;";

const MAGIC: &[u8; 16] = b"SQLite format 3\0";
/// A page type: a table's leaf.
const LEAF: u8 = 13;

/// Judges a file by its first [`HEAD_BYTES`], before SQLite opens it: SQLite may write to a file that it only
/// reads. Gives the schema that it has, 0 for an empty one. `logged`: whether a write-ahead log that is not
/// empty lies beside it.
///
/// ```
/// use throughline_core::sql::sqlite::judge;
/// assert_eq!(judge("store.db", b"", false), Ok(0));
/// let error = judge("notes.txt", b"not a database", false).unwrap_err();
/// assert_eq!(error.to_string(), "not a throughline store: notes.txt is no SQLite database");
/// ```
///
/// # Errors
/// `storage_foreign`, `schema_newer`, as [`schema_found`].
pub fn judge(path: &str, head: &[u8], logged: bool) -> Result<u32, StorageError> {
    if head.is_empty() {
        return Ok(0);
    }
    let head: &[u8; HEAD_BYTES] = head
        .first_chunk()
        .filter(|head| head.starts_with(MAGIC))
        .ok_or_else(|| StorageError::Foreign { what: format!("{path} is no SQLite database") })?;
    let number = |at: usize| {
        let bytes = head.get(at..at.saturating_add(4)).and_then(|bytes| bytes.try_into().ok());
        u32::from_be_bytes(bytes.unwrap_or_default())
    };
    let cells = u64::from(number(103) >> 16);
    let tables = if head.get(100) == Some(&LEAF) { cells } else { cells.max(1) };
    // The schema may stand in a log beside a file that does not name its owner: then it is not ours.
    let tables = tables.saturating_add(u64::from(logged));
    schema_found(number(68).cast_signed(), number(60).into(), tables).map_err(|error| match error {
        StorageError::Foreign { what } => StorageError::Foreign { what: format!("{path} is {what}") },
        other => other,
    })
}

/// The journal of a file on a file system of this kind (`f_type` of `statfs`, where the system has it): the
/// write-ahead log shares memory between processes, which file systems of several machines do not give.
///
/// ```
/// # use throughline_core::sql::sqlite::journal;
/// assert_eq!(journal(None), "wal");
/// assert_eq!(journal(Some(0x6969)), "delete"); // NFS
/// ```
#[must_use]
pub fn journal(file_system: Option<i64>) -> &'static str {
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
    if file_system.is_some_and(|kind| REMOTE.contains(&(kind & 0xFFFF_FFFF))) { "delete" } else { "wal" }
}

/// An error of SQLite: its extended result code, and its message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The extended result code, whose low byte is the primary one; 0 when it is none of SQLite's own.
    pub code: i32,
    /// The message.
    pub text: String,
    /// The greatest file that the process may write, in bytes, where there is a limit (`ulimit -f`): SQLite
    /// tells of a write beyond it as of any failed write.
    pub size_limit: Option<u64>,
}

const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const PROTOCOL: i32 = 15;
const FULL: i32 = 13;
const IOERR_WRITE: i32 = 778;
const IOERR_FSYNC: i32 = 1034;
const IOERR_DIR_FSYNC: i32 = 1290;
const IOERR_SHMSIZE: i32 = 4874;
/// The file is not as SQLite or the schema have it: ERROR, CORRUPT, SCHEMA, CONSTRAINT, NOTADB, and what is
/// no code of SQLite.
const DAMAGED: [i32; 6] = [0, 1, 11, 17, 19, 26];

impl Fault {
    fn primary(&self) -> i32 {
        self.code & 0xFF
    }

    /// Whether waiting may help.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        [BUSY, LOCKED, PROTOCOL].contains(&self.primary())
    }

    /// As [`StorageError::from`], when the commit itself failed: after a failed sync the batch may or may not
    /// be there when the file is opened again.
    #[must_use]
    pub fn at_commit(self) -> StorageError {
        let unsynced = [IOERR_FSYNC, IOERR_DIR_FSYNC].contains(&self.code);
        if unsynced { StorageError::OutcomeUnknown { why: self.text } } else { self.into() }
    }
}

impl From<Fault> for StorageError {
    fn from(fault: Fault) -> Self {
        let growing = [IOERR_WRITE, IOERR_SHMSIZE].contains(&fault.code);
        if let Some(limit) = fault.size_limit.filter(|_| growing) {
            let why = format!("a write failed, and this process may write files of {limit} bytes at most");
            return Self::Full { why };
        }
        let (busy, primary, why) = (fault.is_busy(), fault.primary(), fault.text);
        match primary {
            _ if busy => Self::Locked { why },
            FULL => Self::Full { why },
            code if DAMAGED.contains(&code) => {
                Self::Corrupt { what: format!("a damaged database ({why})"), expected: "a sound store" }
            }
            _ => Self::Unavailable { why },
        }
    }
}

/// Why a file cannot be a store, before SQLite is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The place cannot be looked at.
    Look(FileFault),
    /// The file cannot be read.
    Read(FileFault),
    /// The file cannot be made.
    Make(FileFault),
    /// The folder cannot be made.
    MakeFolder(FileFault),
    /// A folder stands there.
    Folder,
    /// Something else than a file stands there.
    Irregular,
    /// The file may not be written.
    ReadOnly,
}

impl Refusal {
    /// The error that names the place.
    ///
    /// ```
    /// use throughline_core::{model::FileFault, sql::sqlite::Refusal};
    /// let error = Refusal::Make(FileFault::Denied).at("/proc/x.db");
    /// assert_eq!(error.to_string(), "the storage is not available: cannot make /proc/x.db: permission denied");
    /// ```
    #[must_use]
    pub fn at(self, path: &str) -> StorageError {
        let why = match self {
            Self::Look(fault) => format!("cannot look at {path}: {fault}"),
            Self::Read(fault) => format!("cannot read {path}: {fault}"),
            Self::Make(fault) => format!("cannot make {path}: {fault}"),
            Self::MakeFolder(fault) => format!("cannot make the folder {path}: {fault}"),
            Self::Folder => format!("{path} is a folder"),
            Self::Irregular => format!("{path} is no regular file"),
            Self::ReadOnly => format!("{path} is read-only"),
        };
        StorageError::Unavailable { why }
    }
}
