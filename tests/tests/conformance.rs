//! The storages of this repository under the conformance suite, and the suite under storages that are wrong.

mod postgres;

use pollster::block_on;
use std::{
    path::PathBuf,
    sync::atomic::{AtomicU32, Ordering},
};
use throughline::{PostgresStorage, SqliteStorage};
use throughline_core::{
    host::{Committed, MemoryStorage, Storage, StorageError},
    id::{BatchId, SessionId},
    model::{Answer, Arguments, Batch, Op, PartBody, Precondition, Query, SessionRow},
    sql::postgres::Address,
    time::Timestamp,
};
use throughline_tests::conformance::{Capability, Factory, Outcome, run};

struct Memory;

impl Factory for Memory {
    type Storage = MemoryStorage;
    async fn open(&self) -> Result<MemoryStorage, StorageError> {
        Ok(MemoryStorage::default())
    }
    fn inspects(&self) -> bool {
        true
    }
}

struct Sqlite(PathBuf);

impl Factory for Sqlite {
    type Storage = SqliteStorage;
    async fn open(&self) -> Result<SqliteStorage, StorageError> {
        SqliteStorage::open(&self.0)
    }
    fn reopens(&self) -> bool {
        true
    }
    fn shares(&self) -> bool {
        true
    }
    fn inspects(&self) -> bool {
        true
    }
}

#[test]
fn memory() {
    let report = block_on(run(&Memory, "memory"));
    println!("{report}");
    assert!(report.conforms(), "{report}");
    let skipped: Vec<_> = report.cases.iter().filter(|case| case.outcome == Outcome::Skipped).collect();
    assert!(skipped.iter().all(|case| !case.required), "{skipped:?}");
}

#[test]
fn sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let sqlite = Sqlite(folder.path().join("store.db"));
    // A store that was used before serves the suite again.
    for seed in ["first", "second"] {
        let report = block_on(run(&sqlite, seed));
        println!("{report}");
        assert!(report.conforms(), "{report}");
        assert!(report.cases.iter().all(|case| case.outcome == Outcome::Passed), "nothing is skipped");
        assert!(report.cases.iter().any(|case| case.capability == Capability::Sharing));
    }
}

struct Postgres(Address);

impl Factory for Postgres {
    type Storage = PostgresStorage;
    async fn open(&self) -> Result<PostgresStorage, StorageError> {
        PostgresStorage::open(&self.0).await
    }
    fn reopens(&self) -> bool {
        true
    }
    fn shares(&self) -> bool {
        true
    }
    fn inspects(&self) -> bool {
        true
    }
}

#[test]
fn postgresql() {
    let Some(server) = postgres::start() else { return };
    let address = Address::parse(&server.database("conformance"), |_| None).unwrap();
    for seed in ["first", "second"] {
        let report = block_on(run(&Postgres(address.clone()), seed));
        println!("{report}");
        assert!(report.conforms(), "{report}");
        assert!(report.cases.iter().all(|case| case.outcome == Outcome::Passed), "nothing is skipped");
    }
}

/// A storage that is wrong in one way.
struct Wrong {
    inner: MemoryStorage,
    fault: Fault,
    calls: AtomicU32,
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    IgnoresPreconditions,
    ForgetsBatchIds,
    WritesPiecemeal,
    OverwritesRows,
    IgnoresPlace,
    LeavesOutPlace,
    OrdersByUtf16,
    OrdersByIdAlone,
    RoundsToMilliseconds,
    IgnoresLimit,
    IgnoresCursor,
    ListsOldestFirst,
    ListsCheckpointsOldestFirst,
    ForgetsBoundary,
    NeverLeavesConversation,
    LosesAstralCharacters,
    CutsLongText,
    ReadsNumbers,
    LosesParts,
    InventsSession,
    IgnoresClearing,
    WritesAnyDraft,
    RemovesAnyDraft,
    WritesAnyDelivery,
    KeepsDeliveries,
    FindsAllExpired,
    ListsDraftsLatestFirst,
    KeepsCheckpoints,
}

