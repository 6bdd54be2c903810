//! Words of a command line, read by the table of commands.

use super::{
    commands::{COMMANDS, Command, Flag, GLOBAL},
    failure::Failure,
    help,
    nearest::nearest,
};
use crate::text::clip;
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::ops::RangeInclusive;

/// How much of a wrong value is shown, in characters.
const SHOWN: usize = 100;

/// What the words ask for.
#[derive(Debug)]
pub(super) enum Parsed {
    /// A command is to be run.
    Call(Call),
    /// This is to be printed: help, or the version.
    Print(String),
}

/// A command with its words, all of them known and in their place.
#[derive(Debug)]
pub(super) struct Call {
    command: &'static Command,
    words: Vec<String>,
    flags: BTreeMap<&'static str, Option<String>>,
}

impl Call {
    /// The command's name.
    pub(super) fn command(&self) -> &'static str {
        self.command.name
    }

    /// The words that are no flags.
    pub(super) fn words(&self) -> &[String] {
        &self.words
    }

    /// The one word that is no flag.
    pub(super) fn word(&self) -> Option<&str> {
        self.words.first().map(String::as_str)
    }

    /// Whether the flag is given.
    pub(super) fn has(&self, flag: &str) -> bool {
        self.flags.contains_key(flag)
    }

    /// Whether the answer is one JSON value.
    pub(super) fn json(&self) -> bool {
        self.has("--json")
    }

    /// The value of a flag.
    pub(super) fn value(&self, flag: &str) -> Option<&str> {
        self.flags.get(flag)?.as_deref()
    }

    /// The value of a flag, a whole number.
    pub(super) fn number(&self, flag: &str, range: RangeInclusive<u32>) -> Result<Option<u32>, Failure> {
        let Some(text) = self.value(flag) else { return Ok(None) };
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| digits && range.contains(number));
        number.map(Some).ok_or_else(|| {
            let accepted = format!("a whole number from {} to {}", range.start(), range.end());
            let shown = flags(Some(self.command)).find(|known| known.name == flag).map(help::shown);
            wrong(text, &accepted, shown.as_deref().unwrap_or(flag))
        })
    }
}

/// The word in the place of a command, whether or not the words are right.
pub(super) fn command_of(words: &[String]) -> Option<&str> {
    let mut rest = words.iter();
    while let Some(word) = rest.next() {
        if !word.starts_with('-') {
            return Some(word);
        }
        if GLOBAL.iter().any(|flag| flag.takes.is_some() && flag.name == word) {
            rest.next();
        }
    }
    None
}

/// Reads words; the first that is no flag names the command.
pub(super) fn read(words: &[String]) -> Result<Parsed, Failure> {
    let mut call: Option<&'static Command> = None;
    let (mut plain, mut found) = (Vec::new(), BTreeMap::new());
    let (mut rest, mut only_words) = (words.iter(), false);
    while let Some(word) = rest.next() {
        if only_words || word == "-" || !word.starts_with('-') {
            match call {
                None => call = Some(command(word)?),
                Some(command) => take(command, word, &mut plain)?,
            }
        } else if word == "--" {
            only_words = true;
        } else if word == "--help" || word == "-h" {
            return Ok(Parsed::Print(call.map_or_else(help::general, help::of)));
        } else if (word == "--version" || word == "-V") && call.is_none() {
            return Ok(Parsed::Print(help::version()));
        } else {
            let (name, value) = match word.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (&**word, None),
            };
            let flag = flags(call).find(|flag| flag.name == name).ok_or_else(|| unknown_flag(name, call))?;
            let value = value_of(flag, value, &mut rest)?;
            if found.insert(flag.name, value).is_some() {
                let shown = help::shown(flag);
                return Err(Failure::usage("argument_conflict", format!("{shown} is given twice")).at(shown));
            }
        }
    }
    let command = call.ok_or_else(no_command)?;
    match &command.word {
        Some(word) if word.needed && plain.is_empty() => {
            let name = format!("<{}>", word.name);
            let message = format!("{name} is missing; see `{}`", help_of(call));
            Err(Failure::usage("argument_missing", message).at(name))
        }
        _ => Ok(Parsed::Call(Call { command, words: plain, flags: found })),
    }
}

