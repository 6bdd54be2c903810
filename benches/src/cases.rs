//! Each piece of work that is measured, as a closure over its data.
use crate::{data, prompts, requests};
use std::hint::black_box;
use throughline_core::{
    checkpoint,
    engine::{Engine, IngestOptions, Options},
    host::{FixedClock, MemoryStorage, Parts},
    json::{Options as JsonOptions, Reader},
    redact::Redactor,
    time::Timestamp,
    transcript::ClaudeCodeReader,
};

/// Size of the log that is read.
const LOG_BYTES: usize = 8 * 1024 * 1024;

/// One piece of work.
pub struct Case {
    /// What it is.
    pub name: &'static str,
    /// Bytes that one run reads, where speed is told in bytes.
    pub bytes: usize,
    /// How many pieces one run does, where time is told of one of them; 1 for most.
    pub times: usize,
    /// Does it once, and gives something that depends on all of it.
    pub run: Box<dyn Fn() -> usize>,
}

/// All of them, with their data made.
pub fn all() -> Vec<Case> {
    let mut cases = reading();
    cases.extend(checkpoints());
    cases.extend(prompts::all());
    cases.extend(requests::all());
    cases
}

pub(crate) fn case(name: &'static str, bytes: usize, run: impl Fn() -> usize + 'static) -> Case {
    Case { name, bytes, times: 1, run: Box::new(run) }
}

fn reading() -> Vec<Case> {
    let log = data::log(LOG_BYTES);
    let bytes = log.len();
    let (a, b, c, d) = (log.clone(), log.clone(), log.clone(), log);
    vec![
        case("log: serde_json a line", bytes, move || {
            let lines = a.lines().map(serde_json::from_str::<serde_json::Value>);
            lines.filter(|line| black_box(line).is_ok()).count()
        }),
        case("log: our JSON a line", bytes, move || {
            let read = |line: &str| {
                Reader::new(line.as_bytes(), JsonOptions::LENIENT).object_without(&["toolUseResult"])
            };
            b.lines().filter(|line| black_box(read(line)).is_ok()).count()
        }),
        case("log: read and scrubbed", bytes, move || {
            let (redactor, mut items) = (Redactor::standard(), Vec::new());
            let mut reader = ClaudeCodeReader::new("bench");
            c.as_bytes().chunks(65_536).for_each(|chunk| reader.push(&redactor, chunk, &mut items));
            reader.finish(&redactor, &mut items).map_or(0, |()| black_box(items).len())
        }),
        case("log: ingested into memory", bytes, move || {
            let clock = FixedClock(Timestamp::EPOCH);
            let host = Parts { storage: MemoryStorage::default(), clock, entropy: || [7; 16] };
            let engine = Engine::new(host, Redactor::standard(), Options::default());
            let report = pollster::block_on(async {
                let mut ingest = engine.ingest(IngestOptions::default());
                for chunk in d.as_bytes().chunks(65_536) {
                    ingest.push(chunk).await?;
                }
                ingest.finish().await
            });
            report.map_or(0, |report| usize::try_from(report.added).unwrap_or(0))
        }),
    ]
}

fn checkpoints() -> Vec<Case> {
    let row = data::checkpoint();
    let digested = row.clone();
    vec![
        case("checkpoint: digest", 0, move || checkpoint::digest(black_box(&digested)).len()),
        case("checkpoint: recovery text of 2,000", 0, move || {
            checkpoint::recovery(black_box(&row), Timestamp::EPOCH, false, 2000).chars
        }),
    ]
}