const FAULTS: [Fault; 28] = [
    Fault::IgnoresPreconditions,
    Fault::ForgetsBatchIds,
    Fault::WritesPiecemeal,
    Fault::OverwritesRows,
    Fault::IgnoresPlace,
    Fault::LeavesOutPlace,
    Fault::OrdersByUtf16,
    Fault::OrdersByIdAlone,
    Fault::RoundsToMilliseconds,
    Fault::IgnoresLimit,
    Fault::IgnoresCursor,
    Fault::ListsOldestFirst,
    Fault::ListsCheckpointsOldestFirst,
    Fault::ForgetsBoundary,
    Fault::NeverLeavesConversation,
    Fault::LosesAstralCharacters,
    Fault::CutsLongText,
    Fault::ReadsNumbers,
    Fault::LosesParts,
    Fault::InventsSession,
    Fault::IgnoresClearing,
    Fault::WritesAnyDraft,
    Fault::RemovesAnyDraft,
    Fault::WritesAnyDelivery,
    Fault::KeepsDeliveries,
    Fault::FindsAllExpired,
    Fault::ListsDraftsLatestFirst,
    Fault::KeepsCheckpoints,
];

impl Wrong {
    fn new_id(&self) -> BatchId {
        let call = self.calls.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        BatchId::generate(Timestamp::EPOCH, [0, 0, 0, 0, 0, 0, call[0], call[1], call[2], call[3]])
    }

