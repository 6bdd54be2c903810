//! Each piece of work that is measured, as a closure over its data.
use crate::data;
use sha2::{Digest, Sha256};
use std::hint::black_box;
use throughline_core::{
    checkpoint,
    compaction::{self, FoldOptions, Layers, Measured, TraitLayer},
    engine::{Engine, IngestOptions, Options},
    host::{EstimatedTokens, FixedClock, MemoryStorage, Parts},
    json::{self, Json, Options as JsonOptions, Reader},
    prompt::{self, Input, Prompt, Request},
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
    /// Does it once, and gives something that depends on all of it.
    pub run: Box<dyn Fn() -> usize>,
}

/// All of them, with their data made.
pub fn all() -> Vec<Case> {
    let mut cases = reading();
    cases.extend(checkpoints());
    cases.extend(prompts());
    cases.extend(compactions());
    cases
}

fn case(name: &'static str, bytes: usize, run: impl Fn() -> usize + 'static) -> Case {
    Case { name, bytes, run: Box::new(run) }
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

fn assemble(rows: &[throughline_core::model::StoredRow]) -> Prompt {
    prompt::assemble(Input { rows: rows.to_vec(), boundary: None, request: Request::default() })
}

fn prompts() -> Vec<Case> {
    let (small, large) = (data::rows(1000), data::rows(10_000));
    let (copied, written) = (large.clone(), assemble(&large));
    let text = written.json_text();
    let bytes = text.len();
    vec![
        case("prompt: 1,000 rows", 0, move || assemble(&small).messages.len()),
        case("prompt: 10,000 rows", 0, move || assemble(&large).messages.len()),
        case("prompt: copying those 10,000 rows", 0, move || black_box(copied.to_vec()).len()),
        case("prompt: 10,000 rows as JSON text", bytes, move || written.json_text().len()),
        case("prompt: bare SHA-256 of that text", bytes, move || {
            usize::from(Sha256::digest(black_box(text.as_bytes()))[0])
        }),
    ]
}

fn layers() -> Layers {
    let json = |text: &str| json::parse(text).unwrap_or(Json::Null);
    let layer = |id: &str, text: &str| TraitLayer { id: id.into(), checkpoint: json(text) };
    Layers {
        session: json(r#"{"token_checkpoint_threshold":"60000","checkpoint_function_id":"host:checkpoint"}"#),
        traits: vec![
            layer("memory", r#"{"max_memory_chars":4000,"strict":true}"#),
            layer("coder", r#"{"max_tokens":2000,"token_threshold":80000}"#),
        ],
        agent: json(
            r#"{"max_tokens":2500,"model":"class:fast","memory":{"keep":{"rows":10,"notes":true},"tags":["a","b"]}}"#,
        ),
        persisted: json(r#"{"token_threshold":90000,"memory":{"keep":{"rows":20},"tags":[]}}"#),
    }
}

/// One run of what is measured in microseconds does it so often.
const MANY: usize = 1000;

fn compactions() -> Vec<Case> {
    let (given, options) = (layers(), compaction::resolve(&layers()));
    let rows = data::rows(10_000);
    let bytes = compaction_bytes(&rows);
    vec![
        case("compaction: options resolved 1,000 times", 0, move || {
            let resolved = (0..MANY).map(|_| compaction::resolve(black_box(&given)));
            resolved.map(|found| found.map_or(0, |found| found.options().len())).sum()
        }),
        case("compaction: schedule checked 1,000 times", 0, move || {
            let Ok(options) = &options else { return 0 };
            let at = |step: usize| Measured {
                tokens: 89_500 + u64::try_from(step).unwrap_or(0),
                estimated: false,
            };
            (0..MANY).filter(|step| compaction::is_due(black_box(options), 1, at(*step))).count()
        }),
        case("compaction: fold of 10,000 rows", bytes, move || {
            let redactor = Redactor::standard();
            compaction::fold(black_box(&rows), None, FoldOptions::default(), &EstimatedTokens, &redactor)
                .len()
        }),
    ]
}

/// How much text the rows hold.
fn compaction_bytes(rows: &[throughline_core::model::StoredRow]) -> usize {
    rows.iter().map(|row| serde_json::to_string(row).map_or(0, |text| text.len())).sum()
}
