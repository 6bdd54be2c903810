use alloc::string::String;

/// Why a file was not read, written or made, as the system tells it: in the same words on every host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// There is no such file, or no folder on the way to it (`ENOENT`).
    #[error("no such file or directory")]
    NotFound,
    /// The system does not let this process (`EACCES`, `EPERM`).
    #[error("permission denied")]
    Denied,
    /// A folder stands in the place of a file (`EISDIR`).
    #[error("is a directory")]
    Folder,
    /// A file stands in the place of a folder (`ENOTDIR`).
    #[error("not a directory")]
    NotFolder,
    /// The file system is mounted for reading (`EROFS`).
    #[error("read-only file system")]
    ReadOnly,
    /// The name is longer than the file system takes (`ENAMETOOLONG`).
    #[error("file name too long")]
    LongName,
    /// Links that lead to one another (`ELOOP`).
    #[error("too many levels of symbolic links")]
    Links,
    /// No room, or a limit for sizes (`ENOSPC`, `EDQUOT`, `EFBIG`).
    #[error("no space left on device")]
    Full,
    /// Whoever read the output has gone (`EPIPE`).
    #[error("broken pipe")]
    Closed,
    /// Anything else, in the system's words.
    #[error("{0}")]
    Other(String),
}

impl FileFault {
    /// The fault by the name that POSIX gives it, such as `ENOENT`; other names keep the system's words.
    ///
    /// ```
    /// use throughline_core::model::FileFault;
    /// assert_eq!(FileFault::named("ENOENT", "open 'x'").to_string(), "no such file or directory");
    /// assert_eq!(FileFault::named("EMFILE", "too many open files").to_string(), "too many open files");
    /// ```
    #[must_use]
    pub fn named(name: &str, words: &str) -> Self {
        match name {
            "ENOENT" => Self::NotFound,
            "EACCES" | "EPERM" => Self::Denied,
            "EISDIR" => Self::Folder,
            "ENOTDIR" => Self::NotFolder,
            "EROFS" => Self::ReadOnly,
            "ENAMETOOLONG" => Self::LongName,
            "ELOOP" => Self::Links,
            "ENOSPC" | "EDQUOT" | "EFBIG" => Self::Full,
            "EPIPE" => Self::Closed,
            _ => Self::Other(words.into()),
        }
    }
}
