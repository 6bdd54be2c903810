//! Databases that are not ours, servers that cannot be reached, and what is said of them.
#![allow(clippy::disallowed_methods, reason = "a test measures time")]

mod common;
mod postgres;

use common::{row_ids, session, step, version};
use pollster::block_on;
use std::{
    net::TcpListener,
    time::{Duration, Instant},
};
use throughline::{PostgresOptions, PostgresStorage};
use throughline_core::{
    host::{Storage, StorageError},
    model::{Answer, Query},
    sql::postgres::Address,
};

fn address(url: &str) -> Address {
    Address::parse(url, |_| None).unwrap()
}

fn open(url: &str) -> Result<PostgresStorage, StorageError> {
    block_on(PostgresStorage::open(&address(url)))
}

fn lazy(url: &str) -> Result<PostgresStorage, StorageError> {
    block_on(PostgresOptions::default().lazy(true).open(&address(url)))
}

const TABLES: &str = "SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class \
                      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace;";

#[test]
fn what_is_not_ours_is_left_alone() {
    let Some(server) = postgres::start() else { return };
    let foreign = server.database("foreign_one");
    server.ask_in("foreign_one", "CREATE TABLE sessions (id int); INSERT INTO sessions VALUES (7);");
    let marked = server.database("marked");
    server.ask_in("marked", "CREATE TABLE throughline (schema text); INSERT INTO throughline VALUES ('x');");
    let newer = server.database("newer");
    open(&newer).unwrap();
    server.ask_in("newer", "UPDATE throughline SET schema = 99;");
    let latin = server.address("latin");
    server.ask("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0;");
    let pathless = format!("{}?options=-csearch_path%3Dnone", server.database("pathless"));
    for (name, url, code, says) in [
        (
            "foreign_one",
            &foreign,
            "storage_foreign",
            "the schema public of the database holds 1 table of another",
        ),
        ("marked", &marked, "storage_foreign", "its table throughline is of another program"),
        ("newer", &newer, "schema_newer", "the store has schema 99"),
        ("latin", &latin, "storage_unavailable", "does not hold text as UTF-8"),
        ("pathless", &pathless, "storage_unavailable", "the search path names no schema that exists"),
    ] {
        let before = server.ask_in(name, TABLES);
        for error in [open(url).unwrap_err(), lazy(url).unwrap_err()] {
            assert_eq!(error.code(), code, "{error}");
            assert!(error.to_string().contains(says), "{error}");
        }
        assert_eq!(server.ask_in(name, TABLES), before);
    }
    // Another schema of the same database is another place.
    server.ask_in("foreign_one", "CREATE SCHEMA own;");
    let own = open(&format!("{foreign}?options=-csearch_path%3Down")).unwrap();
    block_on(own.commit(&step(&session("one"), 0, "a", "text"))).unwrap();
    assert_eq!(server.ask_in("foreign_one", "SELECT id FROM public.sessions;"), "7\n");
    assert_eq!(server.ask_in("foreign_one", "SELECT id FROM own.messages;"), "a\n");
}

#[test]
fn a_store_says_its_schema_and_its_size() {
    let Some(server) = postgres::start() else { return };
    let url = server.database("facts");
    let store = lazy(&url).unwrap();
    assert_eq!(block_on(store.facts()), Ok(None));
    block_on(store.commit(&step(&session("one"), 0, "a", "text"))).unwrap();
    let first = block_on(store.facts()).unwrap().unwrap();
    assert_eq!(first.schema, 1);
    let long: String = (0..40_000).map(|number| format!("{number} ")).collect();
    block_on(store.commit(&step(&session("one"), 1, "b", &long))).unwrap();
    let grown = block_on(store.facts()).unwrap().unwrap();
    assert!(grown.bytes > first.bytes + 50_000, "{first:?} {grown:?}");
    // Tables of other schemas are not the store's.
    let counted = "SELECT SUM(pg_total_relation_size(oid)) FROM pg_class \
                   WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace;";
    assert_eq!(server.ask_in("facts", counted).trim(), grown.bytes.to_string());
    server.ask_in(
        "facts",
        "CREATE SCHEMA other; CREATE TABLE other.t AS SELECT generate_series(1, 10000) AS n;",
    );
    assert_eq!(block_on(store.facts()), Ok(Some(grown)));
}

#[test]
fn a_lazy_store_is_made_by_the_first_commit() {
    let Some(server) = postgres::start() else { return };
    let url = server.database("lazy");
    let (store, other) = (lazy(&url).unwrap(), lazy(&url).unwrap());
    assert_eq!(version(&store, &session("one")), 0);
    let query = Query::Sessions { key: None, project_hash: None, after: None, limit: 10 };
    assert_eq!(block_on(store.read(&query)).unwrap(), Answer::Sessions(vec![]));
    assert_eq!(server.ask_in("lazy", TABLES), "\n");
    let batch = step(&session("one"), 0, "a", "text");
    assert!(!block_on(store.commit(&batch)).unwrap().repeated);
    assert!(block_on(other.commit(&batch)).unwrap().repeated);
    assert_eq!(row_ids(&other, &session("one")), ["a"]);
    assert!(block_on(open(&url).unwrap().commit(&batch)).unwrap().repeated);
}

