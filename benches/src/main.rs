//! Runs every case natively and prints `{"name": {"ms": median, "bytes": n, "check": n}}`.
use serde_json::{Map, json};
use std::time::{Duration, Instant};
use throughline_benches::cases;

/// Each case runs at least so long, and at least three times.
const ENOUGH: Duration = Duration::from_millis(800);

#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn main() {
    let mut figures = Map::new();
    for case in cases::all() {
        let mut check = (case.run)();
        let begin = Instant::now();
        let mut times = Vec::new();
        while times.len() < 3 || begin.elapsed() < ENOUGH {
            let since = Instant::now();
            check = (case.run)();
            times.push(since.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        let figure = json!({"ms": times[times.len() / 2], "bytes": case.bytes, "check": check});
        figures.insert(case.name.to_owned(), figure);
    }
    println!("{}", serde_json::Value::Object(figures));
}
