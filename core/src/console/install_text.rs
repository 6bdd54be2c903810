//! What `install` and `uninstall` say to people.
use super::{line::one_line, place::Place};
use crate::hook::settings::{EVENTS, Entry, Outcome};
use alloc::{
    collections::BTreeSet,
    format,
    string::{String, ToString},
    vec::Vec,
};

pub(super) fn installed(
    file: &str,
    outcome: &Outcome,
    changed: bool,
    command: &str,
    place: &Place,
    backup: Option<&String>,
) -> String {
    let file = one_line(file);
    let mut text = if changed {
        format!("installed in {file}\n")
    } else {
        format!("already installed in {file}; nothing was changed\n")
    };
    let all: Vec<&str> = EVENTS.iter().map(|(event, _)| *event).collect();
    let mut line = |name: &str, value: &str| text.push_str(&format!("{name:<11}{}\n", one_line(value)));
    line("events", &all.join(", "));
    line("command", command);
    let older: BTreeSet<&str> = outcome.removed.iter().map(|entry| entry.command.as_str()).collect();
    for command in older {
        line("replaced", command);
    }
    if let Some(backup) = backup {
        line("backup", backup);
    }
    line("store", &place.store().to_string());
    let notes = place.notes().map(|notes| {
        format!(
            "Events that the store refused wait beside it, scrubbed as well, and how far logs were read is noted there: \
             {}\n",
            one_line(&notes)
        )
    });
    text.push_str(&format!(
        "\nSessions that start from now on are kept, with secrets scrubbed, in the store.\n{}\
         To see it:     throughline sessions; throughline checkpoints; throughline recover\n\
         To remove it:  throughline uninstall claude-code; then delete {}\n",
        notes.unwrap_or_default(),
        one_line(&place.kept())
    ));
    text
}

pub(super) fn uninstalled(
    file: &str,
    outcome: &Outcome,
    changed: bool,
    backup: &str,
    kept: Option<String>,
) -> String {
    let file = one_line(file);
    let backup = match &outcome.files.backup {
        Some(_) => {
            format!("backup     {} stays: it holds settings that are not there any more\n", one_line(backup))
        }
        None => String::new(),
    };
    if !changed {
        return format!("nothing of Throughline is in {file}\n{backup}");
    }
    let events: Vec<&str> = outcome.removed.iter().map(|Entry { event, .. }| event.as_str()).collect();
    let how = match (outcome.restored, outcome.files.file.is_some()) {
        (true, true) => "it is byte for byte what it was before",
        (true, false) => "the file was made by install, and is gone",
        _ => "it was changed since, so the entries alone were taken out",
    };
    let data = kept.map(|kept| {
        format!("What was kept stays in {}; delete that to remove everything.\n", one_line(&kept))
    });
    format!(
        "uninstalled from {file}: {how}\nevents     {}\n{backup}{}",
        events.join(", "),
        data.unwrap_or_default()
    )
}
