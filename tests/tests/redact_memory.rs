//! What scrubbing takes beside its text and what it gives back (`spec/redaction.md`, bar): at most 256 KB for texts and
//! for floods of names, whose memo is the largest memory that lasts, and 540 KB for floods of what is looked at once
//! all of its places are known. A text does not take more when it is longer.
//!
//! Every allocation is counted, and one that grows as two: no measure of the system's, and the same on every machine.
#![cfg(not(target_family = "wasm"))]

use peak_alloc::PeakAlloc;
use throughline_core::redact::{Finding, Redactor};
use throughline_tests::encodings::base64;

#[global_allocator]
static COUNTED: PeakAlloc = PeakAlloc;

const BAR: usize = 256 * 1024;
/// The places of a part of a text are kept, and what grows is counted twice.
const FLOOD: usize = 540 * 1024;
/// The text that a stream holds back.
const HELD: usize = 104 * 1024;
const LENGTH: usize = 200_000;

/// The most bytes that are taken at once while `work` runs, beside those that it gives back.
fn taken<T>(work: impl FnOnce() -> T, given: impl FnOnce(&T) -> usize) -> usize {
    COUNTED.reset_peak_usage();
    let before = COUNTED.current_usage();
    let out = work();
    (COUNTED.peak_usage() - before).saturating_sub(given(&out))
}

/// Texts that ask for memory: many names, many values, and many places, whose floods start at the number beside.
fn texts() -> (Vec<(String, String)>, usize) {
    let numbered = |bit: fn(usize) -> String| {
        let mut text = String::new();
        let mut n = 0;
        while text.len() < LENGTH {
            text += &bit(n);
            n += 1;
        }
        text
    };
    let names = numbered(|n| format!("a{n}_token="));
    let lines = numbered(|n| format!("a{n}_token=null\n"));
    let encoded = |size: usize, between: &str| {
        let blobs = names.as_bytes().chunks(size).map(base64);
        blobs.collect::<Vec<_>>().join(between)
    };
    let mut all = vec![
        ("clean".into(), numbered(|n| format!("{{\"at\": {n}, \"text\": \"a line of a log\"}}\n"))),
        ("names".into(), names.clone()),
        ("names in lines".into(), lines.clone()),
        ("names in base64".into(), encoded(24_000, " ")),
        ("names in short base64".into(), encoded(300, " ")),
        ("names in base64 in lines".into(), encoded(24_000, "\n")),
        ("names in base64 in base64".into(), {
            let once = names.as_bytes().chunks(18_000).map(base64).collect::<Vec<_>>();
            once.iter().map(|blob| base64(blob.as_bytes())).collect::<Vec<_>>().join(" ")
        }),
        ("values in lines".into(), numbered(|n| format!("password: {}\n", value(n)))),
    ];
    let floods = all.len();
    all.push(("names percent-encoded".into(), numbered(|n| format!("a{n}_token%3D"))));
    all.push(("names with entities".into(), numbered(|n| format!("&quot;a{n}_token&quot;:&quot;"))));
    #[rustfmt::skip] // A table.
    let bits = [
        "\"", "\\", "://", "a", "=", "{\"a\":[", "cookie= ", "&quot;", "[REDACTED:jwt]", "value=\"", ":$1$", "\"kty\":",
        "%3D", "\\u003d", "cGFzc3dvcmQ9YWJj ", "-----BEGIN PRIVATE KEY-----\n", "tokens:[\"",
    ];
    all.extend(bits.map(|bit| (bit.to_owned(), bit.repeat(LENGTH / bit.len()))));
    (all, floods)
}

/// A value that looks random, another one for each number.
fn value(n: usize) -> String {
    let hash = (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!("Zq7{hash:x}Kx{:x}W", hash.rotate_left(23).wrapping_mul(31))
}

#[test]
fn memory_is_bounded() {
    let redactor = Redactor::standard();
    let mut wrong = Vec::new();
    let (texts, floods) = texts();
    for (n, (name, text)) in texts.into_iter().enumerate() {
        let bar = if n < floods { BAR } else { FLOOD };
        // A list that grows has its old memory beside the new, which is counted as given back as well.
        let kept = |found: &Vec<Finding>| found.capacity() * size_of::<Finding>() * 3 / 2;
        let whole = taken(|| redactor.report(&text), kept);
        let stream = taken(
            || {
                let (mut stream, mut out) = (redactor.stream(), Vec::with_capacity(40_000));
                for chunk in text.as_bytes().chunks(4096) {
                    stream.push(chunk, &mut out);
                    drop(stream.take_findings());
                    out.clear();
                }
                out.capacity() + HELD
            },
            |given| *given,
        );
        println!("{whole:>8} {stream:>8} {name}");
        wrong.extend((whole > bar || stream > bar).then_some((name, whole, stream)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Four times as many names take no more.
    let names = |count: usize| (0..count).map(|n| format!("a{n}_token=")).collect::<String>();
    let [few, many] = [20_000, 80_000].map(|count| {
        let text = [names(count), base64(&names(count / 4).into_bytes()[..20_000]), names(count)].concat();
        taken(|| redactor.report(&text), |_| 0)
    });
    assert!(few.abs_diff(many) < 4096, "{few} {many}");
}
