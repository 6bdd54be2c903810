//! The engine over a storage that fails: nothing acknowledged is lost, nothing is stored twice.
#![cfg(not(target_family = "wasm"))]
#![allow(missing_docs, reason = "a test target")]

mod common;

use common::{
    faulty::{Fault, Faulty, TestEngine, engine, entropy, now},
    session,
};
use std::{
    future::Future,
    pin::pin,
    sync::{Arc, atomic::Ordering},
    task::{Context, Waker},
};
use throughline_core::{
    engine::{
        CheckpointRequest, Engine, EngineError, Ids, IngestOptions, IngestReport, Options, Policy,
        RecoverRequest, Session, Skipped, Whose,
    },
    host::{Committed, DynStorage, FixedClock, Host, MemoryStorage, Parts, Storage, StorageError},
    id::{Project, SessionId},
    model::{Answer, Batch, Effect, Query, Trigger},
    prompt::Request,
    redact::Redactor,
};

/// The texts of a session's prompt, in order.
fn texts<S: Storage>(engine: &TestEngine<S>, id: &SessionId) -> Vec<String> {
    let prompt = pollster::block_on(engine.prompt(id, &Request::default())).unwrap();
    let json = serde_json::to_value(&prompt).unwrap();
    let text = |message: &serde_json::Value| message["parts"][0]["text"].as_str().unwrap().to_owned();
    json["messages"].as_array().unwrap().iter().map(text).collect()
}

#[test]
fn a_fault_at_any_commit_loses_and_doubles_nothing() {
    use Fault::{Conflict, LostAfter, LostBefore, Unavailable};
    for fault in [Unavailable, LostBefore, LostAfter, Conflict] {
        for at in 0..6 {
            let mut faults = vec![None; at];
            faults.push(Some(fault));
            let engine = engine(Faulty::with(&faults));
            let id = session("s");
            let mut acknowledged = Vec::new();
            for number in 0..6 {
                let text = format!("prompt {number}");
                let mut outcome = pollster::block_on(engine.submit_prompt(&id, None, &text));
                if let Err(error) = &outcome {
                    assert_eq!((error.code(), fault), ("storage_unavailable", Unavailable), "commit {at}");
                    outcome = pollster::block_on(engine.submit_prompt(&id, None, &text));
                }
                assert!(matches!(outcome.unwrap()[..], [Effect::RowStored { .. }]));
                acknowledged.push(text);
            }
            assert_eq!(texts(&engine, &id), acknowledged, "{fault:?} at commit {at}");
            let recovered = pollster::block_on(engine.recover(&RecoverRequest::default())).unwrap().unwrap();
            assert_eq!(recovered.checkpoint.total_prompts, 6, "{fault:?} at commit {at}");
        }
    }
}

#[test]
fn a_storage_that_stays_away_is_said_and_the_state_before_it_stands() {
    let faults = [
        None,
        Some(Fault::LostBefore),
        Some(Fault::LostBefore),
        Some(Fault::LostBefore),
        Some(Fault::LostBefore),
    ];
    let engine = engine(Faulty::with(&faults));
    let id = session("s");
    pollster::block_on(engine.submit_prompt(&id, None, "one")).unwrap();
    let error = pollster::block_on(engine.submit_prompt(&id, None, "two")).unwrap_err();
    assert_eq!(error.code(), "outcome_unknown");
    pollster::block_on(engine.submit_prompt(&id, None, "three")).unwrap();
    assert_eq!(texts(&engine, &id), ["one", "three"]);
}

#[test]
fn a_batch_that_is_refused_though_nobody_else_wrote_is_said() {
    let engine = engine(Faulty::with(&[Some(Fault::Conflict); 200]));
    let error = pollster::block_on(engine.submit_prompt(&session("s"), None, "one")).unwrap_err();
    assert_eq!(error.code(), "conflict");
    assert_eq!(engine.host().storage.commits.load(Ordering::SeqCst), 2);
}

