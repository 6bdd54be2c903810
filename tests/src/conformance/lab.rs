//! What the cases build with: ids and values that no other case has, and calls that fail the case.

use super::Factory;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;
use throughline_core::{
    host::{Committed, Storage, StorageError},
    id::{BatchId, CheckpointId, RowId, SessionId, sha256_hex},
    model::{
        Answer, Batch, Boundary, BoundaryMode, CheckpointHead, CheckpointRow, Continuity, Counts, Delivery,
        Draft, DueDraft, Expired, Op, Part, PartBody, Pending, Precondition, PromptEntry, Query, Ranked, Row,
        RowKind, RowPlace, RowSummary, SessionRow, Status, StoredRow, Trigger,
    },
    redact::{Clean, Redactor},
    time::Timestamp,
};

/// Why a case failed.
#[derive(Debug)]
pub(super) struct Failure(pub(super) String);

impl From<StorageError> for Failure {
    fn from(error: StorageError) -> Self {
        Self(format!("the storage answered `{}`: {error}", error.code()))
    }
}

pub(super) type Case<T = ()> = Result<T, Failure>;

pub(super) fn same<T: PartialEq + Debug>(what: &str, found: &T, wanted: &T) -> Case {
    if found == wanted {
        return Ok(());
    }
    let clip = |value: &T| format!("{value:?}").chars().take(400).collect::<String>();
    Err(Failure(format!("{what}: found {}, wanted {}", clip(found), clip(wanted))))
}

/// What a storage must give back for what was written.
pub(super) fn plain<T: Serialize, U: DeserializeOwned>(written: &T) -> U {
    let text = serde_json::to_string(written).expect("what is written is JSON");
    serde_json::from_str(&text).expect("what is written reads back")
}

pub(super) fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("a time of a case")
}

pub(super) fn row_id(text: &str) -> RowId {
    RowId::new(text).expect("a row id of a case")
}

pub(super) struct Lab<'a, F: Factory> {
    pub(super) factory: &'a F,
    store: Option<F::Storage>,
    redactor: Redactor,
    seed: String,
    case: &'static str,
    made: u32,
}

impl<'a, F: Factory> Lab<'a, F> {
    pub(super) async fn new(factory: &'a F, seed: &str) -> Result<Self, StorageError> {
        let (store, redactor) = (Some(factory.open().await?), Redactor::standard());
        Ok(Self { factory, store, redactor, seed: seed.into(), case: "", made: 0 })
    }

    pub(super) fn begin(&mut self, case: &'static str) {
        self.case = case;
    }

    pub(super) fn store(&self) -> &F::Storage {
        self.store.as_ref().expect("a store is open between cases")
    }

    /// Drops the one handle before the next is opened.
    pub(super) async fn reopen(&mut self) -> Case {
        drop(self.store.take());
        self.store = Some(self.factory.open().await?);
        Ok(())
    }

    fn hash(&self, name: &str) -> String {
        sha256_hex(format!("{}\n{}\n{name}", self.seed, self.case).as_bytes())
    }

    fn entropy(&mut self) -> [u8; 10] {
        self.made += 1;
        let hash = self.hash(&format!("made {}", self.made));
        std::array::from_fn(|i| u8::from_str_radix(&hash[2 * i..2 * i + 2], 16).expect("hex"))
    }

    pub(super) fn batch_id(&mut self, made_at: Timestamp) -> BatchId {
        let entropy = self.entropy();
        BatchId::generate(made_at, entropy)
    }

    pub(super) fn checkpoint_id(&mut self) -> CheckpointId {
        let entropy = self.entropy();
        CheckpointId::generate(at("2026-03-01"), entropy)
    }

    /// A name that no other case and no other run has.
    pub(super) fn name(&self, name: &str) -> String {
        format!("{name}-{}", &self.hash(name)[..20])
    }

    pub(super) fn session(&self, name: &str) -> SessionId {
        SessionId::new("conformance", "", self.name(name)).expect("a session id of a case")
    }

    pub(super) fn clean(&self, text: &str) -> Clean {
        self.redactor.clean(text)
    }

    pub(super) fn batch(&mut self, preconditions: Vec<Precondition>, ops: Vec<Op>) -> Batch {
        Batch { id: self.batch_id(at("2026-03-01")), preconditions, ops }
    }

    pub(super) fn session_row(&self, id: &SessionId, version: u64) -> SessionRow {
        SessionRow {
            id: id.clone(),
            version,
            status: Status::Idle,
            project: Some(self.clean("/home/ada/work")),
            project_normalized: Some(self.clean("/home/ada/work")),
            project_hash: None,
            started_at: at("2026-03-01T09:00:00Z"),
            last_activity: at("2026-03-01T09:30:00.25Z"),
            last_created_at: None,
            counts: Counts::default(),
            checkpoint_seq: 0,
            boundary_seq: 0,
            cleared_at: None,
            pending: false,
            hooks: None,
            continuity: Continuity::default(),
            compaction: Default::default(),
        }
    }

