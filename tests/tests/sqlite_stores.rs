//! Files that are no store, and stores that cannot be used.

mod common;

use common::{row_ids, session, step, version};
use pollster::block_on;
use rusqlite::Connection;
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use throughline::{OpenOptions, SqliteStorage};
use throughline_core::{
    host::{Storage, StorageError},
    sql,
};

/// Every file of the folder with its bytes.
fn folder(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| (path.clone(), fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// Opening fails with this code, twice, and changes no byte of the folder.
fn refused(path: &Path, code: &str) -> StorageError {
    let before = folder(path.parent().unwrap());
    let mut last = None;
    for _ in 0..2 {
        let error = SqliteStorage::open(path).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        for word in ["rusqlite", "SqliteFailure", "Error {", "::", "os error", "Some("] {
            assert!(!error.to_string().contains(word), "{error}");
        }
        last = Some(error);
    }
    assert_eq!(folder(path.parent().unwrap()), before, "a file was changed or made");
    last.unwrap()
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let texts: [&[u8]; 5] = [
        b"x",
        b"not a database",
        &[0; 4096],
        b"SQLite format 3\0",
        &[b"SQLite format 4\0".as_slice(), &[0; 500]].concat(),
    ];
    for (number, text) in texts.into_iter().enumerate() {
        let path = place.path().join(format!("{number}.db"));
        fs::write(&path, text).unwrap();
        let error = refused(&path, "storage_foreign");
        assert!(error.to_string().contains(&format!("{number}.db is no SQLite database")), "{error}");
    }
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let make = |name: &str, sql: &str| {
        let path = place.path().join(name);
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        path
    };
    let tables = "CREATE TABLE sessions (id TEXT); INSERT INTO sessions VALUES ('mine');";
    refused(&make("tables.db", tables), "storage_foreign");
    refused(&make("marked.db", "PRAGMA application_id = 7; CREATE TABLE a (b);"), "storage_foreign");
    refused(&make("versioned.db", "PRAGMA user_version = 1;"), "storage_foreign");
    refused(&make("wal.db", "PRAGMA journal_mode = WAL; CREATE TABLE a (b);"), "storage_foreign");
    let many: String = (0..200).map(|n| format!("CREATE TABLE t{n} (column_{n} TEXT);")).collect();
    refused(&make("many.db", &many), "storage_foreign");
}

#[test]
fn a_database_that_another_program_has_open_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("open.db");
    let other = Connection::open(&path).unwrap();
    // The schema stands in the log alone.
    other
        .execute_batch("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE a (b);")
        .unwrap();
    refused(&path, "storage_foreign");
    other.execute_batch("INSERT INTO a VALUES (1)").unwrap();
}

#[test]
fn an_empty_database_becomes_a_store() {
    let place = tempfile::tempdir().unwrap();
    let (empty, blank) = (place.path().join("empty.db"), place.path().join("blank.db"));
    fs::write(&empty, b"").unwrap();
    Connection::open(&blank).unwrap().execute_batch("VACUUM; PRAGMA journal_mode = WAL;").unwrap();
    for path in [empty, blank] {
        let store = SqliteStorage::open(&path).unwrap();
        block_on(store.commit(&step(&session("one"), 0, "m1", "text"))).unwrap();
    }
}

#[test]
fn a_newer_store_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("store.db");
    drop(SqliteStorage::open(&path).unwrap());
    let newer = sql::migrations().len() + 1;
    Connection::open(&path).unwrap().pragma_update(None, "user_version", newer as i64).unwrap();
    let error = refused(&path, "schema_newer");
    assert_eq!(error, StorageError::SchemaNewer { found: newer as u32, known: newer as u32 - 1 });
}

#[test]
fn a_newer_schema_in_the_log_is_seen_too() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("store.db");
    let store = SqliteStorage::open(&path).unwrap();
    let newer = sql::migrations().len() + 1;
    let other = Connection::open(&path).unwrap();
    other.pragma_update(None, "user_version", newer as i64).unwrap();
    let error = SqliteStorage::open(&path).unwrap_err();
    assert_eq!(error.code(), "schema_newer", "{error}");
    drop((store, other));
}

#[test]
fn places_that_cannot_hold_a_store() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "text").unwrap();
    for (path, words) in [
        (place.path().to_owned(), "is a folder"),
        ("/proc/x.db".into(), "cannot make /proc/x.db"),
        ("/proc/none/x.db".into(), "cannot make the folder /proc/none"),
        ("/dev/null".into(), "is no regular file"),
        (file.join("x.db"), "ot a directory"),
        ("".into(), "no path to a file"),
    ] {
        let error = SqliteStorage::open(&path).unwrap_err();
        assert_eq!(error.code(), "storage_unavailable", "{path:?}: {error}");
        assert!(error.to_string().to_lowercase().contains(words), "{path:?}: {error}");
        assert!(!error.to_string().contains("os error"), "{error}");
    }
}

