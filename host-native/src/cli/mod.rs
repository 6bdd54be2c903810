//! The `throughline` command: the process around [`throughline_core::console`], which reads the words and
//! writes the answer.

mod files;
mod hook;
mod replace;
mod surroundings;

use std::{
    env,
    ffi::OsString,
    io::{self, Write},
    panic,
    process::{self, ExitCode},
};
use surroundings::Process;
use throughline_core::console::{self, Answer};

/// Runs the command with the arguments and the environment of the process.
#[must_use]
pub fn main() -> ExitCode {
    #[cfg(unix)]
    survive_the_file_size_limit();
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    // A name of a file that is no text is still opened as it is: `Process` knows which word it was.
    let words: Vec<String> = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    if console::is_hook(&words) {
        never_fail();
    }
    let answer = pollster::block_on(console::run(&words, &Process::new(arguments)));
    let written = io::stdout().lock().write_all(&answer.stdout).and_then(|()| io::stdout().flush());
    let answer = match written {
        Ok(()) => answer,
        Err(error) => console::unwritten(&words, &crate::fault::of(&error)),
    };
    end(&answer)
}

/// Says of a panic nothing but that it was one, since its message may hold text of the input, and ends with the
/// status that lets the agent go on.
fn never_fail() {
    panic::set_hook(Box::new(|_| {
        let _ = io::stderr().write_all(console::UNEXPECTED.as_bytes());
        process::exit(0)
    }));
}

fn end(answer: &Answer) -> ExitCode {
    // There is no better place to say that this place is closed.
    let _ = io::stderr().write_all(answer.stderr.as_bytes());
    ExitCode::from(answer.exit)
}

/// A write beyond `ulimit -f` then fails like one on a full disk, in place of ending the process.
#[cfg(unix)]
fn survive_the_file_size_limit() {
    use std::sync::{Arc, atomic::AtomicBool};
    let raised = Arc::new(AtomicBool::new(false));
    // Without the handler nothing is wrong but the end of the process at that limit.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, raised);
}
