//! What is inserted and deleted, and where.

use super::{
    backup::Ours,
    edit::{Edit, Slot, Style, apply, remove},
    entries::{EVENTS, Entry, check, entries, group, hooks, is_bare, list, member, ours},
    error::{SettingsError, SettingsProblem},
    read::{Document, Item, Kind, List, Node, decode},
};
use crate::json::{Json, Object, write_string};
use alloc::{collections::BTreeSet, string::String, vec::Vec};

/// A text after the change, and the entries that came and went.
pub(super) struct Change {
    pub(super) text: String,
    pub(super) added: Vec<Entry>,
    pub(super) removed: Vec<Entry>,
    /// `disableAllHooks`.
    pub(super) disabled: bool,
}

/// An entry of ours: its place as event, group and entry, and its command.
struct Found<'a> {
    event: usize,
    group: usize,
    entry: usize,
    command: &'a Node,
    text: &'a str,
}

impl Found<'_> {
    fn place(&self) -> [usize; 3] {
        [self.event, self.group, self.entry]
    }
}

/// `ours` are those that are replaced; what is empty and `theirs` stays.
pub(super) fn install(
    text: &str,
    command: &str,
    ours: &Ours<'_>,
    theirs: &Theirs,
) -> Result<Change, SettingsError> {
    let document = Document { text };
    let Some(root) = document.read()? else {
        return Ok(anew(document, command));
    };
    check(&document, &root)?;
    let Kind::Object(members) = &root.kind else {
        return Ok(anew(document, command));
    };
    let mut change = Merge {
        style: Style::of(document, Some(members)),
        document,
        command,
        ours,
        theirs,
        edits: Vec::new(),
        added: Vec::new(),
        removed: Vec::new(),
        clears: false,
    };
    let whole = Slot { list: members, start: root.start, end: root.end, inline: false };
    let inline = change.style.is_inline(&whole);
    match member(members, "hooks") {
        Some(hooks @ Item { value: Node { kind: Kind::Object(events), start, end }, .. }) => {
            change.events(hooks, &Slot { list: events, start: *start, end: *end, inline });
        }
        _ => {
            let mut events = Object::new();
            for (event, timeout) in EVENTS {
                events.insert(event, list(command, timeout));
                change.adds(event);
            }
            change.edits = change.style.append(&whole, &[(Some("hooks"), Json::Object(events))]);
        }
    }
    let Merge { edits, added, removed, clears, .. } = change;
    let text = apply(document, edits);
    if !clears {
        verify(&text, command, ours)?;
        return Ok(Change { text, added, removed, disabled: is_disabled(members) });
    }
    let mut change = install(&text, command, ours, theirs)?;
    change.removed.splice(..0, removed);
    Ok(change)
}

/// Reads the text as a harness will: each event has the command, once.
fn verify(text: &str, command: &str, ours: &Ours<'_>) -> Result<(), SettingsError> {
    let document = Document { text };
    let root = document.read()?;
    let members = root.as_ref().and_then(|root| match &root.kind {
        Kind::Object(members) => member(members, "hooks"),
        _ => None,
    });
    let events = members.and_then(|hooks| match &hooks.value.kind {
        Kind::Object(events) => Some(events),
        _ => None,
    });
    let found = events.map_or_else(Vec::new, |events| {
        found(events, ours).iter().map(|found| named(events, found)).collect()
    });
    for (event, _) in EVENTS {
        let mut here = found.iter().filter(|entry| entry.event == event);
        let is_once = here.next().is_some_and(|entry| entry.command == command) && here.next().is_none();
        if !is_once {
            return Err(document.error(SettingsProblem::Unmerged { event }, 0));
        }
    }
    Ok(())
}

