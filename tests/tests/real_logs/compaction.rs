//! Whole logs replayed step by step, with windows that are too small for them.
use super::logs::{TestEngine, WHOLE, in_memory, ingest, read, session};
use throughline_core::{
    compaction::{Reported, Window},
    engine::{Cause, CompactRequest, CompactionReport, Driven, Session, Summarizers, drive},
    host::{EstimatedTokens, MemoryStorage, NoAgent, Storage, TokenCounter},
    id::{BatchId, SessionId},
    json::parse,
    model::{Answer, Batch, BoundaryMode, Op, PartBody, Precondition, Query, RowKind, StoredRow},
    prompt::{Body, Prompt, Request, Role},
    redact::Redactor,
    render,
    time::Timestamp,
};

const WINDOWS: [u64; 3] = [20_000, 50_000, 200_000];

/// All rows of the main conversation of a log, in order.
fn rows(name: &str) -> Option<Vec<StoredRow>> {
    let bytes = read(name)?;
    let engine = in_memory();
    let query = Query::Rows { session: session(&ingest(&engine, &bytes)), from: None };
    match pollster::block_on(engine.host().storage.read(&query)).unwrap() {
        Answer::Rows(rows) => Some(rows.into_iter().map(|row| row.restore(&Redactor::standard())).collect()),
        other => panic!("{other:?}"),
    }
}

/// A session that takes a log row by row, as a live one would.
struct Replay {
    engine: TestEngine<MemoryStorage>,
    id: SessionId,
    window: Window,
    threshold: u64,
    batches: u64,
    /// What users wrote so far.
    typed: Vec<String>,
    reports: Vec<CompactionReport>,
    held_back: usize,
    exceeded: usize,
    largest: u64,
}

impl Replay {
    fn new(tokens: u64) -> Self {
        let window = Window { tokens, max_output: tokens / 8 };
        let id = SessionId::new("replay", "", "s").unwrap();
        let (threshold, batches) = (tokens * 3 / 5, 0);
        let (typed, reports) = (Vec::new(), Vec::new());
        Self {
            engine: in_memory(),
            id,
            window,
            threshold,
            batches,
            typed,
            reports,
            held_back: 0,
            exceeded: 0,
            largest: 0,
        }
    }

    fn commit(&mut self, ops: Vec<Op>, answers: u64) {
        let storage = &self.engine.host().storage;
        let query = Query::Session { session: self.id.clone() };
        let Answer::Session(found) = pollster::block_on(storage.read(&query)).unwrap() else { panic!() };
        let mut row = Session::new(self.id.clone(), Timestamp::EPOCH).row().clone();
        if let Some(found) = found {
            (row.version, row.counts, row.boundary_seq) = (found.version, found.counts, found.boundary_seq);
            row.last_created_at = found.last_created_at;
        }
        let is = row.version;
        row.version += 1;
        row.counts.assistant += answers;
        let newest = ops
            .iter()
            .filter_map(|op| if let Op::InsertRow { row, .. } = op { Some(row.created_at) } else { None });
        row.last_created_at = newest.max().max(row.last_created_at);
        self.batches += 1;
        let mut all = vec![Op::PutSession { session: row }];
        all.extend(ops);
        let mut entropy = [0; 10];
        entropy[..8].copy_from_slice(&self.batches.to_be_bytes());
        let batch = Batch {
            id: BatchId::generate(Timestamp::EPOCH, entropy),
            preconditions: vec![Precondition::SessionVersion { session: self.id.clone(), is }],
            ops: all,
        };
        pollster::block_on(storage.commit(&batch)).unwrap();
    }

    fn insert(&self, stored: &StoredRow, parts: usize) -> Vec<Op> {
        let session = self.id.clone();
        let mut ops = vec![Op::InsertRow { session: session.clone(), row: stored.row.clone() }];
        let parts = stored.parts.iter().take(parts).cloned();
        ops.extend(parts.map(|part| Op::InsertPart { session: session.clone(), part }));
        ops
    }