    pub(super) fn put(&self, id: &SessionId, version: u64) -> Op {
        Op::PutSession { session: self.session_row(id, version) }
    }

    pub(super) fn row(&self, id: &str, created_at: &str) -> Row {
        Row::new(row_id(id), RowKind::User, at(created_at))
    }

    pub(super) fn part(&self, row: &str, index: u32, text: &str) -> Part {
        Part::new(row_id(row), index, PartBody::Text { text: self.clean(text) })
    }

    pub(super) fn boundary(&self, id: &str, seq: u64) -> Boundary {
        Boundary {
            id: row_id(id),
            seq,
            anchor: row_id("anchor"),
            anchor_at: at("2026-03-01T09:10:00Z"),
            rows_from: None,
            mode: BoundaryMode::Inclusive,
            summary: self.clean("what came before"),
            created_at: at("2026-03-01T09:20:00Z"),
            metadata: None,
        }
    }

    pub(super) fn checkpoint(&mut self, session: &SessionId, seq: u64) -> CheckpointRow {
        CheckpointRow {
            id: self.checkpoint_id(),
            session: session.clone(),
            project: None,
            project_normalized: None,
            trigger: Trigger::Periodic,
            digest: self.clean("## Digest\n- one\n- two"),
            prompt_count: 2,
            total_prompts: 12,
            memory_queries: vec![self.clean("where is the parser")],
            recent_remembers: Vec::new(),
            recent_prompts: vec![PromptEntry { ordinal: 12, text: self.clean("go on") }],
            context: None,
            note: None,
            structural: None,
            started_at: at("2026-03-01T09:00:00Z"),
            created_at: at("2026-03-01T09:30:00Z"),
            seq,
        }
    }

    /// A draft at its first version, with something in every field.
    pub(super) fn pending(&mut self, session: &SessionId, due_at: &str) -> Pending {
        let draft = Draft {
            session: session.clone(),
            project: Some(self.clean("/home/ada/work")),
            project_normalized: None,
            trigger: Trigger::Agent,
            prompt_count: 3,
            total_prompts: 9,
            memory_queries: vec![self.clean("where is the parser")],
            recent_remembers: vec![self.clean("the parser is in core")],
            recent_prompts: vec![PromptEntry { ordinal: 9, text: self.clean("go on") }],
            context: None,
            note: Some(Ranked { rank: 2, text: self.clean("half way\nthere") }),
            structural: None,
            started_at: at("2026-03-01T09:00:00Z"),
            created_at: at("2026-03-01T09:30:00Z"),
        };
        let (id, opened_at) = (self.checkpoint_id(), at("2026-03-01T09:30:00Z"));
        Pending { id, version: 1, opened_at, due_at: at(due_at), draft }
    }

    pub(super) async fn pending_of(&self, session: &SessionId) -> Case<Option<Pending<String>>> {
        match self.store().read(&Query::Pending { session: session.clone() }).await? {
            Answer::Pending(found) => Ok(found),
            other => Err(other_variant("pending", &other)),
        }
    }

    pub(super) async fn due(&self, until: &str, limit: u32) -> Case<Vec<DueDraft>> {
        match self.store().read(&Query::Due { until: at(until), limit }).await? {
            Answer::Due(found) => Ok(found),
            other => Err(other_variant("due", &other)),
        }
    }

    pub(super) async fn delivery(
        &self,
        receiver: &SessionId,
        checkpoint: &CheckpointId,
    ) -> Case<Option<Delivery>> {
        let query = Query::Delivery { receiver: receiver.clone(), checkpoint: checkpoint.clone() };
        match self.store().read(&query).await? {
            Answer::Delivery(found) => Ok(found),
            other => Err(other_variant("delivery", &other)),
        }
    }

    pub(super) async fn heads(&self, session: &SessionId) -> Case<Vec<CheckpointHead>> {
        match self.store().read(&Query::CheckpointHeads { session: session.clone() }).await? {
            Answer::CheckpointHeads(found) => Ok(found),
            other => Err(other_variant("checkpoint_heads", &other)),
        }
    }

    pub(super) async fn expired(&self, query: &Query) -> Case<Vec<Expired>> {
        match self.store().read(query).await? {
            Answer::Expired(found) => Ok(found),
            other => Err(other_variant("expired", &other)),
        }
    }