/// A file that holds no value yet.
fn anew(document: Document<'_>, command: &str) -> Change {
    let style = Style::of(document, None);
    let (mut events, mut added) = (Object::new(), Vec::new());
    for (event, timeout) in EVENTS {
        events.insert(event, list(command, timeout));
        added.push(Entry { event: event.into(), command: command.into() });
    }
    let mut root = Object::new();
    root.insert("hooks", events);
    let mut text = String::from(document.text);
    if !text.trim_start_matches('\u{feff}').is_empty() && !text.ends_with('\n') {
        text.push_str(style.newline);
    }
    style.write(&Json::Object(root), Some(""), &mut text);
    text.push_str(style.newline);
    Change { text, added, removed: Vec::new(), disabled: false }
}

struct Merge<'a> {
    document: Document<'a>,
    style: Style<'a>,
    command: &'a str,
    ours: &'a Ours<'a>,
    theirs: &'a Theirs,
    edits: Vec<Edit>,
    added: Vec<Entry>,
    removed: Vec<Entry>,
    /// What is too much is taken out first, and by itself.
    clears: bool,
}

impl Merge<'_> {
    fn adds(&mut self, event: &str) {
        self.added.push(Entry { event: event.into(), command: self.command.into() });
    }

    fn events(&mut self, hooks: &Item, slot: &Slot<'_>) {
        let found = found(slot.list, self.ours);
        let places = EVENTS
            .map(|(name, _)| slot.list.items.iter().rposition(|item| item.key.as_deref() == Some(name)));
        // The first entry of an event stays; others, and those of events that are not asked for any more, go.
        let stays = |entry: &Found<'_>| {
            let first = found.iter().find(|other| other.event == entry.event);
            places.contains(&Some(entry.event)) && first.is_some_and(|first| first.place() == entry.place())
        };
        let doomed: Vec<_> = found.iter().filter(|entry| !stays(entry)).collect();
        if !doomed.is_empty() {
            self.edits = without(self.document, hooks, slot.list, &doomed, self.theirs).edits;
            self.removed = doomed.iter().map(|entry| named(slot.list, entry)).collect();
            self.clears = true;
            return;
        }
        let inline = self.style.is_inline(slot);
        let mut missing = Vec::new();
        for ((name, timeout), place) in EVENTS.into_iter().zip(places) {
            if let Some(entry) = found.iter().find(|entry| Some(entry.event) == place) {
                self.keeps(name, entry);
                continue;
            }
            self.adds(name);
            match place.and_then(|place| slot.list.items.get(place)).map(|item| &item.value) {
                Some(Node { kind: Kind::Array(groups), start, end }) => {
                    let slot = Slot { list: groups, start: *start, end: *end, inline };
                    self.edits.extend(self.style.append(&slot, &[(None, group(self.command, timeout))]));
                }
                _ => missing.push((Some(name), list(self.command, timeout))),
            }
        }
        if !missing.is_empty() {
            self.edits.extend(self.style.append(slot, &missing));
        }
    }

    /// An entry that is there; its command becomes the one that is wanted.
    fn keeps(&mut self, event: &str, entry: &Found<'_>) {
        if entry.text != self.command {
            let mut text = String::new();
            write_string(self.command, &mut text);
            self.edits.push(Edit::replace(entry.command, text));
            self.removed.push(Entry { event: event.into(), command: entry.text.into() });
            self.adds(event);
        }
    }
}

pub(super) fn uninstall(text: &str, ours: &Ours<'_>, theirs: &Theirs) -> Result<Change, SettingsError> {
    let document = Document { text };
    let mut change = Change { text: text.into(), added: Vec::new(), removed: Vec::new(), disabled: false };
    let Some(root) = document.read()? else { return Ok(change) };
    let Kind::Object(members) = &root.kind else { return Ok(change) };
    change.disabled = is_disabled(members);
    let (mut edits, mut doomed) = (Vec::new(), BTreeSet::new());
    for (index, events) in hooks(&root) {
        let found = found(events, ours);
        change.removed.extend(found.iter().map(|found| named(events, found)));
        let Some(item) = members.items.get(index) else { continue };
        let emptied = without(document, item, events, &found.iter().collect::<Vec<_>>(), theirs);
        if emptied.all {
            doomed.insert(index);
        } else {
            edits.extend(emptied.edits);
        }
    }
    edits.extend(remove(document, members, &doomed));
    change.text = apply(document, edits);
    Ok(change)
}

