//! Answers on their way into rows, and back to their provider.
use super::wire::messages;
use crate::{
    id::RowId,
    json::{Json, canonical, parse},
    model::{PartBody, ResultStatus, RowKind, StoredRow},
    prompt::{
        Request,
        tests::rows::{at, clean, part, prompt_with, text, user},
    },
    redact::Redactor,
    render::{Answered, Api, Options, RenderError, Response, Stream, read, render},
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

fn answer(api: Api, text: &str) -> Result<Response, RenderError> {
    read(api, &parse(text).unwrap(), &Redactor::standard(), &[])
}

fn ids() -> impl FnMut() -> RowId {
    let mut number = 0;
    move || {
        number += 1;
        RowId::new(format!("row-{number}")).unwrap()
    }
}

fn request() -> Request {
    Request { model: Some(clean("alias")), ..Request::default() }
}

/// The rows of an answer to a user's message, its calls answered.
fn conversation(response: Response) -> Vec<StoredRow> {
    let asked = vec![user("u", 0)];
    let prompt = prompt_with(asked.clone(), None, request());
    let mut rows = response.into_rows(Answered::from(&prompt), at(1), ids());
    for stored in rows.iter_mut().filter(|stored| stored.row.kind == RowKind::Function) {
        let PartBody::ToolCall { call_id, .. } = &stored.parts[0].body else { panic!("no call") };
        let body = PartBody::ToolResult {
            call_id: call_id.clone(),
            status: ResultStatus::Success,
            content: vec![text("gave")],
        };
        let name = stored.row.id.as_str().to_string();
        stored.parts.push(part(&name, 1, body));
    }
    [asked, rows, vec![user("v", 9)]].concat()
}

#[test]
fn thinking_of_the_own_answer_is_kept_and_proven() {
    let message = r#"{"id":"msg_1","model":"alias-2026","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},
        {"type":"tool_use","id":"toolu_1","name":"run","input":{"n":1.50}}],"stop_reason":"tool_use",
        "usage":{"input_tokens":3,"output_tokens":2}}"#;
    let rows = conversation(answer(Api::Anthropic, message).unwrap());
    let (head, call) = (&rows[1].row, &rows[2].row);
    assert_eq!(head.issuer.as_ref().unwrap().model.as_str(), "alias", "as the request named it");
    assert_eq!((call.round.as_ref().unwrap().index, call.created_at), (1, at(1).next()));
    let source = rows[2].parts[0].source.as_ref().unwrap();
    assert_eq!((source.stop_reason.as_deref(), source.usage.unwrap().input_tokens), (Some("tool_use"), 3));
    assert!(rows[1].parts[0].source.is_none());

    let prompt = prompt_with(rows.clone(), None, request());
    assert_eq!(prompt.diagnostics, [], "the chain hash vouches for the thinking");
    let body = render(Api::Anthropic, &prompt, &Options::default()).body;
    let sent = canonical(&messages(Api::Anthropic, &body)[1]);
    assert!(sent.contains(r#"{"signature":"c2ln","thinking":"hm","type":"thinking"}"#), "{sent}");

    // When something before it changed, it goes.
    let mut changed = rows;
    changed[0].parts[0].body = text("something else");
    let prompt = prompt_with(changed, None, request());
    assert_eq!(prompt.diagnostics[0].code, "thinking_left_out");
}

#[test]
fn an_answer_of_nothing_is_a_row_with_an_empty_text() {
    let message = r#"{"content":[],"stop_reason":"end_turn","usage":{"input_tokens":3,"output_tokens":0}}"#;
    let response = answer(Api::Anthropic, message).unwrap();
    assert_eq!(response.context_tokens, Some(3));
    let prompt = prompt_with(vec![], None, Request::default());
    let rows = response.into_rows(Answered::from(&prompt), at(1), ids());
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].parts[0].body, text(""));
    assert!(rows[0].parts[0].source.as_ref().unwrap().usage.is_some());
    assert_eq!(rows[0].row.generation_checkpoint_id.as_deref(), Some(""));
}

#[test]
fn tools_run_with_what_was_sent_and_rows_hold_what_is_scrubbed() {
    let secret = ["hunt", "er2!x9"].concat();
    let message = format!(
        r#"{{"choices":[{{"message":{{"tool_calls":[{{"id":"c","function":{{"name":"run","arguments":"{{\"password\":\"{secret}\"}}"}}}}]}}}}]}}"#
    );
    let response = answer(Api::OpenaiChat, &message).unwrap();
    assert_eq!(response.calls[0].arguments.get("password").and_then(Json::as_str), Some(secret.as_str()));
    assert!(!format!("{response:?}").contains(&secret));
    let prompt = prompt_with(vec![], None, Request::default());
    let rows = response.into_rows(Answered::from(&prompt), at(1), ids());
    assert!(!serde_json::to_string(&rows).unwrap().contains(&secret));
}

#[test]
fn errors_have_codes_and_places() {
    let secret = ["hunt", "er2!x9"].concat();
    let failed =
        format!(r#"{{"type":"error","error":{{"type":"overloaded_error","message":"password: {secret}"}}}}"#);
    let error = answer(Api::Anthropic, &failed).unwrap_err();
    assert_eq!((error.code(), error.path()), ("response_failed", ""));
    assert!(
        error
            .to_string()
            .starts_with("the provider answers with an error: overloaded_error: password: [REDACTED")
    );
    let error = answer(Api::OpenaiChat, "{}").unwrap_err();
    assert_eq!(error.to_string(), "choices: an array with at least one choice");
    let mut stream = Stream::new(Api::Anthropic);
    let error = stream.push(&parse(r#"{"type":"content_block_stop","index":0}"#).unwrap()).unwrap_err();
    assert_eq!((error.code(), error.path()), ("stream_invalid", "type"));
}

#[test]
fn a_stream_that_was_cut_gives_what_had_come() {
    let events = [
        r#"{"type":"message_start","message":{"id":"m","model":"x","content":[],"usage":{"input_tokens":3}}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#,
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}"#,
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"half a wo"}}"#,
    ];
    let mut stream = Stream::new(Api::Anthropic);
    for event in events {
        stream.push(&parse(event).unwrap()).unwrap();
    }
    let merged = stream.finish();
    assert!(!merged.is_complete);
    let response = read(Api::Anthropic, &merged.response, &Redactor::standard(), &[]).unwrap();
    let replay: Vec<(bool, &PartBody)> =
        response.blocks.iter().map(|block| (block.replay, &block.body)).collect();
    assert_eq!(replay[0], (false, &PartBody::Thinking { text: clean("hm"), redacted: false }));
    assert_eq!(replay[1], (true, &text("half a wo")));
    assert_eq!((response.stop_reason, response.context_tokens), (None, Some(3)));
}

#[test]
fn however_it_is_cut_a_stream_of_arguments_gives_the_same() {
    let arguments = r#"{"a":"é😀","b":[1,2.50]}"#;
    let pieces: Vec<String> = arguments.chars().map(String::from).collect();
    let call = |piece: &str| {
        let piece = canonical(&piece.into());
        parse(&format!(r#"{{"id":"x","choices":[{{"delta":{{"tool_calls":[{{"index":0,"id":"c","function":{{"name":"run","arguments":{piece}}}}}]}}}}]}}"#)).unwrap()
    };
    let merged = |pieces: &[String]| {
        let mut stream = Stream::new(Api::OpenaiChat);
        pieces.iter().for_each(|piece| stream.push(&call(piece)).unwrap());
        canonical(&stream.finish().response)
    };
    assert_eq!(merged(&pieces), merged(&[arguments.into()]));
}
