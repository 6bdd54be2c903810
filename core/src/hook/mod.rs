//! Hooks of harnesses, without a process around them: an event's JSON goes in, what it decides and the
//! answer's JSON come out (`spec/hosts.md`, "Hooks").
//!
//! An [`Adapter`] knows one harness. It reads an event into an [`Event`], which is the same for all of them;
//! [`decide`] says what follows from that, and the adapter writes the answer as its harness takes it. What it
//! does not know is ignored: a harness may add fields, events, sources and reasons at any time.
//!
//! [`settings`] puts the command into the harness's settings file, and takes it out again.

mod adapter;
mod claude_code;
mod decide;
mod error;
mod event;
mod fit;
#[cfg(test)]
mod properties;
pub mod settings;
mod spool;

pub use adapter::Adapter;
pub use claude_code::CLAUDE_CODE;
pub use decide::{Decisions, Log, Move, decide};
pub use error::HookError;
pub use event::{Ending, Event, Happening, Start};
pub use fit::{ANSWER_UNITS, Section, fit};
pub use spool::{SPOOL_DAYS, SPOOL_FILES, Spooled, surplus, waits_since};

/// Every adapter.
pub const ADAPTERS: [&Adapter; 1] = [&CLAUDE_CODE];

/// The adapter of a harness, by its name.
#[must_use]
pub fn adapter(harness: &str) -> Option<&'static Adapter> {
    ADAPTERS.into_iter().find(|adapter| adapter.harness == harness)
}
