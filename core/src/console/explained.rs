//! What was dropped, repaired and why, for `prompt --explain`.
use crate::{
    json::{Json, Object},
    prompt::{Diagnostic, Effect, Prompt},
};
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

/// How many rows are named for people.
const NAMED: usize = 5;

type Group<'a> = (&'a str, &'a str, Option<&'a str>);

/// Diagnostics of one effect, those that say the same together, with the rows that they are about.
fn groups(notes: &[Diagnostic], effect: Effect) -> BTreeMap<Group<'_>, Vec<&str>> {
    let mut groups: BTreeMap<Group<'_>, Vec<&str>> = BTreeMap::new();
    for note in notes.iter().filter(|note| note.effect() == effect) {
        let edit = note.edit.map(crate::prompt::Edit::as_str);
        let rows = groups.entry((note.code, &note.message, edit)).or_default();
        rows.push(note.row.as_ref().map_or("", |row| row.as_str()));
    }
    groups
}

/// The prompt as JSON with `explain`: for each effect what it was done to and why.
pub(super) fn json(prompt: &Prompt) -> Json {
    let mut explained = Object::new();
    for effect in Effect::ALL {
        let entry = |((code, why, edit), rows): (Group<'_>, Vec<&str>)| {
            let mut entry = Object::new();
            entry.insert("code", code);
            entry.insert("why", why);
            entry.insert("count", u64::try_from(rows.len()).unwrap_or(u64::MAX));
            entry.insert("edit", edit.map_or(Json::Null, Json::from));
            let named = rows.into_iter().filter(|row| !row.is_empty()).map(Json::from);
            entry.insert("rows", named.collect::<Vec<Json>>());
            Json::from(entry)
        };
        let entries: Vec<Json> = groups(&prompt.diagnostics, effect).into_iter().map(entry).collect();
        explained.insert(effect.as_str(), entries);
    }
    let mut whole = prompt.to_json();
    if let Json::Object(fields) = &mut whole {
        fields.insert("explain", explained);
    }
    whole
}

/// The same for people, a line each.
pub(super) fn lines(prompt: &Prompt) -> String {
    let mut out = String::new();
    for effect in Effect::ALL {
        for ((code, why, edit), rows) in groups(&prompt.diagnostics, effect) {
            let name = effect.as_str().replace('_', " ");
            let named: Vec<&str> = rows.iter().copied().filter(|row| !row.is_empty()).take(NAMED).collect();
            let more = if rows.len() > named.len() { ", …" } else { "" };
            let rows_named =
                if named.is_empty() { String::new() } else { format!(": {}{more}", named.join(", ")) };
            let edit = edit.map(|edit| format!(" ({edit})")).unwrap_or_default();
            out.push_str(&format!(
                "{name:<10} {:>5}  {code}: {why}{edit}{rows_named}\n",
                rows.len().to_string()
            ));
        }
    }
    if out.is_empty() {
        out.push_str("nothing was left out, repaired or replaced\n");
    }
    out
}
