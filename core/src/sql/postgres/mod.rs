//! PostgreSQL under the one SQL: what every driver of it decides alike, whichever library it is written on.
//!
//! The statements and the schema are those of SQLite, translated by two pure functions ([`translate`] and,
//! within [`upgrade`], the types of columns). What is special to a server with many writers stands here: where
//! it is ([`Address`]), whether its database is ours ([`judge`]), what an error means and whether the work is
//! done again ([`Fault::next`]).
//!
//! - A new connection asks [`LOOK`] and hands the row to [`judge`]; when the database is marked, [`MARK`] and
//!   [`schema_found`]. Where the schema is older than this version's, it begins a transaction, takes
//!   [`UPGRADE_LOCK`], looks again, runs [`upgrade`] and commits.
//! - `transaction`: [`begin`]; [`already`](super::already), the primary key of which waits for an earlier
//!   attempt that still runs; [`LOCK`] for each of [`locks`](super::locks) in their order; the statements;
//!   `COMMIT`. At `READ COMMITTED` each statement sees what was committed before it began, so that the ones
//!   after the locks see the work of whoever held them.
//! - A [`Fault`] is handed to [`Fault::next`], which says whether to run the whole batch again.
//!
//! The tables are those of the first schema of the search path; one that holds tables of another program is
//! refused.

mod address;
mod dialect;
mod fault;
mod schema;

pub use address::{Address, AddressError, Tls};
pub use dialect::translate;
pub use fault::{Attempt, Fault, Moment, Next, Wire};
pub use schema::{LOOK, MARK, SIZE, UPGRADE_LOCK, judge, schema_found, size_found, upgrade};

use alloc::{format, string::String};

/// Locks one of [`locks`](super::locks) until the transaction ends; two names may share a lock.
pub const LOCK: &str = "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))";

/// Begins the transaction of a batch, which waits for a lock for so long and no longer.
///
/// What is acknowledged is on the server's disk, also where the server itself would not wait for it. A host
/// that was cut off without the server's knowledge loses its transaction, and its locks with it, in half the
/// time, so that its next attempt does not wait in vain.
///
/// ```
/// assert!(throughline_core::sql::postgres::begin(10_000).contains("lock_timeout = 10000"));
/// ```
#[must_use]
pub fn begin(wait_millis: u32) -> String {
    // Nothing would mean for ever, and the server takes numbers of 31 bits.
    let wait = wait_millis.clamp(1, i32::MAX.unsigned_abs());
    let idle = (wait / 2).max(1000);
    format!(
        "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL lock_timeout = {wait}; \
         SET LOCAL idle_in_transaction_session_timeout = {idle}; \
         SELECT set_config('synchronous_commit', 'on', true) \
         WHERE current_setting('synchronous_commit') = 'off'"
    )
}
