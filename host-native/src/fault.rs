//! What the system says of a file, by the core's names.

use std::io::{Error, ErrorKind};
use throughline_core::host::FileFault;

/// The fault that an error of the system is.
pub(crate) fn of(error: &Error) -> FileFault {
    #[cfg(unix)]
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
        return FileFault::Links;
    }
    match error.kind() {
        ErrorKind::NotFound => FileFault::NotFound,
        ErrorKind::PermissionDenied => FileFault::Denied,
        ErrorKind::IsADirectory => FileFault::Folder,
        ErrorKind::NotADirectory => FileFault::NotFolder,
        ErrorKind::ReadOnlyFilesystem => FileFault::ReadOnly,
        ErrorKind::InvalidFilename => FileFault::LongName,
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => FileFault::Full,
        ErrorKind::BrokenPipe => FileFault::Closed,
        _ => {
            // Without the system's number.
            let text = error.to_string();
            FileFault::Other(text.split_once(" (os error").map_or(text.clone(), |(words, _)| words.into()))
        }
    }
}
