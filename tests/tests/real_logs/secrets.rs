//! Fake secrets planted in a real log: none is stored or printed, and the text around them stays.
use super::logs::{WHOLE, ingest, on_disk, read, session};
use serde_json::Value;
use throughline_core::{engine::RecoverRequest, prompt::Request, render};

/// Fakes, put together here so that no file holds one whole. The last column is what stands in its place.
fn fakes() -> Vec<(String, &'static str)> {
    let long = |text: &str, times: usize| text.repeat(times);
    vec![
        (["ghp_", "R4nd0mFakeValueForTestsOnly012345678"].concat(), "[REDACTED:"),
        (["xoxb", "123456789012", "1234567890123", &long("aB3dE5fG", 3)].join("-"), "[REDACTED:"),
        (["AKIA", "Q7FAKEFAKEFAKE77"].concat(), "[REDACTED:"),
        (["sk_live_", "4eC39HqLyjWDarjtT1zdp7dc"].concat(), "[REDACTED:"),
        (["glpat-", "xY7zQ2wE5rT8uI1oP4aS"].concat(), "[REDACTED:"),
    ]
}

/// Puts a secret between words into every string under `key`, one kind after another.
fn plant(value: &mut Value, key: &str, next: &mut impl FnMut() -> String) {
    match value {
        Value::Object(object) => {
            for (name, value) in object.iter_mut() {
                match value {
                    Value::String(text) if name == key => {
                        *text = format!("{text} before-it {} after-it", next());
                    }
                    value => plant(value, key, next),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| plant(item, key, next)),
        _ => {}
    }
}

/// The log with secrets in prompts and answers (`text`, `content`), tool arguments (`command`, `file_path`,
/// `old_string`) and tool results (`content`).
fn planted(log: &[u8]) -> (Vec<u8>, usize) {
    let fakes = fakes();
    let mut count = 0;
    let mut next = || {
        count += 1;
        fakes[count % fakes.len()].0.clone()
    };
    let mut lines = Vec::new();
    for line in std::str::from_utf8(log).unwrap().lines() {
        let Ok(mut record) = serde_json::from_str::<Value>(line) else {
            lines.push(line.to_owned());
            continue;
        };
        if let Some(message) = record.get_mut("message") {
            for key in ["text", "content", "command", "file_path", "old_string"] {
                plant(message, key, &mut next);
            }
        }
        lines.push(record.to_string());
    }
    (lines.join("\n").into_bytes(), count)
}

fn holds(bytes: &[u8], needle: &str) -> bool {
    bytes.windows(needle.len()).any(|window| window == needle.as_bytes())
}

fn count(text: &str, needle: &str) -> usize {
    text.matches(needle).count()
}

#[test]
fn planted_secrets_are_nowhere_and_the_text_around_them_stays() {
    for name in WHOLE {
        let Some(bytes) = read(name) else { return };
        let (log, count_planted) = planted(&bytes);
        let folder = tempfile::tempdir().unwrap();
        let engine = on_disk(&folder.path().join("store.db"));
        let report = ingest(&engine, &log);
        let session = session(&report);
        let prompt = pollster::block_on(engine.prompt(&session, &Request::default())).unwrap();
        let request = RecoverRequest { session: Some(session.clone()), ..RecoverRequest::default() };
        let recovered = pollster::block_on(engine.recover(&request)).unwrap().unwrap();
        let shown = [
            prompt.json_text(),
            render::Api::ALL
                .map(|api| render::render(api, &prompt, &render::Options::default()).body)
                .map(|body| throughline_core::json::text(&body))
                .concat(),
            recovered.checkpoint.digest.as_str().to_owned(),
            recovered.recovery.text.as_str().to_owned(),
            serde_json::to_string(&report).unwrap(),
        ]
        .join("\n");
        let mut stored = Vec::new();
        for file in std::fs::read_dir(folder.path()).unwrap() {
            stored.extend(std::fs::read(file.unwrap().path()).unwrap());
        }
        for (fake, mark) in fakes() {
            assert!(!holds(&stored, &fake), "{name}: a {} is stored", &fake[..4]);
            assert!(!holds(shown.as_bytes(), &fake), "{name}: a {} is shown", &fake[..4]);
            assert!(holds(&stored, mark));
        }
        assert!(count_planted >= 15, "{name}: {count_planted} planted");
        let text = prompt.json_text();
        assert!(count(&text, "before-it [REDACTED:") > 5, "{name}: what stood before is gone");
        assert_eq!(
            count(&text, "before-it"),
            count(&text, "] after-it"),
            "{name}: what stood behind is gone"
        );
        println!("{name}: {count_planted} planted, {} found", report.summary.findings);
    }
}
