//! A prompt in a few words, and what holds of every prompt.
use crate::{
    json,
    prompt::{Body, Message, Part, Prompt, ResultContent, Role},
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// One line a message, such as `assistant a: text, call id-c`.
pub(super) fn shape(prompt: &Prompt) -> Vec<String> {
    prompt.messages.iter().map(line).collect()
}

fn line(message: &Message) -> String {
    let parts: Vec<String> = message.parts.iter().map(word).collect();
    format!("{} {}: {}", message.role.as_str(), message.row, parts.join(", "))
}

fn word(part: &Part) -> String {
    match &part.body {
        Body::Text(text) => text.to_string(),
        Body::Image(_) => "<image>".into(),
        Body::Document(_) => "<document>".into(),
        Body::Thinking { text, .. } => format!("<{text}>"),
        Body::ToolCall { id, .. } => format!("call {id}"),
        Body::ToolResult { id, content, is_error } => {
            let text = match content {
                ResultContent::Text(text) => text.to_string(),
                ResultContent::Parts(parts) => format!("{} parts", parts.len()),
            };
            format!("{}{id} = {text}", if *is_error { "error " } else { "" })
        }
    }
}

/// The codes of the diagnostics, each with its row.
pub(super) fn codes(prompt: &Prompt) -> Vec<String> {
    let line = |code: &str, row: &str| format!("{code} {row}").trim_end().to_string();
    let notes = prompt.diagnostics.iter();
    notes.map(|note| line(note.code, note.row.as_ref().map_or("", |row| row.as_str()))).collect()
}

/// What holds of every prompt.
pub(super) fn check(prompt: &Prompt) {
    check_pairs(prompt);
    let text = prompt.json_text();
    let read = json::parse(&text).unwrap();
    assert_eq!(json::canonical(&read), text, "neutral JSON is canonical");
    assert_eq!(prompt.to_json(), read);
    assert!(prompt.markers.len() <= 4);
    assert!(prompt.stable_len <= prompt.messages.len());
    let hash_at = |length: usize| match length {
        0 => &prompt.fingerprint,
        length => &prompt.messages[length - 1].hash,
    };
    assert_eq!(&prompt.stable_hash, hash_at(prompt.stable_len));
    assert_eq!(&prompt.tail_hash, hash_at(prompt.messages.len()));
    for message in &prompt.messages {
        assert!(!message.parts.is_empty());
    }
    // What is not promised is the newest round and nothing before it.
    let tail = &prompt.messages[prompt.stable_len..];
    assert!(tail.iter().all(|message| message.role != Role::User), "{:?}", shape(prompt));
}

fn check_pairs(prompt: &Prompt) {
    let mut messages = prompt.messages.iter().peekable();
    while let Some(message) = messages.next() {
        assert_ne!(message.role, Role::Tool, "a result stands alone: {:?}", shape(prompt));
        for part in &message.parts {
            let Body::ToolCall { id, name, .. } = &part.body else { continue };
            assert_eq!(message.role, Role::Assistant);
            let result = messages.next().unwrap();
            assert_eq!((result.role, result.name.as_ref(), result.parts.len()), (Role::Tool, Some(name), 1));
            match &result.parts[0].body {
                Body::ToolResult { id: of, .. } => assert_eq!(of, id),
                other => panic!("no result: {other:?}"),
            }
        }
    }
}
