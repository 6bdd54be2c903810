//! A session with turns, and short ways to compact it.
use std::sync::atomic::{AtomicU64, Ordering};
use throughline_core::{
    compaction::Reported,
    engine::{Cause, CompactRequest, Driven, Engine, EngineError, Options, Summarizers, drive},
    host::{Agent, EstimatedTokens, FixedClock, NoAgent, Parts, Storage},
    id::{BatchId, RowId, SessionId},
    json::parse,
    model::{
        Answer, Arguments, Batch, Boundary, InputState, Metadata, Op, Part, PartBody, Precondition, Query,
        ResultStatus, Round, Row, RowKind, SessionRow, StoredRow,
    },
    prompt::{Prompt, Request},
    redact::{Clean, Redactor},
    time::Timestamp,
};

pub(crate) type TestEngine<S> = Engine<Parts<S, FixedClock, fn() -> [u8; 16]>>;

pub(crate) fn entropy() -> [u8; 16] {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    u128::from(NEXT.fetch_add(1, Ordering::SeqCst)).to_be_bytes()
}

pub(crate) fn at(number: usize) -> Timestamp {
    let start = Timestamp::parse("2026-06-01T10:00:00Z").unwrap();
    start.saturating_add_millis(i64::try_from(number).unwrap() * 1000)
}

pub(crate) fn engine<S: Storage>(storage: S) -> TestEngine<S> {
    let host = Parts { storage, clock: FixedClock(at(10_000)), entropy: entropy as fn() -> [u8; 16] };
    Engine::new(host, Redactor::standard(), Options::default())
}

pub(crate) fn id() -> SessionId {
    SessionId::new("test", "", "s").unwrap()
}

pub(crate) fn clean(text: &str) -> Clean {
    Redactor::standard().clean(text)
}

fn row(number: usize, kind: RowKind) -> Row {
    Row::new(RowId::new(format!("r{number:04}")).unwrap(), kind, at(number))
}

/// A text of a user, an assistant, a developer.
pub(crate) fn said(number: usize, kind: RowKind, text: &str) -> StoredRow {
    let row = row(number, kind);
    let part = Part::new(row.id.clone(), 0, PartBody::Text { text: clean(text) });
    StoredRow { row, parts: vec![part] }
}

/// A user's text that came while a turn ran, and waits.
pub(crate) fn pending(number: usize, text: &str) -> StoredRow {
    let mut stored = said(number, RowKind::User, text);
    let metadata = Metadata { input: Some(InputState::Pending), ..Metadata::default() };
    stored.row.metadata = Some(Box::new(metadata));
    stored
}

/// A note for the model that stands in its place.
pub(crate) fn note(number: usize, text: &str) -> StoredRow {
    let mut stored = said(number, RowKind::System, text);
    stored.row.metadata = Some(Box::new(Metadata { preserve_position: true, ..Metadata::default() }));
    stored
}

