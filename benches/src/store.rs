//! A store that an argument names: `sqlite:PATH` or `postgres://…`.
use std::{sync::Arc, time::Instant};
use throughline::{PostgresOptions, SqliteStorage};
use throughline_core::{host::DynStorage, sql::postgres::Address};

/// Opens or makes it; the program ends with a word on why it cannot.
pub async fn open(store: &str) -> Arc<dyn DynStorage> {
    match store.strip_prefix("sqlite:") {
        Some(path) => Arc::new(SqliteStorage::open(path).unwrap_or_else(|error| panic!("{error}"))),
        None => {
            let address = Address::parse(store, |_| None).unwrap_or_else(|error| panic!("{error}"));
            let opened = PostgresOptions::default().open(&address).await;
            Arc::new(opened.unwrap_or_else(|error| panic!("{error}")))
        }
    }
}

/// The time, which nothing but a bench asks for.
#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
#[must_use]
pub fn now() -> Instant {
    Instant::now()
}
