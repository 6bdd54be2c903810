//! Each piece of work that is measured, as a closure over its data.
use crate::data;
use sha2::{Digest, Sha256};
use std::hint::black_box;
use throughline_core::{
    checkpoint,
    engine::{Engine, IngestOptions, Options},
    host::{FixedClock, MemoryStorage, Parts},
    json::{Options as JsonOptions, Reader},
    prompt::{self, Input, Prompt, Request},
    redact::Redactor,
    render::{self, Api},
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
    cases.extend(requests());
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

/// The requests of each provider, beside copying the prompt that they are made from.
fn requests() -> Vec<Case> {
    let prompts = [assemble(&data::rows(1000)), assemble(&data::rows(10_000))];
    let names = [
        ["render: Anthropic, 1,000 rows", "render: Anthropic, 10,000 rows"],
        ["render: OpenAI Responses, 1,000 rows", "render: OpenAI Responses, 10,000 rows"],
        ["render: OpenAI Chat, 1,000 rows", "render: OpenAI Chat, 10,000 rows"],
        ["render: Gemini, 1,000 rows", "render: Gemini, 10,000 rows"],
    ];
    let mut cases = Vec::new();
    for (api, names) in Api::ALL.into_iter().zip(names) {
        for (name, prompt) in names.into_iter().zip(prompts.clone()) {
            let options = render::Options::default();
            cases.push(case(name, 0, move || {
                render::render(api, black_box(&prompt), &options)
                    .body
                    .as_object()
                    .map_or(0, |body| body.len())
            }));
        }
    }
    let [_, large] = prompts;
    cases.push(case("render: copying the prompt of 10,000 rows", 0, move || {
        black_box(large.clone()).messages.len()
    }));
    cases
}