/// A storage where another host is always first.
struct Busy(TestEngine<MemoryStorage>);

impl Storage for Busy {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        self.0
            .submit_prompt(&session("s"), None, "first")
            .await
            .map_err(|error| StorageError::Unavailable { why: error.to_string() })?;
        self.0.host().storage.commit(batch).await
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        self.0.host().storage.read(query).await
    }
}

#[test]
fn writers_that_are_never_first_give_up_with_a_code() {
    let engine = engine(Busy(engine(MemoryStorage::default())));
    let error = pollster::block_on(engine.submit_prompt(&session("s"), None, "one")).unwrap_err();
    assert_eq!(error.code(), "contended");
    assert_eq!(texts(&engine, &session("s")).len(), 100);
}

#[test]
fn what_another_host_wrote_is_recovered_although_the_session_is_remembered() {
    let storage: Arc<dyn DynStorage> = Arc::new(MemoryStorage::default());
    let (one, other) = (engine(Arc::clone(&storage)), engine(storage));
    let recover = || {
        let request = RecoverRequest { session: Some(session("s")), ..RecoverRequest::default() };
        pollster::block_on(one.recover(&request)).unwrap().unwrap().checkpoint.total_prompts
    };
    pollster::block_on(one.submit_prompt(&session("s"), None, "mine")).unwrap();
    assert_eq!(recover(), 1);
    pollster::block_on(other.submit_prompt(&session("s"), None, "theirs")).unwrap();
    assert_eq!(recover(), 2);
}

#[test]
fn a_call_that_is_dropped_anywhere_leaves_nothing_stale() {
    let id = session("s");
    for polls in 0..4 {
        let engine = engine(Faulty::with(&[None, Some(Fault::Yield)]));
        pollster::block_on(engine.submit_prompt(&id, None, "before")).unwrap();
        {
            let mut call = pin!(engine.submit_prompt(&id, None, "dropped"));
            let mut context = Context::from_waker(Waker::noop());
            for _ in 0..polls {
                if call.as_mut().poll(&mut context).is_ready() {
                    break;
                }
            }
        }
        pollster::block_on(engine.submit_prompt(&id, None, "after")).unwrap();
        let texts = texts(&engine, &id);
        let known = [vec!["before", "after"], vec!["before", "dropped", "after"]];
        assert!(known.iter().any(|known| *known == texts), "{polls} polls: {texts:?}");
    }
}

