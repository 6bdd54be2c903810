//! What is due, who is asked, what is committed, what is held back.
use super::lab::{
    TestEngine, call, clean, engine, entropy, folded, id, note, pending, prompt, rewind, run, run_with, said,
    state, step, turns, write,
};
use std::sync::{Arc, Mutex};
use throughline_core::{
    compaction::{Binding, Reported, Summarize, TraitLayer, Window},
    engine::{
        Begun, Cause, CompactRequest, Compaction, CompactionEffect, CompactionEvent, Driven, Summarizers,
    },
    host::{Agent, DynStorage, EstimatedTokens, MemoryStorage, Storage, Summary},
    id::RowId,
    json::{Json, parse},
    model::{Answer, BoundaryMode, Query, RowKind, SummarySource},
    prompt::{Applying, Input, Prompt, assemble},
    redact::Redactor,
};

/// An agent that answers as it is told, and remembers whom it was asked for.
#[derive(Default)]
struct Told {
    answers: Mutex<Vec<Result<Summary, String>>>,
    asked: Mutex<Vec<(String, String)>>,
}

impl Told {
    fn with(answers: &[Result<&str, &str>]) -> Self {
        let answer = |answer: &Result<&str, &str>| match answer {
            Ok(text) => Ok(Summary { text: (*text).into(), truncated: false }),
            Err(error) => Err((*error).to_owned()),
        };
        Self { answers: Mutex::new(answers.iter().rev().map(answer).collect()), ..Self::default() }
    }

    fn ids(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|(id, _)| id.clone()).collect()
    }
}

impl Agent for Told {
    async fn summarize(&self, asked: &Summarize) -> Result<Summary, String> {
        self.asked.lock().unwrap().push((asked.attempt.id.clone(), asked.input.text.as_str().into()));
        self.answers.lock().unwrap().pop().unwrap_or_else(|| Err("nothing left to say".into()))
    }
}

const HOST: &str = r#"{"token_threshold":1000,"function_id":"host:checkpoint"}"#;

#[test]
fn a_step_is_due_above_the_threshold_and_cuts_at_its_anchor() {
    let engine = engine(MemoryStorage::default());
    write(&engine.host().storage, &turns(3, 200));
    let fold = |tokens| CompactRequest { summarizers: Summarizers::HostOrFold, ..step(tokens, HOST) };
    assert!(matches!(run(&engine, &fold(1000)).unwrap(), Driven::NotDue { .. }));
    let Driven::Compacted(report) = run(&engine, &fold(1001)).unwrap() else { panic!() };
    // The first step of its turn: the user's row.
    assert_eq!((report.anchor.as_str(), report.mode), ("r0021", BoundaryMode::Inclusive));
    assert_eq!((report.source, report.source_id.as_str()), (SummarySource::Function, "throughline:fold"));
    assert!(report.after_tokens < report.before_tokens);
    assert_eq!((report.kept_user_texts, report.replaced_user_texts), (2, 2));
    let shown = prompt(&engine);
    assert_eq!(shown.messages[0].row.as_str(), "r0021");
    assert!(shown.system[0].as_str().contains("User: request 0: fix it\nWork: Read ×2"));
    // A continuation: that step's assistant row, with the request restored.
    let more = [said(40, RowKind::Assistant, "and another"), call(41, 40, None)];
    write(&engine.host().storage, &more);
    let Driven::Compacted(report) = run(&engine, &fold(1001)).unwrap() else { panic!() };
    assert_eq!(report.anchor.as_str(), "r0040");
    assert_eq!(report.restored_request.as_ref().unwrap().as_str(), "r0021");
    let roles: Vec<_> = prompt(&engine).messages.iter().map(|message| message.role.as_str()).collect();
    assert_eq!(roles, ["user", "developer", "assistant", "tool"]);
    let metadata = state(&engine.host().storage).boundary.unwrap().metadata.unwrap();
    assert_eq!((metadata.trigger_tokens, metadata.trigger_tokens_estimated), (1001, false));
    assert_eq!(metadata.checkpoint_reason.as_str(), "token_threshold_exceeded");
    assert!(metadata.checkpoint_binding_errors.is_empty());
}

