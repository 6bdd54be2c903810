//! Files of `hook`: its own in the home folder, and logs of harnesses.

use super::{files::Source, surroundings::Process};
use crate::{SystemClock, SystemEntropy, fault};
use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
    path::Path,
    time::Instant,
};
use throughline_core::{
    console::HookSystem,
    host::{Clock, Entropy, FileFault},
    time::Timestamp,
};

impl HookSystem for Process {
    type Log = Source;

    fn moment(&self, now: Option<Timestamp>) -> (Timestamp, [u8; 16]) {
        let bytes = SystemEntropy::new().map(|entropy| entropy.bytes()).unwrap_or_default();
        (now.unwrap_or_else(|| SystemClock.now()), bytes)
    }

    fn elapsed_millis(&self) -> u64 {
        #[allow(clippy::disallowed_methods, reason = "bounds how long a hook reads; no result depends on it")]
        let now = Instant::now();
        let elapsed = now.saturating_duration_since(self.started).as_millis();
        u64::try_from(elapsed).unwrap_or(u64::MAX)
    }

    async fn names(&self, folder: &str) -> Result<Vec<String>, FileFault> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(fault::of(&error)),
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Ok(names.collect())
    }

    async fn keep(&self, path: &str, bytes: &[u8], lasting: bool) -> Result<(), FileFault> {
        keep(Path::new(path), bytes, lasting).map_err(|error| fault::of(&error))
    }

    async fn discard(&self, path: &str) -> Result<(), FileFault> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(fault::of(&error)),
            _ => Ok(()),
        }
    }

    async fn log(&self, path: &str, from: u64) -> Result<(u64, Source), FileFault> {
        let (mut file, length) = log(Path::new(path))?;
        file.seek(SeekFrom::Start(from)).map_err(|error| fault::of(&error))?;
        // No further than it was long when it was opened: a log that grows all the time has no end.
        Ok((length, Source::of(file.take(length.saturating_sub(from)))))
    }
}

/// Writes a file beside the place, and moves it there.
fn keep(path: &Path, bytes: &[u8], lasting: bool) -> io::Result<()> {
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let written = made(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        if lasting { file.sync_all() } else { Ok(()) }
    });
    let kept = written.and_then(|()| fs::rename(&beside, path));
    if kept.is_err() {
        // What was written of it is of no use.
        let _ = fs::remove_file(&beside);
    }
    kept
}

/// A new file for this user alone; its folders are made where they are missing.
fn made(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let mut folders = DirBuilder::new();
    folders.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        options.mode(0o600);
        folders.mode(0o700);
    }
    match options.open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), |folder| folders.create(folder))?;
            options.open(path)
        }
        opened => opened,
    }
}

#[cfg(unix)]
fn log(path: &Path) -> Result<(File, u64), FileFault> {
    use rustix::{fs::OFlags, io::Errno, process::geteuid};
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    use throughline_core::console::{FOREIGN, IRREGULAR, LINK};
    let says = |words: &str| FileFault::Other(words.into());
    // Without waiting for whoever writes to a pipe.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let flags = i32::try_from(flags).unwrap_or_default();
    let is_link = || path.symlink_metadata().is_ok_and(|found| found.is_symlink());
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).map_err(|error| {
        let linked = error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) && is_link();
        if linked { says(LINK) } else { fault::of(&error) }
    })?;
    let found = file.metadata().map_err(|error| fault::of(&error))?;
    if !found.is_file() {
        return Err(says(IRREGULAR));
    }
    if found.uid() != geteuid().as_raw() {
        return Err(says(FOREIGN));
    }
    Ok((file, found.len()))
}

#[cfg(not(unix))]
fn log(path: &Path) -> Result<(File, u64), FileFault> {
    use throughline_core::console::{IRREGULAR, LINK};
    let found = path.symlink_metadata().map_err(|error| fault::of(&error))?;
    if found.is_symlink() || !found.is_file() {
        let words = if found.is_symlink() { LINK } else { IRREGULAR };
        return Err(FileFault::Other(words.into()));
    }
    let file = File::open(path).map_err(|error| fault::of(&error))?;
    Ok((file, found.len()))
}
