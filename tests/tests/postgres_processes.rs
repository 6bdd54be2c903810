//! Several host processes on one database, connections that are cut in the middle of commits, and a server that
//! is started again. Each process is this test binary, run again for its ignored test.
#![allow(clippy::disallowed_methods, reason = "a test measures time")]

mod common;
mod cuts;
mod postgres;

use common::{row_ids, session, step, version};
use cuts::Proxy;
use pollster::block_on;
use std::{
    collections::BTreeSet,
    env,
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};
use throughline::{PostgresOptions, PostgresStorage, SystemClock, SystemEntropy};
use throughline_core::{
    engine::{Engine, Options},
    host::{Parts, Storage, StorageError},
    model::{Answer, PartBody, Query, StoredRow},
    redact::Redactor,
    sql::postgres::Address,
};

const STORE: &str = "THROUGHLINE_TEST_STORE";
const NAME: &str = "THROUGHLINE_TEST_NAME";
const PROMPTS: usize = 100;

fn open(url: &str) -> PostgresStorage {
    let address = Address::parse(url, |_| None).unwrap();
    block_on(PostgresOptions::default().open(&address)).unwrap()
}

/// Sends its prompts to a session of all, and as many to one of its own.
#[test]
#[ignore = "a process of `four_host_processes_on_one_database`"]
fn host() {
    let (Some(url), Ok(name)) = (env::var(STORE).ok(), env::var(NAME)) else { return };
    let host = Parts { storage: open(&url), clock: SystemClock, entropy: SystemEntropy::new().unwrap() };
    let engine = Engine::new(host, Redactor::standard(), Options::default());
    println!("said ready");
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
    for number in 0..PROMPTS {
        let text = format!("{name} {number:03}");
        for session in [session("all"), session(&name)] {
            if let Err(error) = block_on(engine.submit_prompt(&session, None, &text)) {
                println!("said {}: {error}", error.code());
            }
        }
    }
}

fn process(url: &str, name: &str) -> (Child, BufReader<std::process::ChildStdout>) {
    let mut child = Command::new(env::current_exe().unwrap())
        .args(["--exact", "host", "--ignored", "--nocapture", "--test-threads=1"])
        .env(STORE, url)
        .env(NAME, name)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    (child, out)
}

#[test]
fn four_host_processes_on_one_database() {
    let Some(server) = postgres::start() else { return };
    // None of them finds a store: they make it at once.
    let url = server.database("hosts");
    let names = ["a", "b", "c", "d"];
    let mut hosts = names.map(|name| process(&url, name));
    for (_, out) in &mut hosts {
        assert!(out.lines().map_while(Result::ok).any(|line| line.ends_with("said ready")));
    }
    let begun = Instant::now();
    // The end of its input is the word to begin.
    hosts.iter_mut().for_each(|(child, _)| drop(child.stdin.take()));
    let mut errors = Vec::new();
    for (child, out) in &mut hosts {
        errors.extend(out.lines().map_while(Result::ok).filter(|line| line.contains("said ")));
        assert!(child.wait().unwrap().success());
    }
    let took = begun.elapsed();
    assert_eq!(errors, Vec::<String>::new(), "no error reaches a caller");
    let store = open(&url);
    let texts = |key: &str| texts(&store, key);
    let all = texts("all");
    assert_eq!(all.len(), names.len() * PROMPTS, "nothing is lost, nothing is there twice");
    for name in names {
        let sent: Vec<String> = (0..PROMPTS).map(|number| format!("{name} {number:03}")).collect();
        assert_eq!(all.iter().filter(|text| text.starts_with(name)).cloned().collect::<Vec<_>>(), sent);
        assert_eq!(texts(name), sent);
    }
    let count = names.len() * PROMPTS * 2;
    println!("4 processes: {count} prompts in {took:.2?}, {:.0} a second", count as f64 / took.as_secs_f64());
}

fn texts(store: &PostgresStorage, key: &str) -> Vec<String> {
    let query = Query::Rows { session: session(key), from: None };
    let Answer::Rows(rows) = block_on(store.read(&query)).unwrap() else { panic!("rows") };
    let text = |row: &StoredRow<String>| match &row.parts[0].body {
        PartBody::Text { text } => text.clone(),
        other => panic!("{other:?}"),
    };
    rows.iter().map(text).collect()
}

/// What writers were answered, while something went wrong.
#[derive(Debug, Default)]
struct Told {
    acknowledged: Vec<String>,
    conflicts: u32,
    errors: Vec<String>,
}