    fn compact(&mut self, cause: Cause) -> Option<u64> {
        let mut asked = CompactRequest { summarizers: Summarizers::Fold, ..CompactRequest::new(cause) };
        asked.layers.agent = parse(&format!(r#"{{"token_threshold":{}}}"#, self.threshold)).unwrap();
        asked.window = Some(self.window);
        let driven = pollster::block_on(drive(&self.engine, &self.id, &asked, &EstimatedTokens, &NoAgent));
        match driven {
            Ok(Driven::NotDue { measured, diagnostics }) => {
                self.held_back +=
                    usize::from(diagnostics.iter().any(|told| told.code == "compaction_held_back"));
                measured.map(|measured| measured.tokens)
            }
            Ok(Driven::Compacted(report)) => {
                self.check(&report);
                let after = report.after_tokens;
                self.reports.push(report);
                Some(after)
            }
            Ok(Driven::SendWhole { .. }) => None,
            Err(error) => {
                assert_eq!(error.code(), "prompt_exceeds_window");
                self.exceeded += 1;
                None
            }
        }
    }

    /// What holds after each compaction.
    fn check(&self, report: &CompactionReport) {
        let prompt = pollster::block_on(self.engine.prompt(&self.id, &Request::default())).unwrap();
        assert_valid(&prompt);
        assert!(report.after_tokens < report.before_tokens, "{report:?}");
        assert_eq!(report.kept_user_texts, report.replaced_user_texts, "{report:?}");
        let summary = prompt.system.last().unwrap().as_str();
        assert_eq!(EstimatedTokens.count(&[summary])[0], report.summary_tokens);
        let told: Vec<&str> =
            prompt.messages.iter().flat_map(|message| &message.parts).filter_map(text).collect();
        for typed in &self.typed {
            let is_there =
                summary.contains(typed.as_str()) || told.iter().any(|text| text.contains(typed.as_str()));
            assert!(is_there, "a user's text is gone: {} bytes", typed.len());
        }
    }

    fn replay(&mut self, rows: &[StoredRow]) {
        let mut rest = rows;
        while let Some((first, more)) = rest.split_first() {
            if first.row.kind != RowKind::Assistant {
                if first.row.kind == RowKind::User {
                    self.typed.extend(typed(first));
                }
                self.commit(self.insert(first, usize::MAX), 0);
                rest = more;
                continue;
            }
            // A request is sent, and answered by this row and its calls; then the calls get their results.
            let size = self.compact(Cause::Outgoing);
            self.largest = self.largest.max(size.unwrap_or(0));
            let calls = more.iter().take_while(|stored| stored.row.kind == RowKind::Function).count();
            let (calls, after) = more.split_at(calls);
            let mut ops = self.insert(first, usize::MAX);
            ops.extend(calls.iter().flat_map(|call| self.insert(call, 1)));
            self.commit(ops, 1);
            if let Some(context_tokens) = size {
                self.compact(Cause::Step {
                    reported: Some(Reported { context_tokens: Some(context_tokens) }),
                });
            }
            let session = self.id.clone();
            let results = calls.iter().flat_map(|call| call.parts.iter().skip(1).cloned());
            let results: Vec<Op> =
                results.map(|part| Op::InsertPart { session: session.clone(), part }).collect();
            if !results.is_empty() {
                self.commit(results, 0);
            }
            rest = after;
        }
    }
}

fn typed(stored: &StoredRow) -> Vec<String> {
    let texts = stored.parts.iter().filter_map(|part| match &part.body {
        PartBody::Text { text } if !text.as_str().trim().is_empty() => Some(text.as_str().to_owned()),
        _ => None,
    });
    texts.collect()
}

fn text(part: &throughline_core::prompt::Part) -> Option<&str> {
    match &part.body {
        Body::Text(text) => Some(text.as_str()),
        _ => None,
    }
}

/// Calls and results pair, a user or a note begins, and a provider's request can be made of it.
fn assert_valid(prompt: &Prompt) {
    let first = prompt.messages.first().map(|message| message.role);
    assert!(matches!(first, Some(Role::User | Role::Developer)), "{first:?} begins");
    let mut messages = prompt.messages.iter().peekable();
    while let Some(message) = messages.next() {
        assert_ne!(message.role, Role::Tool, "a result stands alone");
        for part in &message.parts {
            let Body::ToolCall { id, .. } = &part.body else { continue };
            let result = messages.next().expect("a call without a result");
            assert!(matches!(&result.parts[0].body, Body::ToolResult { id: of, .. } if of == id));
        }
    }
    let body = render::anthropic(prompt, &render::Options::default()).body;
    let sent: serde_json::Value = serde_json::from_str(&throughline_core::json::text(&body)).unwrap();
    assert_eq!(sent["messages"][0]["role"], "user");
}

/// `cargo test -p throughline-tests --test real_logs compaction -- --nocapture` prints the table.
#[test]
fn compaction_keeps_within_the_window_and_loses_no_user_text() {
    let heads = [
        "window",
        "rows",
        "steps",
        "largest",
        "compactions",
        "exclusive",
        "held back",
        "too large",
        "typed",
        "summary",
        "first",
        "last",
    ];
    println!("{:<38}{}", "log", heads.map(|head| format!("{head:>13}")).concat());
    let mut compactions = 0;
    for name in WHOLE {
        let Some(rows) = rows(name) else { return };
        let steps = rows.iter().filter(|stored| stored.row.kind == RowKind::Assistant).count();
        for window in WINDOWS {
            let mut replay = Replay::new(window);
            replay.replay(&rows);
            let shown = |report: Option<&CompactionReport>| {
                report.map_or_else(
                    || "-".to_owned(),
                    |report| format!("{}→{}", report.before_tokens, report.after_tokens),
                )
            };
            let summary = replay.reports.last().map_or(0, |report| report.summary_tokens);
            let exclusive =
                replay.reports.iter().filter(|report| report.mode == BoundaryMode::Exclusive).count();
            let cells = [
                window.to_string(),
                rows.len().to_string(),
                steps.to_string(),
                replay.largest.to_string(),
                replay.reports.len().to_string(),
                exclusive.to_string(),
                replay.held_back.to_string(),
                replay.exceeded.to_string(),
                replay.typed.len().to_string(),
                summary.to_string(),
                shown(replay.reports.first()),
                shown(replay.reports.last()),
            ];
            println!("{name:<38}{}", cells.map(|cell| format!("{cell:>13}")).concat());
            compactions += replay.reports.len();
            // No endless loop: a step makes one at most, and a compaction that gains little is not repeated.
            assert!(replay.reports.len() <= steps, "{name}, {window}");
            let little = |pair: &[CompactionReport]| {
                let gained = pair[0].before_tokens - pair[0].after_tokens;
                gained * 20 < pair[0].before_tokens && pair[1].before_tokens * 10 < pair[0].before_tokens * 11
            };
            assert!(!replay.reports.windows(2).any(little), "{name}, {window}: repeated without a gain");
            assert_eq!(replay.exceeded, 0, "{name}, {window}: prompts that could not be sent");
        }
    }
    assert!(compactions >= 20, "{compactions} compactions say little");
}
