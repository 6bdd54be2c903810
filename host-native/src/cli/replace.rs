//! Files that are written whole or not at all.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

/// As many links as the system follows.
const LINKS: usize = 40;

/// Writes beside the file and renames; a new file takes the mode of `like`.
pub(super) fn replace(path: &Path, bytes: &[u8], like: &Path) -> io::Result<()> {
    let path = target(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let model = fs::metadata(&path).or_else(|_| fs::metadata(like)).ok();
    put(&path, true, |file| write(file, bytes, model.as_ref()))
}

/// Has a new file beside this one filled, for its owner alone, and renames it. `lasting`: bytes and name are on the
/// disk when this returns.
pub(super) fn put(
    path: &Path,
    lasting: bool,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let (mut file, beside) = temporary(path)?;
    let filled = fill(&mut file).and_then(|()| if lasting { file.sync_all() } else { Ok(()) });
    drop(file);
    let written = filled.and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What failed is said; that this is left behind as well says no more.
        let _ = fs::remove_file(&beside);
    } else if lasting {
        path.parent().into_iter().for_each(sync_folder);
    }
    written
}

/// The names in a folder are on the disk after that, where folders can be opened.
pub(super) fn sync_folder(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// Removes the file, or what a link names.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(target(path)?) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// What the links say, also when nothing is there.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    // The system's own words for it.
    fs::metadata(&path).map(|_| path)
}

/// A new file beside this one, for its owner alone.
fn temporary(path: &Path) -> io::Result<(File, PathBuf)> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let name = path.file_name().unwrap_or_default();
    let mut number = std::process::id();
    loop {
        let mut beside = name.to_os_string();
        beside.push(format!(".{number:x}.tmp"));
        let beside = path.with_file_name(beside);
        match options.open(&beside) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number = number.wrapping_add(1),
            opened => return opened.map(|file| (file, beside)),
        }
    }
}

fn write(file: &mut File, bytes: &[u8], model: Option<&fs::Metadata>) -> io::Result<()> {
    file.write_all(bytes)?;
    if let Some(model) = model {
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, fchown};
            // Only root can give a file to another.
            let _ = fchown(&*file, Some(model.uid()), Some(model.gid()));
        }
        file.set_permissions(model.permissions())?;
    }
    Ok(())
}
