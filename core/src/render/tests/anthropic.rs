use crate::render::{Options, Rendered, anthropic};
use crate::{
    json::{self, Json, canonical},
    model::{
        Arguments, BoundaryMode, MediaSource, Part, PartBody, ProviderData, ResultStatus, RowKind, StoredRow,
    },
    prompt::{
        INTERRUPTED, RESUME_NOTE, Request, Settings,
        tests::rows::{
            assistant, boundary, by, call, clean, done, imported, note, part, prompt, prompt_with, result,
            row, said, text, thinking, user,
        },
    },
    redact::{Opaque, Redactor},
};
use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use std::collections::BTreeSet;

fn plain(rows: Vec<StoredRow>) -> Rendered {
    anthropic(&prompt(rows), &Options { cache_markers: false, ..Options::default() })
}

fn messages(rendered: &Rendered) -> Vec<String> {
    rendered.body.get("messages").and_then(Json::as_array).unwrap().iter().map(canonical).collect()
}

fn codes(rendered: &Rendered) -> Vec<&'static str> {
    rendered.diagnostics.iter().map(|note| note.code).filter(|code| *code != "model_missing").collect()
}

fn one_text(role: &str, text: &str) -> String {
    format!(r#"{{"content":[{{"text":"{text}","type":"text"}}],"role":"{role}"}}"#)
}

#[test]
fn a_round_is_a_message_and_one_user_message_of_results() {
    let mut failed = call("d", 4, Some(("a", 2)));
    failed.parts.push(result("d", ResultStatus::Error, "denied"));
    let rows = vec![
        user("u", 1),
        note("n", 2),
        user("v", 2),
        assistant("a", 3),
        done(call("c", 4, Some(("a", 1)))),
        failed,
        note("m", 5),
    ];
    let rendered = plain(rows);
    let expected = [
        one_text("user", "says u"),
        one_text("user", "<developer-note>note n</developer-note>"),
        one_text("user", "says v"),
        concat!(
            r#"{"content":[{"text":"answers a","type":"text"},{"id":"id-c","input":{"n":1},"name":"tool","type":"tool_use"},"#,
            r#"{"id":"id-d","input":{"n":1},"name":"tool","type":"tool_use"}],"role":"assistant"}"#
        )
        .to_string(),
        concat!(
            r#"{"content":[{"content":"gave c","tool_use_id":"id-c","type":"tool_result"},"#,
            r#"{"content":"denied","is_error":true,"tool_use_id":"id-d","type":"tool_result"}],"role":"user"}"#
        )
        .to_string(),
        one_text("user", "<developer-note>note m</developer-note>"),
    ];
    assert_eq!(messages(&rendered), expected);
    assert_eq!((codes(&rendered), rendered.renamed), (vec![], vec![]));
}

#[test]
fn a_conversation_that_begins_with_the_model_gets_the_resume_note() {
    let opened = one_text("user", &format!("<developer-note>{RESUME_NOTE}</developer-note>"));
    assert_eq!(messages(&plain(vec![assistant("a", 1)]))[0], opened);
    let cut = Some(boundary("a", 1, BoundaryMode::Inclusive));
    let rendered =
        anthropic(&prompt_with(vec![assistant("a", 1)], cut, Request::default()), &Options::default());
    assert_eq!(messages(&rendered).len(), 2, "the boundary's own note is enough");
}

fn thinker(provider: &str, parts: Vec<Part>) -> Vec<StoredRow> {
    let mut stored = imported(row(RowKind::Assistant, "a", 2));
    stored.parts = parts;
    stored.row.issuer = Some(by("m"));
    stored.row.issuer.as_mut().unwrap().provider = clean(provider);
    stored.row.generation_checkpoint_id = Some(String::new());
    vec![user("u", 1), stored, user("v", 3)]
}

#[test]
fn thinking_goes_signed_or_encrypted_to_its_own_issuer() {
    let mut encrypted = part("a", 1, PartBody::Thinking { text: clean(""), redacted: true });
    let data = Some(Opaque::from_store("ZW5j".into()));
    encrypted.provider_data = Some(ProviderData { signature: None, data, item_id: None });
    let parts =
        vec![thinking("a", 0, "", "c2ln"), encrypted, part("a", 2, text(" ")), part("a", 3, text("so"))];
    let sent = plain(thinker("anthropic", parts.clone()));
    let expected = concat!(
        r#"{"content":[{"signature":"c2ln","thinking":"","type":"thinking"},{"data":"ZW5j","type":"redacted_thinking"},"#,
        r#"{"text":" ","type":"text"},{"text":"so","type":"text"}],"role":"assistant"}"#
    );
    assert_eq!((messages(&sent)[1].as_str(), codes(&sent)), (expected, vec![]));
    let foreign = plain(thinker("openai", parts));
    assert_eq!(messages(&foreign)[1], one_text("assistant", "so"));
    assert_eq!(codes(&foreign), ["thinking_foreign", "thinking_foreign", "block_empty"]);
    let unsigned = part("a", 0, PartBody::Thinking { text: clean("hm"), redacted: false });
    let unsigned = plain(thinker("anthropic", vec![unsigned]));
    assert_eq!(messages(&unsigned), [one_text("user", "says u"), one_text("user", "says v")]);
    assert_eq!(codes(&unsigned), ["thinking_unsigned", "block_empty"]);
}

#[test]
fn ids_that_are_refused_or_repeat_are_renamed_the_same_way_each_time() {
    let with_id = |name: &str, place, call_id: &str| {
        let mut stored = done(call(name, place, None));
        if let PartBody::ToolCall { call_id: own, .. } = &mut stored.parts[0].body {
            *own = call_id.into();
        }
        stored
    };
    let rows = vec![
        user("u", 0),
        with_id("a", 1, "x"),
        with_id("b", 2, "x"),
        with_id("c", 3, "x:1"),
        with_id("d", 4, "y"),
    ];
    let rendered = plain(rows.clone());
    // SHA-256 over the row id and the call id, each after its length as big-endian u64; lower-case base32.
    let renamed: Vec<_> =
        rendered.renamed.iter().map(|id| (id.row.as_str(), id.call_id.as_str(), id.sent.as_str())).collect();
    assert_eq!(
        renamed,
        [("b", "x", "tl_row56t4tybgu3fe5tpzbnpomzs"), ("c", "x:1", "tl_zavvst7ty36kpnh5rstsyuegiz")]
    );
    let mut seen = BTreeSet::new();
    for pair in messages(&rendered)[1..].chunks(2) {
        let ids: Vec<_> = pair
            .iter()
            .map(|message| {
                let message = json::parse(message).unwrap();
                let block = &message.get("content").unwrap().as_array().unwrap()[0];
                block.get("id").or(block.get("tool_use_id")).unwrap().as_str().unwrap().to_string()
            })
            .collect();
        assert_eq!(ids[0], ids[1]);
        assert!(seen.insert(ids[0].clone()));
    }
    let fewer = messages(&plain(rows[..3].to_vec()));
    assert_eq!(fewer, messages(&rendered)[..fewer.len()]);
}

#[test]
fn media_goes_or_is_named() {
    let media = |index, media_type: &str, source| {
        let (media_type, name) = (clean(media_type), Some(clean("it")));
        part("u", index, PartBody::Document { media_type, source, name })
    };
    let data = || MediaSource::Base64(Opaque::from_store("QUJD".into()));
    let mut stored = row(RowKind::User, "u", 1);
    stored.parts = vec![
        part("u", 0, PartBody::Image { media_type: clean("image/png"), source: data(), name: None }),
        media(1, "application/pdf", data()),
        media(2, "application/zip", data()),
        media(3, "application/pdf", MediaSource::Url(clean("https://example.com/a.pdf"))),
        media(4, "application/pdf", MediaSource::File(clean("file-1"))),
    ];
    let rendered = plain(vec![stored]);
    let expected = concat!(
        r#"{"content":[{"source":{"data":"QUJD","media_type":"image/png","type":"base64"},"type":"image"},"#,
        r#"{"source":{"data":"QUJD","media_type":"application/pdf","type":"base64"},"title":"it","type":"document"},"#,
        r#"{"text":"[document not sent: it application/zip]","type":"text"},"#,
        r#"{"source":{"type":"url","url":"https://example.com/a.pdf"},"title":"it","type":"document"},"#,
        r#"{"source":{"file_id":"file-1","type":"file"},"title":"it","type":"document"}],"role":"user"}"#
    );
    assert_eq!(messages(&rendered), [expected]);
    assert_eq!(codes(&rendered), ["media_unsupported"]);
}

#[test]
fn arguments_that_are_no_object_are_wrapped() {
    let mut stored = done(call("c", 1, None));
    if let PartBody::ToolCall { arguments, .. } = &mut stored.parts[0].body {
        *arguments = Arguments::Text(clean("ls -l"));
    }
    let rendered = plain(vec![user("u", 0), stored]);
    assert!(messages(&rendered)[1].contains(r#""input":{"arguments":"ls -l"}"#));
    assert_eq!(codes(&rendered), ["arguments_wrapped"]);
}

fn with_settings(settings: &str, options: &Options) -> Rendered {
    let file = format!(
        r#"{{"model": "m", "system": ["be brief"], "tools": [{{"name": "t", "description": "d", "input_schema": {{}}}}], "settings": {settings}}}"#
    );
    let request = Request::from_json(&json::parse(&file).unwrap(), &Redactor::standard()).unwrap();
    anthropic(&prompt_with(vec![user("u", 1)], None, request), options)
}

#[test]
fn a_whole_body() {
    let settings = r#"{"tool_choice": "t", "effort": "low", "max_output_tokens": 100, "response_format": {"type": "json_schema", "schema": {"type": "object"}}}"#;
    let expected = concat!(
        r#"{"max_tokens":100,"messages":[{"content":[{"cache_control":{"type":"ephemeral"},"text":"says u","type":"text"}],"role":"user"}],"#,
        r#""model":"m","output_config":{"effort":"low","format":{"schema":{"type":"object"},"type":"json_schema"}},"#,
        r#""system":[{"cache_control":{"type":"ephemeral"},"text":"be brief","type":"text"}],"tool_choice":{"name":"t","type":"tool"},"#,
        r#""tools":[{"cache_control":{"type":"ephemeral"},"description":"d","input_schema":{"type":"object"},"name":"t"}]}"#
    );
    let rendered = with_settings(settings, &Options::default());
    assert_eq!((canonical(&rendered.body).as_str(), rendered.diagnostics), (expected, vec![]));
}

#[test]
fn settings_that_the_provider_does_not_have_are_reported() {
    let cases = [
        (r#"{"tool_choice": "auto"}"#, r#"{"type":"auto"}"#, 0),
        (r#"{"tool_choice": "required"}"#, r#"{"type":"any"}"#, 0),
        (
            r#"{"tool_choice": {"type": "any", "disable_parallel_tool_use": true}}"#,
            r#"{"disable_parallel_tool_use":true,"type":"any"}"#,
            0,
        ),
        (r#"{"tool_choice": {"type": "function", "name": "t"}}"#, r#"{"name":"t","type":"tool"}"#, 0),
        (r#"{"tool_choice": "other"}"#, "", 1),
        (r#"{"tool_choice": {"type": "tool"}}"#, "", 1),
        (r#"{"effort": "minimal"}"#, "", 1),
        (r#"{"response_format": {"type": "json_object"}}"#, "", 1),
        (r#"{"response_format": {"type": "text"}}"#, "", 0),
    ];
    for (settings, choice, reported) in cases {
        let rendered = with_settings(settings, &Options::default());
        assert_eq!(rendered.body.get("tool_choice").map(canonical).unwrap_or_default(), choice, "{settings}");
        assert_eq!(codes(&rendered), vec!["setting_unsupported"; reported], "{settings}");
        assert_eq!(rendered.body.get("output_config"), None);
    }
    let settings = Settings { tool_choice: Some("auto".into()), ..Settings::default() };
    let prompt = prompt_with(vec![], None, Request { settings, ..Request::default() });
    let rendered = anthropic(&prompt, &Options::default());
    assert_eq!(codes(&rendered), ["tool_choice_without_tools"]);
    assert_eq!(rendered.body.get("max_tokens").and_then(Json::as_u64), Some(8192));
}

#[test]
fn what_is_sent_extends_what_was_sent() {
    let mut rows: Vec<StoredRow> = vec![];
    let mut sent: Vec<String> = vec![];
    for i in 0..30usize {
        let (name, place) = (format!("a{i:02}"), i * 10);
        match i % 5 {
            0 => rows.push(user(&name, place)),
            1 => rows.push(note(&name, place)),
            2 => rows.push(said(RowKind::Assistant, &name, place, " ")),
            3 => rows.extend([
                assistant(&name, place),
                done(call(&format!("c{i}"), place + 1, Some((&name, 1)))),
                call(&format!("d{i}"), place + 2, Some((&name, 2))),
            ]),
            _ => rows.push(done(call(&name, place, None))),
        }
        let whole = prompt(rows.clone());
        let options = Options { cache_markers: false, ..Options::default() };
        let wire = messages(&anthropic(&whole, &options));
        assert!(wire.starts_with(&sent), "after row {i}");
        let mut stable = whole.clone();
        stable.messages.truncate(whole.stable_len);
        sent = messages(&anthropic(&stable, &options));
        assert!(wire.starts_with(&sent));
    }
    assert!(sent.iter().any(|message| message.contains(INTERRUPTED)));
}
