//! A log goes in: read, compare with what is stored, commit what is new.

use super::{
    Engine, EngineError, Ids, Session, SessionState,
    commit::{Loaded, Needs},
    step::Step,
};
use crate::{
    checkpoint::Words,
    host::Host,
    id::{CheckpointId, Project, RowId, SessionId},
    model::{Effect, Op, PartBody, Pending, Plan, RowKind, RowSummary, Trigger},
    time::Timestamp,
    transcript::{ClaudeCodeReader, Format, Item, Summary},
};
use alloc::{collections::BTreeMap, string::String, vec::Vec};
use core::mem;
use serde::Serialize;

/// What is said of a log beside its bytes.
#[derive(Debug, Clone, Default)]
pub struct IngestOptions {
    /// The session's harness; the log's format when absent.
    pub harness: Option<String>,
    /// The session's agent; none when absent.
    pub agent: Option<String>,
    /// The project; the log's first working directory when absent.
    pub project: Option<String>,
    /// The session's key where no record names one: the stem of the file's name.
    pub fallback_key: String,
}

/// What a log held, and what came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IngestReport {
    /// Its format.
    pub format: Format,
    /// The session's key; `None` for a log that has no session yet.
    pub session: Option<String>,
    /// What it held.
    #[serde(flatten)]
    pub summary: Summary,
    /// Parts (texts, thinking blocks, calls, results, …) that were added.
    pub added: u64,
    /// Parts that were there already.
    pub unchanged: u64,
    /// The checkpoint that was written, when something was added.
    pub checkpoint: Option<CheckpointId>,
}

/// What came of the part of a log that was read since the last time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The session's key; `None` while the log has no session.
    pub session: Option<String>,
    /// Parts that were added.
    pub added: u64,
    /// The checkpoint that was written.
    pub checkpoint: Option<CheckpointId>,
}

/// What else a commit does.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct End {
    /// Asks which rows are live.
    pub(super) settles: bool,
    /// Takes a checkpoint of what has no one yet.
    pub(super) checkpoint: bool,
}

/// A log on its way in: [`push`](Self::push) its bytes, then [`finish`](Self::finish).
///
/// Dropping it ends the reading; what was committed stays, and reading the log again goes on from there.
#[derive(Debug)]
pub struct Ingest<'a, H> {
    engine: &'a Engine<H>,
    options: IngestOptions,
    reader: ClaudeCodeReader,
    /// Read and not committed yet.
    items: Vec<Item>,
    pending_bytes: usize,
    progress: Progress,
}

/// What the items so far have said; kept from one commit to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress {
    /// How many parts of each row the log has given.
    parts: BTreeMap<RowId, u32>,
    /// Whether each row is live, as the log has it now.
    live: BTreeMap<RowId, bool>,
    added: u64,
    unchanged: u64,
    /// How many of the added ones have a checkpoint.
    covered: u64,
    /// How many of the added ones were told of.
    told: u64,
}

impl Progress {
    /// What an earlier reading of the same log came to: how many parts of each row it gave.
    pub(super) fn after(parts: BTreeMap<RowId, u32>) -> Self {
        Self { parts, ..Self::default() }
    }

    pub(super) fn into_parts(self) -> BTreeMap<RowId, u32> {
        self.parts
    }
}

impl<H: Host> Engine<H> {
    /// Begins to read a log.
    #[must_use]
    pub fn ingest(&self, options: IngestOptions) -> Ingest<'_, H> {
        let reader = ClaudeCodeReader::new(&options.fallback_key);
        let progress = Progress::default();
        Ingest { engine: self, options, reader, items: Vec::new(), pending_bytes: 0, progress }
    }
}

