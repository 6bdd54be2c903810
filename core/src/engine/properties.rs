use super::{Engine, IngestOptions, LogCursor, Options};
use crate::{
    host::{FixedClock, MemoryStorage, Parts},
    id::SessionId,
    prompt::{Prompt, Request},
    redact::Redactor,
    time::Timestamp,
    transcript::{
        Item,
        properties::{Log, read, step},
    },
};
use core::{
    future::Future,
    pin::pin,
    sync::atomic::{AtomicU64, Ordering},
    task::{Context, Poll, Waker},
};
use proptest::{collection::vec as list, prelude::*};
use std::{format, string::String, vec::Vec};

/// Runs a future that waits for nothing, as those over storage in memory do.
pub(super) fn at_once<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("storage in memory waits for nothing"),
    }
}

fn engine() -> Engine<impl crate::host::Host> {
    let drawn = AtomicU64::new(0);
    let entropy = move || u128::from(drawn.fetch_add(1, Ordering::Relaxed)).to_be_bytes();
    let clock = FixedClock(Timestamp::EPOCH);
    let host = Parts { storage: MemoryStorage::default(), clock, entropy };
    Engine::new(host, Redactor::standard(), Options::default())
}

/// Reads the lines so far into the engine; the prompt that goes on with them.
fn grow<H: crate::host::Host>(engine: &Engine<H>, lines: &[String]) -> Option<Prompt> {
    let session = SessionId::new("claude-code", "", "s").unwrap();
    at_once(async {
        let mut ingest = engine.ingest(IngestOptions::default());
        ingest.push(lines.join("\n").as_bytes()).await.unwrap();
        ingest.finish().await.ok()?;
        engine.prompt(&session, &Request::default()).await.ok()
    })
}

/// How often rows left or joined the live conversation.
fn switches(lines: &[String]) -> usize {
    read(lines, usize::MAX).iter().filter(|item| matches!(item, Item::Live { .. })).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_was_promised_stays_until_a_rewind_or_a_boundary(steps in list(step(), 1..40)) {
        let (mut log, growing) = (Log::default(), engine());
        let (mut last, mut switched): (Option<Prompt>, usize) = (None, 0);
        for step in &steps {
            log.take(step);
            let Some(now) = grow(&growing, &log.lines) else { continue };
            if let Some(before) = last {
                let promised = &before.messages[..before.stable_len];
                if before.boundary == now.boundary && switches(&log.lines) == switched {
                    prop_assert!(now.messages.starts_with(promised), "{:?}", log.lines);
                    prop_assert!(now.stable_len >= before.stable_len, "{:?}", log.lines);
                }
            }
            last = Some(now);
            switched = switches(&log.lines);
        }
        let whole = engine();
        prop_assert_eq!(grow(&whole, &log.lines).map(|prompt| prompt.json_text()), last.map(|prompt| prompt.json_text()));
    }
    #[test]
    fn a_log_read_by_its_tails_is_the_log_read_whole(
        steps in list(step(), 1..40),
        sizes in list(1..6_usize, 1..8),
        lost in list(any::<bool>(), 1..8),
    ) {
        let mut log = Log::default();
        steps.iter().for_each(|step| log.take(step));
        let session = SessionId::new("claude-code", "", "s").unwrap();
        let (tails, whole) = (engine(), engine());
        let length = log.lines.iter().map(|line| line.len() as u64 + 1).sum();
        let (mut at, mut cursor) = (0, LogCursor::default());
        let ways = sizes.iter().cycle().zip(lost.iter().cycle());
        for (size, lost) in ways {
            let end = (at + size).min(log.lines.len());
            let read = |from: LogCursor| {
                let mut tail = at_once(tails.tail(&session, None, from, false)).unwrap();
                log.lines[at..end].iter().for_each(|line| tail.push(format!("{line}\n").as_bytes()));
                at_once(tail.commit(length)).unwrap()
            };
            let mut next = read(cursor.clone());
            if *lost {
                // The process ended before its place was kept: the next one reads the same again.
                next = read(cursor.clone());
            }
            (at, cursor) = (end, next);
            if at == log.lines.len() {
                break;
            }
        }
        let prompt = |engine: &Engine<_>| at_once(engine.prompt(&session, &Request::default())).ok();
        grow(&whole, &log.lines);
        prop_assert_eq!(
            prompt(&tails).map(|prompt| prompt.json_text()),
            prompt(&whole).map(|prompt| prompt.json_text())
        );
    }
}

/// A typed record under the one before it, or under another.
fn typed(number: usize, parent: Option<usize>) -> String {
    let parent = parent.map_or("null".into(), |parent| format!("\"u{parent}\""));
    format!(
        r#"{{"type":"user","uuid":"u{number}","parentUuid":{parent},"sessionId":"s","timestamp":"2026-03-01T00:00:{:02}Z","message":{{"role":"user","content":"prompt {number}"}}}}"#,
        number % 60
    )
}

#[test]
fn a_rewind_beyond_what_was_kept_is_made_good() {
    let mut lines: Vec<String> = (0..700).map(|number| typed(number, number.checked_sub(1))).collect();
    lines.push(typed(700, Some(20)));
    lines.extend((701..760).map(|number| typed(number, Some(number - 1))));
    let session = SessionId::new("claude-code", "", "s").unwrap();
    let tails = engine();
    let starts: Vec<u64> =
        lines.iter().scan(0, |at, line| Some(core::mem::replace(at, *at + line.len() as u64 + 1))).collect();
    let length = starts.last().unwrap() + lines.last().unwrap().len() as u64 + 1;
    let (mut cursor, mut pieces, mut again) = (LogCursor::default(), 0, false);
    while cursor.offset < length {
        let mut tail = at_once(tails.tail(&session, None, cursor, false)).unwrap();
        let at = starts.iter().position(|start| *start == tail.offset()).unwrap();
        lines.iter().skip(at).take(50).for_each(|line| tail.push(format!("{line}\n").as_bytes()));
        cursor = at_once(tail.commit(length)).unwrap();
        again |= cursor.again;
        pieces += 1;
        // Kept is what is needed, however long the log is.
        assert!(cursor.again || serde_json::to_string(&cursor).unwrap().len() < 60_000);
    }
    assert!(again && pieces < 40, "{pieces}");
    let whole = engine();
    grow(&whole, &lines);
    let prompt = |engine: &Engine<_>| at_once(engine.prompt(&session, &Request::default())).unwrap();
    assert_eq!(prompt(&tails).json_text(), prompt(&whole).json_text());
    assert_eq!(prompt(&whole).messages.len(), 21 + 60);
}

#[test]
fn a_cursor_does_not_make_a_session_a_subagent() {
    let session = SessionId::new("claude-code", "", "s").unwrap();
    let engine = engine();
    let read = |cursor, line: String, subagent| {
        let mut tail = at_once(engine.tail(&session, None, cursor, subagent)).unwrap();
        tail.push(format!("{line}\n").as_bytes());
        at_once(tail.commit(1_000)).unwrap()
    };
    let cursor = read(LogCursor::default(), typed(0, None), true);
    read(cursor, typed(1, None), false);
    let prompt = at_once(engine.prompt(&session, &Request::default())).unwrap();
    assert!(prompt.json_text().contains("prompt 1") && !prompt.json_text().contains("prompt 0"));
}