#[test]
fn many_make_the_store_at_once() {
    let Some(server) = postgres::start() else { return };
    let url = server.database("together");
    std::thread::scope(|scope| {
        let hosts: Vec<_> = (0..8).map(|_| scope.spawn(|| open(&url).map(drop))).collect();
        for host in hosts {
            host.join().unwrap().unwrap();
        }
    });
    assert_eq!(server.ask_in("together", "SELECT schema FROM throughline;").lines().count(), 1);
}

#[test]
fn a_server_that_cannot_be_used_is_named_and_no_password_is() {
    let Some(server) = postgres::start() else { return };
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let port = server.port();
    for (url, says) in [
        (
            format!("postgres://ada:hunter2@127.0.0.1:{free}/x"),
            "cannot connect to the server: connection refused",
        ),
        ("postgres://ada:hunter2@no-such-host.invalid/x".into(), "the name of the host is not known"),
        ("postgres://ada:hunter2@%2Fnone/x".into(), "cannot connect to the server: no such socket"),
        (
            format!("postgres://postgres:hunter2@127.0.0.1:{port}/x"),
            "password authentication failed for user \"postgres\" (28P01)",
        ),
        (
            format!("postgres://postgres@127.0.0.1:{port}/x"),
            "the server asks for a password: the address or PGPASSWORD gives it",
        ),
        (server.address("none"), "database \"none\" does not exist (3D000)"),
        (format!("{}?sslmode=require", server.address("postgres")), "no TLS"),
    ] {
        let begun = Instant::now();
        let error = open(&url).unwrap_err();
        assert_eq!(error.code(), "storage_unavailable", "{error}");
        assert!(error.to_string().contains(says), "{error}");
        let shown = format!("{error} {error:?} {:?} {}", address(&url), address(&url));
        assert!(!shown.contains("hunter2") && !shown.contains("p@ss"), "{shown}");
        assert!(begun.elapsed() < Duration::from_secs(5), "{url}: said at once");
    }
    let store = open(&server.database("quiet")).unwrap();
    let shown = format!("{store:?}");
    assert!(!shown.contains("p@ss"), "{shown}");
}

#[test]
fn another_writer_is_waited_for_and_reads_go_on() {
    let Some(server) = postgres::start() else { return };
    let url = server.database("held");
    let store =
        block_on(PostgresOptions::default().wait(Duration::from_millis(300)).open(&address(&url))).unwrap();
    let one = session("one");
    block_on(store.commit(&step(&one, 0, "a", "text"))).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let hold = format!(
                "BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('{}', 0)); SELECT pg_sleep(1.5); COMMIT;",
                one.storage_key()
            );
            server.ask_in("held", &hold)
        });
        std::thread::sleep(Duration::from_millis(500));
        let error = block_on(store.commit(&step(&one, 1, "b", "text"))).unwrap_err();
        assert_eq!(error.code(), "storage_locked", "{error}");
        assert_eq!(version(&store, &one), 1, "a read does not wait");
        block_on(store.commit(&step(&session("two"), 0, "a", "text"))).expect("another session is free");
    });
    block_on(store.commit(&step(&one, 1, "b", "text"))).unwrap();
    assert_eq!(row_ids(&store, &one), ["a", "b"]);
}

#[test]
fn batch_ids_are_kept_for_seven_days() {
    let Some(server) = postgres::start() else { return };
    let store = open(&server.database("ids")).unwrap();
    let one = session("one");
    block_on(store.commit(&step(&one, 0, "a", "text"))).unwrap();
    // One that is a moment older than seven days before the next batch, and one that is a moment younger.
    let now = "(SELECT MAX(committed_at) FROM batches)";
    server.ask_in(
        "ids",
        &format!(
            "INSERT INTO batches SELECT 'old' || n, {now} - 604800001 FROM generate_series(1, 20) n; \
         INSERT INTO batches VALUES ('young', {now} - 604800000), ('timeless', NULL);"
        ),
    );
    for (version, id) in [(1, "b"), (2, "c")] {
        block_on(store.commit(&step(&one, version, id, "text"))).unwrap();
    }
    let kept = server.ask_in("ids", "SELECT id FROM batches WHERE length(id) < 10 ORDER BY id;");
    assert_eq!(kept, "timeless\nyoung\n");
}

#[test]
fn damage_is_named_and_not_quoted() {
    let Some(server) = postgres::start() else { return };
    let store = open(&server.database("damaged")).unwrap();
    block_on(store.commit(&step(&session("one"), 0, "a", "text"))).unwrap();
    server.ask_in("damaged", "UPDATE messages SET body = '{\"id\":\"private\"}';");
    let query = Query::Rows { session: session("one"), from: None };
    let error = block_on(store.read(&query)).unwrap_err();
    assert_eq!(error.code(), "storage_corrupt");
    assert!(!error.to_string().contains("private"), "{error}");
    server.ask_in("damaged", "DROP TABLE parts;");
    assert_eq!(block_on(store.read(&query)).unwrap_err().code(), "storage_corrupt");
}