impl<H: Host> Ingest<'_, H> {
    /// Reads on. Commits when much has come together, else only reads.
    ///
    /// # Errors
    /// `identifier_invalid`, `secret_in_identifier`; the codes of the storage. What was committed stays.
    pub async fn push(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        self.reader.push(&self.engine.redactor, bytes, &mut self.items);
        self.pending_bytes = self.pending_bytes.saturating_add(bytes.len());
        if self.pending_bytes >= self.engine.options.ingest_commit_bytes && !self.items.is_empty() {
            self.commit(End::default()).await?;
        }
        Ok(())
    }

    /// Commits what was read so far and stays open, for a log that somebody writes to. With `checkpoint`, an explicit
    /// checkpoint is taken of what was added and has none yet. A last line without a line end waits for its end.
    ///
    /// After an error the log is to be read again from its start, by a new [`Engine::ingest`]; what was committed
    /// stays, and is not added twice.
    ///
    /// # Errors
    /// `format_unsupported`, `format_unknown`; those of [`push`](Self::push).
    pub async fn settle(&mut self, checkpoint: bool) -> Result<Settled, EngineError> {
        self.reader.check()?;
        let session = self.reader.session().map(String::from);
        let is_due = checkpoint && self.progress.added > self.progress.covered;
        let mut written = None;
        if session.is_some() && (is_due || !self.items.is_empty()) {
            written = self.commit(End { settles: true, checkpoint }).await?;
            if checkpoint {
                self.progress.covered = self.progress.added;
            }
        }
        let added = self.progress.added.saturating_sub(self.progress.told);
        self.progress.told = self.progress.added;
        Ok(Settled { session, added, checkpoint: written })
    }

    /// Ends the log and commits the rest. When the call added something, an explicit checkpoint goes with it.
    ///
    /// # Errors
    /// `log_empty`, `format_unsupported`, `format_unknown`; those of [`push`](Self::push).
    pub async fn finish(mut self) -> Result<IngestReport, EngineError> {
        self.reader.finish(&self.engine.redactor, &mut self.items)?;
        let session = self.reader.session().map(String::from);
        let checkpoint = if session.is_some() {
            self.commit(End { settles: true, checkpoint: true }).await?
        } else {
            None
        };
        Ok(IngestReport {
            format: Format::ClaudeCode,
            session,
            summary: self.reader.summary().clone(),
            added: self.progress.added,
            unchanged: self.progress.unchanged,
            checkpoint,
        })
    }

    async fn commit(&mut self, end: End) -> Result<Option<CheckpointId>, EngineError> {
        let key = self.reader.session().unwrap_or(&self.options.fallback_key);
        let harness = self.options.harness.as_deref().unwrap_or(Format::ClaudeCode.as_str());
        let agent = self.options.agent.as_deref().unwrap_or_default();
        let id = SessionId::new(harness, agent, key)?;
        self.engine.check_identity(&id)?;
        let items = mem::take(&mut self.items);
        let project = self.options.project.as_deref().or(self.reader.cwd()).and_then(Project::new);
        let import = Import {
            engine: self.engine,
            id: &id,
            project,
            items: &items,
            first_at: self.reader.first_at(),
            last_at: self.reader.last_at(),
            before: &self.progress,
            end,
            blind: false,
        };
        let plan = |loaded: &Loaded<'_>, ids: &mut Ids| {
            let (plan, progress, checkpoint) = import.plan(loaded, ids);
            Ok((plan, (progress, checkpoint)))
        };
        let needs = Needs { index: true, after_failed: end.checkpoint, ..Needs::default() };
        let (_, (progress, checkpoint)) = self.engine.transact(&id, needs, self.engine.ids(), plan).await?;
        self.progress = progress;
        self.pending_bytes = 0;
        Ok(checkpoint)
    }
}

/// Items that are to be committed together.
pub(super) struct Import<'a, H> {
    pub(super) engine: &'a Engine<H>,
    pub(super) id: &'a SessionId,
    pub(super) project: Option<Project>,
    pub(super) items: &'a [Item],
    pub(super) first_at: Option<Timestamp>,
    pub(super) last_at: Option<Timestamp>,
    pub(super) before: &'a Progress,
    pub(super) end: End,
    /// Whether the items are taken for new without a look at what is stored; where they are not, the storage
    /// refuses the batch.
    pub(super) blind: bool,
}

type Planned = (Option<Plan<SessionState>>, Progress, Option<CheckpointId>);

impl<H: Host> Import<'_, H> {
    /// What is new against what is stored. Reading a log again gives the same items first, so a row is known
    /// by its id, and a part by its place among the parts of its row.
    pub(super) fn plan(&self, loaded: &Loaded<'_>, ids: &mut Ids) -> Planned {
        let session = self.engine.session_or_new(loaded, self.id, self.project.as_ref(), ids);
        let buffered: Option<&Pending> = loaded.buffered.as_ref();
        let mut step = Step::new(session.state(), &self.engine.policy, buffered);
        if loaded.session.is_none() {
            let start = self.first_at.unwrap_or(ids.now());
            (step.next.row.started_at, step.next.row.last_activity) = (start, start);
        }
        let known = loaded.index.iter().map(|row| (&row.id, row)).collect();
        let mut staging = Staging {
            step,
            known,
            progress: self.before.clone(),
            new_row: None,
            new_row_at: ids.now(),
            otherwise: self.first_at.unwrap_or(ids.now()),
            blind: self.blind,
        };
        for item in self.items {
            staging.item(item);
        }
        if self.end.settles {
            staging.settle_live();
        }
        let Staging { mut step, progress, .. } = staging;
        // What was added by an earlier commit of the same log asks for its checkpoint as well.
        let is_due = self.end.checkpoint && progress.added > progress.covered;
        if step.ops.is_empty() && !is_due {
            return (None, progress, None);
        }
        step.happened(self.last_at.unwrap_or(step.next.row.last_activity));
        let at = step.next.row.last_activity;
        if is_due && step.counts(at) {
            step.enqueue(Trigger::Explicit, Words::default(), at, ids);
        }
        let written = |effect: &Effect| match effect {
            Effect::CheckpointWritten { checkpoint, .. } => Some(checkpoint.clone()),
            _ => None,
        };
        let checkpoint = step.effects.iter().find_map(written);
        (Some(step.into_plan(ids)), progress, checkpoint)
    }
}