#[test]
fn many_threads_on_one_engine_queue_up() {
    let storage: Arc<dyn DynStorage> = Arc::new(MemoryStorage::default());
    let engine = Arc::new(engine(storage));
    let threads: Vec<_> = (0..8)
        .map(|thread| {
            let engine = Arc::clone(&engine);
            std::thread::spawn(move || {
                for number in 0..25 {
                    let id = session(&format!("s{}", number % 3));
                    let text = format!("{thread}.{number}");
                    pollster::block_on(engine.submit_prompt(&id, None, &text)).unwrap();
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let mut all: Vec<String> =
        (0..3).flat_map(|number| texts(&engine, &session(&format!("s{number}")))).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 200);
}

#[test]
fn two_engines_on_one_storage_plan_again_after_a_conflict() {
    let storage: Arc<dyn DynStorage> = Arc::new(MemoryStorage::default());
    let engines = [engine(Arc::clone(&storage)), engine(storage)];
    let id = session("s");
    for number in 0..20 {
        pollster::block_on(engines[number % 2].submit_prompt(&id, None, &format!("{number}"))).unwrap();
    }
    let expected: Vec<String> = (0..20).map(|number| number.to_string()).collect();
    assert_eq!(texts(&engines[0], &id), expected);
}

#[test]
fn a_plan_is_confirmed_on_the_state_that_it_was_made_on_alone() {
    let mut session = Session::new(session("s"), now());
    let ids = |seed| Ids::new(now(), [seed; 16]);
    let text = |text| Redactor::standard().clean(text);
    let first = session.plan_prompt(text("one"), &Policy::default(), &mut ids(1));
    let second = session.plan_prompt(text("two"), &Policy::default(), &mut ids(2));
    session.confirm(first).unwrap();
    let before = session.clone();
    assert_eq!(session.confirm(second).unwrap_err().code(), "stale_plan");
    assert_eq!(session, before);
}

#[test]
fn checkpoints_of_low_rank_are_written_for_news_alone() {
    let engine = engine(MemoryStorage::default());
    let id = session("s");
    let take = |trigger: Trigger| {
        let request = CheckpointRequest { note: Some("a note".into()), ..trigger.into() };
        pollster::block_on(engine.take_checkpoint(&id, request)).map(|taken| (taken.written, taken.reason))
    };
    assert_eq!(take(Trigger::Explicit).unwrap_err().code(), "session_unknown");
    pollster::block_on(engine.submit_prompt(&id, None, "one")).unwrap();
    assert_eq!(take(Trigger::Periodic), Ok((false, Some(Skipped::Queued))));
    assert_eq!(take(Trigger::Agent), Ok((false, Some(Skipped::NothingNew))));
    assert_eq!((take(Trigger::Explicit), take(Trigger::SessionEnd)), (Ok((true, None)), Ok((true, None))));
    let listed = pollster::block_on(engine.checkpoints(Some(&id), 10)).unwrap();
    let listed: Vec<_> = listed.iter().map(|listed| (listed.seq, listed.prompt_count)).collect();
    assert_eq!(listed, [(2, 0), (1, 1)], "the explicit one took what was queued");
}

#[test]
fn recovery_looks_for_the_session_then_the_project_then_the_store() {
    let engine = engine(MemoryStorage::default());
    let (here, there) = (Project::new("/work/here").unwrap(), Project::new("/work/there").unwrap());
    for (key, project) in [("a", &here), ("b", &here), ("c", &there)] {
        pollster::block_on(engine.submit_prompt(&session(key), Some(project), &format!("prompt of {key}")))
            .unwrap();
    }
    let recover = |request: RecoverRequest| {
        pollster::block_on(engine.recover(&request)).unwrap().map(|found| found.session.key().to_owned())
    };
    let by = |session: Option<&str>, project: Option<&Project>| RecoverRequest {
        session: session.map(self::session),
        project: project.cloned(),
        ..RecoverRequest::default()
    };
    assert_eq!(recover(by(Some("a"), None)).as_deref(), Some("a"));
    assert_eq!(recover(by(None, Some(&there))).as_deref(), Some("c"));
    assert!(["a", "b"].contains(&recover(by(None, Some(&here))).unwrap().as_str()));
    assert_eq!(recover(by(None, Some(&Project::new("/nowhere").unwrap()))), None);
    assert_eq!(recover(by(Some("nobody"), None)), None);
}

#[test]
fn a_new_session_goes_on_from_its_project_and_agent() {
    let engine = engine(MemoryStorage::default());
    let project = Project::new("/work/here").unwrap();
    let of = |agent: &str, key: &str| SessionId::new("test", agent, key).unwrap();
    pollster::block_on(engine.submit_prompt(&of("a", "old"), Some(&project), "mine")).unwrap();
    for number in 0..8 {
        let id = of("b", &format!("b{number}"));
        pollster::block_on(engine.submit_prompt(&id, Some(&project), "another agent's")).unwrap();
    }
    let recover = |session: Option<SessionId>, agent: Option<&str>, harness: Option<&str>| {
        let request = RecoverRequest {
            session,
            whose: Whose::default(),
            project: Some(project.clone()),
            harness: harness.map(str::to_owned),
            agent: agent.map(str::to_owned),
            budget: None,
        };
        pollster::block_on(engine.recover(&request)).unwrap().map(|found| found.session.key().to_owned())
    };
    // Behind more sessions of the other agent than are looked at.
    assert_eq!(recover(None, Some("a"), None).as_deref(), Some("old"));
    assert_eq!(recover(Some(of("a", "new")), None, None).as_deref(), Some("old"));
    assert_eq!(recover(Some(of("", "new")), None, None), None);
    assert_eq!(recover(None, Some("a"), Some("other")), None);
}

fn ingest<H: Host>(engine: &Engine<H>, log: &str) -> IngestReport {
    pollster::block_on(async {
        let mut ingest = engine.ingest(IngestOptions::default());
        for chunk in log.as_bytes().chunks(3000) {
            ingest.push(chunk).await.unwrap();
        }
        ingest.finish().await.unwrap()
    })
}

#[test]
fn a_log_of_several_commits_has_one_checkpoint_at_its_end() {
    let mut options = Options::default();
    options.ingest_commit_bytes = 10_000;
    let host = Parts { storage: MemoryStorage::default(), clock: FixedClock(now()), entropy };
    let engine = Engine::new(host, Redactor::standard(), options);
    let words = "word ".repeat(1000);
    let mut log = String::new();
    for number in 0..36 {
        log += &format!(
            r#"{{"type":"user","uuid":"u{number}","sessionId":"s","message":{{"content":"{words}"}}}}"#
        );
        log += "\n";
    }
    // Nothing new in what is left for the last commit.
    log += &format!(r#"{{"type":"file-history-snapshot","messageId":"m","x":"{words}"}}"#);
    let report = ingest(&engine, &log);
    assert_eq!(report.added, 36);
    let checkpoint = pollster::block_on(engine.checkpoint(&report.checkpoint.unwrap())).unwrap();
    assert_eq!((checkpoint.seq, checkpoint.total_prompts), (1, 36));
    assert_eq!(ingest(&engine, &log).checkpoint, None);
}

#[test]
fn a_password_in_the_project_is_stored_in_no_form() {
    let engine = engine(MemoryStorage::default());
    let secret = ["hunter", "pw99"].concat();
    let log = format!(
        r#"{{"type":"user","uuid":"u","sessionId":"s","cwd":"https://u:{secret}@h/x","message":{{"content":"hi"}}}}"#
    );
    let report = ingest(&engine, &log);
    let id = SessionId::new("claude-code", "", "s").unwrap();
    let checkpoint = pollster::block_on(engine.checkpoint(&report.checkpoint.unwrap())).unwrap();
    let session = pollster::block_on(engine.host().storage.read(&Query::Session { session: id })).unwrap();
    let stored = format!(
        "{} {}",
        serde_json::to_string(&checkpoint).unwrap(),
        serde_json::to_string(&session).unwrap()
    );
    assert!(!stored.contains(&secret), "{stored}");
    assert!(stored.contains("https://u:[REDACTED:url-password]@h/x"), "{stored}");
}

#[test]
fn identifiers_that_hold_a_secret_are_refused() {
    let engine = engine(MemoryStorage::default());
    let key = ["ghp_", "R4nd0mFakeValueForTestsOnly012345678"].concat();
    let outcome = pollster::block_on(engine.submit_prompt(&session(&key), None, "one"));
    assert_eq!(outcome.unwrap_err().code(), "secret_in_identifier");
    let log = format!(r#"{{"type":"user","uuid":"u","sessionId":"{key}","message":{{"content":"hi"}}}}"#);
    let outcome = pollster::block_on(async {
        let mut ingest = engine.ingest(IngestOptions::default());
        ingest.push(log.as_bytes()).await?;
        ingest.finish().await
    });
    assert_eq!(outcome.unwrap_err().code(), "secret_in_identifier");
    let blank: Result<_, EngineError> = pollster::block_on(engine.submit_prompt(&session("s"), None, " \n"));
    assert_eq!(blank.unwrap_err().code(), "empty_message");
}
