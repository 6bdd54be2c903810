//! The `throughline` command: reads arguments, calls the core, prints the answer.
//!
//! Exit status: 0 done, 1 the thing asked about is not so, 2 bad input or usage, 3 storage failed. Standard
//! output holds the answer alone; an error is one line on standard error, with its code.

mod args;
mod checkpoints;
mod error;
mod ingest;
mod line;
mod output;
mod prompt;
mod recover;
mod redact;
mod rules;
mod sessions;
mod store;
mod usage;

use args::{Args, Command};
use error::CliError;
use output::Output;
use std::{env, ffi::OsString, process::ExitCode};
use store::Place;

/// How a command that did not fail ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// Status 0.
    Yes,
    /// Status 1: nothing was found, or it differs.
    No,
}

/// Runs the command with the arguments and the environment of the process.
#[must_use]
pub fn main() -> ExitCode {
    #[cfg(unix)]
    survive_the_file_size_limit();
    let arguments: Vec<OsString> = env::args_os().collect();
    let json = usage::wants_json(&arguments);
    let result = match usage::parse(arguments) {
        Ok(usage::Parsed::Args(args)) => run(*args),
        Ok(usage::Parsed::Help(text)) => Output::new(false).text(&text).map(|()| Answer::Yes),
        Err(error) => Err(error),
    };
    ExitCode::from(match result {
        Ok(Answer::Yes) => 0,
        Ok(Answer::No) => 1,
        Err(error) if error.is_closed_pipe() => 0,
        Err(error) => {
            error.print(json);
            error.exit()
        }
    })
}

/// A write beyond `ulimit -f` then fails like one on a full disk, in place of ending the process.
#[cfg(unix)]
fn survive_the_file_size_limit() {
    use std::sync::{Arc, atomic::AtomicBool};
    let raised = Arc::new(AtomicBool::new(false));
    // Without the handler nothing is wrong but the end of the process at that limit.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, raised);
}

/// The project as logs name it: a relative path is one of the working directory.
fn absolute(project: String) -> String {
    let elsewhere = project.contains(':') || project.starts_with(['/', '\\']) || project.is_empty();
    match std::path::absolute(&project) {
        Ok(path) if !elsewhere => path.to_string_lossy().into_owned(),
        _ => project,
    }
}

fn run(args: Args) -> Result<Answer, CliError> {
    let Args { mut global, command } = args;
    global.project = global.project.map(absolute);
    let mut output = Output::new(global.json);
    match command {
        Command::Redact(command) => redact::run(&command, &mut output),
        Command::Rules(command) => rules::run(&command, &mut output),
        Command::Ingest(command) => ingest::run(&command, &global, &Place::find(&global)?, &mut output),
        Command::Sessions(command) => sessions::run(&command, &global, &Place::find(&global)?, &mut output),
        Command::Checkpoints(command) => {
            checkpoints::list(&command, &global, &Place::find(&global)?, &mut output)
        }
        Command::Show(command) => checkpoints::show(&command, &Place::find(&global)?, &mut output),
        Command::Prompt(command) => prompt::run(&command, &global, &Place::find(&global)?, &mut output),
        Command::Recover(command) => recover::run(&command, &global, &Place::find(&global)?, &mut output),
    }
}
