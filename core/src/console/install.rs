//! `install` and `uninstall`: hooks in the settings of a harness.
use super::{
    answer::Answer,
    arguments::Call,
    failure::Failure,
    install_text as text,
    place::{Place, join},
    store::Store,
    surroundings::{Surroundings, whole_if_there},
};
use crate::{
    hook::settings::{Files, Outcome, install, is_ours, shell_words, unified, uninstall},
    redact::Redactor,
    sql::postgres::Address,
};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use serde_json::json;

/// The harnesses whose settings are known.
const HARNESSES: &str = "claude-code";

/// The names of the three files.
pub(super) struct Names {
    pub(super) file: String,
    backup: String,
    record: String,
}

/// What is to be run, and where its store is.
struct Wanted {
    command: String,
    place: Place,
    remark: Option<&'static str>,
}

pub(super) async fn run<S: Surroundings>(call: &Call, surroundings: &S) -> Result<Answer, Failure> {
    let harness = call.word().unwrap_or_default();
    if harness != HARNESSES {
        let shown = crate::text::clip(harness, 100);
        let message = format!("`{shown}` is not accepted; accepted: {HARNESSES}");
        return Err(Failure::usage("argument_invalid", message).at("<HARNESS>"));
    }
    let names = names(call, surroundings)?;
    let before = read(&names, surroundings).await?;
    let refused = |error| Failure::from(error).at(&names.file);
    let (outcome, wanted) = match call.command() {
        "install" => {
            let wanted = wanted(call, surroundings).await?;
            (install(&before, &wanted.command).map_err(refused)?, Some(wanted))
        }
        _ => (uninstall(&before).map_err(refused)?, None),
    };
    let diff = diff(&names.file, &before, &outcome);
    let dry = call.has("--dry-run");
    if !dry {
        write(&names, &before, &outcome.files, surroundings).await?;
    }
    let changed = before.file != outcome.files.file;
    let backup = match &wanted {
        // What is kept now, or what was put back.
        Some(_) => outcome.files.backup.is_some(),
        None => outcome.files.backup.is_some() || (outcome.restored && before.backup.is_some()),
    };
    let is_stray = before.file.is_none() && outcome.files.backup.is_some();
    let backup = backup.then_some(&names.backup);
    let mut answer = if call.json() {
        let mut value = json!({
            "file": names.file,
            "changed": changed,
            "backup": backup,
            "added": outcome.added,
            "removed": outcome.removed,
            "restored": outcome.restored,
        });
        if let Some(fields) = value.as_object_mut() {
            if let Some(wanted) = &wanted {
                fields.insert("command".into(), json!(wanted.command));
                fields.insert("store".into(), json!(wanted.place.store().to_string()));
            }
            if dry {
                fields.insert("diff".into(), json!(diff));
            }
        }
        Answer::json(&value)?
    } else if dry && changed {
        Answer::text(diff)
    } else {
        Answer::text(match &wanted {
            Some(Wanted { command, place, .. }) => {
                text::installed(&names.file, &outcome, changed, command, place, backup)
            }
            None => {
                let kept = Place::find(call, surroundings).await.ok().map(|place| place.kept());
                text::uninstalled(&names.file, &outcome, changed, &names.backup, kept)
            }
        })
    };
    if let Some(wanted) = &wanted {
        let remarks = wanted.place.warnings().iter().map(String::as_str).chain(wanted.remark);
        answer = remarks.fold(answer, Answer::remark);
    }
    if wanted.is_some() && is_stray {
        let message =
            format!("the settings were not there; the backup of earlier ones stays in {}", names.backup);
        answer = answer.remark(&message);
    }
    if wanted.is_some() && outcome.disabled {
        answer = answer.remark("these settings say disableAllHooks: no hook runs until that is taken out");
    }
    Ok(answer)
}

fn names<S: Surroundings>(call: &Call, surroundings: &S) -> Result<Names, Failure> {
    let is_given = |text: &String| !text.is_empty();
    let file = match call.value("--settings") {
        Some("" | "-") => {
            let message = "a file is expected, since it is to be written";
            return Err(Failure::usage("argument_invalid", message).at("--settings <FILE>"));
        }
        Some(file) => String::from(file),
        None => {
            let folder = surroundings.variable("CLAUDE_CONFIG_DIR").filter(is_given);
            let home = || surroundings.home().filter(is_given).map(|home| join(&home, ".claude"));
            join(&folder.or_else(home).ok_or_else(homeless)?, "settings.json")
        }
    };
    let beside = |end: &str| [&file, end].concat();
    Ok(Names { backup: beside(Files::BACKUP), record: beside(Files::RECORD), file })
}

fn homeless() -> Failure {
    Failure::usage("home_unknown", "there is no home folder to find settings in; set --settings")
}

async fn read<S: Surroundings>(names: &Names, surroundings: &S) -> Result<Files, Failure> {
    let mut found = Vec::new();
    for name in [&names.file, &names.backup, &names.record] {
        let bytes = whole_if_there(surroundings, name).await;
        found.push(bytes.map_err(|fault| Failure::input(name, &fault))?);
    }
    let mut found = found.into_iter();
    let mut next = || found.next().flatten();
    Ok(Files { file: next(), backup: next(), record: next() })
}

