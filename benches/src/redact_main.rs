//! Measures the redactor natively and prints `{"name": {"ms": median, "best": ms, "bytes": n, "check": n}}`.
//!
//! `--quick` takes smaller texts; `--write FOLDER` writes the logs for peers instead; `--loop NAME SECONDS` does one
//! piece of work over and over, for a profiler; `--once NAME BYTES` does it once, for callgrind.
use serde_json::{Map, Value, json};
use std::{
    fs,
    time::{Duration, Instant},
};
use throughline_benches::redact::cases::{self, Case, Sizes};

/// A case runs about so long, five times.
const SAMPLE: Duration = Duration::from_millis(150);

/// The time that this thread was on a processor, where the system tells it: others on the machine do not count.
#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn now(begin: Instant) -> Duration {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let busy = told.and_then(|text| text.split(' ').next()?.parse().ok());
    busy.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn figure(case: &Case) -> Value {
    let begin = Instant::now();
    let mut check = (case.run)();
    let once = begin.elapsed().max(Duration::from_nanos(1));
    // The system tells the time on a processor in steps of some milliseconds.
    let rounds = (SAMPLE.as_nanos() / once.as_nanos()).clamp(1, 100_000) as u32;
    let mut times = Vec::new();
    while times.len() < 5 {
        let since = now(begin);
        for _ in 0..rounds {
            check = (case.run)();
        }
        times.push((now(begin) - since).as_secs_f64() * 1000.0 / f64::from(rounds));
    }
    times.sort_by(f64::total_cmp);
    json!({"ms": times[times.len() / 2], "best": times[0], "bytes": case.bytes, "check": check})
}

/// The most memory that a scan takes beside its text, in bytes; Linux alone tells.
fn memory(text: &str) -> Option<u64> {
    let redactor = throughline_core::redact::Redactor::standard();
    // So that the pages of the program are there.
    drop(redactor.report(text.get(..text.floor_char_boundary(1 << 20))?));
    let status = |name: &str| {
        let text = fs::read_to_string("/proc/self/status").ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
    };
    // Sets the high-water mark back.
    fs::write("/proc/self/clear_refs", "5").ok()?;
    let before = status("VmRSS")?;
    let findings = redactor.report(text);
    let most = status("VmHWM")?;
    let kept = findings.capacity() * size_of::<throughline_core::redact::Finding>();
    Some(most.saturating_sub(before).saturating_sub(kept as u64))
}

#[allow(clippy::disallowed_methods, reason = "a bench measures time")]
fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let sizes = if words.contains(&"--quick") { Sizes::QUICK } else { Sizes::FULL };
    match words.as_slice() {
        ["--write", folder, ..] => {
            for (name, text) in [("clean", cases::clean(sizes)), ("planted", cases::planted(sizes))] {
                let path = format!("{folder}/{name}.txt");
                fs::write(&path, text).unwrap_or_else(|error| panic!("{path}: {error}"));
            }
        }
        ["--loop", name, seconds] => {
            let seconds = Duration::from_secs(seconds.parse().unwrap_or(10));
            let case = cases::one(name, Sizes::QUICK);
            let begin = Instant::now();
            while begin.elapsed() < seconds {
                (case.run)();
            }
        }
        ["--once", name, bytes] => {
            let bytes = bytes.parse().unwrap_or(1 << 20);
            println!("{}", (cases::one(name, Sizes { log: bytes, flood: bytes }).run)());
        }
        _ => {
            let only = words.iter().find(|word| !word.starts_with("--"));
            let mut figures = Map::new();
            if only.is_none() {
                for (name, text) in [("clean", cases::clean(sizes)), ("planted", cases::planted(sizes))] {
                    figures.insert(format!("memory, {name}"), json!({"memory": memory(&text)}));
                }
            }
            for case in cases::all(sizes) {
                if only.is_none_or(|only| case.name.contains(only)) {
                    figures.insert(case.name.clone(), figure(&case));
                }
            }
            println!("{}", Value::Object(figures));
        }
    }
}
