//! Files of `hook`: its own in the home folder, and logs of harnesses.

use super::{files::Source, replace, surroundings::Process};
use crate::{SystemClock, SystemEntropy, fault};
use std::{
    fs::{self, DirBuilder, File},
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

    fn has_drives(&self) -> bool {
        cfg!(windows)
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

    async fn discard_folder(&self, path: &str) -> Result<(), FileFault> {
        fs::remove_dir(path).map_err(|error| fault::of(&error))
    }

    async fn log(&self, path: &str, from: u64) -> Result<(u64, Source), FileFault> {
        let (mut file, length) = log(Path::new(path))?;
        file.seek(SeekFrom::Start(from)).map_err(|error| fault::of(&error))?;
        // No further than it was long when it was opened: a log that grows all the time has no end.
        Ok((length, Source::of(file.take(length.saturating_sub(from)))))
    }
}

/// A file for this user alone; its folders are made where they are missing.
fn keep(path: &Path, bytes: &[u8], lasting: bool) -> io::Result<()> {
    let put = || replace::put(path, lasting, |file| file.write_all(bytes));
    match put() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let folder = path.parent().unwrap_or(path);
            folders().create(folder)?;
            put()?;
            if lasting {
                // As many as the command makes: home, kind, session.
                folder.ancestors().skip(1).take(3).for_each(replace::sync_folder);
            }
            Ok(())
        }
        done => done,
    }
}

fn folders() -> DirBuilder {
    let mut folders = DirBuilder::new();
    folders.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut folders, 0o700);
    folders
}

#[cfg(unix)]
fn log(path: &Path) -> Result<(File, u64), FileFault> {
    use rustix::{fs::OFlags, io::Errno, process::geteuid};
    use std::{
        fs::OpenOptions,
        os::unix::fs::{MetadataExt, OpenOptionsExt},
    };
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
