//! Runs every case natively and prints `{"name": {"ms": median, "bytes": n, "check": n}}`.
use serde_json::{Map, json};
use std::time::{Duration, Instant};
use throughline_benches::{cases, data};
use throughline_core::prompt::{Conversation, Input};

/// Each case runs at least so long, and at least three times.
const ENOUGH: Duration = Duration::from_millis(800);

#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn main() {
    // Only those whose name holds the word, when one is given.
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let mut figures = Map::new();
    let memory = memory(); // before anything else grows the process
    for case in cases::all().into_iter().filter(|case| case.name.contains(&wanted)) {
        let mut check = (case.run)();
        let begin = Instant::now();
        let mut times = Vec::new();
        while times.len() < 3 || begin.elapsed() < ENOUGH {
            let since = Instant::now();
            check = (case.run)();
            times.push(since.elapsed().as_secs_f64() * 1000.0 / case.times as f64);
        }
        times.sort_by(f64::total_cmp);
        let figure = json!({"ms": times[times.len() / 2], "bytes": case.bytes, "check": check});
        figures.insert(case.name.to_owned(), figure);
    }
    for (name, bytes) in memory {
        figures.insert(name.to_owned(), json!({"memory": bytes}));
    }
    println!("{}", serde_json::Value::Object(figures));
}

/// What 100,000 rows take, and what the conversation takes beside them, by the resident pages of this process;
/// nothing where the system does not tell.
fn memory() -> Vec<(&'static str, usize)> {
    const PAGE: usize = 4096;
    let resident = || {
        let told = std::fs::read_to_string("/proc/self/statm").ok()?;
        told.split(' ').nth(1)?.parse::<usize>().ok().map(|pages| pages * PAGE)
    };
    let Some(before) = resident() else { return Vec::new() };
    let rows = data::rows(100_000);
    let with_rows = resident().unwrap_or(before);
    let held = Conversation::new(Input { rows: rows.clone(), ..Input::default() });
    let with_prompt = resident().unwrap_or(with_rows);
    drop((rows, held));
    vec![
        ("memory: 100,000 rows alone", with_rows.saturating_sub(before)),
        ("memory: their conversation beside them", with_prompt.saturating_sub(with_rows)),
    ]
}
