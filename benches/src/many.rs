//! Stores with many sessions, each with as many checkpoints as are kept of it.
use throughline_core::{
    host::{Entropy, Storage},
    id::{BatchId, CheckpointId, Project, SessionId},
    model::{Batch, CheckpointRow, Continuity, Counts, Op, PromptEntry, SessionRow, Status, Trigger},
    redact::{Clean, Redactor},
    time::Timestamp,
};

/// Checkpoints of each session; the engine of the bench keeps as many.
pub const PER_SESSION: usize = 20;
/// Sessions of each project.
const PER_PROJECT: usize = 10;
/// Sessions that are written by one commit.
const AT_ONCE: usize = 25;
/// Over which the sessions are spread; younger than what is kept for seven days.
const SPREAD_MILLIS: usize = 6 * 24 * 3_600_000;
const MINUTE: i64 = 60_000;

/// Which sessions there are: `0..count` of an age that is kept.
#[derive(Debug, Clone, Copy)]
pub struct Many {
    /// How many.
    pub sessions: usize,
}

impl Many {
    /// As many sessions as hold this many checkpoints.
    pub fn of(checkpoints: usize) -> Self {
        Self { sessions: checkpoints / PER_SESSION }
    }

    /// The time of the bench.
    pub fn now() -> Timestamp {
        Timestamp::parse("2026-06-01T12:00:00Z").unwrap_or(Timestamp::EPOCH)
    }

    /// The session of a number.
    pub fn session(number: usize) -> SessionId {
        SessionId::new("bench", "", format!("s{number:06}")).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The project of the session of a number: as many sessions are in each, however many there are.
    pub fn project(self, number: usize) -> Project {
        let number = number % (self.sessions / PER_PROJECT).max(1);
        Project::new(&format!("/home/dev/project-{number:05}")).unwrap_or_else(|| panic!("no project"))
    }

    /// Oldest first, spread evenly, up to a minute before now.
    pub fn last_activity(self, number: usize) -> Timestamp {
        let before = (self.sessions - number) * (SPREAD_MILLIS / self.sessions);
        Self::now().saturating_add_millis(-MINUTE - i64::try_from(before).unwrap_or(0))
    }

    /// Writes all of them.
    pub async fn fill(self, storage: &impl Storage, entropy: &impl Entropy) {
        let texts = Texts::new();
        let numbers: Vec<usize> = (0..self.sessions).collect();
        for some in numbers.chunks(AT_ONCE) {
            let each = some.iter().map(|&number| {
                let project = self.project(number);
                texts.session(Self::session(number), &project, self.last_activity(number))
            });
            texts.commit(storage, entropy, each).await;
        }
    }

    /// Writes sessions with checkpoints that are no longer kept.
    pub async fn add_old(storage: &impl Storage, entropy: &impl Entropy, name: &str, sessions: usize) {
        let texts = Texts::new();
        let long_ago = Self::now().saturating_add_millis(-30 * 24 * 60 * MINUTE);
        let project = Project::new("/home/dev/old").unwrap_or_else(|| panic!("no project"));
        let each = (0..sessions).map(|number| {
            let id = SessionId::new("bench", "", format!("{name}-{number}"));
            texts.session(id.unwrap_or_else(|error| panic!("{error}")), &project, long_ago)
        });
        texts.commit(storage, entropy, each).await;
    }
}

fn tail(entropy: &impl Entropy) -> [u8; 10] {
    entropy.bytes().first_chunk().copied().unwrap_or_default()
}

/// What all of them say.
struct Texts {
    digest: Clean,
    project: Clean,
    prompts: Vec<PromptEntry>,
}

impl Texts {
    fn new() -> Self {
        let redactor = Redactor::standard();
        let prompts = [
            "Read src/parser.rs and say how it treats a trailing comma in a list of arguments.",
            "Write a test for the empty list and for one with a trailing comma.",
            "Run the tests, and commit when they pass.",
        ];
        let list = prompts.map(|text| format!("- {text}")).join("\n");
        let digest = format!(
            "## Session Checkpoint\nProject: /home/dev/project\nPrompts: 3 | Duration: 10m\n\n### Recent Prompts\n{list}"
        );
        let entry = |(index, text): (u64, &str)| PromptEntry { ordinal: index, text: redactor.clean(text) };
        Self {
            digest: redactor.clean(&digest),
            project: redactor.clean("/home/dev/project"),
            prompts: (1..).zip(prompts).map(entry).collect(),
        }
    }

    async fn commit(
        &self,
        storage: &impl Storage,
        entropy: &impl Entropy,
        sessions: impl Iterator<Item = SessionRow>,
    ) {
        let mut ops = Vec::new();
        for session in sessions {
            ops.push(Op::PutSession { session: session.clone() });
            for seq in 1..=session.checkpoint_seq {
                let checkpoint = self.checkpoint(&session, seq, tail(entropy));
                ops.push(Op::InsertCheckpoint { checkpoint });
            }
        }
        let batch =
            Batch { id: BatchId::generate(Many::now(), tail(entropy)), preconditions: Vec::new(), ops };
        storage.commit(&batch).await.unwrap_or_else(|error| panic!("{error}"));
    }

    fn session(&self, id: SessionId, project: &Project, last_activity: Timestamp) -> SessionRow {
        let seq = PER_SESSION as u64;
        let started_at = last_activity.saturating_add_millis(-MINUTE * i64::try_from(seq).unwrap_or(0));
        SessionRow {
            version: 1,
            status: Status::Ended,
            project: Some(self.project.clone()),
            project_normalized: Some(self.project.clone()),
            project_hash: Some(project.hash()),
            last_activity,
            counts: Counts { checkpoints: seq, user: 3 * seq, ..Counts::default() },
            checkpoint_seq: seq,
            continuity: Continuity {
                total_prompts: 3 * seq,
                last_checkpoint_at: Some(last_activity),
                recent_prompts: self.prompts.clone(),
                ..Continuity::default()
            },
            ..SessionRow::new(id, started_at)
        }
    }

    fn checkpoint(&self, session: &SessionRow, seq: u64, tail: [u8; 10]) -> CheckpointRow {
        let minutes = i64::try_from(seq).unwrap_or(0);
        let created_at = session.started_at.saturating_add_millis(MINUTE * minutes);
        CheckpointRow {
            id: CheckpointId::generate(created_at, tail),
            session: session.id.clone(),
            project: Some(self.project.clone()),
            project_normalized: Some(self.project.clone()),
            trigger: Trigger::Periodic,
            digest: self.digest.clone(),
            prompt_count: 3,
            total_prompts: 3 * seq,
            memory_queries: Vec::new(),
            recent_remembers: Vec::new(),
            recent_prompts: self.prompts.clone(),
            context: None,
            note: None,
            structural: None,
            started_at: session.started_at,
            created_at,
            seq,
        }
    }
}
