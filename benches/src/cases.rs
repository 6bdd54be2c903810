//! Each piece of work that is measured, as a closure over its data.
use crate::{compactions, data, prompts, requests};
use std::{
    hint::black_box,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
};
use throughline_core::{
    checkpoint::{self, Queue},
    engine::{Engine, IngestOptions, Options},
    host::{FixedClock, MemoryStorage, Parts},
    json::{Options as JsonOptions, Reader},
    model::{Draft, Trigger},
    redact::Redactor,
    time::Timestamp,
    transcript::ClaudeCodeReader,
};

/// Sessions whose drafts are due at once.
const DUE: usize = 10_000;

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
    cases.extend(compactions::all());
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
    let drafts = data::drafts(1000);
    let due: Vec<Draft> = data::drafts(DUE);
    vec![
        case("checkpoint: digest", 0, move || checkpoint::digest(black_box(&digested)).len()),
        case("checkpoint: recovery text of 2,000", 0, move || {
            checkpoint::recovery(black_box(&row), Timestamp::EPOCH, false, 2000).chars
        }),
        // Ten of each session: the first opens a window, nine are merged into it.
        case("checkpoint: 10,000 enqueued and merged", 0, move || {
            let mut queue = Queue::default();
            for round in 0..10 {
                enqueue_all(&mut queue, &drafts, Timestamp::EPOCH.saturating_add_millis(round));
            }
            queue.due(Timestamp::EPOCH.saturating_add_millis(60_000)).len()
        }),
        // A commit in memory each: what the core does for one, without a disk.
        case("checkpoint: 10,000 due and flushed", 0, move || {
            let mut queue = Queue::default();
            enqueue_all(&mut queue, &due, Timestamp::EPOCH);
            let handed = queue.due(Timestamp::EPOCH.saturating_add_millis(2_500));
            let mut digests = 0;
            for pending in handed {
                let row = pending.draft.into_row(pending.id.clone(), 1);
                digests += row.digest.len();
                queue.confirm(&pending.id);
            }
            digests
        }),
        case("checkpoint: 1,000 sessions queued and flushed by an engine", 0, || {
            pollster::block_on(queue_and_flush(1000))
        }),
    ]
}

fn enqueue_all(queue: &mut Queue, drafts: &[Draft], now: Timestamp) {
    for (number, draft) in drafts.iter().enumerate() {
        queue.enqueue(draft.clone(), data::checkpoint_id(number), now);
    }
}

/// A prompt and a queued checkpoint of each session in memory, then a tick when all are due.
async fn queue_and_flush(sessions: usize) -> usize {
    let clock = Arc::new(AtomicI64::new(0));
    let now = Arc::clone(&clock);
    let drawn = AtomicU64::new(0);
    let host = Parts {
        storage: MemoryStorage::default(),
        clock: move || Timestamp::EPOCH.saturating_add_millis(now.load(Ordering::Relaxed)),
        entropy: move || u128::from(drawn.fetch_add(1, Ordering::Relaxed)).to_be_bytes(),
    };
    let engine = Engine::new(host, Redactor::standard(), Options::default());
    for number in 0..sessions {
        let id = data::session(number);
        let queued = async {
            engine.submit_prompt(&id, None, "Make the build green.").await?;
            engine.take_checkpoint(&id, Trigger::Agent).await
        };
        if queued.await.is_err() {
            return 0;
        }
    }
    clock.store(2_500, Ordering::Relaxed);
    engine.tick().await.written.len()
}