/// Commits to a session of all writers until `stop`, each time a row with an id of its own.
fn write(store: &PostgresStorage, name: &str, stop: &AtomicBool, done: &AtomicU32) -> Told {
    let (mut told, one) = (Told::default(), session("one"));
    let mut number = 0;
    while !stop.load(Ordering::Relaxed) {
        number += 1;
        let id = format!("{name}{number:05}");
        let at = match block_on(store.read(&common::session_query(&one))) {
            Ok(answer) => common::version_of(answer),
            Err(error) => {
                told.errors.push(format!("read: {error}"));
                continue;
            }
        };
        match block_on(store.commit(&step(&one, at, &id, &id))) {
            Ok(answer) => {
                assert!(!answer.repeated, "{id} was sent once");
                told.acknowledged.push(id);
                done.fetch_add(1, Ordering::Relaxed);
            }
            Err(StorageError::Conflict { .. }) => told.conflicts += 1,
            Err(error) => told.errors.push(format!("commit: {error}")),
        }
    }
    told
}

const WRITERS: [&str; 3] = ["a", "b", "c"];

/// Lets writers write while `trouble` goes on; then what is stored must be what was acknowledged, to the row.
fn through(server: &postgres::Server, database: &str, url: &str, trouble: impl FnOnce(&AtomicU32) -> u32) {
    let (stop, done) = (AtomicBool::new(false), AtomicU32::new(0));
    let stores = WRITERS.map(|_| open(url));
    let begun = Instant::now();
    let (told, cuts) = thread::scope(|scope| {
        let writers: Vec<_> = WRITERS
            .into_iter()
            .zip(&stores)
            .map(|(name, store)| scope.spawn(|| write(store, name, &stop, &done)))
            .collect();
        let cuts = trouble(&done);
        stop.store(true, Ordering::Relaxed);
        (writers.into_iter().map(|writer| writer.join().unwrap()).collect::<Vec<_>>(), cuts)
    });
    let mut acknowledged: Vec<String> = told.iter().flat_map(|told| told.acknowledged.clone()).collect();
    acknowledged.sort();
    let errors: Vec<_> = told.iter().flat_map(|told| &told.errors).collect();
    let store = open(&server.address(database));
    let mut stored = row_ids(&store, &session("one"));
    stored.sort();
    let lost = acknowledged.iter().filter(|id| !stored.contains(id)).count();
    let distinct: BTreeSet<_> = stored.iter().collect();
    println!(
        "{database}: {cuts} cuts, {} commits in {:.1?}, {} conflicts, {} errors, {lost} lost, {} twice",
        acknowledged.len(),
        begun.elapsed(),
        told.iter().map(|told| told.conflicts).sum::<u32>(),
        errors.len(),
        stored.len() - distinct.len(),
    );
    assert_eq!(errors, Vec::<&String>::new());
    assert_eq!(stored, acknowledged, "what is stored is what was acknowledged");
    assert_eq!(version(&store, &session("one")), stored.len() as u64, "each was written once");
    assert!(cuts > 5 && acknowledged.len() > 20, "{cuts} cuts, {} commits", acknowledged.len());
}

/// Waits until something is so, but not for ever.
fn until(seconds: u64, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() && begun.elapsed() < Duration::from_secs(seconds) {
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn backends_that_are_terminated() {
    let Some(server) = postgres::start() else { return };
    let url = server.database("terminated");
    through(&server, "terminated", &url, |done| {
        let script = "CREATE TEMP TABLE cuts (n int);
            DO $$ BEGIN FOR i IN 1..30 LOOP
                PERFORM pg_stat_clear_snapshot();
                INSERT INTO cuts SELECT 1 FROM (
                    SELECT pid FROM pg_stat_activity WHERE datname = 'terminated' AND pid <> pg_backend_pid()
                    ORDER BY (state = 'active') DESC, random() LIMIT 1
                ) one WHERE pg_terminate_backend(pid);
                PERFORM pg_sleep(random() * 0.06);
            END LOOP; END $$;
            SELECT count(*) FROM cuts;";
        let mut cuts = 0;
        until(60, || {
            cuts += server.ask(script).trim().parse::<u32>().unwrap();
            cuts > 50 && done.load(Ordering::Relaxed) > 100
        });
        cuts
    });
}

#[test]
fn connections_that_are_cut() {
    let Some(server) = postgres::start() else { return };
    server.database("cut");
    let proxy = Proxy::before(server.port());
    let url = server.address("cut").replace(&format!(":{}/", server.port()), &format!(":{}/", proxy.port()));
    through(&server, "cut", &url, |done| {
        proxy.cut(true);
        until(60, || proxy.cuts() >= 100 && done.load(Ordering::Relaxed) >= 100);
        proxy.cut(false);
        proxy.cuts()
    });
}

#[test]
fn a_server_that_is_started_again() {
    let Some(server) = postgres::start() else { return };
    let url = server.database("restarted");
    through(&server, "restarted", &url, |done| {
        for mode in ["fast", "immediate", "fast", "immediate", "immediate", "immediate"] {
            let enough = done.load(Ordering::Relaxed) + 15;
            until(15, || done.load(Ordering::Relaxed) >= enough);
            server.end(mode);
            server.begin();
        }
        6
    });
}