#[test]
fn a_response_without_a_size_is_measured_and_one_without_usage_is_not() {
    let engine = engine(MemoryStorage::default());
    write(&engine.host().storage, &turns(3, 200));
    let mut asked = CompactRequest { summarizers: Summarizers::HostOrFold, ..step(0, HOST) };
    asked.cause = Cause::Step { reported: None };
    assert!(matches!(run(&engine, &asked).unwrap(), Driven::NotDue { measured: None, .. }));
    asked.cause = Cause::Step { reported: Some(Reported { context_tokens: None }) };
    let Driven::Compacted(report) = run(&engine, &asked).unwrap() else { panic!() };
    assert_eq!(report.diagnostics[0].code, "context_tokens_missing");
    let metadata = state(&engine.host().storage).boundary.unwrap().metadata.unwrap();
    assert!(metadata.trigger_tokens_estimated);
    assert_eq!(metadata.trigger_tokens, report.before_tokens);
}

#[test]
fn bindings_come_before_the_function_and_their_failures_are_kept() {
    let engine = engine(MemoryStorage::default());
    write(&engine.host().storage, &turns(3, 200));
    let mut asked = step(1001, HOST);
    asked.bindings = vec![
        Binding { priority: 5, trait_id: Some("memory".into()), ..Binding::new("late") },
        Binding { priority: 1, contract: "memory".into(), ..Binding::new("wrong") },
    ];
    let secret = ["ghp_", "R4nd0mFakeValueForTestsOnly012345678"].concat();
    let agent = Told::with(&[Err("no model"), Ok(&format!("The summary, with {secret} in it."))]);
    let Driven::Compacted(report) = run_with(&engine, &asked, &agent).unwrap() else { panic!() };
    assert_eq!(agent.ids(), ["late", "host:checkpoint"]);
    assert_eq!((report.source, report.source_id.as_str()), (SummarySource::Function, "host:checkpoint"));
    let boundary = state(&engine.host().storage).boundary.unwrap();
    assert!(!boundary.summary.contains(&secret), "{}", boundary.summary);
    let errors = boundary.metadata.unwrap().checkpoint_binding_errors;
    let errors: Vec<_> = errors
        .iter()
        .map(|error| (error.binding_id.as_str(), error.trait_id.as_deref(), error.strict))
        .collect();
    assert_eq!(errors, [("wrong", None, false), ("late", Some("memory"), false)]);
}

