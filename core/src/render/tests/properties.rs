//! Over random conversations: every request is valid, the same twice, and extends the one before.
use super::wire::{check, messages};
use crate::{
    model::{Arguments, Issuer, MediaSource, Part, PartBody, ProviderData, ResultStatus, RowKind, StoredRow},
    prompt::{
        Prompt, Request, Settings, Tool,
        tests::rows::{assistant, call, clean, note, part, prompt_with, row, text, user},
    },
    redact::Opaque,
    render::{Api, Options, render},
};
use alloc::{format, string::String, vec, vec::Vec};
use proptest::{collection::vec as list, prelude::*};

#[derive(Debug, Clone)]
struct Round {
    issuer: usize,
    /// What stands before the calls, by kind.
    parts: Vec<u8>,
    calls: Vec<Call>,
}

#[derive(Debug, Clone)]
struct Call {
    id: u8,
    name: u8,
    arguments: u8,
    result: u8,
}

#[derive(Debug, Clone)]
enum Step {
    User(Vec<u8>),
    Note(Vec<u8>),
    Round(Round),
    Loose(Call),
}

fn one_call() -> impl Strategy<Value = Call> {
    (0..6u8, 0..4u8, 0..4u8, 0..8u8).prop_map(|(id, name, arguments, result)| Call {
        id,
        name,
        arguments,
        result,
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => list(0..6u8, 1..4).prop_map(Step::User),
        2 => list(0..6u8, 1..3).prop_map(Step::Note),
        5 => (0..5usize, list(0..10u8, 0..4), list(one_call(), 0..4))
            .prop_map(|(issuer, parts, calls)| Step::Round(Round { issuer, parts, calls })),
        1 => one_call().prop_map(Step::Loose),
    ]
}

fn opaque(text: &str) -> Option<Opaque> {
    Some(Opaque::from_store(text.into()))
}

fn media(kind: u8) -> PartBody {
    let name = kind.is_multiple_of(2).then(|| clean("it"));
    let source = match kind % 3 {
        0 => MediaSource::Base64(Opaque::from_store("QUJD".into())),
        1 => MediaSource::Url(clean("https://example.com/a")),
        _ => MediaSource::File(clean("file-1")),
    };
    match kind % 4 {
        0 => PartBody::Image { media_type: clean("image/png"), source, name },
        1 => PartBody::Image { media_type: clean(""), source, name },
        2 => PartBody::Document { media_type: clean("application/pdf"), source, name },
        _ => PartBody::Document { media_type: clean("application/zip"), source, name },
    }
}

/// A part of what a user, a note or a result holds.
fn content(kind: u8) -> PartBody {
    match kind {
        0 | 1 => text("words"),
        2 => text(" "),
        kind => media(kind),
    }
}

/// A part of what a model says, with what its issuer alone can read.
fn own(name: &str, index: u32, kind: u8) -> Part {
    let data = |signature, data, item: &str| {
        let item_id = (!item.is_empty()).then(|| clean(item));
        Some(ProviderData { signature, data, item_id })
    };
    let (body, provider_data) = match kind {
        0 => (text("says"), None),
        1 => (text(" "), None),
        2 => (text("says"), data(None, opaque("final_answer"), "msg_1")),
        3 => (text(""), data(opaque("c2ln"), None, "")),
        4 => (PartBody::Thinking { text: clean("hm"), redacted: false }, data(opaque("c2ln"), None, "")),
        5 => (PartBody::Thinking { text: clean(""), redacted: true }, data(None, opaque("ZW5j"), "rs_1")),
        6 => (PartBody::Thinking { text: clean("hm"), redacted: false }, data(None, opaque("ZW5k"), "rs_2")),
        7 => (PartBody::Thinking { text: clean("hm"), redacted: false }, data(None, None, "rs_2")),
        8 => (PartBody::Thinking { text: clean("hm"), redacted: false }, None),
        _ => (media(kind), None),
    };
    Part { provider_data, ..part(name, index, body) }
}

fn function(name: &str, place: usize, round: Option<(&str, u32)>, given: &Call) -> StoredRow {
    let mut stored = call(name, place, round);
    let long = "x".repeat(150);
    let call_id = match given.id {
        0 => "id-1".into(),
        1 => "id:2".into(),
        2 => String::new(),
        3 => long,
        4 => "tool use".into(),
        _ => format!("id-{name}"),
    };
    let tool = ["run", "fs.read", "日本", "9"][usize::from(given.name)];
    let arguments = match given.arguments {
        0 => Arguments::Json(clean(r#"{"n":1.50,"big":12345678901234567890123}"#)),
        1 => Arguments::Json(clean("[1]")),
        2 => Arguments::Json(clean("null")),
        _ => Arguments::Text(clean("ls -l")),
    };
    stored.parts[0].body = PartBody::ToolCall { call_id: call_id.clone(), name: clean(tool), arguments };
    if given.id % 2 == 1 {
        let data = ProviderData { signature: opaque("c2ln"), data: None, item_id: Some(clean("fc_1")) };
        stored.parts[0].provider_data = Some(data);
    }
    let result = |status, content| PartBody::ToolResult { call_id, status, content };
    let result = match given.result {
        0 => None,
        1 => Some(result(ResultStatus::Success, vec![])),
        2 => Some(result(ResultStatus::Error, vec![])),
        3 => Some(result(ResultStatus::Error, vec![content(2), content(5)])),
        kind => Some(result(ResultStatus::Success, vec![content(0), content(kind)])),
    };
    stored.parts.extend(result.map(|body| part(name, 1, body)));
    stored
}

fn issuer(kind: usize) -> Option<Issuer> {
    let named = |provider: &str| Some(Issuer { provider: clean(provider), model: clean("m") });
    match kind {
        0 => None,
        1 => named("anthropic"),
        2 => named("openai"),
        3 => named("google"),
        _ => Some(Issuer { provider: clean("google"), model: clean("other") }),
    }
}

fn rows(steps: &[Step]) -> Vec<StoredRow> {
    let mut rows = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let (name, place) = (format!("r{at}"), at * 10);
        let filled = |mut stored: StoredRow, kinds: &[u8]| {
            let parts = (0u32..).zip(kinds).map(|(index, kind)| part(&name, index, content(*kind)));
            stored.parts = parts.collect();
            stored
        };
        match step {
            Step::User(kinds) => rows.push(filled(user(&name, place), kinds)),
            Step::Note(kinds) => rows.push(filled(note(&name, place), kinds)),
            Step::Loose(given) => rows.push(function(&name, place, None, given)),
            Step::Round(round) => {
                let mut stored = row(RowKind::Assistant, &name, place);
                stored.row.issuer = issuer(round.issuer);
                stored.row.generation_checkpoint_id = Some(String::new());
                stored.row.imported = true;
                stored.parts =
                    (0u32..).zip(&round.parts).map(|(index, kind)| own(&name, index, *kind)).collect();
                rows.push(stored);
                for (k, given) in round.calls.iter().enumerate() {
                    let index = u32::try_from(round.parts.len() + k).unwrap();
                    let mut made =
                        function(&format!("{name}c{k}"), place + k + 1, Some((&name, index)), given);
                    made.row.issuer = issuer(round.issuer);
                    rows.push(made);
                }
            }
        }
    }
    rows
}

fn request() -> Request {
    let tool = |name: &str| Tool {
        name: clean(name),
        description: clean(""),
        input_schema: crate::json::parse("{}").unwrap(),
    };
    Request {
        model: Some(clean("m")),
        system: vec![clean("be brief")],
        tools: vec![tool("run"), tool("fs.read")],
        settings: Settings { tool_choice: Some("fs.read".into()), ..Settings::default() },
    }
}

fn assembled(rows: Vec<StoredRow>) -> Prompt {
    prompt_with(rows, None, request())
}

fn plain() -> Options {
    Options { cache_markers: false, ..Options::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn requests_are_valid_and_the_same_twice(steps in list(step(), 0..12)) {
        let prompt = assembled(rows(&steps));
        for api in Api::ALL {
            let rendered = render(api, &prompt, &Options::default());
            check(api, &rendered.body);
            prop_assert_eq!(&render(api, &prompt, &Options::default()), &rendered);
            let text = crate::json::canonical(&rendered.to_json());
            prop_assert_eq!(crate::json::canonical(&crate::json::parse(&text).unwrap()), text);
        }
    }

    #[test]
    fn what_is_sent_extends_what_was_sent(steps in list(step(), 1..12), cut in any::<prop::sample::Index>()) {
        let all = rows(&steps);
        let earlier = assembled(rows(&steps[..cut.index(steps.len())]));
        let later = assembled(all);
        for api in Api::ALL {
            let mut stable = earlier.clone();
            stable.messages.truncate(earlier.stable_len);
            let before = render(api, &stable, &plain()).body;
            let after = render(api, &later, &plain()).body;
            let (before, after) = (messages(api, &before), messages(api, &after));
            prop_assert!(after.starts_with(before), "{api:?}: {before:?} is no prefix of {after:?}");
        }
    }
}

#[test]
fn any_prompt_renders_even_one_that_no_rows_give() {
    // Results without calls, a call without its result, parts where none belongs.
    let mut prompt = assembled(vec![
        user("u", 0),
        assistant("a", 1),
        function("c", 2, None, &Call { id: 5, name: 0, arguments: 0, result: 1 }),
    ]);
    prompt.messages.reverse();
    let more: Vec<_> = prompt.messages.iter().flat_map(|message| message.parts.clone()).collect();
    for message in &mut prompt.messages {
        message.parts.extend(more.clone());
    }
    for api in Api::ALL {
        assert!(render(api, &prompt, &Options::default()).body.as_object().is_some());
    }
}
