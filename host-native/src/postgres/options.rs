use super::{PostgresStorage, pool::Pool, wires::Wires};
use std::time::Duration;
use throughline_core::{
    host::StorageError,
    sql::postgres::{Address, Tls},
};
use tokio_postgres::Config;

/// How a store in PostgreSQL is opened.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PostgresOptions {
    /// How long a lock, or a server that went away, is waited for. 10 seconds by default.
    pub wait: Duration,
    /// How many connections there are at most. 4 by default.
    pub connections: usize,
    /// Whether the tables are made by the first commit, and not when the store is opened. No by default.
    pub lazy: bool,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self { wait: Duration::from_secs(10), connections: 4, lazy: false }
    }
}

impl PostgresOptions {
    /// Sets how long a lock, or a server that went away, is waited for.
    #[must_use]
    pub fn wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// Sets how many connections there are at most.
    #[must_use]
    pub fn connections(mut self, connections: usize) -> Self {
        self.connections = connections;
        self
    }

    /// Sets whether the tables are made by the first commit: until then the store reads as empty.
    #[must_use]
    pub fn lazy(mut self, lazy: bool) -> Self {
        self.lazy = lazy;
        self
    }

    /// Opens or makes a store; see [`PostgresStorage::open`].
    ///
    /// # Errors
    /// As [`PostgresStorage::open`].
    pub async fn open(&self, address: &Address) -> Result<PostgresStorage, StorageError> {
        if address.tls == Tls::Verified {
            let why = "this build has no TLS for PostgreSQL; accepted: sslmode=disable, on a network that is trusted";
            return Err(StorageError::Unavailable { why: why.into() });
        }
        let pool = Pool::new(Wires::start()?, config(address, self.wait), self.connections);
        let storage = PostgresStorage::new(pool, self.wait);
        storage.check(!self.lazy).await?;
        Ok(storage)
    }
}

fn config(address: &Address, wait: Duration) -> Config {
    // Systems take no longer ones.
    let silence = wait.clamp(Duration::from_secs(1), Duration::from_secs(3600));
    // Who can wait for no lock cannot wait for a server that does not answer either.
    let connecting = Duration::from_secs(address.connect_seconds.into()).min(silence);
    let mut config = Config::new();
    config
        .host(&address.host)
        .port(address.port)
        .user(&address.user)
        .dbname(&address.database)
        .application_name(&address.application)
        .connect_timeout(connecting)
        // A server that went away without a word is noticed in the time in which a lock is waited for.
        .keepalives_idle(silence)
        .keepalives_interval(Duration::from_secs(1))
        .keepalives_retries(3)
        .tcp_user_timeout(silence);
    if let Some(password) = &address.password {
        config.password(password);
    }
    if let Some(options) = &address.options {
        config.options(options);
    }
    config
}