#[test]
fn a_strict_failure_ends_it_and_nothing_is_written() {
    let engine = engine(MemoryStorage::default());
    write(&engine.host().storage, &turns(3, 200));
    let before = state(&engine.host().storage);
    let mut asked = step(1001, HOST);
    asked.bindings = vec![Binding { options: parse(r#"{"strict":true}"#).unwrap(), ..Binding::new("s") }];
    let agent = Told::with(&[Err("no")]);
    let Driven::SendWhole { error, .. } = run_with(&engine, &asked, &agent).unwrap() else { panic!() };
    assert_eq!((error.code(), agent.ids()), ("summarizer_failed", vec!["s".to_owned()]));
    assert_eq!(state(&engine.host().storage), before);
    // Not again with the same input, but with another setup.
    let Driven::NotDue { diagnostics, .. } = run_with(&engine, &asked, &agent).unwrap() else { panic!() };
    assert_eq!(diagnostics[0].code, "compaction_held_back");
    asked.bindings[0].options = Json::Null;
    let agent = Told::with(&[Ok("A summary.")]);
    assert!(matches!(run_with(&engine, &asked, &agent).unwrap(), Driven::Compacted(_)));
}

#[test]
fn summaries_that_are_blank_cut_off_or_too_long_do_not_stand() {
    for (answer, truncated, code) in [
        (" \n".to_owned(), false, "summary_empty"),
        ("half a".to_owned(), true, "summary_truncated"),
        ("words ".repeat(20_000), false, "summary_too_large"),
    ] {
        let engine = engine(MemoryStorage::default());
        write(&engine.host().storage, &turns(3, 200));
        let agent = Told::with(&[]);
        agent.answers.lock().unwrap().push(Ok(Summary { text: answer, truncated }));
        let Driven::SendWhole { error, .. } = run_with(&engine, &step(1001, HOST), &agent).unwrap() else {
            panic!()
        };
        assert_eq!(error.code(), code);
        assert_eq!(state(&engine.host().storage).boundary, None);
    }
}

#[test]
fn what_does_not_fit_is_not_sent_to_the_summarizer_and_the_turn_fails_only_when_it_must() {
    let engine = engine(MemoryStorage::default());
    write(&engine.host().storage, &turns(3, 2000));
    let mut asked = step(
        100_000,
        r#"{"token_threshold":1000,"function_id":"host:checkpoint","max_tool_result_chars":100000}"#,
    );
    asked.summarizer_windows.insert(String::new(), Window { tokens: 8000, max_output: 1000 });
    let agent = Told::with(&[]);
    asked.window = Some(Window { tokens: 200_000, max_output: 8000 });
    let Driven::SendWhole { error, diagnostics } = run_with(&engine, &asked, &agent).unwrap() else {
        panic!()
    };
    assert_eq!((error.code(), diagnostics[0].code), ("summary_input_too_large", "summarizer_too_small"));
    assert!(agent.ids().is_empty(), "no model was called");
    // Before it is sent: the same prompt does not fit a smaller window, and nothing can shorten it.
    asked.cause = Cause::Outgoing;
    asked.window = Some(Window { tokens: 10_000, max_output: 1000 });
    let error = run_with(&engine, &asked, &agent).unwrap_err();
    assert_eq!(error.code(), "prompt_exceeds_window");
    assert_eq!(state(&engine.host().storage).boundary, None);
}

#[test]
fn a_prompt_that_does_not_fit_is_cut_after_its_anchor() {
    let engine = engine(MemoryStorage::default());
    let mut rows = turns(3, 2000);
    rows.pop();
    write(&engine.host().storage, &rows);
    let mut asked = folded(Cause::Outgoing);
    asked.window = Some(Window { tokens: 200_000, max_output: 8000 });
    assert!(matches!(run(&engine, &asked).unwrap(), Driven::NotDue { .. }));
    asked.window = Some(Window { tokens: 10_000, max_output: 1000 });
    let Driven::Compacted(report) = run(&engine, &asked).unwrap() else { panic!() };
    assert_eq!(
        (report.mode, report.anchor.as_str(), report.kept_rows),
        (BoundaryMode::Exclusive, "r0023", 0)
    );
    let shown = prompt(&engine);
    let heads: Vec<_> =
        shown.messages.iter().map(|message| (message.role.as_str(), message.row.as_str())).collect();
    assert_eq!(heads, [("user", "r0021"), ("developer", report.checkpoint_id.as_str())]);
    // Input that no response followed yet stays as it is.
    write(
        &engine.host().storage,
        &[said(50, RowKind::Assistant, &"long ".repeat(9000)), said(51, RowKind::User, "next")],
    );
    let Driven::Compacted(report) = run(&engine, &asked).unwrap() else { panic!() };
    assert_eq!((report.anchor.as_str(), report.restored_request), ("r0050", None));
    assert_eq!(prompt(&engine).messages[0].row.as_str(), "r0051");
}

#[test]
fn what_was_not_answered_yet_stays_with_its_notes() {
    let engine = engine(MemoryStorage::default());
    let storage = &engine.host().storage;
    let mut rows = turns(2, 2000);
    rows.pop();
    write(storage, &rows);
    write(storage, &[said(20, RowKind::User, "next"), note(21, "It is noon.")]);
    let mut asked = folded(Cause::Outgoing);
    asked.window = Some(Window { tokens: 10_000, max_output: 1000 });
    let Driven::Compacted(report) = run(&engine, &asked).unwrap() else { panic!() };
    assert_eq!((report.anchor.as_str(), report.kept_rows, report.restored_request), ("r0013", 2, None));
    let shown = prompt(&engine);
    let heads: Vec<_> = shown.messages.iter().map(|message| message.row.as_str()).collect();
    assert_eq!(heads, ["r0020", "r0021"]);
}

#[test]
fn what_came_while_the_model_wrote_is_neither_summarised_nor_lost() {
    let engine = engine(MemoryStorage::default());
    let storage = &engine.host().storage;
    let mut rows = turns(2, 2000);
    rows.pop();
    rows.extend([
        said(20, RowKind::User, "third"),
        pending(21, "and that"),
        said(22, RowKind::Assistant, "ok"),
        call(23, 22, Some("done")),
    ]);
    let steering = rows[8].row.id.clone();
    write(storage, &rows);
    let mut asked = folded(Cause::Outgoing);
    asked.window = Some(Window { tokens: 10_000, max_output: 1000 });
    asked.input.applying =
        Some(Applying { rows: vec![steering], after: Some(rows.last().unwrap().row.id.clone()) });
    let Driven::Compacted(report) = run(&engine, &asked).unwrap() else { panic!() };
    assert_eq!((report.anchor.as_str(), report.mode), ("r0020", BoundaryMode::Exclusive));
    assert_eq!((report.replaced_rows, report.kept_rows), (8, 3));
    assert_eq!(report.restored_request.as_ref().unwrap().as_str(), "r0020");
    let boundary = state(storage).boundary.unwrap();
    assert!(!boundary.summary.contains("and that"), "{}", boundary.summary);
    // It waits as before; once it is applied it renders behind its anchor.
    let shown = prompt(&engine);
    let heads: Vec<_> = shown.messages.iter().map(|message| message.row.as_str()).collect();
    assert_eq!(heads, ["r0020", report.checkpoint_id.as_str(), "r0022", "r0023"]);
    assert_eq!(state(storage).rows, rows.len());
}

#[test]
fn a_stored_request_waits_for_what_it_needs_and_is_fulfilled_once() {
    let engine = engine(MemoryStorage::default());
    write(&engine.host().storage, &turns(3, 200));
    pollster::block_on(engine.request_compaction(&id())).unwrap();
    let version = state(&engine.host().storage).version;
    pollster::block_on(engine.request_compaction(&id())).unwrap();
    assert_eq!(state(&engine.host().storage).version, version, "asked twice, stored once");
    let off = step(1, r#"{"enabled":false,"function_id":"throughline:fold"}"#);
    assert!(matches!(run(&engine, &off).unwrap(), Driven::NotDue { .. }));
    assert!(matches!(run(&engine, &step(1, "{}")).unwrap(), Driven::NotDue { .. }), "nobody summarises");
    assert!(state(&engine.host().storage).requested);
    // What the host configured is read from its storage, over what the caller brings.
    let config = parse(r#"{"function_id":"throughline:fold"}"#).unwrap();
    pollster::block_on(engine.set_compaction_config(&id(), Some(&config))).unwrap();
    let Driven::Compacted(report) = run(&engine, &step(1, HOST)).unwrap() else { panic!() };
    let now = state(&engine.host().storage);
    assert!(!now.requested && report.applied);
    assert_eq!(now.boundary.unwrap().metadata.unwrap().checkpoint_reason.as_str(), "compaction_requested");
    assert!(matches!(run(&engine, &step(1, HOST)).unwrap(), Driven::NotDue { .. }));
}

#[test]
fn a_commit_repeated_changes_nothing_and_one_that_was_overtaken_is_refused() {
    let storage: Arc<dyn DynStorage> = Arc::new(MemoryStorage::default());
    let (one, other) = (engine(Arc::clone(&storage)), engine(Arc::clone(&storage)));
    write(&storage, &turns(4, 200));
    let begin = |engine| begin_folded(engine, Cause::Requested);
    let (first, second) = (begin(&one), begin(&other));
    let report = pollster::block_on(one.commit_compaction(&first)).unwrap();
    let after = state(&storage);
    for engine in [&one, &other] {
        assert_eq!(pollster::block_on(engine.commit_compaction(&first)).unwrap(), report);
        assert_eq!(state(&storage), after);
    }
    let refused = pollster::block_on(other.commit_compaction(&second)).unwrap_err();
    assert_eq!(refused.code(), "compaction_superseded");
    assert_eq!(state(&storage), after);
}

#[test]
fn a_snapshot_is_not_reached_by_what_changes_later() {
    let engine = engine(MemoryStorage::default());
    write(&engine.host().storage, &turns(3, 200));
    let mut asked =
        step(1001, r#"{"token_threshold":1000,"function_id":"host:checkpoint","max_tokens":1000}"#);
    let begun = pollster::block_on(engine.begin_compaction(&id(), &asked, &EstimatedTokens)).unwrap();
    let Begun::Due(mut compaction) = begun else { panic!() };
    asked.layers.agent = parse(r#"{"function_id":"changed","max_tokens":999999}"#).unwrap();
    let config = parse(r#"{"function_id":"changed","max_tokens":999999}"#).unwrap();
    pollster::block_on(engine.set_compaction_config(&id(), Some(&config))).unwrap();
    write(&engine.host().storage, &[said(60, RowKind::User, "unheard of")]);
    let effect =
        pollster::block_on(engine.on_compaction(&mut compaction, CompactionEvent::Begun, &EstimatedTokens));
    let Ok(CompactionEffect::Summarize(summarize)) = effect else { panic!("{effect:?}") };
    assert_eq!((summarize.attempt.id.as_str(), summarize.config.max_tokens), ("host:checkpoint", 1000));
    assert!(!summarize.input.text.as_str().contains("unheard of"));
    let unexpected =
        pollster::block_on(engine.on_compaction(&mut compaction, CompactionEvent::Begun, &EstimatedTokens));
    assert!(unexpected.is_ok(), "beginning again asks again");
    let answer = CompactionEvent::Summarized { text: "short".into(), truncated: false };
    pollster::block_on(engine.on_compaction(&mut compaction, answer.clone(), &EstimatedTokens)).unwrap();
    assert!(pollster::block_on(engine.commit_compaction(&compaction)).unwrap().applied);
    let twice =
        pollster::block_on(engine.on_compaction(&mut compaction, answer, &EstimatedTokens)).unwrap_err();
    assert_eq!(twice.code(), "event_unexpected");
    // The row that came meanwhile replays.
    assert_eq!(prompt(&engine).messages.last().unwrap().row.as_str(), "r0060");
}

#[test]
fn requests_of_now_say_why_they_are_refused() {
    let engine = engine(MemoryStorage::default());
    let refused = |asked: &CompactRequest| run(&engine, asked).unwrap_err().code();
    assert_eq!(refused(&folded(Cause::Requested)), "session_unknown");
    write(&engine.host().storage, &[said(1, RowKind::User, "only this")]);
    assert_eq!(refused(&folded(Cause::Requested)), "nothing_to_compact");
    write(&engine.host().storage, &turns(3, 50)[4..]);
    let with = |agent: &str, summarizers| {
        let mut asked = CompactRequest { summarizers, ..CompactRequest::new(Cause::Requested) };
        asked.layers.agent = parse(agent).unwrap();
        asked
    };
    assert_eq!(refused(&with(r#"{"enabled":false}"#, Summarizers::Fold)), "compaction_disabled");
    assert_eq!(refused(&with("{}", Summarizers::Host)), "summarizer_missing");
    assert_eq!(refused(&with(HOST, Summarizers::Alone)), "host_required");
    assert_eq!(refused(&with(r#"{"token_threshold":"x"}"#, Summarizers::Fold)), "option_invalid");
    assert!(matches!(run(&engine, &with("{}", Summarizers::Alone)).unwrap(), Driven::Compacted(_)));
}

#[test]
fn the_config_is_scrubbed_and_checked_and_taken_away() {
    let engine = engine(MemoryStorage::default());
    write(&engine.host().storage, &turns(1, 5));
    let secret = ["ghp_", "R4nd0mFakeValueForTestsOnly012345678"].concat();
    let config = parse(&format!(r#"{{"token_threshold":"7","note":"{secret}"}}"#)).unwrap();
    pollster::block_on(engine.set_compaction_config(&id(), Some(&config))).unwrap();
    let stored = pollster::block_on(engine.compaction_config(&id())).unwrap().unwrap();
    assert!(!throughline_core::json::text(&stored).contains(&secret));
    assert_eq!(stored.get("token_threshold").and_then(Json::as_str), Some("7"));
    let wrong = parse("[]").unwrap();
    let error = pollster::block_on(engine.set_compaction_config(&id(), Some(&wrong))).unwrap_err();
    assert_eq!(error.code(), "option_invalid");
    pollster::block_on(engine.set_compaction_config(&id(), None)).unwrap();
    assert_eq!(pollster::block_on(engine.compaction_config(&id())).unwrap(), None);
    let _ = (clean("x"), entropy());
}

#[test]
fn input_older_than_the_anchor_is_read_again_and_waits_on() {
    let storage: Arc<dyn DynStorage> = Arc::new(MemoryStorage::default());
    let first = engine(Arc::clone(&storage));
    let mut rows = turns(2, 2000);
    rows.pop();
    // It waits since the first round of the turn, and two more rounds follow.
    rows.extend([
        pending(16, "and that"),
        said(20, RowKind::Assistant, "ok"),
        call(21, 20, Some("done")),
        said(22, RowKind::Assistant, "ok"),
        call(23, 22, Some("done")),
    ]);
    write(&storage, &rows);
    let mut asked = folded(Cause::Outgoing);
    asked.window = Some(Window { tokens: 10_000, max_output: 1000 });
    let Driven::Compacted(report) = run(&first, &asked).unwrap() else { panic!() };
    assert_eq!((report.anchor.as_str(), report.kept_rows), ("r0021", 2));
    let boundary = state(&storage).boundary.unwrap();
    assert_eq!(boundary.rows_from.unwrap().id.as_str(), "r0016");
    assert!(!boundary.summary.contains("and that"), "{}", boundary.summary);
    // Another engine over the same storage applies it: it stands behind its row, and nothing else comes back.
    let again = engine(Arc::clone(&storage));
    let heads =
        |prompt: &Prompt| prompt.messages.iter().map(|message| message.row.to_string()).collect::<Vec<_>>();
    let cut = report.checkpoint_id.to_string();
    assert_eq!(heads(&prompt(&again)), ["r0011", cut.as_str(), "r0022", "r0023"]);
    let boundary = state(&storage).boundary.unwrap().restore(&Redactor::standard());
    let query = Query::Rows { session: id(), from: boundary.rows_from.clone() };
    let Ok(Answer::Rows(stored)) = pollster::block_on(storage.read(&query)) else { panic!() };
    let rows = stored.into_iter().map(|row| row.restore(&Redactor::standard())).collect();
    let waiting = |number: &str| RowId::new(number).unwrap();
    let applying = Some(Applying { rows: vec![waiting("r0016")], after: Some(waiting("r0023")) });
    let applied = assemble(Input { rows, boundary: Some(boundary), applying, ..Input::default() });
    assert_eq!(heads(&applied), ["r0011", cut.as_str(), "r0022", "r0023", "r0016"]);
}

fn begin_folded<S: Storage>(engine: &TestEngine<S>, cause: Cause) -> Compaction {
    pollster::block_on(async {
        let asked = folded(cause);
        let Begun::Due(mut compaction) =
            engine.begin_compaction(&id(), &asked, &EstimatedTokens).await.unwrap()
        else {
            panic!()
        };
        let event = engine.on_compaction(&mut compaction, CompactionEvent::Begun, &EstimatedTokens).await;
        assert!(matches!(event, Ok(CompactionEffect::Commit(report)) if !report.applied));
        compaction
    })
}

#[test]
fn a_commit_repeated_after_a_newer_boundary_changes_nothing() {
    let engine = engine(MemoryStorage::default());
    let storage = &engine.host().storage;
    let rows = turns(4, 200);
    write(storage, &rows[..12]);
    let first = begin_folded(&engine, Cause::Requested);
    let report = pollster::block_on(engine.commit_compaction(&first)).unwrap();
    write(storage, &rows[12..]);
    let second = begin_folded(&engine, Cause::Requested);
    pollster::block_on(engine.commit_compaction(&second)).unwrap();
    let after = state(storage);
    assert_eq!(pollster::block_on(engine.commit_compaction(&first)).unwrap(), report);
    assert_eq!(state(storage), after);
}

#[test]
fn a_boundary_is_not_committed_when_its_anchor_left_the_live_conversation() {
    let engine = engine(MemoryStorage::default());
    let storage = &engine.host().storage;
    write(storage, &turns(3, 200));
    let compaction = begin_folded(&engine, Cause::Requested);
    rewind(storage, "r0021");
    let before = state(storage);
    let refused = pollster::block_on(engine.commit_compaction(&compaction)).unwrap_err();
    assert_eq!(refused.code(), "compaction_superseded");
    assert_eq!(state(storage), before);
}

#[test]
fn a_failure_before_sending_is_tried_again_after_ten_that_were_held_back() {
    let engine = engine(MemoryStorage::default());
    let mut rows = turns(3, 2000);
    rows.pop();
    write(&engine.host().storage, &rows);
    let mut asked = CompactRequest { cause: Cause::Outgoing, ..step(0, HOST) };
    asked.window = Some(Window { tokens: 10_000, max_output: 1000 });
    let agent = Told::with(&[]);
    let tried = |times: usize| {
        for _ in 0..times {
            assert_eq!(run_with(&engine, &asked, &agent).unwrap_err().code(), "prompt_exceeds_window");
        }
        agent.ids().len()
    };
    assert_eq!(tried(1), 1);
    assert_eq!(tried(10), 1, "held back");
    assert_eq!(tried(1), 2);
    assert_eq!(tried(10), 2, "and again");
}

#[test]
fn a_small_gain_holds_back_a_step_and_not_a_prompt_that_cannot_be_sent() {
    let engine = engine(MemoryStorage::default());
    let storage = &engine.host().storage;
    let mut rows = turns(2, 2000);
    rows.pop();
    // Nearly all of it is in the turn that stays.
    write(storage, &rows);
    let fold = |tokens| CompactRequest { summarizers: Summarizers::HostOrFold, ..step(tokens, HOST) };
    write(
        storage,
        &[said(20, RowKind::User, "third"), said(21, RowKind::Assistant, &"long ".repeat(400_000))],
    );
    let Driven::Compacted(report) = run(&engine, &fold(1001)).unwrap() else { panic!() };
    assert!((report.before_tokens - report.after_tokens) * 20 < report.before_tokens, "{report:?}");
    write(storage, &[said(22, RowKind::Assistant, "more")]);
    let Driven::NotDue { measured, diagnostics } = run(&engine, &fold(1001)).unwrap() else { panic!() };
    assert_eq!((measured.unwrap().tokens, diagnostics[0].code), (1001, "compaction_held_back"));
    let mut asked = folded(Cause::Outgoing);
    asked.window = Some(Window { tokens: 10_000, max_output: 1000 });
    let Driven::Compacted(report) = run(&engine, &asked).unwrap() else { panic!() };
    assert_eq!((report.anchor.as_str(), report.mode), ("r0022", BoundaryMode::Exclusive));
}

#[test]
fn what_was_measured_is_told_with_an_error_and_only_what_a_response_left_out() {
    let engine = engine(MemoryStorage::default());
    let storage = &engine.host().storage;
    write(storage, &turns(1, 2000));
    let mut asked = CompactRequest { summarizers: Summarizers::HostOrFold, ..step(0, HOST) };
    asked.cause = Cause::Step { reported: Some(Reported { context_tokens: None }) };
    let Driven::NotDue { measured, diagnostics } = run(&engine, &asked).unwrap() else { panic!() };
    assert!(measured.unwrap().estimated);
    let codes: Vec<_> = diagnostics.iter().map(|told| told.code).collect();
    assert_eq!(codes, ["nothing_to_compact", "context_tokens_missing"]);
    // A stored request compacts after a response that reported no usage: none of its sizes is missing.
    write(storage, &turns(3, 200)[4..]);
    pollster::block_on(engine.request_compaction(&id())).unwrap();
    asked.cause = Cause::Step { reported: None };
    let Driven::Compacted(report) = run(&engine, &asked).unwrap() else { panic!() };
    assert_eq!(report.diagnostics, []);
}

#[test]
fn a_boundary_names_its_own_cause_and_a_request_waits_where_it_was_none() {
    let engine = engine(MemoryStorage::default());
    let storage = &engine.host().storage;
    let mut rows = turns(3, 2000);
    rows.pop();
    write(storage, &rows);
    pollster::block_on(engine.request_compaction(&id())).unwrap();
    let mut asked = folded(Cause::Outgoing);
    asked.window = Some(Window { tokens: 10_000, max_output: 1000 });
    let reason = || {
        let now = state(storage);
        (now.boundary.unwrap().metadata.unwrap().checkpoint_reason.as_str().to_owned(), now.requested)
    };
    assert!(matches!(run(&engine, &asked).unwrap(), Driven::Compacted(_)));
    assert_eq!(reason(), ("token_threshold_exceeded".to_owned(), true));
    // In a step that is due by its size the request was a cause as well.
    write(storage, &[said(30, RowKind::User, "next"), said(31, RowKind::Assistant, &"long ".repeat(9000))]);
    write(storage, &[said(32, RowKind::User, "last"), said(33, RowKind::Assistant, "short")]);
    let due = CompactRequest { summarizers: Summarizers::HostOrFold, ..step(1001, HOST) };
    assert!(matches!(run(&engine, &due).unwrap(), Driven::Compacted(_)));
    assert_eq!(reason(), ("token_threshold_exceeded".to_owned(), false));
}

#[test]
fn a_binding_that_the_options_removed_makes_nothing_due() {
    let engine = engine(MemoryStorage::default());
    write(&engine.host().storage, &turns(3, 200));
    let mut asked = step(1001, r#"{"token_threshold":1000}"#);
    asked.layers.traits = vec![TraitLayer { id: "memory".into(), checkpoint: Json::Bool(false) }];
    asked.bindings = vec![Binding { trait_id: Some("memory".into()), ..Binding::new("b") }];
    let Driven::NotDue { diagnostics, .. } = run(&engine, &asked).unwrap() else { panic!() };
    assert_eq!(diagnostics, []);
    asked.layers.traits.clear();
    let agent = Told::with(&[Ok("A summary.")]);
    assert!(matches!(run_with(&engine, &asked, &agent).unwrap(), Driven::Compacted(_)));
    // What is switched off is not measured.
    let mut off = step(0, r#"{"enabled":false,"function_id":"host:checkpoint"}"#);
    off.cause = Cause::Step { reported: Some(Reported { context_tokens: None }) };
    assert!(matches!(run(&engine, &off).unwrap(), Driven::NotDue { measured: None, .. }));
}
