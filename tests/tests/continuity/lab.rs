//! An engine under a clock that is set by hand, and short words for what it is asked.
use crate::common::faulty::entropy;
use pollster::block_on;
use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};
use throughline_core::{
    engine::{Engine, Options, RecoverRequest, Skipped},
    host::{DynStorage, MemoryStorage, Parts, Storage},
    id::SessionId,
    model::{Answer, CheckpointRow, Effect, Pending, Query, Trigger},
    redact::Redactor,
    time::Timestamp,
};

/// A clock that is set by hand, in milliseconds after ten.
#[derive(Clone, Default)]
pub(crate) struct Dial(Arc<AtomicI64>);

impl Dial {
    pub(crate) fn set(&self, millis: i64) {
        self.0.store(millis, Ordering::SeqCst);
    }

    pub(crate) fn at(millis: i64) -> Timestamp {
        Timestamp::parse("2026-06-01T10:00:00Z").unwrap().saturating_add_millis(millis)
    }
}

impl throughline_core::host::Clock for Dial {
    fn now(&self) -> Timestamp {
        Self::at(self.0.load(Ordering::SeqCst))
    }
}

pub(crate) type Hand<S> = Engine<Parts<S, Dial, fn() -> [u8; 16]>>;

pub(crate) fn over<S: Storage>(storage: S, dial: &Dial, change: impl FnOnce(&mut Options)) -> Hand<S> {
    let mut options = Options::default();
    change(&mut options);
    let host = Parts { storage, clock: dial.clone(), entropy: entropy as fn() -> [u8; 16] };
    Engine::new(host, Redactor::standard(), options)
}

pub(crate) fn shared() -> Arc<dyn DynStorage> {
    Arc::new(MemoryStorage::default())
}

pub(crate) fn prompt<S: Storage>(engine: &Hand<S>, id: &SessionId, text: &str) -> Vec<Effect> {
    block_on(engine.submit_prompt(id, None, text)).unwrap()
}

pub(crate) fn rows<S: Storage>(engine: &Hand<S>, id: &SessionId) -> Vec<CheckpointRow> {
    let listed = block_on(engine.checkpoints(Some(id), 1000)).unwrap();
    listed.iter().rev().map(|row| block_on(engine.checkpoint(&row.id)).unwrap()).collect()
}

pub(crate) fn pending<S: Storage>(engine: &Hand<S>, id: &SessionId) -> Option<Pending<String>> {
    match block_on(engine.host().storage.read(&Query::Pending { session: id.clone() })).unwrap() {
        Answer::Pending(found) => found,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn recover<S: Storage>(engine: &Hand<S>, id: &SessionId) -> Option<String> {
    let request = RecoverRequest { session: Some(id.clone()), ..RecoverRequest::default() };
    block_on(engine.recover(&request)).unwrap().map(|found| found.recovery.text.into_string())
}

pub(crate) fn take<S: Storage>(
    engine: &Hand<S>,
    id: &SessionId,
    trigger: Trigger,
) -> (bool, Option<Skipped>) {
    let taken = block_on(engine.take_checkpoint(id, trigger)).unwrap();
    (taken.written, taken.reason)
}

/// Prompts in checkpoints and in what is new: each is counted once, wherever it is.
pub(crate) fn counted<S: Storage>(engine: &Hand<S>, id: &SessionId) -> u64 {
    let request = RecoverRequest { session: Some(id.clone()), ..RecoverRequest::default() };
    let recover = || block_on(engine.recover(&request));
    recover().or_else(|_| recover()).unwrap();
    let rows = rows(engine, id);
    let seqs: Vec<u64> = rows.iter().map(|row| row.seq).collect();
    assert!(seqs.is_sorted() && pending(engine, id).is_none());
    rows.iter().map(|row| row.prompt_count).sum()
}
