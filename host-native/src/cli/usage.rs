//! Arguments, and what is wrong with them in one line.

use super::{args::Args, error::CliError};
use clap::{
    CommandFactory, Parser,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};
use std::ffi::OsString;

pub(super) enum Parsed {
    Args(Box<Args>),
    /// What `--help` or `--version` print.
    Help(String),
}

pub(super) fn parse(arguments: Vec<OsString>) -> Result<Parsed, CliError> {
    let command = Args::command();
    let named = arguments
        .iter()
        .skip(1)
        .filter_map(|word| word.to_str())
        .find_map(|word| command.find_subcommand(word))
        .map(|found| found.get_name().to_owned());
    match Args::try_parse_from(arguments) {
        Ok(args) => Ok(Parsed::Args(Box::new(args))),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            Ok(Parsed::Help(error.render().to_string()))
        }
        Err(error) => Err(explain(&error, named.as_deref())),
    }
}

/// Whether errors are wanted as JSON as well; asked before the arguments are known to be right.
pub(super) fn wants_json(arguments: &[OsString]) -> bool {
    arguments.iter().take_while(|word| *word != "--").any(|word| word == "--json")
}

fn explain(error: &Error, command: Option<&str>) -> CliError {
    let help = command.map_or("throughline --help".to_owned(), |name| format!("throughline {name} --help"));
    let text = |kind| error.get(kind).map(words).unwrap_or_default();
    let argument = text(ContextKind::InvalidArg);
    let value = text(ContextKind::InvalidValue);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let unknown = text(ContextKind::InvalidSubcommand);
            let message = match error.get(ContextKind::SuggestedSubcommand).map(words) {
                Some(near) => format!("there is no command `{unknown}`; did you mean {near}?"),
                None => format!("there is no command `{unknown}`; accepted: {}", commands()),
            };
            CliError::usage("unknown_command", message).at(unknown)
        }
        ErrorKind::UnknownArgument => {
            let near = error.get(ContextKind::SuggestedArg).map(words);
            let (code, kind) = if argument.starts_with('-') {
                ("unknown_flag", "flag")
            } else {
                ("unknown_argument", "argument")
            };
            let message = match near {
                Some(near) => format!("there is no {kind} `{argument}` here; did you mean {near}?"),
                None => format!("there is no {kind} `{argument}` here; `{help}` lists what is accepted"),
            };
            CliError::usage(code, message).at(argument)
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let message = format!("no command is given; accepted: {}; see `throughline --help`", commands());
            CliError::usage("command_missing", message)
        }
        ErrorKind::MissingRequiredArgument => {
            CliError::usage("argument_missing", format!("{argument} is missing; see `{help}`")).at(argument)
        }
        ErrorKind::ArgumentConflict => {
            let other = text(ContextKind::PriorArg);
            let message = if other == argument || other.is_empty() {
                format!("{argument} is given twice")
            } else {
                format!("{argument} cannot be given together with {other}")
            };
            CliError::usage("argument_conflict", message).at(argument)
        }
        ErrorKind::InvalidUtf8 => CliError::usage("argument_invalid", "an argument is no valid text"),
        _ => {
            let wrong = if value.is_empty() {
                "a value is missing".into()
            } else {
                format!("`{value}` is not accepted")
            };
            let valid = error.get(ContextKind::ValidValue).map(words);
            let source = std::error::Error::source(error).map(ToString::to_string);
            let accepted = match (valid, source) {
                (Some(valid), _) => format!("; accepted: {valid}"),
                (None, Some(source)) => format!(": {source}"),
                (None, None) => format!("; see `{help}`"),
            };
            CliError::usage("argument_invalid", format!("{wrong}{accepted}")).at(argument)
        }
    }
}

fn commands() -> String {
    let command = Args::command();
    let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
    names.join(", ")
}

fn words(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(list) => list.join(", "),
        ContextValue::StyledStr(text) => text.to_string(),
        ContextValue::StyledStrs(list) => list.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        ContextValue::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_fit_together() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_command_has_an_example_that_is_accepted() {
        for command in Args::command().get_subcommands() {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let (_, example) =
                help.split_once("Example:\n").unwrap_or_else(|| panic!("{}", command.get_name()));
            let line = example.split(" > ").next().unwrap().trim();
            let parsed = parse(line.split_whitespace().map(OsString::from).collect());
            assert!(matches!(parsed, Ok(Parsed::Args(_))), "{line}");
        }
    }

    #[test]
    fn json_is_seen_in_any_place() {
        let list = |words: &str| words.split_whitespace().map(OsString::from).collect::<Vec<_>>();
        assert!(wants_json(&list("throughline no-such --json")));
        assert!(!wants_json(&list("throughline redact -- --json")));
    }
}