/// A call of the assistant row `round`, with its result or pending.
pub(crate) fn call(number: usize, round: usize, result: Option<&str>) -> StoredRow {
    let mut row = row(number, RowKind::Function);
    row.round = Some(Round {
        row: RowId::new(format!("r{round:04}")).unwrap(),
        index: u32::try_from(number - round).unwrap(),
    });
    let call_id = format!("c{number}");
    let arguments = Arguments::Json(clean(&format!(r#"{{"file_path":"/src/{number}.rs"}}"#)));
    let mut parts = vec![Part::new(
        row.id.clone(),
        0,
        PartBody::ToolCall { call_id: call_id.clone(), name: clean("Read"), arguments },
    )];
    if let Some(text) = result {
        let content = vec![PartBody::Text { text: clean(text) }];
        let body = PartBody::ToolResult { call_id, status: ResultStatus::Success, content };
        parts.push(Part::new(row.id.clone(), 1, body));
    }
    StoredRow { row, parts }
}

/// Turns of a request, an answer and two calls, `words` long each; the last call of the last turn is pending.
pub(crate) fn turns(count: usize, words: usize) -> Vec<StoredRow> {
    let filler = "line of code ".repeat(words);
    (0..count)
        .flat_map(|turn| {
            let first = turn * 10 + 1;
            let is_last = turn + 1 == count;
            [
                said(first, RowKind::User, &format!("request {turn}: fix it")),
                said(first + 1, RowKind::Assistant, &format!("answer {turn}")),
                call(first + 2, first + 1, Some(&filler)),
                call(first + 3, first + 1, if is_last { None } else { Some(&filler) }),
            ]
        })
        .collect()
}

/// Writes rows as a host does, without the engine.
pub(crate) fn write<S: Storage>(storage: &S, rows: &[StoredRow]) {
    let mut session = stored(storage);
    session.last_created_at = rows.last().map(|stored| stored.row.created_at);
    session.counts.assistant +=
        rows.iter().filter(|stored| stored.row.kind == RowKind::Assistant).count() as u64;
    let insert = |stored: &StoredRow| {
        let parts = stored.parts.iter().map(|part| Op::InsertPart { session: id(), part: part.clone() });
        let row = Op::InsertRow { session: id(), row: stored.row.clone() };
        std::iter::once(row).chain(parts).collect::<Vec<_>>()
    };
    commit(storage, session, rows.iter().flat_map(insert));
}

/// Takes a row out of the live conversation.
pub(crate) fn rewind<S: Storage>(storage: &S, row: &str) {
    let row = RowId::new(row).unwrap();
    commit(storage, stored(storage), [Op::SetLive { session: id(), row, live: false }]);
}

fn commit<S: Storage>(storage: &S, mut session: SessionRow, then: impl IntoIterator<Item = Op>) {
    let is = session.version;
    session.version += 1;
    let bytes = entropy();
    let batch = Batch {
        id: BatchId::generate(at(0), *bytes.last_chunk().unwrap()),
        preconditions: vec![Precondition::SessionVersion { session: id(), is }],
        ops: std::iter::once(Op::PutSession { session }).chain(then).collect(),
    };
    pollster::block_on(storage.commit(&batch)).unwrap();
}

fn stored<S: Storage>(storage: &S) -> SessionRow {
    use throughline_core::engine::{Ids, Session};
    match pollster::block_on(storage.read(&Query::Session { session: id() })).unwrap() {
        // A state of before, in the type that is written, by way of a plan that is not committed.
        Answer::Session(Some(row)) => {
            let mut fresh = Session::new(id(), at(0)).row().clone();
            (fresh.version, fresh.counts, fresh.boundary_seq) = (row.version, row.counts, row.boundary_seq);
            fresh.compaction.requested = row.compaction.requested;
            fresh.compaction.config = row.compaction.config.map(|config| clean(&config));
            fresh
        }
        _ => {
            let _ = Ids::new(at(0), [0; 16]);
            Session::new(id(), at(0)).row().clone()
        }
    }
}

/// What a compaction can change, as text: version, request, boundary in force, audit entries.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct State {
    pub(crate) requested: bool,
    pub(crate) boundary_seq: u64,
    pub(crate) boundary: Option<Boundary<String>>,
    pub(crate) audits: usize,
    pub(crate) rows: usize,
    pub(crate) version: u64,
}

pub(crate) fn state<S: Storage>(storage: &S) -> State {
    pollster::block_on(async {
        let Answer::Session(Some(session)) = storage.read(&Query::Session { session: id() }).await.unwrap()
        else {
            panic!("no session");
        };
        let Answer::Boundary(boundary) = storage.read(&Query::Boundary { session: id() }).await.unwrap()
        else {
            panic!("no boundary");
        };
        let Answer::RowIndex(rows) = storage.read(&Query::RowIndex { session: id() }).await.unwrap() else {
            panic!("no rows");
        };
        State {
            requested: session.compaction.requested,
            boundary_seq: session.boundary_seq,
            boundary,
            audits: rows.iter().filter(|row| row.kind == RowKind::System).count(),
            rows: rows.iter().filter(|row| row.kind != RowKind::System).count(),
            version: session.version,
        }
    })
}

/// A step that reported so many tokens, folded when it is due.
pub(crate) fn step(tokens: u64, agent: &str) -> CompactRequest {
    let mut asked =
        CompactRequest::new(Cause::Step { reported: Some(Reported { context_tokens: Some(tokens) }) });
    asked.layers.agent = parse(agent).unwrap();
    asked
}

pub(crate) fn folded(cause: Cause) -> CompactRequest {
    CompactRequest { summarizers: Summarizers::Fold, ..CompactRequest::new(cause) }
}

pub(crate) fn run<S: Storage>(engine: &TestEngine<S>, asked: &CompactRequest) -> Result<Driven, EngineError> {
    run_with(engine, asked, &NoAgent)
}

pub(crate) fn run_with<S: Storage, A: Agent>(
    engine: &TestEngine<S>,
    asked: &CompactRequest,
    agent: &A,
) -> Result<Driven, EngineError> {
    pollster::block_on(drive(engine, &id(), asked, &EstimatedTokens, agent))
}

pub(crate) fn prompt<S: Storage>(engine: &TestEngine<S>) -> Prompt {
    pollster::block_on(engine.prompt(&id(), &Request::default())).unwrap()
}
