//! Answers of the settings of a harness.
use super::{Answer, text};
use serde_json::{Value, json};
use throughline_core::hook::settings::{
    Entry, Files, Outcome, SettingsError, install, is_ours, shell_words, uninstall,
};

pub(super) fn answer(group: &str) -> Option<Answer> {
    Some(match group {
        "settings_install" => settings_install,
        "settings_uninstall" => settings_uninstall,
        "settings_command" => settings_command,
        _ => return None,
    })
}

fn files(value: &Value) -> Files {
    Files { file: value.as_str().map(|text| text.as_bytes().to_vec()), ..Files::default() }
}

fn said(bytes: Option<&Vec<u8>>) -> Value {
    bytes.map_or(Value::Null, |bytes| json!(String::from_utf8_lossy(bytes)))
}

fn entries(entries: &[Entry]) -> Vec<String> {
    entries.iter().map(|entry| format!("{}: {}", entry.event, entry.command)).collect()
}

fn refused(error: &SettingsError) -> Value {
    json!({ "error": error.code(), "line": error.at.line, "column": error.at.column, "message": error.to_string() })
}

fn outcome(outcome: &Outcome) -> Value {
    json!({
        "file": said(outcome.files.file.as_ref()),
        "added": entries(&outcome.added),
        "removed": entries(&outcome.removed),
    })
}

/// The file after one installation; what a second one and uninstalling make of it, in a word.
fn settings_install(input: &Value) -> Value {
    let before = files(&input["file"]);
    let command = text(input, "command");
    let there = match install(&before, command) {
        Ok(there) => there,
        Err(error) => return refused(&error),
    };
    let mut answer = outcome(&there);
    let twice = install(&there.files, command).is_ok_and(|twice| twice.files == there.files);
    answer["twice_is_once"] = json!(twice);
    answer["back"] = match uninstall(&there.files) {
        Ok(back) if back.files == before => json!("byte for byte"),
        Ok(back) => said(back.files.file.as_ref()),
        Err(error) => refused(&error),
    };
    answer
}

/// A file that was changed since it was installed into, or was written by hand.
fn settings_uninstall(input: &Value) -> Value {
    uninstall(&files(&input["file"])).map_or_else(|error| refused(&error), |done| outcome(&done))
}

fn settings_command(input: &Value) -> Value {
    let words: Vec<&str> = input["words"]
        .as_array()
        .map_or_else(Vec::new, |words| words.iter().filter_map(Value::as_str).collect());
    let command = if words.is_empty() { text(input, "command").into() } else { shell_words(words) };
    json!({ "ours": is_ours(&command), "command": command })
}
