//! A log, as it was when it was last looked at, and how far it was read.

use super::super::failure::Failure;
use crate::engine::{Ingest, Settled};
use alloc::{collections::BTreeSet, string::String, vec::Vec};

/// How many bytes before its end show that a log is the one that was read before.
const MARK: usize = 256;

/// A log, as it was when it was last looked at.
pub(super) struct Followed<'a, H> {
    pub(super) bytes: u64,
    pub(super) changed: i64,
    pub(super) open: Option<Open<'a, H>>,
    /// What it failed with, which is said once.
    pub(super) failed: Option<Failure>,
    /// It is to be read although it did not change.
    pub(super) retry: bool,
    /// A store was in the way, so that not all that was added was told of.
    pub(super) owes: bool,
    /// The keys of sessions with something added that no checkpoint tells of, also where nothing is open any more.
    pub(super) waits: BTreeSet<String>,
    /// How long nothing was added, in milliseconds.
    pub(super) quiet: u64,
}

/// A log that can be read on.
pub(super) struct Open<'a, H> {
    pub(super) reading: Ingest<'a, H>,
    pub(super) offset: u64,
    pub(super) mark: Vec<u8>,
}

/// How far reading came.
pub(super) enum Advanced<'a, H> {
    /// As far as the log goes.
    Read(Open<'a, H>, Settled),
    /// Nowhere: it was cut, or another file is under this name.
    Replaced(Open<'a, H>),
    /// The log is gone.
    Gone,
}

impl<'a, H> Followed<'a, H> {
    pub(super) fn new(bytes: u64, changed: i64) -> Self {
        let (waits, quiet) = (BTreeSet::new(), 0);
        Self { bytes, changed, open: None, failed: None, retry: false, owes: false, waits, quiet }
    }

    /// It was read to its end, with a checkpoint of what was added or without one.
    pub(super) fn read(&mut self, open: Open<'a, H>, settled: &Settled, checkpoint: bool) {
        (self.open, self.failed, self.quiet) = (Some(open), None, 0);
        let Some(session) = &settled.session else { return };
        if self.owes || (settled.added > 0 && !checkpoint) {
            self.waits.insert(session.clone());
        } else if checkpoint {
            self.waits.remove(session);
        }
        self.owes = false;
    }
}

impl<'a, H> Open<'a, H> {
    pub(super) fn new(reading: Ingest<'a, H>) -> Self {
        Self { reading, offset: 0, mark: Vec::new() }
    }

    /// Keeps where reading stopped, and the bytes before it.
    pub(super) fn read(&mut self, new: &[u8]) {
        self.offset = self.offset.saturating_add(u64::try_from(new.len()).unwrap_or_default());
        self.mark.extend(new.get(new.len().saturating_sub(MARK)..).unwrap_or_default());
        self.mark.drain(..self.mark.len().saturating_sub(MARK));
    }
}
