use crate::host::FileFault;
use alloc::vec::Vec;
use core::future::Future;

/// A file that is read piece by piece.
pub trait LogFile {
    /// The next bytes, of any number; `None` at the end.
    fn next(&mut self) -> impl Future<Output = Result<Option<Vec<u8>>, FileFault>>;
}
