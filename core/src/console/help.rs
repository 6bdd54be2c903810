use super::commands::{ABOUT, COMMANDS, Command, EXAMPLE, Flag, GLOBAL, NOTES, Word};
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

/// What `--version` prints.
pub(super) fn version() -> String {
    format!("throughline {}\n", env!("CARGO_PKG_VERSION"))
}

/// What `--help` prints, without a command.
pub(super) fn general() -> String {
    let commands = COMMANDS.iter().map(|command| (command.name.to_string(), command.about.to_string()));
    let mut flags: Vec<_> = GLOBAL.iter().map(line).collect();
    flags.push(("-h, --help".into(), "Print help".into()));
    flags.push(("-V, --version".into(), "Print version".into()));
    format!(
        "{ABOUT}\n\nUsage: throughline [OPTIONS] <COMMAND>\n\nCommands:\n{}\nOptions:\n{}\n{NOTES}\nExample:\n  {EXAMPLE}\n",
        columns(commands.collect()),
        columns(flags),
    )
}

/// What `--help` prints after a command.
pub(super) fn of(command: &Command) -> String {
    // A flag of the command's own stands in the place of a general one.
    let general = GLOBAL.iter().filter(|flag| command.flags.iter().all(|own| own.name != flag.name));
    let mut flags: Vec<_> = command.flags.iter().chain(general).map(line).collect();
    flags.push(("-h, --help".into(), "Print help".into()));
    let (mut usage, mut arguments) = (String::new(), String::new());
    if let Some(word) = &command.word {
        usage = format!(" {}", placeholder(word));
        arguments = format!("\nArguments:\n{}", columns([(placeholder(word), word.help.into())].into()));
    }
    format!(
        "{}\n\nUsage: throughline {} [OPTIONS]{usage}\n{arguments}\nOptions:\n{}\nExample:\n  {}\n",
        command.about,
        command.name,
        columns(flags),
        command.example,
    )
}

/// A word as usage shows it: `<FILE>`, `[FILE]`, `<FILE>...`.
pub(super) fn placeholder(word: &Word) -> String {
    let name = word.name;
    let shown = if word.needed { format!("<{name}>") } else { format!("[{name}]") };
    if word.many { format!("{shown}...") } else { shown }
}

/// A flag as usage shows it: `--limit <N>`.
pub(super) fn shown(flag: &Flag) -> String {
    flag.takes.map_or_else(|| flag.name.to_string(), |takes| format!("{} <{takes}>", flag.name))
}

/// The values that a flag takes, in a list.
pub(super) fn accepted(flag: &Flag) -> String {
    let names: Vec<&str> = flag.values.iter().map(|(name, _)| *name).collect();
    names.join(", ")
}

fn line(flag: &Flag) -> (String, String) {
    let values: Vec<String> = flag.values.iter().map(|(name, means)| format!("{name} ({means})")).collect();
    let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
    (format!("    {}", shown(flag)), format!("{}{values}", flag.help))
}

fn columns(rows: Vec<(String, String)>) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(name, help)| format!("  {name:<width$}  {help}\n")).collect()
}