fn flags(command: Option<&'static Command>) -> impl Iterator<Item = &'static Flag> {
    command.map_or(&[][..], |command| command.flags).iter().chain(GLOBAL)
}

fn command(name: &str) -> Result<&'static Command, Failure> {
    COMMANDS.iter().find(|command| command.name == name).ok_or_else(|| {
        let message = match nearest(name, COMMANDS.iter().map(|command| command.name)) {
            Some(near) => format!("there is no command `{}`; did you mean {near}?", clip(name, SHOWN)),
            None => format!("there is no command `{}`; accepted: {}", clip(name, SHOWN), commands()),
        };
        Failure::usage("unknown_command", message).at(clip(name, SHOWN))
    })
}

fn take(command: &'static Command, word: &str, plain: &mut Vec<String>) -> Result<(), Failure> {
    match &command.word {
        Some(known) if known.many || plain.is_empty() => plain.push(word.into()),
        _ => {
            let (shown, help) = (clip(word, SHOWN), help_of(Some(command)));
            let message = format!("there is no argument `{shown}` here; `{help}` lists what is accepted");
            return Err(Failure::usage("unknown_argument", message).at(shown));
        }
    }
    Ok(())
}

/// The value of a flag: after `=`, else the next word. `None` for a flag that takes none.
fn value_of<'a>(
    flag: &'static Flag,
    attached: Option<&str>,
    rest: &mut impl Iterator<Item = &'a String>,
) -> Result<Option<String>, Failure> {
    let shown = help::shown(flag);
    if flag.takes.is_none() {
        return match attached {
            None => Ok(None),
            Some(_) => Err(Failure::usage("argument_invalid", format!("{shown} takes no value")).at(shown)),
        };
    }
    let is_value = |word: &&String| *word == "-" || !word.starts_with('-');
    let value = attached.map(String::from).or_else(|| rest.next().filter(is_value).cloned());
    let Some(value) = value else {
        let accepted = help::accepted(flag);
        let message = if accepted.is_empty() {
            format!("a value is missing; one that begins with - is given as {}=-…", flag.name)
        } else {
            format!("a value is missing; accepted: {accepted}")
        };
        return Err(Failure::usage("argument_invalid", message).at(shown));
    };
    if !flag.values.is_empty() && !flag.values.iter().any(|(known, _)| *known == value) {
        return Err(wrong(&value, &help::accepted(flag), &shown));
    }
    Ok(Some(value))
}

fn wrong(value: &str, accepted: &str, at: &str) -> Failure {
    let message = format!("`{}` is not accepted; accepted: {accepted}", clip(value, SHOWN));
    Failure::usage("argument_invalid", message).at(at)
}

fn unknown_flag(name: &str, command: Option<&'static Command>) -> Failure {
    let message = match nearest(name, flags(command).map(|flag| flag.name).chain(["--help"])) {
        Some(near) => format!("there is no flag `{}` here; did you mean {near}?", clip(name, SHOWN)),
        None => {
            let help = help_of(command);
            format!("there is no flag `{}` here; `{help}` lists what is accepted", clip(name, SHOWN))
        }
    };
    Failure::usage("unknown_flag", message).at(clip(name, SHOWN))
}

fn no_command() -> Failure {
    let message = format!("no command is given; accepted: {}; see `{}`", commands(), help_of(None));
    Failure::usage("command_missing", message)
}

fn commands() -> String {
    let names: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
    names.join(", ")
}

fn help_of(command: Option<&Command>) -> String {
    match command {
        Some(command) => format!("throughline {} --help", command.name),
        None => "throughline --help".to_string(),
    }
}