    pub(super) async fn commit(
        &mut self,
        preconditions: Vec<Precondition>,
        ops: Vec<Op>,
    ) -> Result<Committed, StorageError> {
        let batch = self.batch(preconditions, ops);
        self.store().commit(&batch).await
    }

    /// Commits what must be committed.
    pub(super) async fn write(&mut self, ops: Vec<Op>) -> Case {
        let done = self.commit(Vec::new(), ops).await?;
        if done.repeated {
            return Err(Failure("a new batch was answered as repeated".into()));
        }
        Ok(())
    }

    /// Commits what must be a conflict.
    pub(super) async fn refuse(
        &mut self,
        what: &str,
        preconditions: Vec<Precondition>,
        ops: Vec<Op>,
    ) -> Case {
        let batch = self.batch(preconditions, ops);
        let answer = self.store().commit(&batch).await;
        must_conflict(what, answer)?;
        if self.is_committed(&batch.id).await? {
            return Err(Failure(format!("{what}: a conflict, but the id of the batch is known")));
        }
        Ok(())
    }

    pub(super) async fn is_committed(&self, id: &BatchId) -> Case<bool> {
        match self.store().read(&Query::Batch { id: id.clone() }).await? {
            Answer::Batch(known) => Ok(known),
            other => Err(other_variant("batch", &other)),
        }
    }

    pub(super) async fn stored(&self, session: &SessionId) -> Case<Option<SessionRow<String>>> {
        match self.store().read(&Query::Session { session: session.clone() }).await? {
            Answer::Session(found) => Ok(found),
            other => Err(other_variant("session", &other)),
        }
    }

    pub(super) async fn rows(&self, session: &SessionId) -> Case<Vec<StoredRow<String>>> {
        self.rows_from(session, None).await
    }

    pub(super) async fn rows_from(
        &self,
        session: &SessionId,
        from: Option<RowPlace>,
    ) -> Case<Vec<StoredRow<String>>> {
        match self.store().read(&Query::Rows { session: session.clone(), from }).await? {
            Answer::Rows(found) => Ok(found),
            other => Err(other_variant("rows", &other)),
        }
    }

    pub(super) async fn row_index(&self, session: &SessionId) -> Case<Vec<RowSummary>> {
        match self.store().read(&Query::RowIndex { session: session.clone() }).await? {
            Answer::RowIndex(found) => Ok(found),
            other => Err(other_variant("row_index", &other)),
        }
    }

    pub(super) async fn boundary_in_force(&self, session: &SessionId) -> Case<Option<Boundary<String>>> {
        match self.store().read(&Query::Boundary { session: session.clone() }).await? {
            Answer::Boundary(found) => Ok(found),
            other => Err(other_variant("boundary", &other)),
        }
    }

    pub(super) async fn checkpoints(&self, query: &Query) -> Case<Vec<CheckpointRow<String>>> {
        match self.store().read(query).await? {
            Answer::Checkpoints(found) => Ok(found),
            other => Err(other_variant("checkpoints", &other)),
        }
    }

    pub(super) async fn sessions(&self, query: &Query) -> Case<Vec<SessionRow<String>>> {
        match self.store().read(query).await? {
            Answer::Sessions(found) => Ok(found),
            other => Err(other_variant("sessions", &other)),
        }
    }
}

pub(super) fn must_conflict(what: &str, answer: Result<Committed, StorageError>) -> Case {
    match answer {
        Err(StorageError::Conflict { .. }) => Ok(()),
        Err(other) => Err(Failure(format!("{what}: wanted a conflict, found `{}`: {other}", other.code()))),
        Ok(done) => Err(Failure(format!("{what}: wanted a conflict, but it was committed ({done:?})"))),
    }
}

pub(super) fn other_variant(wanted: &str, found: &Answer) -> Failure {
    let found: String = format!("{found:?}").chars().take(80).collect();
    Failure(format!("asked for {wanted}, answered {found}"))
}

pub(super) fn version(session: &SessionId, is: u64) -> Precondition {
    Precondition::SessionVersion { session: session.clone(), is }
}

pub(super) fn insert(session: &SessionId, row: Row) -> Op {
    Op::InsertRow { session: session.clone(), row }
}

pub(super) fn insert_part(session: &SessionId, part: Part) -> Op {
    Op::InsertPart { session: session.clone(), part }
}

pub(super) fn insert_boundary(session: &SessionId, boundary: Boundary) -> Op {
    Op::InsertBoundary { session: session.clone(), boundary }
}

pub(super) fn set_live(session: &SessionId, row: &str, live: bool) -> Op {
    Op::SetLive { session: session.clone(), row: row_id(row), live }
}

pub(super) fn ids(rows: &[StoredRow<String>]) -> Vec<String> {
    rows.iter().map(|found| found.row.id.as_str().to_owned()).collect()
}
