//! What a host is told when the server's disk is full, its files are damaged or it takes no writes: a typed error,
//! what was there before intact, the draft still pending, and all well once the server is.
#![allow(clippy::disallowed_methods, reason = "a test waits")]

mod common;
mod postgres;

use common::faulty::{TestEngine, engine};
use common::session;
use pollster::block_on;
use std::{
    fs,
    io::{Seek, SeekFrom, Write},
    path::Path,
    process::Command,
    time::Duration,
};
use throughline::{PostgresOptions, PostgresStorage};
use throughline_core::{
    engine::EngineError,
    id::SessionId,
    model::{Effect, Trigger},
    prompt::Request,
    sql::postgres::Address,
};

type Own = TestEngine<PostgresStorage>;

fn host(url: &str) -> Own {
    let address = Address::parse(url, |_| None).unwrap();
    let options = PostgresOptions::default().wait(Duration::from_millis(300));
    engine(block_on(options.open(&address)).unwrap())
}

fn prompt(engine: &Own, id: &SessionId, text: &str) -> Result<Vec<Effect>, EngineError> {
    block_on(engine.submit_prompt(id, None, text))
}

/// A session with one prompt and a draft that waits for its window.
fn with_a_draft(engine: &Own) -> SessionId {
    let id = session("one");
    prompt(engine, &id, "before").unwrap();
    assert!(!block_on(engine.take_checkpoint(&id, Trigger::Agent)).unwrap().written);
    id
}

fn written(engine: &Own) -> usize {
    block_on(engine.checkpoints(None, 10)).unwrap().len()
}

/// What the store holds of everything that a host wrote.
fn state(server: &postgres::Server, name: &str) -> String {
    server.ask_in(
        name,
        "SELECT id, version, body FROM sessions ORDER BY 1; SELECT id, body FROM messages ORDER BY 1; \
         SELECT * FROM pending_checkpoints ORDER BY 1; SELECT * FROM checkpoints ORDER BY 1;",
    )
}

/// Everything that writes is refused with the code, nothing is changed by it, and once `mend` was called all
/// that waited is written.
fn is_refused(
    server: &postgres::Server,
    url: &str,
    name: &str,
    code: &str,
    begin: impl FnOnce(),
    mend: impl FnOnce(),
) {
    let engine = host(url);
    let id = with_a_draft(&engine);
    let before = state(server, name);
    begin();
    let error = prompt(&engine, &id, "refused").unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    let error = block_on(engine.take_checkpoint(&id, Trigger::Explicit)).unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    let error = block_on(engine.flush_session(&id)).unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    assert_eq!(state(server, name), before, "nothing was changed");
    mend();
    prompt(&engine, &id, "after").unwrap();
    assert_eq!(block_on(engine.flush_session(&id)).unwrap().len(), 1, "the draft was still pending");
    assert_eq!(written(&engine), 1);
}

/// A trigger that answers as the server does when it cannot extend a file.
const FULL: &str = "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
     RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$; \
     CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION full_disk();";

#[test]
fn a_disk_that_is_said_to_be_full() {
    let Some(server) = postgres::start() else { return };
    let url = server.database("told_full");
    is_refused(
        &server,
        &url,
        "told_full",
        "storage_full",
        || drop(server.ask_in("told_full", FULL)),
        || drop(server.ask_in("told_full", "DROP TRIGGER full_disk ON sessions;")),
    );
}

#[test]
fn a_user_who_may_not_write() {
    let Some(server) = postgres::start() else { return };
    let url = server.database("unwritable").replace("//postgres:", "//ada:");
    server.ask("CREATE ROLE ada LOGIN PASSWORD 'p@ss/word?';");
    server.ask_in("unwritable", "GRANT ALL ON SCHEMA public TO ada;");
    let ask = |script: &str| drop(server.ask_in("unwritable", script));
    is_refused(
        &server,
        &url,
        "unwritable",
        "storage_unavailable",
        || ask("REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public FROM ada;"),
        || ask("GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ada;"),
    );
}

#[test]
fn tables_that_another_keeps_locked() {
    let Some(server) = postgres::start() else { return };
    let url = server.database("locked");
    let engine = host(&url);
    let id = with_a_draft(&engine);
    std::thread::scope(|scope| {
        let hold = "BEGIN; LOCK TABLE sessions IN EXCLUSIVE MODE; SELECT pg_sleep(10); COMMIT;";
        let held = scope.spawn(|| server.ask_in("locked", hold));
        let is_held = "SELECT count(*) FROM pg_locks WHERE mode = 'ExclusiveLock' AND relation IS NOT NULL;";
        while server.ask_in("locked", is_held).trim() == "0" {
            std::thread::sleep(Duration::from_millis(50));
        }
        let error = prompt(&engine, &id, "refused").unwrap_err();
        assert_eq!(error.code(), "storage_locked", "{error}");
        // Who waits longer than the lock is held never hears of it.
        let address = Address::parse(&url, |_| None).unwrap();
        let patient = PostgresOptions::default().wait(Duration::from_secs(30));
        let patient = common::faulty::engine(block_on(patient.open(&address)).unwrap());
        prompt(&patient, &id, "waits").unwrap();
        held.join().unwrap();
    });
    prompt(&engine, &id, "after").unwrap();
    assert_eq!(block_on(engine.flush_session(&id)).unwrap().len(), 1, "the draft was still pending");
}

