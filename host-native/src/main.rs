//! The `throughline` command; see [`throughline::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    throughline::cli::main()
}
