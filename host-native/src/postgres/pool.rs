//! A few connections, made when they are needed and kept.

use super::{fault::Failure, session::Session, wires::Wires};
use std::sync::{Mutex, MutexGuard, PoisonError};
use throughline_core::sql::postgres::{Fault, Wire};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_postgres::Config;

#[derive(Debug)]
pub(super) struct Pool {
    pub(super) wires: Wires,
    config: Config,
    free: Semaphore,
    idle: Mutex<Vec<Session>>,
}

impl Pool {
    pub(super) fn new(wires: Wires, config: Config, most: usize) -> Self {
        Self { wires, config, free: Semaphore::new(most.max(1)), idle: Mutex::default() }
    }

    /// Takes a connection, or makes one; waits while all are in use.
    pub(super) async fn take(&self) -> Result<Lease<'_>, Failure> {
        let closed = |_| Failure::Fault(Fault::Lost(Wire::Closed));
        let permit = self.free.acquire().await.map_err(closed)?;
        let kept = self.kept();
        let session = match kept {
            Some(session) => session,
            None => Session::open(&self.wires, &self.config).await?,
        };
        Ok(Lease { pool: self, session, _permit: permit })
    }

    /// The connection that was used last, of those that are still there.
    fn kept(&self) -> Option<Session> {
        let mut idle = self.idle();
        idle.retain(|session| !session.is_closed());
        idle.pop()
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Session>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection in use. It is closed when this is dropped, in the middle of whatever it does: only work that
/// has ended gives it back.
#[derive(Debug)]
pub(super) struct Lease<'a> {
    pool: &'a Pool,
    pub(super) session: Session,
    _permit: SemaphorePermit<'a>,
}

impl Lease<'_> {
    pub(super) fn give_back(self) {
        self.pool.idle().push(self.session);
    }
}
