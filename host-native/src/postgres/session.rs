//! One connection: what it is told first, and what it is asked.

use super::{
    fault::Failure,
    pipeline::{Request, pipelined},
    value::{Column, Param},
    wires::Wires,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};
use throughline_core::{
    host::StorageError,
    sql::{
        Statement, Value, migrations,
        postgres::{self, Fault, Moment, Wire},
    },
};
use tokio_postgres::{Client, Config, NoTls, types::ToSql};

/// How many statements are on their way at once.
const IN_FLIGHT: usize = 128;

/// How a transaction ended that met no fault.
#[derive(Debug)]
pub(super) enum Outcome {
    Committed,
    Repeated,
    Conflict(String),
}

/// What is written: the statements of a batch, with the first ones apart.
#[derive(Debug)]
pub(super) struct Work {
    pub(super) begin: String,
    pub(super) already: Statement,
    /// The locks, then the statements of the batch.
    pub(super) statements: Vec<Statement>,
}

#[derive(Debug)]
pub(super) struct Session {
    client: Client,
    prepared: BTreeMap<&'static str, tokio_postgres::Statement>,
    /// The schema that the database had when it was looked at; 0 when it is empty.
    schema: u32,
}

impl Session {
    /// Connects, and judges the database.
    pub(super) async fn open(wires: &Wires, config: &Config) -> Result<Self, Failure> {
        let config = config.clone();
        let work = wires.spawn(async move {
            // The library bounds the socket alone: a server may take the connection and say nothing.
            let limit = config.get_connect_timeout().copied().unwrap_or(Duration::MAX);
            let connected = tokio::time::timeout(limit, config.connect(NoTls)).await;
            let (client, connection) =
                connected.map_err(|_| Failure::Fault(Fault::Lost(Wire::TimedOut)))??;
            // Its end shows in the client.
            drop(tokio::spawn(connection));
            Ok::<_, Failure>(client)
        });
        let ended = |_| Failure::Fault(Fault::Lost(Wire::Closed));
        let client = work.await.map_err(ended)??;
        let mut session = Self { client, prepared: BTreeMap::new(), schema: 0 };
        session.look().await?;
        Ok(session)
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Whether the database has no tables yet; looked at again, since another host may have made them.
    pub(super) async fn is_empty(&mut self) -> Result<bool, Failure> {
        if self.schema == 0 {
            self.look().await?;
        }
        Ok(self.schema == 0)
    }

    /// Judges the database once more.
    async fn look(&mut self) -> Result<(), Failure> {
        let look = self.rows(postgres::LOOK, &[]).await?;
        let row = look.into_iter().next().unwrap_or_default();
        self.schema = match postgres::judge(&row)? {
            true => postgres::schema_found(&self.rows(postgres::MARK, &[]).await?)?,
            false => 0,
        };
        // A database that is ours is brought to this version at once, as a file is.
        if self.schema > 0 { self.upgrade().await } else { Ok(()) }
    }

    /// Makes or changes the tables, when they are not as this version has them.
    pub(super) async fn upgrade(&mut self) -> Result<(), Failure> {
        let known = u32::try_from(migrations().len()).unwrap_or(u32::MAX);
        if self.schema == known {
            return Ok(());
        }
        self.client.batch_execute("BEGIN").await?;
        self.client.batch_execute(postgres::UPGRADE_LOCK).await?;
        let look = self.rows(postgres::LOOK, &[]).await?;
        let found = match postgres::judge(&look.into_iter().next().unwrap_or_default())? {
            true => postgres::schema_found(&self.rows(postgres::MARK, &[]).await?)?,
            false => 0,
        };
        if found < known {
            self.client.batch_execute(&postgres::upgrade(found)).await?;
        }
        self.client.batch_execute("COMMIT").await?;
        self.schema = known;
        Ok(())
    }

    /// Runs a batch whole or not at all. `moment` says how far it came, and `is_new` that its id was free. A
    /// connection on which it failed is not to be used again.
    pub(super) async fn transaction(
        &mut self,
        work: &Work,
        moment: &mut Moment,
        is_new: &mut bool,
    ) -> Result<Outcome, Failure> {
        let Work { begin, already, statements } = work;
        self.prepare(statements.iter().chain([already])).await?;
        let (first, rest) = statements.split_at_checked(IN_FLIGHT).unwrap_or((statements, &[]));
        let mut requests = vec![self.begin(begin), self.request(already)?];
        for statement in first {
            requests.push(self.request(statement)?);
        }
        let mut answers = pipelined(requests).await.into_iter();
        // The answer to BEGIN counts no rows.
        answers.next().transpose()?;
        if answers.next().transpose()? == Some(0) {
            self.client.batch_execute("ROLLBACK").await?;
            return Ok(Outcome::Repeated);
        }
        *is_new = true;
        let mut conflict = None;
        settle(first, answers, &mut conflict)?;
        for some in rest.chunks(IN_FLIGHT) {
            if conflict.is_some() {
                break;
            }
            let requests = some.iter().map(|statement| self.request(statement)).collect::<Result<_, _>>()?;
            settle(some, pipelined(requests).await.into_iter(), &mut conflict)?;
        }
        if let Some(what) = conflict {
            self.client.batch_execute("ROLLBACK").await?;
            return Ok(Outcome::Conflict(what));
        }
        *moment = Moment::Committing;
        self.client.batch_execute("COMMIT").await?;
        Ok(Outcome::Committed)
    }

    /// All rows of a statement.
    pub(super) async fn query(&mut self, statement: &Statement) -> Result<Vec<Vec<Value>>, Failure> {
        self.prepare([statement]).await?;
        let prepared = self.prepared(statement.sql)?.clone();
        self.rows(&prepared, &statement.params).await
    }

    async fn rows<S>(&self, sql: &S, params: &[Value]) -> Result<Vec<Vec<Value>>, Failure>
    where
        S: ?Sized + tokio_postgres::ToStatement + Sync,
    {
        let params: Vec<Param<'_>> = params.iter().map(Param).collect();
        let rows = self.client.query(sql, &by_reference(&params)).await?;
        let column = |row: &tokio_postgres::Row, at| row.try_get(at).map(|Column(value)| value);
        let row = |row: tokio_postgres::Row| (0..row.len()).map(|at| column(&row, at)).collect();
        rows.into_iter().map(row).collect::<Result<_, _>>().map_err(|_| {
            let what = "a column of another type".into();
            StorageError::Corrupt { what, expected: "text and whole numbers" }.into()
        })
    }

    fn begin<'a>(&'a self, begin: &'a str) -> Request<'a, u64> {
        Box::pin(async move { self.client.batch_execute(begin).await.map(|()| 0) })
    }

    fn request<'a>(&'a self, statement: &'a Statement) -> Result<Request<'a, u64>, Failure> {
        let prepared = self.prepared(statement.sql)?;
        Ok(Box::pin(async move {
            let params: Vec<Param<'_>> = statement.params.iter().map(Param).collect();
            self.client.execute(prepared, &by_reference(&params)).await
        }))
    }

    fn prepared(&self, sql: &str) -> Result<&tokio_postgres::Statement, Failure> {
        let lost = || Failure::Fault(Fault::Lost(Wire::Closed));
        self.prepared.get(sql).ok_or_else(lost)
    }

    /// Prepares what is not; the core writes a fixed few texts, and all of them stay prepared.
    async fn prepare(&mut self, statements: impl IntoIterator<Item = &Statement>) -> Result<(), Failure> {
        let texts: BTreeSet<&'static str> = statements.into_iter().map(|statement| statement.sql).collect();
        let missing: Vec<_> = texts.into_iter().filter(|sql| !self.prepared.contains_key(sql)).collect();
        let translated: Vec<String> = missing.iter().map(|sql| postgres::translate(sql)).collect();
        let requests = translated.iter().map(|sql| Box::pin(self.client.prepare(sql)) as Request<'_, _>);
        let answers = pipelined(requests.collect()).await;
        for (sql, prepared) in missing.into_iter().zip(answers) {
            self.prepared.insert(sql, prepared?);
        }
        Ok(())
    }
}

/// Looks through answers in order: the first one that failed, else the first that says a conflict.
fn settle(
    statements: &[Statement],
    answers: impl Iterator<Item = Result<u64, tokio_postgres::Error>>,
    conflict: &mut Option<String>,
) -> Result<(), Failure> {
    for (statement, changed) in statements.iter().zip(answers) {
        let changed = changed?;
        if conflict.is_none() && statement.rows.is_some_and(|rows| rows != changed) {
            *conflict = Some(statement.what.clone());
        }
    }
    Ok(())
}

fn by_reference<'a>(params: &'a [Param<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    params.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}
