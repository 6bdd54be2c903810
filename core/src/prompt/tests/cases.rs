//! What each rule gives.
use super::{
    rows::{
        assistant, boundary, call, clean, done, id, imported, note, part, prompt, prompt_with, result, row,
        said, stopped, text, thinking, user,
    },
    shape::{check, codes, shape},
};
use crate::{
    json,
    model::{Arguments, BoundaryMode, MediaSource, Part, PartBody, ResultStatus, RowKind, StoredRow},
    prompt::{Body, INTERRUPTED, MarkerAt, RESUME_NOTE, Request, Tool},
    redact::{Opaque, Redactor},
};
use alloc::{format, string::String, vec, vec::Vec};

fn image(row: &str, index: u32) -> Part {
    let source = MediaSource::Base64(Opaque::from_store("QUJD".into()));
    part(row, index, PartBody::Image { media_type: clean("image/png"), source, name: None })
}

#[test]
fn no_rows_give_no_messages() {
    let prompt = prompt(vec![]);
    check(&prompt);
    assert!(prompt.messages.is_empty() && prompt.markers.is_empty());
}

#[test]
fn a_parallel_round_is_one_message_and_its_results_and_then_the_notes() {
    let prompt = prompt(vec![
        user("u", 1),
        assistant("a", 2),
        done(call("c2", 3, Some(("a", 2)))),
        note("n", 4),
        done(call("c1", 5, Some(("a", 1)))),
        note("m", 6),
    ]);
    check(&prompt);
    assert_eq!(
        shape(&prompt),
        [
            "user u: says u",
            "assistant a: answers a, call id-c1, call id-c2",
            "tool c1: id-c1 = gave c1",
            "tool c2: id-c2 = gave c2",
            "developer n: note n",
            "developer m: note m",
        ]
    );
    assert_eq!((prompt.stable_len, codes(&prompt)), (6, vec![]));
}

#[test]
fn parts_and_calls_interleave_by_index() {
    let mut message = row(RowKind::Assistant, "a", 1);
    message.parts = vec![part("a", 2, text("then")), part("a", 0, text("first"))];
    let prompt = prompt(vec![message, done(call("c", 2, Some(("a", 1))))]);
    assert_eq!(shape(&prompt)[0], "assistant a: first, call id-c, then");
}

#[test]
fn calls_without_a_message_stay_pairs() {
    let prompt = prompt(vec![done(call("c", 1, None)), note("n", 2), done(call("d", 3, Some(("gone", 0))))]);
    check(&prompt);
    assert_eq!(
        shape(&prompt),
        [
            "assistant c: call id-c",
            "tool c: id-c = gave c",
            "developer n: note n",
            "assistant d: call id-d",
            "tool d: id-d = gave d",
        ]
    );
    assert_eq!(codes(&prompt), ["call_without_message d"]);
}

#[test]
fn an_open_round_is_incomplete_and_a_closed_one_interrupted() {
    let open = vec![user("u", 1), assistant("a", 2), call("c", 3, Some(("a", 1))), note("n", 4)];
    let before = prompt(open.clone());
    check(&before);
    assert_eq!(shape(&before)[2], "tool c: id-c = incomplete");
    assert_eq!((before.stable_len, codes(&before)), (1, vec![String::from("result_pending c")]));
    for closing in [user("v", 5), assistant("b", 5), done(call("d", 5, None))] {
        let after = prompt([open.clone(), vec![closing]].concat());
        check(&after);
        assert_eq!(shape(&after)[2], format!("tool c: error id-c = {INTERRUPTED}"));
        assert_eq!(after.stable_len, after.messages.len());
        assert_eq!(codes(&after), ["result_missing c"]);
    }
}

#[test]
fn a_late_result_is_counted_and_not_rendered() {
    let mut late = call("c", 2, Some(("a", 1)));
    late.parts.push(Part { replay: false, ..result("c", ResultStatus::Success, "too late") });
    let prompt = prompt(vec![assistant("a", 1), late, user("u", 3)]);
    check(&prompt);
    assert_eq!(shape(&prompt)[1], format!("tool c: error id-c = {INTERRUPTED}"));
    assert_eq!(codes(&prompt), ["late_result c"]);
}

#[test]
fn an_imported_message_is_open_until_it_stops_or_another_row_closes_it() {
    let grows = imported(assistant("a", 2));
    let mut ended = grows.clone();
    ended.parts = vec![stopped(ended.parts.remove(0))];
    let mut ended_by_call = done(call("c", 3, Some(("a", 1))));
    ended_by_call.parts[0] = stopped(ended_by_call.parts[0].clone());
    let stable = |rows: Vec<StoredRow>| {
        let prompt = prompt([vec![user("u", 1)], rows].concat());
        check(&prompt);
        (prompt.stable_len, prompt.messages.len())
    };
    assert_eq!(stable(vec![grows.clone()]), (1, 2));
    assert_eq!(stable(vec![grows.clone(), done(call("c", 3, Some(("a", 1))))]), (1, 3));
    assert_eq!(stable(vec![grows.clone(), note("n", 3)]), (3, 3));
    assert_eq!(stable(vec![grows.clone(), said(RowKind::System, "s", 3, "for people")]), (1, 2));
    assert_eq!(stable(vec![grows.clone(), user("v", 3)]), (3, 3));
    assert_eq!(stable(vec![ended]), (2, 2));
    assert_eq!(stable(vec![grows, ended_by_call]), (3, 3));
    assert_eq!(stable(vec![assistant("a", 2)]), (2, 2), "a message of our own is whole");
}

