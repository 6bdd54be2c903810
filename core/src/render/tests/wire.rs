//! What every provider asks of a request, checked on its body.
use crate::{
    json::{Json, canonical},
    render::Api,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use std::collections::BTreeSet;

/// One step of a conversation on the wire.
#[derive(Debug, PartialEq)]
enum Step {
    /// Calls that one message makes.
    Calls(Vec<String>),
    /// Results, as many as stand together.
    Results(Vec<String>),
    Other,
}

/// The messages, items or contents of a body.
pub(super) fn messages(api: Api, body: &Json) -> &[Json] {
    let key = match api {
        Api::Anthropic | Api::OpenaiChat => "messages",
        Api::OpenaiResponses => "input",
        Api::Gemini => "contents",
    };
    body.get(key).and_then(Json::as_array).unwrap()
}

pub(super) fn check(api: Api, body: &Json) {
    let messages = messages(api, body);
    let mut seen = BTreeSet::new();
    let mut waiting: Vec<String> = Vec::new();
    for step in steps(api, messages) {
        match step {
            Step::Calls(ids) => {
                assert!(waiting.is_empty(), "{waiting:?} have no result in {}", canonical(body));
                for id in &ids {
                    assert!(is_id(api, id), "{id}");
                    assert!(seen.insert(id.clone()), "{id} repeats");
                }
                waiting = ids;
            }
            Step::Results(ids) => assert_eq!(core::mem::take(&mut waiting), ids, "{}", canonical(body)),
            Step::Other => assert!(waiting.is_empty(), "{waiting:?} have no result in {}", canonical(body)),
        }
    }
    assert!(waiting.is_empty());
    for message in messages {
        no_empty_text(api, message);
    }
    if matches!(api, Api::Anthropic | Api::Gemini) {
        let first = messages.first().and_then(|first| first.get("role")).and_then(Json::as_str);
        assert!(matches!(first, None | Some("user")), "begins with {first:?}");
    }
}

fn is_id(api: Api, id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let longest = match api {
        Api::Anthropic => usize::MAX,
        Api::OpenaiResponses => 64,
        Api::OpenaiChat => 40,
        Api::Gemini => 128,
    };
    !id.is_empty() && id.len() <= longest && (api == Api::Gemini || id.bytes().all(plain))
}

fn text(json: &Json, key: &str) -> String {
    json.get(key).and_then(Json::as_str).unwrap_or_default().to_string()
}

fn list<'a>(json: &'a Json, key: &str) -> &'a [Json] {
    json.get(key).and_then(Json::as_array).unwrap_or_default()
}

fn steps(api: Api, messages: &[Json]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for message in messages {
        let step = match api {
            Api::Anthropic => blocks(list(message, "content"), |block| match text(block, "type").as_str() {
                "tool_use" => Some(Step::Calls([text(block, "id")].into())),
                "tool_result" => Some(Step::Results([text(block, "tool_use_id")].into())),
                _ => None,
            }),
            Api::Gemini => blocks(list(message, "parts"), |part| match part {
                part if part.get("functionCall").is_some() => {
                    Some(Step::Calls([text(part.get("functionCall").unwrap(), "id")].into()))
                }
                part if part.get("functionResponse").is_some() => {
                    Some(Step::Results([text(part.get("functionResponse").unwrap(), "id")].into()))
                }
                _ => None,
            }),
            Api::OpenaiChat if message.get("tool_calls").is_some() => {
                Step::Calls(list(message, "tool_calls").iter().map(|call| text(call, "id")).collect())
            }
            Api::OpenaiChat if text(message, "role") == "tool" => {
                Step::Results([text(message, "tool_call_id")].into())
            }
            Api::OpenaiResponses if text(message, "type") == "function_call" => {
                Step::Calls([text(message, "call_id")].into())
            }
            Api::OpenaiResponses if text(message, "type") == "function_call_output" => {
                Step::Results([text(message, "call_id")].into())
            }
            Api::OpenaiChat | Api::OpenaiResponses => Step::Other,
        };
        // Where calls and results stand singly, those of one round are told by standing together. A text of the
        // model may stand between its calls.
        let is_own = text(message, "role") == "assistant" || text(message, "type") == "reasoning";
        match (steps.last_mut(), step) {
            (Some(Step::Calls(ids)), Step::Calls(more)) if api == Api::OpenaiResponses => ids.extend(more),
            (Some(Step::Results(ids)), Step::Results(more)) => ids.extend(more),
            (Some(Step::Calls(_)), Step::Other) if api == Api::OpenaiResponses && is_own => {}
            (_, step) => steps.push(step),
        }
    }
    steps
}

/// The calls of a message, or its results, which hold nothing else.
fn blocks(blocks: &[Json], read: impl Fn(&Json) -> Option<Step>) -> Step {
    let (mut calls, mut results) = (Vec::new(), Vec::new());
    for block in blocks {
        match read(block) {
            Some(Step::Calls(ids)) => calls.extend(ids),
            Some(Step::Results(ids)) => results.extend(ids),
            _ => {}
        }
    }
    match (calls.is_empty(), results.is_empty()) {
        (true, true) => Step::Other,
        (false, true) => Step::Calls(calls),
        (true, false) if results.len() == blocks.len() => Step::Results(results),
        _ => panic!("calls and results, or results and others, in one message"),
    }
}

/// Providers refuse blank texts; behind a signature of theirs one may stand.
fn no_empty_text(api: Api, message: &Json) {
    let blocks = match api {
        Api::Gemini => list(message, "parts"),
        _ => list(message, "content"),
    };
    let is_signed = |block: &Json| {
        block.get("thoughtSignature").is_some()
            || block.get("thought").is_some()
            || matches!(text(block, "type").as_str(), "thinking" | "redacted_thinking")
    };
    let keeps_blank = blocks.iter().any(is_signed);
    for block in blocks {
        let Some(words) = block.get("text").and_then(Json::as_str) else { continue };
        let is_fine = !words.trim().is_empty() || is_signed(block) || (keeps_blank && !words.is_empty());
        assert!(is_fine, "a blank text in {}", canonical(message));
    }
    if matches!(api, Api::Anthropic | Api::Gemini) {
        assert!(!blocks.is_empty(), "a message of nothing");
    }
}
