//! A thousand mixed rows have one order: in memory, in SQLite and in PostgreSQL.
#![cfg(not(target_family = "wasm"))]

mod common;
mod postgres;

use common::{at, batch_id, row, session, state};
use pollster::block_on;
use std::collections::BTreeSet;
use throughline::{PostgresStorage, SqliteStorage};
use throughline_core::{
    host::{MemoryStorage, Storage},
    model::{Answer, Batch, Op, Query},
    sql::postgres::Address,
};
use throughline_tests::properties::{Random, timestamp_text};

const ROWS: usize = 1000;

/// Pieces of ids that sort otherwise by locale, by case, by UTF-16 or by what they mean.
const PIECES: [&str; 24] = [
    "a",
    "A",
    "b",
    "Z",
    "z",
    "_",
    "-",
    " ",
    "!",
    "0",
    "9",
    "10",
    "é",
    "e\u{301}",
    "ß",
    "ss",
    "ÿ",
    "中",
    "ｱ",
    "\u{E000}",
    "\u{FF5E}",
    "\u{FFFD}",
    "\u{10000}",
    "😀",
];

/// A row: its time as it was written, the instant of it in Unix nanoseconds, and its id.
#[derive(Clone, Debug)]
struct Drawn {
    text: String,
    nanos: i128,
    id: String,
}

fn drawn() -> Vec<Drawn> {
    let mut random = Random::of(1, "mixed rows", 0);
    let (mut rows, mut ids) = (Vec::<Drawn>::new(), BTreeSet::new());
    while rows.len() < ROWS {
        let pieces = 1 + random.size(3);
        let id: String = (0..pieces).map(|_| random.pick(&PIECES)).collect();
        if !ids.insert(id.clone()) {
            continue;
        }
        // Every third row has the time of an earlier one, as it stands or as it is written by us.
        let (text, nanos) = if random.chance(3) && !rows.is_empty() {
            let earlier = &rows[random.size(rows.len())];
            let ours = at(&earlier.text).to_string();
            (if random.chance(2) { ours } else { earlier.text.clone() }, earlier.nanos)
        } else {
            timestamp_text(&mut random)
        };
        rows.push(Drawn { text, nanos, id });
    }
    rows
}

/// The ids in the order of instant and id as bytes, which nothing of the core had a part in.
fn expected(rows: &[Drawn]) -> Vec<String> {
    let mut sorted = rows.to_vec();
    sorted.sort_by(|one, other| {
        one.nanos.cmp(&other.nanos).then_with(|| one.id.as_bytes().cmp(other.id.as_bytes()))
    });
    sorted.into_iter().map(|row| row.id).collect()
}

fn stored_order(store: &impl Storage, rows: &[Drawn]) -> Vec<String> {
    let session = session("mixed");
    let mut ops = vec![Op::PutSession { session: state(&session, 1) }];
    for drawn in rows {
        let mut row = row(&drawn.id);
        row.created_at = at(&drawn.text);
        ops.push(Op::InsertRow { session: session.clone(), row });
    }
    block_on(store.commit(&Batch { id: batch_id(), preconditions: vec![], ops })).unwrap();
    match block_on(store.read(&Query::Rows { session, from: None })).unwrap() {
        Answer::Rows(found) => found.into_iter().map(|found| found.row.id.as_str().to_owned()).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_drawn_is_mixed() {
    let rows = drawn();
    let instants: BTreeSet<_> = rows.iter().map(|row| row.nanos).collect();
    assert!(instants.len() > 500 && instants.len() < 800, "{} instants", instants.len());
    let count = |is: fn(&Drawn) -> bool| rows.iter().filter(|row| is(row)).count();
    assert!(count(|row| row.nanos < 0) > 200, "before 1970");
    assert!(count(|row| !row.id.is_ascii()) > 300, "ids that are not ASCII");
    assert!(
        count(|row| row.text.starts_with("0001-")) > 20 && count(|row| row.text.starts_with("9999-")) > 20
    );
    assert!(count(|row| row.text.len() == 10) > 20 && count(|row| row.text.len() > 30) > 100, "precisions");
    assert_ne!(expected(&rows), rows.iter().map(|row| row.id.clone()).collect::<Vec<_>>());
}

#[test]
fn in_memory() {
    let rows = drawn();
    assert_eq!(stored_order(&MemoryStorage::default(), &rows), expected(&rows));
}

#[test]
fn in_sqlite() {
    let (rows, folder) = (drawn(), tempfile::tempdir().unwrap());
    let store = SqliteStorage::open(folder.path().join("store.db")).unwrap();
    assert_eq!(stored_order(&store, &rows), expected(&rows));
}

#[test]
fn in_postgresql() {
    let Some(server) = postgres::start() else { return };
    let rows = drawn();
    let address = Address::parse(&server.database("rows"), |_| None).unwrap();
    let store = block_on(PostgresStorage::open(&address)).unwrap();
    assert_eq!(stored_order(&store, &rows), expected(&rows));
    // The same rows under a collation for people: the test could tell.
    let by = "SELECT id FROM messages ORDER BY created_at, id COLLATE \"und-x-icu\";";
    assert_ne!(server.ask_in("rows", by).lines().collect::<Vec<_>>(), expected(&rows));
}
