//! The entries that stand in the settings of Claude Code:
//! `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "…", "timeout": 15}]}]}}`.

use super::{
    backup::Ours,
    error::{SettingsError, SettingsProblem},
    read::{Document, Item, Kind, List, Node},
};
use crate::json::{Json, Object};
use alloc::{format, string::String, vec, vec::Vec};
use serde::Serialize;

/// The events at which a command is run, each with the most seconds that the harness waits for it. An answer takes
/// milliseconds; the limit is for a store that another program holds.
pub const EVENTS: [(&str, u32); 7] = [
    ("SessionStart", 15),
    ("UserPromptSubmit", 15),
    ("PreCompact", 15),
    ("PostCompact", 15),
    ("Stop", 15),
    ("SubagentStop", 15),
    ("SessionEnd", 5),
];

/// An entry of ours that came or went.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Entry {
    /// The event of the harness.
    pub event: String,
    /// The command that runs at it.
    pub command: String,
}

/// The group that is put at the end of an event's list.
pub(super) fn group(command: &str, timeout: u32) -> Json {
    let mut entry = Object::new();
    entry.insert("type", "command");
    entry.insert("command", command);
    entry.insert("timeout", u64::from(timeout));
    let mut group = Object::new();
    group.insert("hooks", vec![Json::Object(entry)]);
    Json::Object(group)
}

/// The whole value of `hooks` where there was none, or that of an event.
pub(super) fn list(command: &str, timeout: u32) -> Json {
    Json::Array(vec![group(command, timeout)])
}

/// The member of this name. Of several the last one counts, as in every reader of JSON.
pub(super) fn member<'a>(list: &'a List, name: &str) -> Option<&'a Item> {
    list.items.iter().rev().find(|item| item.key.as_deref() == Some(name))
}

/// The text of a command entry of ours, and where it stands.
pub(super) fn ours<'a>(entry: &'a Node, ours: &Ours<'_>) -> Option<(&'a Node, &'a str)> {
    let Kind::Object(entry) = &entry.kind else { return None };
    let text = |name| match member(entry, name).map(|item| &item.value) {
        Some(Node { kind: Kind::Text(text), .. }) => Some(text.as_str()),
        _ => None,
    };
    let command = text("command").filter(|command| text("type") == Some("command") && ours.is(command))?;
    Some((&member(entry, "command")?.value, command))
}

/// The list of entries of a group, in the member `hooks`.
pub(super) fn entries(group: &Node) -> Option<&List> {
    let Kind::Object(group) = &group.kind else { return None };
    match &member(group, "hooks")?.value.kind {
        Kind::Array(entries) => Some(entries),
        _ => None,
    }
}

/// Whether nothing of a group is left to be kept without its entries.
pub(super) fn is_bare(group: &Node) -> bool {
    let known = |item: &Item| matches!(item.key.as_deref(), Some("hooks" | "matcher"));
    matches!(&group.kind, Kind::Object(group) if group.items.iter().all(known))
}

/// Makes sure that what stands under `hooks` can take entries: an object of lists of groups with lists.
pub(super) fn check<'a>(document: &Document<'a>, root: &'a Node) -> Result<(), SettingsError> {
    let kind = |node: &Node, path: String, accepted| {
        Err(document.error(SettingsProblem::Kind { path, accepted }, node.start))
    };
    let Kind::Object(root_list) = &root.kind else {
        return kind(root, "the whole".into(), "an object");
    };
    let Some(hooks) = member(root_list, "hooks") else { return Ok(()) };
    let Kind::Object(events) = &hooks.value.kind else {
        return kind(&hooks.value, "hooks".into(), "an object with a list for each event");
    };
    for (event, _) in EVENTS {
        let Some(item) = member(events, event) else { continue };
        let Kind::Array(groups) = &item.value.kind else {
            return kind(&item.value, format!("hooks.{event}"), "an array of {\"matcher\", \"hooks\"}");
        };
        for (index, group) in groups.items.iter().enumerate() {
            let path = format!("hooks.{event}[{index}]");
            let Kind::Object(members) = &group.value.kind else {
                return kind(&group.value, path, "an object with the array `hooks`");
            };
            match member(members, "hooks") {
                Some(Item { value: Node { kind: Kind::Array(_), .. }, .. }) | None => {}
                Some(other) => return kind(&other.value, format!("{path}.hooks"), "an array"),
            }
        }
    }
    Ok(())
}

/// Every list of events: those under each member `hooks` of the root.
pub(super) fn hooks(root: &Node) -> Vec<(usize, &List)> {
    let Kind::Object(root) = &root.kind else { return Vec::new() };
    let is_hooks = |item: &Item| item.key.as_deref() == Some("hooks");
    let found = root.items.iter().enumerate().filter(|(_, item)| is_hooks(item));
    found
        .filter_map(|(index, item)| match &item.value.kind {
            Kind::Object(events) => Some((index, events)),
            _ => None,
        })
        .collect()
}
