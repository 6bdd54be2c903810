//! A log that grows: nothing is stored twice, and what was promised of a prompt stays.
use super::logs::{WHOLE, in_memory, ingest, on_disk, read, session};
use throughline_core::{
    host::{MemoryStorage, Storage},
    id::SessionId,
    model::{Answer, Query, StoredRow},
    prompt::{Prompt, Request},
};

/// Places to cut at: spread over the log, the same on every run.
fn cuts(length: usize) -> Vec<usize> {
    let mut seed = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % u64::try_from(length).unwrap()).unwrap()
    };
    let mut cuts: Vec<usize> = (0..15).map(|_| next()).collect();
    cuts.sort_unstable();
    cuts.push(length);
    cuts
}

fn prompt<S: Storage>(engine: &super::logs::TestEngine<S>, session: &SessionId) -> Prompt {
    let request = Request::default();
    let prompt = pollster::block_on(engine.prompt(session, &request)).unwrap();
    let again = pollster::block_on(engine.prompt(session, &request)).unwrap();
    assert_eq!(prompt.json_text(), again.json_text(), "assembled twice");
    prompt
}

fn rows(storage: &MemoryStorage, session: &SessionId) -> Vec<StoredRow<String>> {
    let query = Query::Rows { session: session.clone(), from: None };
    match pollster::block_on(storage.read(&query)).unwrap() {
        Answer::Rows(rows) => rows,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_second_read_changes_nothing() {
    for name in WHOLE {
        let Some(bytes) = read(name) else { return };
        let folder = tempfile::tempdir().unwrap();
        let engine = on_disk(&folder.path().join("store.db"));
        let first = ingest(&engine, &bytes);
        let before = std::fs::read(folder.path().join("store.db-wal")).unwrap();
        let second = ingest(&engine, &bytes);
        assert_eq!((second.added, second.unchanged), (0, first.added), "{name}");
        assert_eq!(second.checkpoint, None, "{name}");
        assert!(
            before == std::fs::read(folder.path().join("store.db-wal")).unwrap(),
            "{name}: something was written"
        );
    }
}

#[test]
fn pieces_come_to_the_same_as_the_whole_log() {
    for name in WHOLE {
        let Some(bytes) = read(name) else { return };
        let (whole, pieces) = (in_memory(), in_memory());
        let report = ingest(&whole, &bytes);
        let mut added = 0;
        for cut in cuts(bytes.len()) {
            added += ingest(&pieces, &bytes[..cut]).added;
        }
        assert_eq!(added, report.added, "{name}");
        let session = session(&report);
        assert!(rows(&whole.host().storage, &session) == rows(&pieces.host().storage, &session), "{name}");
        assert_eq!(prompt(&whole, &session).json_text(), prompt(&pieces, &session).json_text(), "{name}");
    }
}

#[test]
fn what_a_prompt_promised_stays_while_the_log_grows() {
    let (mut compared, mut lag) = (0, 0);
    for name in WHOLE {
        let Some(bytes) = read(name) else { return };
        let engine = in_memory();
        let mut last: Option<Prompt> = None;
        for cut in cuts(bytes.len()) {
            let report = ingest(&engine, &bytes[..cut]);
            if report.session.is_none() || report.added + report.unchanged == 0 {
                continue;
            }
            let now = prompt(&engine, &session(&report));
            lag = lag.max(open_rounds(&now));
            if let Some(before) = last.filter(|before| before.boundary == now.boundary) {
                compared += 1;
                let promised = &before.messages[..before.stable_len];
                assert!(now.messages.starts_with(promised), "{name}, cut at {cut}");
                assert!(now.stable_len >= before.stable_len, "{name}, cut at {cut}");
            }
            last = Some(now);
        }
    }
    println!("{compared} pairs of prompts compared; at most {lag} open round");
    assert!(compared >= 40, "{compared} pairs say little");
    assert!(lag <= 1);
}

/// How many rounds stand outside the promise: assistant messages of the open tail.
fn open_rounds(prompt: &Prompt) -> usize {
    let tail = &prompt.messages[prompt.stable_len..];
    tail.iter().filter(|message| message.role.as_str() == "assistant").count()
}
