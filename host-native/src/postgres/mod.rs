//! The driver of PostgreSQL: it runs the statements that the core writes.

mod fault;
mod options;
mod pipeline;
mod pool;
mod session;
mod value;
mod wires;

pub use options::PostgresOptions;

use fault::Failure;
use pool::Pool;
use session::{Outcome, Work};
use std::time::{Duration, Instant};
use throughline_core::{
    console::PostgresFacts,
    host::{Committed, Storage, StorageError},
    model::{Answer, Batch, Query},
    sql::{
        self, Statement, Value,
        postgres::{self, Address, Attempt, Moment, Next},
    },
};

/// A store in a database of PostgreSQL 15 or newer, shared by any number of processes on any number of machines.
///
/// What a commit acknowledged is on the server's disk. Sessions are locked in a fixed order for the time of a
/// batch; another writer is waited for ([`PostgresOptions::wait`]), then `storage_locked`. A batch whose
/// connection was lost is run again for as long, and its id says whether it had been committed; only after that
/// time the answer is `outcome_unknown`, or `storage_unavailable` where nothing was written.
///
/// Connections live on a thread of their own: it works under any executor.
#[derive(Debug)]
pub struct PostgresStorage {
    pool: Pool,
    wait: Duration,
}

impl PostgresStorage {
    /// Opens or makes a store with the default options.
    ///
    /// The tables stand in the first schema of the search path. A schema that holds tables of another program
    /// is left as it is.
    ///
    /// # Errors
    /// `storage_foreign`, `schema_newer`, and `storage_unavailable`: a server that cannot be reached, is older
    /// than PostgreSQL 15 or refuses the user.
    pub async fn open(address: &Address) -> Result<Self, StorageError> {
        PostgresOptions::default().open(address).await
    }

    fn new(pool: Pool, wait: Duration) -> Self {
        Self { pool, wait }
    }

    /// Looks at the database, and makes its tables when that is wanted.
    async fn check(&self, make: bool) -> Result<(), StorageError> {
        let mut course = Course::new(self.wait, Moment::Opening);
        loop {
            let done = async {
                let mut lease = self.pool.take().await?;
                if make {
                    lease.session.upgrade().await?;
                }
                lease.give_back();
                Ok(())
            };
            match done.await {
                Ok(()) => return Ok(()),
                Err(failure) => self.pause(course.next(failure)?).await,
            }
        }
    }

    /// Runs a batch until its outcome is known, or the time is over.
    async fn transaction(&self, work: &Work) -> Result<Committed, StorageError> {
        let mut course = Course::new(self.wait, Moment::Connecting);
        let mut was_new = false;
        loop {
            course.attempt.moment = Moment::Connecting;
            let mut is_new = false;
            let moment = &mut course.attempt.moment;
            let done = async {
                let mut lease = self.pool.take().await?;
                *moment = Moment::Writing;
                lease.session.upgrade().await?;
                let outcome = lease.session.transaction(work, moment, &mut is_new).await?;
                lease.give_back();
                Ok(outcome)
            };
            let done = done.await;
            if is_new {
                was_new = true;
                // Its id was free: no earlier attempt was committed.
                course.attempt.unsettled = false;
            }
            match done {
                Ok(Outcome::Committed) => return Ok(Committed { repeated: false }),
                // It was new to an attempt of this call, so this call committed it.
                Ok(Outcome::Repeated) => return Ok(Committed { repeated: !was_new }),
                Ok(Outcome::Conflict(what)) => return Err(StorageError::Conflict { what }),
                Err(failure) => self.pause(course.next(failure)?).await,
            }
        }
    }

    /// What the database says of the store; `None` while there is none.
    ///
    /// # Errors
    /// `storage_unavailable`, `storage_locked`; those of opening, when the database has changed.
    pub async fn facts(&self) -> Result<Option<PostgresFacts>, StorageError> {
        let mark = self.query(&Statement::plain(postgres::MARK, Vec::new())).await?;
        if mark.is_empty() {
            return Ok(None);
        }
        let schema = postgres::schema_found(&mark)?;
        let size = self.query(&Statement::plain(postgres::SIZE, Vec::new())).await?;
        Ok(Some(PostgresFacts { schema, bytes: postgres::size_found(&size)? }))
    }

    async fn query(&self, statement: &Statement) -> Result<Vec<Vec<Value>>, StorageError> {
        let mut course = Course::new(self.wait, Moment::Reading);
        loop {
            let done = async {
                let mut lease = self.pool.take().await?;
                // A store that is not there yet holds nothing.
                let is_empty = lease.session.is_empty().await?;
                let rows = if is_empty { Vec::new() } else { lease.session.query(statement).await? };
                lease.give_back();
                Ok(rows)
            };
            match done.await {
                Ok(rows) => return Ok(rows),
                Err(failure) => self.pause(course.next(failure)?).await,
            }
        }
    }

    async fn pause(&self, time: Duration) {
        self.pool.wires.sleep(time).await;
    }
}

impl Storage for PostgresStorage {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        let lock = |name| Statement::plain(postgres::LOCK, vec![Value::Text(name)]);
        let mut statements: Vec<Statement> = sql::locks(batch).into_iter().map(lock).collect();
        statements.extend(sql::statements(batch)?);
        let begin = postgres::begin(millis(self.wait).try_into().unwrap_or(u32::MAX));
        self.transaction(&Work { begin, already: sql::already(batch), statements }).await
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        sql::answer(query, self.query(&sql::read(query)).await?)
    }
}

/// How far a piece of work has come, by the clock.
struct Course {
    attempt: Attempt,
    since: Instant,
}

impl Course {
    fn new(wait: Duration, moment: Moment) -> Self {
        let mut spread = [0];
        // Without randomness, hosts that met may meet again.
        let _ = getrandom::fill(&mut spread);
        let [spread] = spread;
        let wait_millis = millis(wait);
        let attempt = Attempt { moment, tries: 0, waited_millis: 0, wait_millis, unsettled: false, spread };
        Self { attempt, since: now() }
    }

    /// How long to wait before the next attempt.
    fn next(&mut self, failure: Failure) -> Result<Duration, StorageError> {
        self.attempt.waited_millis = millis(now().duration_since(self.since));
        let fault = match failure {
            Failure::Fault(fault) => fault,
            Failure::Refused(error) if self.attempt.unsettled => {
                return Err(StorageError::OutcomeUnknown { why: error.to_string() });
            }
            Failure::Refused(error) => return Err(error),
        };
        match fault.next(&self.attempt) {
            Next::Fail(error) => Err(error),
            Next::Again { pause_millis, unsettled } => {
                self.attempt.unsettled = unsettled;
                self.attempt.tries = self.attempt.tries.saturating_add(1);
                Ok(Duration::from_millis(pause_millis))
            }
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "bounds a wait; no result depends on it")]
fn now() -> Instant {
    Instant::now()
}

fn millis(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}