#[test]
fn results_render_by_status() {
    let cases = [
        (ResultStatus::Success, "gave", "tool c: id-c = gave"),
        (ResultStatus::Error, "denied", "tool c: error id-c = denied"),
        (ResultStatus::Cancelled, "stopped", "tool c: error id-c = stopped"),
        (ResultStatus::Success, "", "tool c: id-c = "),
    ];
    for (status, words, expected) in cases {
        let mut called = call("c", 1, None);
        called.parts.push(result("c", status, words));
        assert_eq!(shape(&prompt(vec![called]))[1], expected);
    }
    let mut empty = call("c", 1, None);
    let body =
        PartBody::ToolResult { call_id: "id-c".into(), status: ResultStatus::Success, content: vec![] };
    empty.parts.push(part("c", 1, body));
    assert_eq!(shape(&prompt(vec![empty]))[1], "tool c: id-c = ");
}

#[test]
fn a_call_without_an_id_takes_its_rows_and_one_without_a_name_goes() {
    let named = |call_id: &str, name: &str| {
        let mut stored = row(RowKind::Function, "c", 1);
        let arguments = Arguments::Text(clean("not json"));
        stored.parts = vec![
            part("c", 0, PartBody::ToolCall { call_id: call_id.into(), name: clean(name), arguments }),
            result("c", ResultStatus::Success, "ok"),
        ];
        prompt(vec![stored])
    };
    let kept = named("", "tool");
    assert_eq!(shape(&kept), ["assistant c: call c", "tool c: c = ok"]);
    let Body::ToolCall { arguments, .. } = &kept.messages[0].parts[0].body else { panic!() };
    assert_eq!(arguments.as_str(), Some("not json"));
    let gone = named("x", " ");
    assert_eq!((gone.messages.len(), codes(&gone)), (0, vec![String::from("tool_name_missing c")]));
}

#[test]
fn what_cannot_pair_goes() {
    let mut orphan = row(RowKind::Function, "c", 2);
    orphan.parts.push(result("c", ResultStatus::Success, "whose?"));
    let mut stray = assistant("a", 1);
    stray.parts.push(result("a", ResultStatus::Success, "whose?"));
    let prompt = prompt(vec![stray, orphan, row(RowKind::Function, "d", 3)]);
    check(&prompt);
    assert_eq!(shape(&prompt), ["assistant a: answers a"]);
    assert_eq!(codes(&prompt), ["orphan_result c", "call_empty d", "orphan_result a"]);
}

#[test]
fn what_is_stored_twice_is_sent_once() {
    let mut message = assistant("a", 1);
    message.parts.extend([
        part("a", 0, text("again")),
        thinking("a", 3, "t", "c2ln"),
        thinking("a", 4, "t", "c2ln"),
    ]);
    message.row.generation_checkpoint_id = Some(String::new());
    message.row.imported = true;
    let mut again = done(call("d", 4, Some(("a", 7))));
    if let PartBody::ToolCall { call_id, .. } = &mut again.parts[0].body {
        *call_id = "id-c".into();
    }
    let prompt = prompt(vec![message, call("c", 2, Some(("a", 6))), assistant("a", 3), again]);
    check(&prompt);
    assert_eq!(shape(&prompt), ["assistant a: answers a, <t>, call id-c", "tool c: id-c = gave d"]);
    let expected = [
        "duplicate_row a",
        "duplicate_call d",
        "duplicate_part a",
        "duplicate_part a",
        "thinking_unverified a",
    ];
    assert_eq!(codes(&prompt), expected);
}

#[test]
fn rows_that_do_not_render() {
    let mut hidden = [user("x", 1), user("y", 2)];
    hidden[0].row.live = false;
    hidden[1].row.sidechain = true;
    let blank = [said(RowKind::User, "b", 3, " \n"), said(RowKind::Assistant, "c", 4, "  ")];
    let prompt = prompt([&hidden[..], &blank, &[said(RowKind::System, "s", 5, "shown to people")]].concat());
    assert_eq!(shape(&prompt), [] as [&str; 0]);
}

#[test]
fn the_text_of_a_user_comes_before_its_attachments() {
    let mut one = row(RowKind::User, "u", 1);
    one.parts = vec![image("u", 0), part("u", 1, text("look"))];
    let mut empty = row(RowKind::User, "v", 2);
    empty.parts = vec![part("v", 0, text("")), image("v", 1)];
    let mut several = row(RowKind::User, "w", 3);
    several.parts =
        vec![image("w", 0), part("w", 1, text("this")), image("w", 2), part("w", 3, text("that"))];
    let expected = ["user u: look, <image>", "user v: <image>", "user w: <image>, this, <image>, that"];
    assert_eq!(shape(&prompt(vec![one, empty, several])), expected);
}