fn is_disabled(members: &List) -> bool {
    member(members, "disableAllHooks").is_some_and(|item| matches!(item.value.kind, Kind::True))
}

fn named(events: &List, found: &Found<'_>) -> Entry {
    let event = events.items.get(found.event).and_then(|item| item.key.clone());
    Entry { event: event.unwrap_or_default(), command: found.text.into() }
}

/// Every entry of ours.
fn found<'a>(events: &'a List, which: &Ours<'_>) -> Vec<Found<'a>> {
    let mut all = Vec::new();
    for (event, item) in events.items.iter().enumerate() {
        let Kind::Array(groups) = &item.value.kind else { continue };
        for (group, item) in groups.items.iter().enumerate() {
            let items = entries(&item.value).map_or(&[][..], |entries| &entries.items);
            for (entry, item) in items.iter().enumerate() {
                if let Some((command, text)) = ours(&item.value, which) {
                    all.push(Found { event, group, entry, command, text });
                }
            }
        }
    }
    all
}

/// Edits, and whether they leave nothing.
struct Emptied {
    all: bool,
    edits: Vec<Edit>,
}

/// Edits that take entries out, with the groups and events that hold nothing else: no comment, no entry, and nothing
/// that stood there before us.
fn without(
    document: Document<'_>,
    hooks: &Item,
    events: &List,
    doomed: &[&Found<'_>],
    theirs: &Theirs,
) -> Emptied {
    let (mut edits, mut empty_events) = (Vec::new(), BTreeSet::new());
    for (event, item) in events.items.iter().enumerate() {
        let here: Vec<_> = doomed.iter().filter(|found| found.event == event).collect();
        let (false, Kind::Array(groups)) = (here.is_empty(), &item.value.kind) else { continue };
        let (mut inner, mut empty_groups) = (Vec::new(), BTreeSet::new());
        for (group, item) in groups.items.iter().enumerate() {
            let gone: BTreeSet<usize> =
                here.iter().filter(|found| found.group == group).map(|found| found.entry).collect();
            let Some(entries) = entries(&item.value).filter(|_| !gone.is_empty()) else { continue };
            if is_bare(&item.value) && holds_only(item, entries, &gone) {
                empty_groups.insert(group);
            } else {
                inner.extend(remove(document, entries, &gone));
            }
        }
        let is_theirs = item.key.as_ref().is_some_and(|key| theirs.events.contains(key));
        if !is_theirs && holds_only(item, groups, &empty_groups) {
            empty_events.insert(event);
        } else {
            inner.extend(remove(document, groups, &empty_groups));
            edits.append(&mut inner);
        }
    }
    let all = !empty_events.is_empty() && !theirs.hooks && holds_only(hooks, events, &empty_events);
    edits.extend(remove(document, events, &empty_events));
    Emptied { all, edits }
}

/// Whether nothing is left of an item when these go of its list, no comment either.
fn holds_only(item: &Item, list: &List, gone: &BTreeSet<usize>) -> bool {
    let of_gone = gone.iter().filter_map(|index| list.items.get(*index)).map(|item| item.comments);
    gone.len() == list.items.len() && item.comments == of_gone.fold(0, usize::saturating_add)
}

/// What stood in the settings before us, and stays although it is empty.
#[derive(Debug, Default)]
pub(super) struct Theirs {
    hooks: bool,
    events: BTreeSet<String>,
}

impl Theirs {
    /// As the backup tells; nothing where it tells nothing.
    pub(super) fn of(backup: Option<&[u8]>) -> Self {
        let Ok(text) = decode(backup.unwrap_or_default()) else { return Self::default() };
        let Ok(Some(root)) = (Document { text }).read() else { return Self::default() };
        let mut theirs = Self::default();
        for (_, events) in hooks(&root) {
            theirs.hooks = true;
            theirs.events.extend(events.items.iter().filter_map(|item| item.key.clone()));
        }
        theirs
    }
}
