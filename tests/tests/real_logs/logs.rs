//! Where the logs are, and engines to read them into.
use std::path::PathBuf;
use throughline::{SqliteStorage, SystemEntropy};
use throughline_core::{
    engine::{Engine, IngestOptions, IngestReport, Options},
    host::{FixedClock, MemoryStorage, Parts, Storage},
    id::SessionId,
    redact::Redactor,
    time::Timestamp,
};

/// The four whole logs.
pub(crate) const WHOLE: [&str; 4] = [
    "claude-code-small-thinking.jsonl",
    "claude-code-compacted.jsonl",
    "claude-code-glued-records.jsonl",
    "claude-code-compacted-twice.jsonl",
];
/// Placeholder records of every kind that newer versions write.
pub(crate) const RECORD_TYPES: &str = "claude-code-2.1.220-record-types.jsonl";

/// The folder of real logs beside the checkout; without it a test is skipped, but not in CI.
pub(crate) fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/real"));
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("CI").is_none(), "no real logs at {}", folder.display());
    println!("skipped: no real logs at {}", folder.display());
    None
}

pub(crate) fn read(name: &str) -> Option<Vec<u8>> {
    folder().map(|folder| std::fs::read(folder.join(name)).unwrap())
}

pub(crate) type TestEngine<S> = Engine<Parts<S, FixedClock, SystemEntropy>>;

pub(crate) fn engine<S: Storage>(storage: S) -> TestEngine<S> {
    let clock = FixedClock(Timestamp::parse("2026-11-29T12:00:00Z").unwrap());
    let host = Parts { storage, clock, entropy: SystemEntropy::new().unwrap() };
    Engine::new(host, Redactor::standard(), Options::default())
}

pub(crate) fn in_memory() -> TestEngine<MemoryStorage> {
    engine(MemoryStorage::default())
}

pub(crate) fn on_disk(path: &std::path::Path) -> TestEngine<SqliteStorage> {
    engine(SqliteStorage::open(path).unwrap())
}

/// Reads bytes as a log, in chunks.
pub(crate) fn ingest<S: Storage>(engine: &TestEngine<S>, bytes: &[u8]) -> IngestReport {
    let options = IngestOptions { fallback_key: "stem".into(), ..IngestOptions::default() };
    pollster::block_on(async {
        let mut ingest = engine.ingest(options);
        for chunk in bytes.chunks(50_000) {
            ingest.push(chunk).await.unwrap();
        }
        ingest.finish().await.unwrap()
    })
}

pub(crate) fn session(report: &IngestReport) -> SessionId {
    SessionId::new("claude-code", "", report.session.clone().unwrap()).unwrap()
}