#[test]
fn a_name_that_means_something_to_sqlite_is_a_name() {
    let place = tempfile::tempdir().unwrap();
    for name in [":memory:", "file:x.db?mode=memory", "a b%20c?.db", "été.db"] {
        let path = place.path().join(name);
        let store = SqliteStorage::open(&path).unwrap();
        block_on(store.commit(&step(&session("one"), 0, "m1", "text"))).unwrap();
        drop(store);
        assert!(fs::metadata(&path).unwrap().len() > 4096, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn files_are_private() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let path = place.path().join("new").join("deeper").join("store.db");
    let store = SqliteStorage::open(&path).unwrap();
    block_on(store.commit(&step(&session("one"), 0, "m1", "text"))).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(path.parent().unwrap()), 0o700);
    assert_eq!(mode(&place.path().join("new")), 0o700);
    for (file, _) in folder(path.parent().unwrap()) {
        assert_eq!(mode(&file), 0o600, "{file:?}");
    }
    assert_eq!(folder(path.parent().unwrap()).len(), 3);
    assert_eq!(mode(place.path()), 0o755, "a folder that was there keeps its mode");
    drop(store);
    // A store that was made keeps the mode that its owner gave it.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    drop(SqliteStorage::open(&path).unwrap());
    assert_eq!(mode(&path), 0o640);
    if fs::metadata(&path).unwrap().uid() == 0 {
        println!("skipped: root may write every file");
        return;
    }
    fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
    assert_eq!(SqliteStorage::open(&path).unwrap_err().code(), "storage_unavailable");
}

#[test]
fn the_files_are_durable_by_setting() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("store.db");
    let _store = SqliteStorage::open(&path).unwrap();
    let other = Connection::open(&path).unwrap();
    let mode: String = other.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
    let id: i32 = other.pragma_query_value(None, "application_id", |row| row.get(0)).unwrap();
    assert_eq!(id, sql::APPLICATION_ID);
    // The header of the file itself says whose it is.
    assert_eq!(fs::read(&path).unwrap()[68..72], sql::APPLICATION_ID.to_be_bytes());
}

#[test]
fn deleting_a_session_deletes_what_is_under_it() {
    let place = tempfile::tempdir().unwrap();
    let store = SqliteStorage::open(place.path().join("store.db")).unwrap();
    for key in ["one", "two"] {
        block_on(store.commit(&step(&session(key), 0, "m1", "text"))).unwrap();
    }
    let other = Connection::open(store.path()).unwrap();
    other.execute_batch("PRAGMA foreign_keys = ON").unwrap();
    let id = session("one").storage_key();
    assert_eq!(other.execute("DELETE FROM sessions WHERE id = ?", [id]).unwrap(), 1);
    for table in ["sessions", "messages", "parts"] {
        let count: i64 =
            other.query_row(&format!("SELECT COUNT(*) FROM {table}"), [], |row| row.get(0)).unwrap();
        assert_eq!(count, 1, "{table}");
    }
}

#[test]
fn a_store_that_is_locked_too_long() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("store.db");
    let store = OpenOptions::default().wait(Duration::from_millis(100)).open(&path).unwrap();
    let one = session("one");
    block_on(store.commit(&step(&one, 0, "m1", "text"))).unwrap();
    let mut other = Connection::open(&path).unwrap();
    let held = other.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    let batch = step(&one, 1, "m2", "text");
    let error = block_on(store.commit(&batch)).unwrap_err();
    assert_eq!(error.code(), "storage_locked", "{error}");
    // Reads go on, and the same batch can be committed later.
    assert_eq!(version(&store, &one), 1);
    drop(held);
    assert!(!block_on(store.commit(&batch)).unwrap().repeated);
    assert_eq!(row_ids(&store, &one), ["m1", "m2"]);
}

#[test]
fn a_store_whose_making_is_locked_too_long() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("store.db");
    fs::write(&path, b"").unwrap();
    let mut other = Connection::open(&path).unwrap();
    let held = other.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    let error = OpenOptions::default().wait(Duration::from_millis(100)).open(&path).unwrap_err();
    assert_eq!(error.code(), "storage_locked", "{error}");
    drop(held);
    SqliteStorage::open(&path).unwrap();
}

#[test]
fn a_damaged_store_is_named_as_such() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("store.db");
    let one = session("one");
    let store = SqliteStorage::open(&path).unwrap();
    for number in 0..50 {
        block_on(store.commit(&step(&one, number, &format!("m{number}"), &"text ".repeat(500)))).unwrap();
    }
    drop(store);
    let whole = fs::read(&path).unwrap();
    let read = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let store = SqliteStorage::open(&path)?;
        block_on(store.read(&throughline_core::model::Query::Rows { session: one.clone(), from: None }))
    };
    assert!(read(&whole).is_ok());
    let mut garbled = whole.clone();
    garbled[4096..].fill(0xA5);
    let mut schema = whole.clone();
    schema[200..4096].fill(0xA5);
    for damaged in [&whole[..whole.len() / 2], &whole[..4096], &garbled, &schema] {
        let error = read(damaged).unwrap_err();
        assert_eq!(error.code(), "storage_corrupt", "{error}");
    }
    // A body that does not read is corrupt as well, and its text is not in the message.
    fs::write(&path, &whole).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute("UPDATE messages SET body = '{\"id\":\"private\"}'", [])
        .unwrap();
    let error = read(&fs::read(&path).unwrap()).unwrap_err();
    assert_eq!(error.code(), "storage_corrupt", "{error}");
    assert!(!error.to_string().contains("private"), "{error}");
}
