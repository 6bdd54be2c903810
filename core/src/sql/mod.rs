//! The one schema and its statements, as text: a host's driver is two functions, `transaction` and `query`.
//!
//! - `transaction`: begin as the only writer; run [`already`], and when it changes no row, roll back and
//!   answer `repeated`; run [`statements`] in order, and when one changes another number of rows than it
//!   must, roll back and answer `conflict` with its `what`; commit.
//! - `query`: run [`read`], hand all rows to [`answer`].
//!
//! Opening: judge the file with [`schema_found`] before anything is written to it; then run the
//! [`migrations`] that are missing in one transaction, which also sets `application_id` to
//! [`APPLICATION_ID`] and `user_version` to the number of migrations. A driver migrates before it turns the
//! write-ahead log on, so that the header of the file says from the first byte whose it is.
//!
//! A database with several writers (PostgreSQL: [`postgres`]) takes the [`locks`] of a batch after [`already`].
//!
//! Parameters are plain `?` in order. Ids and instants are text that sorts by its bytes (instants as
//! [order keys](crate::time::Timestamp::order_key)), bodies are JSON text. Every statement is of the cost of
//! what it writes or gives back (`spec/hosts.md`, "Storage").

mod columns;
mod inspect;
mod locks;
pub mod postgres;
mod read;
mod retention;
mod schema;
pub mod sqlite;
mod statement;
mod write;

#[cfg(test)]
mod tests;

pub use locks::locks;
pub use read::{answer, read};
pub use schema::{APPLICATION_ID, migrations, schema_found};
pub use statement::{Statement, Value};
pub use write::{BATCH_KEPT_MILLIS, already, statements};