    /// Makes operations on drafts or deliveries those of the version that is stored, whatever they ask for.
    async fn at_stored_versions(
        &self,
        batch: &mut Batch,
        writes: bool,
        deliveries: bool,
    ) -> Result<(), StorageError> {
        for op in &mut batch.ops {
            match op {
                Op::PutPending { pending } if writes => {
                    let session = pending.draft.session.clone();
                    let stored = self.inner.read(&Query::Pending { session }).await?;
                    let Answer::Pending(Some(stored)) = stored else {
                        pending.version = 1;
                        continue;
                    };
                    (pending.id, pending.version) = (stored.id, stored.version + 1);
                }
                Op::DeletePending { session, id, version } if !writes && !deliveries => {
                    let stored = self.inner.read(&Query::Pending { session: session.clone() }).await?;
                    let Answer::Pending(Some(stored)) = stored else { continue };
                    (*id, *version) = (stored.id, stored.version);
                }
                Op::PutDelivery { delivery } if deliveries => {
                    let (receiver, checkpoint) = (delivery.receiver.clone(), delivery.checkpoint.clone());
                    let stored = self.inner.read(&Query::Delivery { receiver, checkpoint }).await?;
                    let Answer::Delivery(stored) = stored else { continue };
                    delivery.version = stored.map_or(0, |stored| stored.version) + 1;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn texts(&self, answer: Answer, change: impl Fn(String) -> String) -> Answer {
        let Answer::Rows(mut rows) = answer else { return answer };
        for part in rows.iter_mut().flat_map(|row| &mut row.parts) {
            match &mut part.body {
                PartBody::Text { text } | PartBody::ToolCall { arguments: Arguments::Json(text), .. } => {
                    *text = change(text.clone())
                }
                _ => {}
            }
        }
        Answer::Rows(rows)
    }
}

impl Storage for Wrong {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        let mut batch = batch.clone();
        match self.fault {
            Fault::IgnoresPreconditions => batch.preconditions.clear(),
            Fault::ForgetsBatchIds => batch.id = self.new_id(),
            Fault::NeverLeavesConversation => batch.ops.retain(|op| !matches!(op, Op::SetLive { .. })),
            Fault::IgnoresClearing => {
                batch.preconditions.retain(|of| !matches!(of, Precondition::NotCleared { .. }))
            }
            Fault::WritesAnyDraft => self.at_stored_versions(&mut batch, true, false).await?,
            Fault::RemovesAnyDraft => self.at_stored_versions(&mut batch, false, false).await?,
            Fault::WritesAnyDelivery => self.at_stored_versions(&mut batch, false, true).await?,
            Fault::KeepsDeliveries => batch.ops.retain(|op| !matches!(op, Op::DeleteDelivery { .. })),
            Fault::KeepsCheckpoints => batch.ops.retain(|op| !matches!(op, Op::DeleteCheckpoint { .. })),
            Fault::LosesParts => batch.ops.retain(|op| !matches!(op, Op::InsertPart { .. })),
            Fault::OverwritesRows => {
                if let Err(StorageError::Conflict { .. }) = self.inner.commit(&batch).await {
                    batch.ops.retain(|op| !matches!(op, Op::InsertRow { .. }));
                } else {
                    return Ok(Committed::default());
                }
            }
            Fault::WritesPiecemeal => {
                for op in &batch.ops {
                    let one = Batch { id: self.new_id(), preconditions: vec![], ops: vec![op.clone()] };
                    self.inner.commit(&one).await?;
                }
                batch.ops.clear();
            }
            _ => {}
        }
        self.inner.commit(&batch).await
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        let mut query = query.clone();
        let place = if let Query::Rows { from, .. } = &query { from.clone() } else { None };
        match (&self.fault, &mut query) {
            (Fault::IgnoresPlace, Query::Rows { from, .. }) => *from = None,
            (Fault::FindsAllExpired, Query::Expired { before, .. }) => *before = Timestamp::MAX,
            (Fault::IgnoresLimit, Query::Sessions { limit, .. } | Query::Checkpoints { limit, .. }) => {
                *limit = 1000
            }
            (Fault::IgnoresCursor, Query::Sessions { after, limit, .. }) if after.is_some() => {
                // Only once, so that paging ends.
                (*after, *limit) = (None, 0);
            }
            _ => {}
        }
        let mut answer = self.inner.read(&query).await?;
        match (&self.fault, &mut answer) {
            (Fault::LeavesOutPlace, Answer::Rows(rows)) => rows.retain(|found| {
                place.as_ref().is_none_or(|place| {
                    (found.row.created_at, &found.row.id) != (place.created_at, &place.id)
                })
            }),
            (Fault::OrdersByUtf16, Answer::Rows(rows)) => rows.sort_by_key(|found| {
                (found.row.created_at, found.row.id.as_str().encode_utf16().collect::<Vec<_>>())
            }),
            (Fault::OrdersByIdAlone, Answer::Rows(rows)) => rows.sort_by_key(|found| found.row.id.clone()),
            (Fault::RoundsToMilliseconds, Answer::Rows(rows)) => {
                for found in rows {
                    let millis = found.row.created_at.unix_millis();
                    found.row.created_at = Timestamp::from_unix_millis(millis).unwrap();
                }
            }
            (Fault::ListsOldestFirst, Answer::Sessions(list)) => list.reverse(),
            (Fault::ListsCheckpointsOldestFirst, Answer::Checkpoints(list)) => list.reverse(),
            (Fault::ListsDraftsLatestFirst, Answer::Due(list)) => list.reverse(),
            (Fault::ForgetsBoundary, Answer::Boundary(found)) => *found = None,
            (Fault::InventsSession, Answer::Session(found @ None)) => {
                let Query::Session { session } = &query else { return Ok(answer) };
                *found = Some(invented(session));
            }
            _ => {}
        }
        Ok(match self.fault {
            Fault::LosesAstralCharacters => {
                self.texts(answer, |text| text.replace(|c| c > '\u{FFFF}', "\u{FFFD}"))
            }
            Fault::CutsLongText => self.texts(answer, |text| text.chars().take(65_536).collect()),
            Fault::ReadsNumbers => {
                self.texts(answer, |text| match serde_json::from_str::<serde_json::Value>(&text) {
                    Ok(value) => value.to_string(),
                    Err(_) => text,
                })
            }
            _ => answer,
        })
    }
}

fn invented(session: &SessionId) -> SessionRow<String> {
    let value = serde_json::json!({
        "id": session, "version": 0, "status": "idle", "started_at": "2026-01-01T00:00:00Z",
        "last_activity": "2026-01-01T00:00:00Z", "counts": {}, "checkpoint_seq": 0, "boundary_seq": 0,
        "continuity": { "prompts_since": 0, "total_prompts": 0, "recent_prompts": [], "memory_queries": [], "remembers": [] },
    });
    serde_json::from_value(value).unwrap()
}

struct WrongFactory(Fault);

impl Factory for WrongFactory {
    type Storage = Wrong;
    async fn open(&self) -> Result<Wrong, StorageError> {
        Ok(Wrong { inner: MemoryStorage::default(), fault: self.0, calls: AtomicU32::new(0) })
    }
}

#[test]
fn every_wrong_storage_is_found_out() {
    for fault in FAULTS {
        let report = block_on(run(&WrongFactory(fault), "wrong"));
        assert!(!report.conforms(), "{fault:?} passes the suite");
        println!("{fault:?}: {} cases", report.failures().count());
    }
}

struct Forgetful;

impl Factory for Forgetful {
    type Storage = MemoryStorage;
    async fn open(&self) -> Result<MemoryStorage, StorageError> {
        Ok(MemoryStorage::default())
    }
    fn reopens(&self) -> bool {
        true
    }
    fn shares(&self) -> bool {
        true
    }
}

#[test]
fn a_claim_that_does_not_hold_is_found_out() {
    let report = block_on(run(&Forgetful, "forgetful"));
    let failed: Vec<_> = report.failures().map(|(case, _)| case.capability).collect();
    assert_eq!(failed, [Capability::Reopening, Capability::Sharing, Capability::Sharing]);
}