/// The command that the harness is to run. What is decided at the start stands in it: which store, which agent, and
/// how checkpoints are configured.
async fn wanted<S: Surroundings>(call: &Call, surroundings: &S) -> Result<Wanted, Failure> {
    if let Some("" | "-") = call.value("--continuity") {
        let message = "a file is expected, since hooks read it";
        return Err(Failure::usage("argument_invalid", message).at("--continuity <FILE>"));
    }
    let place = Place::find(call, surroundings).await?;
    let variable = |name: &str| surroundings.variable(name).filter(|value| !value.is_empty());
    let mut words = surroundings.program().ok_or_else(|| {
        let message = "the system does not tell where this program lies, or its path is no text";
        Failure::storage("program_unknown", message)
    })?;
    let mut remark = words.iter().any(|word| word.contains("/_npx/")).then_some(
        "this program lies in the cache of npx, which may be emptied: `npm install --global throughline-node`, and \
         install again",
    );
    words.push("hook".into());
    let given = call.value("--store").map(String::from).or_else(|| variable("THROUGHLINE_STORE"));
    match (place.store(), given) {
        (Store::Sqlite(path), given) => {
            if given.is_some() || variable("THROUGHLINE_HOME").is_some() {
                words.extend(["--store".into(), format!("sqlite:{}", absolute(path, surroundings))]);
            }
        }
        (Store::Postgres(_), Some(given)) => {
            let has_password =
                Address::parse(&given, |_| None).is_ok_and(|address| address.password.is_some());
            if !has_password {
                words.extend(["--store".into(), given]);
            } else if call.has("--store") {
                let message = "a password would stand in the settings; give it by PGPASSWORD";
                return Err(Failure::usage("argument_invalid", message).at("--store <STORE>"));
            } else {
                remark = Some(
                    "the store's address holds a password and is not written into the settings: the harness needs \
                     THROUGHLINE_STORE in its environment",
                );
            }
        }
        (Store::Postgres(_), None) => {}
    }
    if let Some(agent) = call.value("--agent") {
        words.extend(["--agent".into(), agent.into()]);
    }
    if let Some(file) = call.value("--continuity") {
        words.extend(["--continuity".into(), absolute(file, surroundings)]);
    }
    let command = shell_words(words.iter().map(String::as_str));
    if !is_ours(&command) {
        let program = words.iter().take_while(|word| *word != "hook").cloned().collect::<Vec<_>>().join(" ");
        let message = format!(
            "by its name `{program}` this program would not be known again in the settings; link it as `throughline` \
             (`ln`, not `ln -s`) and install with that"
        );
        return Err(Failure::storage("program_unknown", message));
    }
    Ok(Wanted { command, place, remark })
}

/// Hooks run in any folder.
fn absolute<S: Surroundings>(path: &str, surroundings: &S) -> String {
    let has_drive = path.chars().nth(1) == Some(':');
    match surroundings.folder() {
        Some(folder) if !has_drive && !path.starts_with(['/', '\\']) => join(&folder, path),
        _ => path.into(),
    }
}

/// What is changed. Both files are scrubbed whole: what a line of theirs says of another goes for those that are shown.
fn diff(name: &str, before: &Files, outcome: &Outcome) -> String {
    let redactor = Redactor::standard();
    let text = |bytes: &Option<Vec<u8>>| {
        redactor.clean(&String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()))
    };
    let name_of = |bytes: &Option<Vec<u8>>| if bytes.is_some() { name } else { "/dev/null" };
    let (old, new) = (&before.file, &outcome.files.file);
    unified(name_of(old), name_of(new), text(old).as_str(), text(new).as_str())
}

/// Writes what is to be otherwise: what is kept before the settings, so that they can always be put back.
async fn write<S: Surroundings>(
    names: &Names,
    before: &Files,
    after: &Files,
    surroundings: &S,
) -> Result<(), Failure> {
    if before == after {
        return Ok(());
    }
    let now = whole_if_there(surroundings, &names.file).await;
    if now.map_err(|fault| Failure::input(&names.file, &fault))? != before.file {
        let message = "another program has just written the file; nothing was changed, try again";
        return Err(Failure::storage("settings_changed", message).at(&names.file));
    }
    let between = before.record_between(after);
    let mut steps = [
        (&names.backup, &before.backup, &after.backup),
        (&names.record, &before.record, &between),
        (&names.file, &before.file, &after.file),
        (&names.record, &between, &after.record),
    ];
    if after.record.is_none() {
        steps = [
            (&names.file, &before.file, &after.file),
            (&names.record, &before.record, &None),
            (&names.backup, &before.backup, &after.backup),
            (&names.record, &None, &None),
        ];
    }
    for (name, old, new) in steps {
        if old == new {
            continue;
        }
        let done = match new {
            Some(bytes) => surroundings.replace(name, bytes, &names.file).await,
            None => surroundings.remove(name).await,
        };
        done.map_err(|fault| {
            Failure::storage("output_failed", format!("cannot be written: {fault}")).at(name)
        })?;
    }
    Ok(())
}
