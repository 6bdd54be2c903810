//! Files as the command line reads them, standard input among them.

use std::{
    fs::File,
    io::{self, ErrorKind, Read, Seek, SeekFrom},
    path::Path,
};
use throughline_core::{console::LogFile, host::FileFault};

/// How much is read at once.
const PIECE: usize = 256 * 1024;

pub(super) struct Source(Box<dyn Read>);

impl Source {
    pub(super) fn stdin() -> Self {
        Self(Box::new(io::stdin().lock()))
    }

    pub(super) fn of(bytes: impl Read + 'static) -> Self {
        Self(Box::new(bytes))
    }

    pub(super) fn open(path: &Path) -> Result<Self, FileFault> {
        File::open(path).map(|file| Self(Box::new(file))).map_err(|error| crate::fault::of(&error))
    }

    /// From this byte on.
    pub(super) fn tail(path: &Path, offset: u64) -> Result<Self, FileFault> {
        let open = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(offset))?;
            Ok(Self(Box::new(file)))
        };
        open().map_err(|error: io::Error| crate::fault::of(&error))
    }
}

impl LogFile for Source {
    async fn next(&mut self) -> Result<Option<Vec<u8>>, FileFault> {
        let mut piece = vec![0; PIECE];
        loop {
            match self.0.read(&mut piece) {
                Ok(length) => {
                    piece.truncate(length);
                    return Ok(Some(piece).filter(|piece| !piece.is_empty()));
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(crate::fault::of(&error)),
            }
        }
    }
}
