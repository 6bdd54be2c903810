//! Several processes on one file, a process that is killed, and a disk that is full. Each process is this
//! test binary, run again for one of its ignored tests.
#![cfg(unix)]

mod common;

use common::{row_ids, session, step, version};
use pollster::block_on;
use std::{
    env, fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};
use throughline::SqliteStorage;
use throughline_core::host::{Storage, StorageError};

const STORE: &str = "THROUGHLINE_TEST_STORE";
const NAME: &str = "THROUGHLINE_TEST_NAME";
/// What a process of the tests prints before each answer.
const SAID: &str = "said ";

fn helper(test: &str, store: &Path, name: &str, limit: Option<u32>) -> Child {
    let limit = limit.map_or("unlimited".into(), |blocks| blocks.to_string());
    Command::new("sh")
        .args(["-c", "ulimit -f \"$1\" && shift && exec \"$@\"", "sh", &limit])
        .arg(env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
        .env(STORE, store)
        .env(NAME, name)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What the process says, a line at a time, until it ends.
fn said(child: &mut Child) -> impl Iterator<Item = String> + use<> {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.map_while(Result::ok).filter_map(|line| Some(line.split_once(SAID)?.1.to_owned()))
}

fn store() -> Option<(PathBuf, String)> {
    Some((env::var_os(STORE)?.into(), env::var(NAME).ok()?))
}

const STEPS: usize = 100;

/// Commits its rows to one session, each on the version that it has read, again after a conflict.
#[test]
#[ignore = "a process of `three_processes_lose_nothing`"]
fn writer() {
    let Some((path, name)) = store() else { return };
    println!("{SAID}ready");
    while !path.with_extension("go").exists() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let store = SqliteStorage::open(path).unwrap();
    let one = session("one");
    let mut conflicts = 0;
    for number in 0..STEPS {
        let id = format!("{name}{number:03}");
        loop {
            let batch = step(&one, version(&store, &one), &id, &id);
            match block_on(store.commit(&batch)) {
                Ok(done) => break assert!(!done.repeated),
                Err(StorageError::Conflict { .. }) => conflicts += 1,
                Err(error) => panic!("{error}"),
            }
        }
        println!("{SAID}{id}");
    }
    eprintln!("{name}: {conflicts} conflicts");
}

#[test]
fn three_processes_lose_nothing() {
    let place = tempfile::tempdir().unwrap();
    // None of them finds a store: they make it at once.
    let path = place.path().join("store.db");
    let mut children: Vec<Child> = ["a", "b", "c"].map(|name| helper("writer", &path, name, None)).into();
    let mut words: Vec<_> = children.iter_mut().map(said).collect();
    assert!(words.iter_mut().all(|words| words.next().as_deref() == Some("ready")));
    fs::write(path.with_extension("go"), "").unwrap();
    let mut acknowledged: Vec<String> = words.into_iter().flatten().collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    acknowledged.sort();
    assert_eq!(acknowledged.len(), 3 * STEPS);
    let store = SqliteStorage::open(&path).unwrap();
    assert_eq!(row_ids(&store, &session("one")), acknowledged);
    assert_eq!(version(&store, &session("one")), 3 * STEPS as u64);
}

#[test]
fn a_killed_process_loses_nothing_that_was_acknowledged() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("store.db");
    let mut acknowledged = Vec::new();
    fs::write(path.with_extension("go"), "").unwrap();
    for (name, count) in [("a", 1), ("b", 20), ("c", 37)] {
        let mut child = helper("writer", &path, name, None);
        acknowledged.extend(said(&mut child).skip(1).take(count));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let store = SqliteStorage::open(&path).unwrap();
    let found = row_ids(&store, &session("one"));
    assert_eq!(version(&store, &session("one")), found.len() as u64, "whole or not at all");
    assert!(acknowledged.iter().all(|id| found.contains(id)), "{acknowledged:?} of {found:?}");
}

/// Commits until the file may not grow any more.
#[test]
#[ignore = "the process of `a_full_disk_is_named_and_loses_nothing`"]
fn filler() {
    let Some((path, name)) = store() else { return };
    let flag = std::sync::Arc::default();
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag).unwrap();
    let store = match SqliteStorage::open(path) {
        Ok(store) => store,
        Err(error) => return println!("{SAID}{}", error.code()),
    };
    let one = session("one");
    let text = "text ".repeat(2000);
    for number in 0..1000 {
        let id = format!("{name}{number:03}");
        let at = version(&store, &one);
        match block_on(store.commit(&step(&one, at, &id, &text))) {
            Ok(_) => println!("{SAID}{id}"),
            Err(error) => {
                println!("{SAID}{}", error.code());
                assert_eq!(version(&store, &one), at, "a read after the failure");
                return;
            }
        }
    }
}

#[test]
fn a_full_disk_is_named_and_loses_nothing() {
    for blocks in [4, 40, 100, 300, 1000] {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("store.db");
        let mut child = helper("filler", &path, "a", Some(blocks));
        let mut words: Vec<String> = said(&mut child).collect();
        assert!(child.wait().unwrap().success(), "{blocks} blocks: {words:?}");
        assert_eq!(words.pop().as_deref(), Some("storage_full"), "{blocks} blocks, after {}", words.len());
        let store = SqliteStorage::open(&path).unwrap();
        assert_eq!(row_ids(&store, &session("one")), words, "{blocks} blocks");
        let at = version(&store, &session("one"));
        block_on(store.commit(&step(&session("one"), at, "z", "room again"))).unwrap();
        println!("{blocks} blocks: {} rows", words.len());
    }
}