/// A file system of two megabytes; unmounted when it goes.
struct Small<'a>(&'a Path);

impl<'a> Small<'a> {
    /// `None` where none may be mounted.
    fn mount(at: &'a Path) -> Option<Self> {
        fs::create_dir(at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2m,mode=0777", "none"]).arg(at);
        mount.output().is_ok_and(|done| done.status.success()).then_some(Self(at))
    }
}

impl Drop for Small<'_> {
    fn drop(&mut self) {
        // Lazily: the server may still have files open, and ends after this.
        let _ = Command::new("umount").arg("-l").arg(self.0).status();
    }
}

#[test]
fn a_disk_that_is_full() {
    let Some(server) = postgres::start() else { return };
    let folder = tempfile::Builder::new().prefix("throughline-small-").tempdir().unwrap();
    let place = folder.path().join("disk");
    let Some(_small) = Small::mount(&place) else {
        let why = b"skipped: no file system may be mounted here; the server is told to say that it is full\n";
        std::io::stderr().write_all(why).unwrap();
        return;
    };
    let _ = Command::new("chmod").arg("0755").arg(folder.path()).status();
    let owner = Command::new("chown").arg("postgres").arg(&place).status().unwrap();
    assert!(owner.success());
    let url = server.database("tight");
    let engine = host(&url);
    let id = with_a_draft(&engine);
    let tables = ["messages", "parts"].map(|table| {
        format!("ALTER TABLE {table} SET TABLESPACE small; ALTER INDEX {table}_pkey SET TABLESPACE small;")
    });
    server.ask(&format!("CREATE TABLESPACE small LOCATION '{}';", place.display()));
    server.ask_in("tight", &tables.concat());
    // Numbers, so that the server cannot make the text small.
    let long = |seed: u64| {
        let mut word = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut text = String::new();
        while text.len() < 100_000 {
            word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(&format!("{} ", word >> 40));
        }
        text
    };
    let mut stored = 0;
    let error = loop {
        match prompt(&engine, &id, &long(stored)) {
            Ok(_) => stored += 1,
            Err(error) => break error,
        }
        assert!(stored < 200, "the disk is never full");
    };
    assert_eq!(error.code(), "storage_full", "{error}");
    let rows = || server.ask_in("tight", "SELECT count(*) FROM messages;").trim().parse::<u64>().unwrap();
    assert_eq!(rows(), stored + 1, "each one that was acknowledged, and no other");
    server.ask_in("tight", &tables.concat().replace("TABLESPACE small", "TABLESPACE pg_default"));
    prompt(&engine, &id, &long(stored)).unwrap();
    assert_eq!(rows(), stored + 2);
    assert!(!block_on(engine.flush_session(&id)).unwrap().is_empty(), "what waited is written");
}

#[test]
fn a_damaged_page() {
    let Some(server) = postgres::start() else { return };
    let url = server.database("torn");
    let engine = host(&url);
    let id = with_a_draft(&engine);
    prompt(&host(&url), &session("two"), "untouched").unwrap();
    server.ask_in("torn", "CHECKPOINT;");
    let file = server.ask_in("torn", "SELECT pg_relation_filepath('messages');");
    server.end("fast");
    let path = Path::new(&server.data()).join(file.trim());
    let whole = fs::read(&path).unwrap();
    let mut torn = fs::OpenOptions::new().write(true).open(&path).unwrap();
    torn.seek(SeekFrom::Start(0)).unwrap();
    torn.write_all(&[0xA5; 4096]).unwrap();
    drop(torn);
    server.begin();
    let error = prompt(&engine, &id, "refused").unwrap_err();
    assert_eq!(error.code(), "storage_corrupt", "{error}");
    let error = block_on(engine.prompt(&id, &Request::default())).unwrap_err();
    assert_eq!(error.code(), "storage_corrupt", "{error}");
    // What does not lie on the page is there.
    assert!(block_on(engine.flush_session(&id)).is_ok_and(|written| written.len() == 1));
    server.end("fast");
    fs::write(&path, whole).unwrap();
    server.begin();
    prompt(&engine, &id, "after").unwrap();
}