#[test]
fn a_boundary_cuts_and_the_resume_note_opens() {
    let rows = || {
        let closed = [
            user("u", 1),
            assistant("a", 2),
            done(call("c", 3, Some(("a", 1)))),
            done(call("d", 4, Some(("a", 2)))),
        ];
        [&closed[..], &[user("v", 5)]].concat()
    };
    let cut =
        |anchor, place, mode| prompt_with(rows(), Some(boundary(anchor, place, mode)), Request::default());
    let note = format!("developer cut: {RESUME_NOTE}");
    let inclusive = cut("a", 2, BoundaryMode::Inclusive);
    check(&inclusive);
    assert_eq!(shape(&inclusive)[..2], [note.as_str(), "assistant a: answers a, call id-c, call id-d"]);
    assert_eq!((inclusive.system[0].as_str(), inclusive.boundary), ("so far", Some(id("cut"))));
    let exclusive = cut("a", 2, BoundaryMode::Exclusive);
    check(&exclusive);
    let pairs = [
        "assistant c: call id-c",
        "tool c: id-c = gave c",
        "assistant d: call id-d",
        "tool d: id-d = gave d",
    ];
    assert_eq!(shape(&exclusive)[..5], [&[note.as_str()], &pairs[..]].concat());
    assert_eq!(shape(&cut("v", 5, BoundaryMode::Inclusive)), ["user v: says v"]);
    assert_eq!(shape(&cut("v", 5, BoundaryMode::Exclusive)), [] as [&str; 0]);
}

#[test]
fn markers_stand_on_tools_system_and_the_last_two_messages() {
    let tool = Tool { name: clean("t"), description: clean(""), input_schema: json::parse("{}").unwrap() };
    let request =
        Request { tools: vec![tool], system: vec![clean("be brief"), clean(" ")], ..Request::default() };
    let prompt = prompt_with(vec![user("u", 1), assistant("a", 2), user("v", 3)], None, request);
    let places: Vec<_> = prompt.markers.iter().map(|marker| (marker.at, marker.index, marker.part)).collect();
    let expected = [
        (MarkerAt::Tools, 0, None),
        (MarkerAt::System, 0, None),
        (MarkerAt::Message, 1, Some(0)),
        (MarkerAt::Message, 2, Some(0)),
    ];
    assert_eq!(places, expected);
}

#[test]
fn in_a_long_round_a_marker_stays_within_reach_of_the_request_before() {
    let mut rows = vec![user("u", 1), assistant("a", 2)];
    rows.extend((0..15).map(|i| done(call(&format!("c{i:02}"), 3 + i, Some(("a", 1 + i as u32))))));
    let prompt = prompt(rows);
    let places: Vec<_> = prompt.markers.iter().map(|marker| (marker.index, marker.part)).collect();
    // The message has 16 blocks; two results more make 18.
    assert_eq!(places, [(3, Some(0)), (16, Some(0))]);
}

#[test]
fn requests_read_or_say_where_they_do_not() {
    let read = |text: &str| Request::from_json(&json::parse(text).unwrap(), &Redactor::standard());
    let full = read(
        r#"{"model": "m", "system": ["a", "b"], "tools": [{"name": "t", "input_schema": {}}],
            "settings": {"tool_choice": "auto", "effort": null, "max_output_tokens": 10}}"#,
    );
    let full = full.unwrap();
    assert_eq!((full.system.len(), full.tools.len(), full.settings.effort), (2, 1, None));
    assert_eq!(read("{}").unwrap(), Request::default());
    let bad = [
        ("[]", "request"),
        (r#"{"modle": "m"}"#, "modle"),
        (r#"{"model": 1}"#, "model"),
        (r#"{"model": " "}"#, "model"),
        (r#"{"system": "a"}"#, "system"),
        (r#"{"system": ["a", 1]}"#, "system[1]"),
        (r#"{"tools": [{"name": "t", "input_schema": {}}, {"input_schema": {}}]}"#, "tools[1].name"),
        (r#"{"tools": [{"name": "t", "input_schema": []}]}"#, "tools[0].input_schema"),
        (
            r#"{"tools": [{"name": "t", "input_schema": {}}, {"name": "t", "input_schema": {}}]}"#,
            "tools[1].name",
        ),
        (r#"{"tools": [{"name": "t", "input_schema": {}, "strict": true}]}"#, "tools[0].strict"),
        (r#"{"settings": {"max_output_tokens": 0}}"#, "settings.max_output_tokens"),
        (r#"{"settings": {"effort": {}}}"#, "settings.effort"),
        (r#"{"settings": {"temperature": 1}}"#, "settings.temperature"),
    ];
    for (text, path) in bad {
        let error = read(text).unwrap_err();
        assert_eq!((error.code(), error.path()), ("request_invalid", path), "{text}");
    }
}
