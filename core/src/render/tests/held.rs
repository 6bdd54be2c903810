//! Thinking that may not be stored: in requests of its round, and nowhere else.
use crate::{
    id::RowId,
    json::{Json, canonical, parse},
    model::{Part, PartBody, ResultStatus, RowKind, StoredRow},
    prompt::{
        Conversation, Input, Prompt, Request, assemble,
        tests::rows::{at, clean, part, said, text, user},
    },
    redact::Redactor,
    render::{Answered, Api, Options, Response, read, render},
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use proptest::{collection::vec as list, prelude::*};

/// In parts, so that no scanner takes it for one.
fn secret() -> String {
    ["hunt", "er2!x9"].concat()
}

fn words(is_secret: bool, number: usize) -> String {
    if is_secret {
        format!("the password: {} of {number} \"é\"\n", secret())
    } else {
        format!("hm {number}")
    }
}

/// A block of an answer.
#[derive(Debug, Clone, Copy)]
enum Block {
    Signed { is_secret: bool },
    Unsigned { is_secret: bool },
    Encrypted,
    Said { is_secret: bool },
}

fn block() -> impl Strategy<Value = Block> {
    let secret = || prop::bool::weighted(0.4);
    prop_oneof![
        5 => secret().prop_map(|is_secret| Block::Signed { is_secret }),
        1 => secret().prop_map(|is_secret| Block::Unsigned { is_secret }),
        1 => Just(Block::Encrypted),
        2 => prop::bool::weighted(0.1).prop_map(|is_secret| Block::Said { is_secret }),
    ]
}

fn object(fields: &[(&str, Json)]) -> Json {
    let mut out = crate::json::Object::new();
    fields.iter().for_each(|(key, value)| drop(out.insert(*key, value.clone())));
    out.into()
}

fn sign(number: usize) -> Json {
    format!("c2ln{number:04}").into()
}

fn anthropic(number: usize, block: Block) -> Json {
    match block {
        Block::Signed { is_secret } | Block::Unsigned { is_secret } => {
            let signature = if matches!(block, Block::Signed { .. }) { sign(number) } else { "".into() };
            let thinking = words(is_secret, number).into();
            object(&[("type", "thinking".into()), ("thinking", thinking), ("signature", signature)])
        }
        Block::Encrypted => object(&[("type", "redacted_thinking".into()), ("data", sign(number))]),
        Block::Said { is_secret } => {
            object(&[("type", "text".into()), ("text", words(is_secret, number).into())])
        }
    }
}

fn openai(number: usize, block: Block) -> Json {
    let piece = |text: String| object(&[("type", "summary_text".into()), ("text", text.into())]);
    let reasoning = |summary: Vec<Json>, data: Json| {
        let id = format!("rs_{number}").into();
        object(&[
            ("type", "reasoning".into()),
            ("id", id),
            ("summary", summary.into()),
            ("encrypted_content", data),
        ])
    };
    match block {
        Block::Signed { is_secret } => {
            reasoning(vec![piece("first".into()), piece(words(is_secret, number))], sign(number))
        }
        Block::Unsigned { is_secret } => reasoning(vec![piece(words(is_secret, number))], Json::Null),
        Block::Encrypted => reasoning(vec![], sign(number)),
        Block::Said { is_secret } => {
            let said = object(&[("type", "output_text".into()), ("text", words(is_secret, number).into())]);
            let id = format!("msg_{number}").into();
            object(&[("type", "message".into()), ("id", id), ("content", vec![said].into())])
        }
    }
}

fn gemini(number: usize, block: Block) -> Json {
    let (is_secret, is_thought) = match block {
        Block::Signed { is_secret } | Block::Unsigned { is_secret } => (is_secret, true),
        Block::Encrypted => (false, true),
        Block::Said { is_secret } => (is_secret, false),
    };
    let mut fields = vec![("text", words(is_secret, number).into())];
    if is_thought {
        fields.push(("thought", true.into()));
    }
    if matches!(block, Block::Signed { .. }) {
        fields.push(("thoughtSignature", sign(number)));
    }
    object(&fields)
}

/// An answer of these blocks that calls a tool.
fn answer(api: Api, blocks: &[Block]) -> Json {
    let numbered = || blocks.iter().copied().enumerate();
    match api {
        Api::Anthropic => {
            let mut content: Vec<Json> = numbered().map(|(i, block)| anthropic(i, block)).collect();
            content
                .push(parse(r#"{"type":"tool_use","id":"toolu_1","name":"run","input":{"n":1}}"#).unwrap());
            object(&[("content", content.into()), ("stop_reason", "tool_use".into())])
        }
        Api::OpenaiResponses => {
            let mut output: Vec<Json> = numbered().map(|(i, block)| openai(i, block)).collect();
            let call =
                r#"{"type":"function_call","id":"fc_1","call_id":"call_1","name":"run","arguments":"{}"}"#;
            output.push(parse(call).unwrap());
            object(&[("output", output.into()), ("status", "completed".into())])
        }
        _ => {
            let mut parts: Vec<Json> = numbered().map(|(i, block)| gemini(i, block)).collect();
            parts.push(parse(r#"{"functionCall":{"name":"run","args":{}}}"#).unwrap());
            let content = object(&[("role", "model".into()), ("parts", parts.into())]);
            object(&[("candidates", vec![object(&[("content", content)])].into())])
        }
    }
}

fn request() -> Request {
    Request { model: Some(clean("m")), ..Request::default() }
}

fn rows_of(response: Response, prompt: &Prompt, name: &str, place: usize) -> Vec<StoredRow> {
    let mut number = 0;
    let ids = || {
        number += 1;
        RowId::new(format!("{name}{number}")).unwrap()
    };
    response.into_rows(Answered::from(prompt), at(place), ids)
}

fn done(mut call: StoredRow) -> StoredRow {
    let PartBody::ToolCall { call_id, .. } = &call.parts[0].body else { panic!("no call") };
    let (call_id, name) = (call_id.clone(), call.row.id.to_string());
    let body = PartBody::ToolResult { call_id, status: ResultStatus::Success, content: vec![text("gave")] };
    call.parts.push(part(&name, 1, body));
    call
}

/// Everything that is or can be stored, printed or shown of a conversation holds no secret, and it is what is
/// assembled in one go.
fn check(conversation: &Conversation, api: Api) -> String {
    let prompt = conversation.prompt();
    let input = conversation.input();
    let body = render(api, prompt, &Options::default());
    let told = [
        prompt.json_text(),
        serde_json::to_string(prompt).unwrap(),
        serde_json::to_string(&prompt.diagnostics).unwrap(),
        serde_json::to_string(&body.diagnostics).unwrap(),
        serde_json::to_string(&input.rows).unwrap(),
        format!("{prompt:?}{conversation:?}{input:?}{body:?}"),
    ];
    assert!(!told.concat().contains(&secret()), "{told:?}");
    assert_eq!(prompt.hash_again(), prompt.tail_hash);
    assert_eq!(*prompt, assemble(input));
    canonical(&body.body)
}

fn is_held(sent: &str, piece: &str) -> bool {
    sent.contains(&canonical(&piece.into()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_held_is_sent_to_the_byte_in_its_round_and_nowhere_else(
        blocks in list(block(), 1..6),
        which in 0..3usize,
        is_late in any::<bool>(),
        steers in any::<bool>(),
    ) {
        let api = [Api::Anthropic, Api::OpenaiResponses, Api::Gemini][which];
        let mut conversation = Conversation::new(Input { request: request(), ..Input::default() });
        conversation.put(user("u", 0));
        let mut response = read(api, &answer(api, &blocks), &Redactor::standard(), &[]).unwrap();
        let debug = format!("{response:?}");
        prop_assert!(!debug.contains(&secret()));
        let held = core::mem::take(&mut response.held);
        let (is_any, withheld) = (!held.is_empty(), response.diagnostics.iter().any(|note| note.code == "thinking_withheld"));
        let rows = rows_of(response, conversation.prompt(), "a", 1);
        prop_assert!(!serde_json::to_string(&rows).unwrap().contains(&secret()));
        let row = rows[0].row.id.clone();
        let ended = done(rows[rows.len() - 1].clone());
        conversation.put_all(rows);
        let is_withheld = |part: &Part| {
            !part.replay && part.provider_data.is_some() && matches!(part.body, PartBody::Thinking { .. })
        };
        let is_lost = conversation.input().rows.iter().flat_map(|stored| &stored.parts).any(is_withheld);
        prop_assert_eq!(conversation.prompt().thinking_off, is_lost);
        let before = check(&conversation, api);
        prop_assert!(!before.contains(&secret()));
        if is_late {
            conversation.put(ended.clone());
        }
        let change = conversation.hold(&row, held.clone()).unwrap();
        prop_assert_eq!(change.edit, None, "what waits for memory is not promised");
        conversation.put(ended);
        let during = check(&conversation, api);
        for piece in held.iter().flat_map(|held| &held.pieces) {
            prop_assert!(is_held(&during, piece), "{during} lacks {piece}");
        }
        prop_assert_eq!(during.contains(&secret()), is_any && held.iter().any(|held| !held.pieces.is_empty()));
        let signed = |block: &Block| matches!(block, Block::Signed { .. } | Block::Encrypted);
        let is_scrubbed = blocks.iter().any(|block| matches!(block, Block::Said { is_secret: true } | Block::Unsigned { is_secret: true }));
        if withheld && !is_scrubbed && blocks.iter().all(signed) && which < 2 {
            prop_assert!(!conversation.prompt().thinking_off, "nothing is lost");
        }
        let stable_len = conversation.prompt().stable_len;
        if is_any {
            prop_assert_eq!(stable_len, 1);
        }
        let off = conversation.prompt().thinking_off;

        let next = if steers { user("v", 8) } else { said(RowKind::Assistant, "v", 8, "and so") };
        let change = conversation.put(next);
        prop_assert_eq!(change.edit, None);
        prop_assert!(!check(&conversation, api).contains(&secret()), "its round is over");
        prop_assert!(conversation.prompt().held.is_empty());
        prop_assert!(conversation.input().held.values().all(Vec::is_empty), "it is forgotten");
        prop_assert_eq!(conversation.prompt().thinking_off, off && !steers);
        // The round is the current one again, and its thinking is lost.
        conversation.remove(&[RowId::new("v").unwrap()], crate::prompt::Removal::Discarded).unwrap();
        prop_assert!(!check(&conversation, api).contains(&secret()));
        prop_assert!(!is_any || conversation.prompt().thinking_off);
        conversation.put(said(RowKind::Assistant, "w", 9, "anew"));
        check(&conversation, api);
        prop_assert!(!is_any || conversation.prompt().thinking_off);
    }
}

fn held_of(api: Api, blocks: &[Block]) -> (Conversation, RowId, Response) {
    let mut conversation = Conversation::new(Input { request: request(), ..Input::default() });
    conversation.put(user("u", 0));
    let response = read(api, &answer(api, blocks), &Redactor::standard(), &[]).unwrap();
    let rows = rows_of(response.clone(), conversation.prompt(), "a", 1);
    let row = rows[0].row.id.clone();
    conversation.put_all(rows);
    (conversation, row, response)
}

#[test]
fn anthropic_gets_its_block_first_as_it_signed_it() {
    let (mut conversation, row, response) = held_of(Api::Anthropic, &[Block::Signed { is_secret: true }]);
    assert_eq!((response.held.len(), response.held[0].block), (1, 0));
    conversation.hold(&row, response.held).unwrap();
    let body = render(Api::Anthropic, conversation.prompt(), &Options::default()).body;
    let message = super::wire::messages(Api::Anthropic, &body)[1].clone();
    let first = &message.get("content").and_then(Json::as_array).unwrap()[0];
    assert_eq!(canonical(first), canonical(&anthropic(0, Block::Signed { is_secret: true })));
    assert!(conversation.prompt().diagnostics.iter().any(|note| note.code == "thinking_held"));
}

#[test]
fn openai_gets_its_item_with_all_pieces_and_the_ids_behind_it() {
    let (mut conversation, row, response) =
        held_of(Api::OpenaiResponses, &[Block::Signed { is_secret: true }, Block::Said { is_secret: false }]);
    assert_eq!(response.held[0].pieces, ["first".to_string(), words(true, 0)]);
    conversation.hold(&row, response.held).unwrap();
    let body = render(Api::OpenaiResponses, conversation.prompt(), &Options::default()).body;
    let items = body.get("input").and_then(Json::as_array).unwrap();
    assert_eq!(canonical(&items[1]), canonical(&openai(0, Block::Signed { is_secret: true })));
    let ids: Vec<Option<&str>> =
        items.iter().skip(2).map(|item| item.get("id").and_then(Json::as_str)).collect();
    assert_eq!(
        ids,
        [Some("msg_1"), Some("fc_1"), None],
        "an item without its reasoning would go without its id"
    );
}

#[test]
fn a_host_without_memory_asks_without_thinking_until_the_turn_ends() {
    let (mut conversation, row, _) = held_of(Api::Anthropic, &[Block::Signed { is_secret: true }]);
    assert!(conversation.prompt().thinking_off);
    conversation.put(said(RowKind::Assistant, "b", 5, "and so"));
    assert!(conversation.prompt().thinking_off, "for the rest of the turn");
    let codes: Vec<&str> = conversation.prompt().diagnostics.iter().map(|note| note.code).collect();
    assert!(codes.contains(&"thinking_withheld"));
    conversation.put(user("v", 6));
    assert!(!conversation.prompt().thinking_off);
    assert_eq!(conversation.hold(&row, vec![]).unwrap().edit, None);
    let nobody = RowId::new("nobody").unwrap();
    assert_eq!(conversation.hold(&nobody, vec![]).unwrap_err().code(), "row_unknown");
}

#[test]
fn what_is_stored_says_that_thinking_was_there_and_nothing_of_it() {
    let (_, _, response) = held_of(Api::Anthropic, &[Block::Signed { is_secret: true }]);
    let stored = serde_json::to_string(&response.blocks[0].body).unwrap();
    assert_eq!(stored, r#"{"type":"thinking","text":""}"#);
    let data = serde_json::to_string(&response.blocks[0].provider_data).unwrap();
    assert_eq!((response.blocks[0].replay, data.as_str()), (false, "{}"));
    assert_eq!(format!("{:?}", response.held), "[HeldThinking { block: 0, .. }]");
}