/// Operations of one commit, as they come together.
struct Staging<'a> {
    step: Step<'a>,
    known: BTreeMap<&'a RowId, &'a RowSummary>,
    progress: Progress,
    /// The place of the newest row of the log, when it is not stored yet.
    new_row: Option<Timestamp>,
    /// When what it tells of happened.
    new_row_at: Timestamp,
    /// The place of a first row without a time.
    otherwise: Timestamp,
    blind: bool,
}

impl Staging<'_> {
    fn item(&mut self, item: &Item) {
        let session = self.step.next.row.id.clone();
        match item {
            Item::Row(row) => {
                self.progress.live.insert(row.id.clone(), row.live);
                if self.known.contains_key(&row.id) {
                    self.new_row = None;
                    return;
                }
                let mut row = (**row).clone();
                row.created_at = Session::place(&mut self.step.next.row, row.source_at, self.otherwise);
                self.new_row = Some(row.created_at);
                self.new_row_at = row.source_at.unwrap_or(row.created_at);
                self.count_row(row.kind, row.sidechain);
                self.step.effects.push(Effect::RowStored { session: session.clone(), row: row.id.clone() });
                self.step.ops.push(Op::InsertRow { session, row });
            }
            Item::Part(part) => {
                let seen = self.progress.parts.entry(part.row.clone()).or_default();
                *seen = seen.saturating_add(1);
                let stored = self.known.get(&part.row).map_or(0, |row| row.parts);
                if *seen <= stored {
                    self.progress.unchanged = self.progress.unchanged.saturating_add(1);
                    return;
                }
                self.progress.added = self.progress.added.saturating_add(1);
                self.count_part(&part.body);
                self.step.ops.push(Op::InsertPart { session, part: (**part).clone() });
            }
            Item::Live { row, live } => {
                self.progress.live.insert(row.clone(), *live);
            }
            Item::Boundary(boundary) => {
                let Some(anchor_at) = self.new_row else { return };
                self.step.next.row.boundary_seq = self.step.next.row.boundary_seq.saturating_add(1);
                let mut boundary = (**boundary).clone();
                (boundary.seq, boundary.anchor_at) = (self.step.next.row.boundary_seq, anchor_at);
                self.step.ops.push(Op::InsertBoundary { session, boundary });
            }
            Item::Prompt(text) => {
                // Where hooks tell of a session, they count its prompts.
                if self.new_row.is_some() && self.step.next.row.hooks.is_none() {
                    self.step.count_prompt(text, self.new_row_at);
                }
            }
        }
    }

    /// Rows whose place in the conversation is another than the stored one. (Between two reads of a rewound
    /// log the answer swings, so it is asked at the end alone.)
    fn settle_live(&mut self) {
        let inserted = self.step.ops.iter().filter_map(|op| match op {
            Op::InsertRow { row, .. } => Some((row.id.clone(), row.live)),
            _ => None,
        });
        let mut stored: BTreeMap<RowId, bool> = inserted.collect();
        stored.extend(self.known.values().map(|row| (row.id.clone(), row.live)));
        for (row, live) in &self.progress.live {
            if stored.get(row).map_or(self.blind, |stored| stored != live) {
                let session = self.step.next.row.id.clone();
                self.step.ops.push(Op::SetLive { session, row: row.clone(), live: *live });
            }
        }
    }

    fn count_row(&mut self, kind: RowKind, sidechain: bool) {
        let counts = &mut self.step.next.row.counts;
        let count = match kind {
            _ if sidechain => return,
            RowKind::User => &mut counts.user,
            RowKind::Assistant => &mut counts.assistant,
            RowKind::Developer => &mut counts.developer,
            RowKind::System => &mut counts.system,
            RowKind::Function | RowKind::PrivateFunction | RowKind::Delegation | RowKind::Artifact => return,
        };
        *count = count.saturating_add(1);
    }

    fn count_part(&mut self, body: &PartBody) {
        let counts = &mut self.step.next.row.counts;
        let count = match body {
            PartBody::ToolCall { .. } => &mut counts.tool_calls,
            PartBody::ToolResult { .. } => &mut counts.tool_results,
            PartBody::Thinking { .. } => &mut counts.thinking,
            _ => return,
        };
        *count = count.saturating_add(1);
    }
}
