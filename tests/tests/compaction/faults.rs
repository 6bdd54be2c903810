//! No fault, wherever it falls, leaves half a boundary behind.
use super::{
    lab::{State, TestEngine, engine, folded, id, run, state, turns, write},
    postgres,
};
use std::sync::{
    Mutex,
    atomic::{AtomicUsize, Ordering},
};
use throughline::{PostgresStorage, SqliteStorage};
use throughline_core::{
    engine::{Cause, Driven},
    host::{Committed, MemoryStorage, Storage, StorageError},
    model::{Answer, Batch, Op, Query},
    sql::postgres::Address,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The operation fails and does nothing.
    Unavailable,
    /// A commit is made, and its answer is lost.
    LostAfter,
    /// A commit is not made, and nobody knows.
    LostBefore,
    /// A commit is refused after so many of its operations: what the storage did of it must go.
    Refused(usize),
}

/// A storage that fails once, at its n-th call.
struct Faulty<S> {
    inner: S,
    calls: AtomicUsize,
    fault: Mutex<Option<(usize, Fault)>>,
}

impl<S: Storage> Faulty<S> {
    fn new(inner: S) -> Self {
        Self { inner, calls: AtomicUsize::new(0), fault: Mutex::new(None) }
    }

    fn arm(&self, at: usize, fault: Fault) {
        self.calls.store(0, Ordering::SeqCst);
        *self.fault.lock().unwrap() = Some((at, fault));
    }

    /// The fault that falls now; it falls once.
    fn due(&self) -> Option<Fault> {
        let call = self.calls.fetch_add(1, Ordering::SeqCst);
        let mut armed = self.fault.lock().unwrap();
        let (at, fault) = (*armed)?;
        (at == call).then(|| armed.take().map(|_| fault)).flatten()
    }
}

/// The batch with an operation in it that no storage takes: a row that is there already.
fn poisoned(batch: &Batch, after: usize) -> Batch {
    let mut batch = batch.clone();
    let row = turns(1, 1).remove(0).row;
    batch.ops.insert(after.min(batch.ops.len()), Op::InsertRow { session: id(), row });
    batch
}

impl<S: Storage> Storage for Faulty<S> {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        let why = || "told to".to_owned();
        match self.due() {
            None => self.inner.commit(batch).await,
            Some(Fault::Unavailable) => Err(StorageError::Unavailable { why: why() }),
            Some(Fault::LostBefore) => Err(StorageError::OutcomeUnknown { why: why() }),
            Some(Fault::LostAfter) => {
                self.inner.commit(batch).await?;
                Err(StorageError::OutcomeUnknown { why: why() })
            }
            Some(Fault::Refused(after)) => {
                let refused = self.inner.commit(&poisoned(batch, after)).await;
                assert!(matches!(refused, Err(StorageError::Conflict { .. })), "{refused:?}");
                Err(StorageError::Unavailable { why: why() })
            }
        }
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        match self.due() {
            None => self.inner.read(query).await,
            Some(_) => Err(StorageError::Unavailable { why: "told to".into() }),
        }
    }
}

/// A session with one boundary already and a request for another.
fn prepared<S: Storage>(inner: S) -> TestEngine<Faulty<S>> {
    let engine = engine(Faulty::new(inner));
    let rows = turns(6, 200);
    write(&engine.host().storage, &rows[..16]);
    let Driven::Compacted(report) = run(&engine, &folded(Cause::Requested)).unwrap() else { panic!() };
    assert!(report.applied);
    write(&engine.host().storage, &rows[16..]);
    pollster::block_on(engine.request_compaction(&id())).unwrap();
    engine
}

/// Whole in every part, before or after.
fn check(before: &State, now: &State, told: &str) -> bool {
    let id = |state: &State| state.boundary.as_ref().map(|boundary| boundary.id.as_str().to_owned());
    if id(now) == id(before) {
        assert_eq!(now, before, "{told}: half a boundary");
        return false;
    }
    let (old, new) = (before.boundary.as_ref().unwrap(), now.boundary.as_ref().unwrap());
    assert_eq!((now.boundary_seq, new.seq), (2, 2), "{told}");
    assert_eq!((now.audits, now.rows), (2, before.rows), "{told}");
    assert!(!now.requested, "{told}: the request was fulfilled");
    assert!(new.summary.starts_with(old.summary.as_str()), "{told}: the earlier fold stays as it is");
    assert_eq!(now.version, before.version + 1, "{told}: one batch");
    true
}

fn every_fault<S: Storage>(mut open: impl FnMut() -> S) -> (usize, usize) {
    let (mut faults, mut lost) = (0, 0);
    let kinds = [Fault::Unavailable, Fault::LostAfter, Fault::LostBefore];
    for fault in kinds.into_iter().chain((0..=5).map(Fault::Refused)) {
        for at in 0.. {
            let engine = prepared(open());
            let storage = &engine.host().storage;
            let before = state(&storage.inner);
            storage.arm(at, fault);
            let outcome = run(&engine, &folded(Cause::Step { reported: None }));
            let fell = storage.fault.lock().unwrap().take().is_none();
            let told = format!("{fault:?} at call {at}");
            let made = check(&before, &state(&storage.inner), &told);
            match &outcome {
                Ok(Driven::Compacted(_)) => assert!(made, "{told}: acknowledged and not there"),
                Ok(other) => panic!("{told}: {other:?}"),
                Err(error) => {
                    lost += 1;
                    assert_eq!(error.code(), "storage_unavailable", "{told}");
                }
            }
            if !made {
                // The caller tries again, and all is as if nothing had happened.
                let again = run(&engine, &folded(Cause::Step { reported: None }));
                assert!(matches!(again, Ok(Driven::Compacted(_))), "{told}: {again:?}");
            }
            assert!(check(&before, &state(&storage.inner), &told), "{told}: not made in the end");
            if !fell {
                break;
            }
            faults += 1;
        }
    }
    (faults, lost)
}

#[test]
fn a_fault_at_every_storage_operation_leaves_the_old_boundary_or_the_new_one_in_memory() {
    let (faults, lost) = every_fault(MemoryStorage::default);
    println!("in memory: {faults} faults, {lost} of them told the caller");
    assert!(faults >= 40, "{faults}");
}

#[test]
fn a_fault_at_every_storage_operation_leaves_the_old_boundary_or_the_new_one_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let mut made = 0;
    let (faults, lost) = every_fault(|| {
        made += 1;
        SqliteStorage::open(folder.path().join(format!("store{made}.db"))).unwrap()
    });
    println!("on SQLite: {faults} faults, {lost} of them told the caller");
    assert!(faults >= 40, "{faults}");
}

#[test]
fn a_fault_at_every_storage_operation_leaves_the_old_boundary_or_the_new_one_in_postgresql() {
    let Some(server) = postgres::start() else { return };
    let address = Address::parse(&server.database("faults"), |_| None).unwrap();
    let open = || pollster::block_on(PostgresStorage::open(&address)).unwrap();
    let (faults, lost) = every_fault(|| {
        // One database for all; the session begins anew.
        match pollster::block_on(engine(open()).forget(&id())) {
            Ok(_) => {}
            Err(error) => assert_eq!(error.code(), "session_unknown"),
        }
        open()
    });
    println!("on PostgreSQL: {faults} faults, {lost} of them told the caller");
    assert!(faults >= 40, "{faults}");
}
