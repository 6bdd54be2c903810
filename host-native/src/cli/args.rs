//! The words of the command line.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use throughline_core::redact::Mode;

/// Keeps the line of an agent's work: scrubs, checkpoints, recovers.
#[derive(Debug, Parser)]
#[command(name = "throughline", version, disable_help_subcommand = true)]
#[command(after_help = "\
Everything is kept in one SQLite file; --store, THROUGHLINE_STORE or THROUGHLINE_HOME name another.
Exit status: 0 done, 1 the thing asked about is not so, 2 bad input or usage, 3 storage failed.

Example:
  throughline ingest ~/.claude/projects/*/*.jsonl")]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, ClapArgs)]
pub(super) struct Global {
    /// Where everything is kept: sqlite:PATH [default: $THROUGHLINE_STORE, else
    /// sqlite:$THROUGHLINE_HOME/throughline.db, with ~/.throughline as home]
    #[arg(long, global = true, value_name = "STORE")]
    pub(super) store: Option<String>,
    /// The time to go by, in place of the clock's
    #[arg(long, global = true, value_name = "INSTANT")]
    pub(super) now: Option<String>,
    /// Print one JSON value with sorted keys
    #[arg(long, global = true)]
    pub(super) json: bool,
    /// The project's path
    #[arg(long, global = true, value_name = "PATH")]
    pub(super) project: Option<String>,
    /// The agent's name
    #[arg(long, global = true, value_name = "NAME")]
    pub(super) agent: Option<String>,
    /// The harness's name
    #[arg(long, global = true, value_name = "NAME")]
    pub(super) harness: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Scrub secrets out of a text
    #[command(after_help = "Example:\n  throughline redact build.log > clean.log")]
    Redact(Redact),
    /// List what counts as a secret
    #[command(after_help = "Example:\n  throughline rules --json")]
    Rules(Rules),
    /// Read logs of a coding agent; again after they grew adds only what is new
    #[command(after_help = "Example:\n  throughline ingest ~/.claude/projects/*/*.jsonl")]
    Ingest(Ingest),
    /// List sessions, newest first
    #[command(after_help = "Example:\n  throughline sessions --limit 10")]
    Sessions(Sessions),
    /// List checkpoints, newest first
    #[command(after_help = "Example:\n  throughline checkpoints 0b5f6c1e")]
    Checkpoints(Checkpoints),
    /// Show a checkpoint
    #[command(after_help = "Example:\n  throughline show 019cb6d2-7c00-7d52-a3f0-0f7f4a8d6b11")]
    Show(Show),
    /// Print what the next run must know
    #[command(after_help = "Example:\n  throughline recover --project . --budget 4000")]
    Recover(Recover),
    /// Assemble the prompt that goes on with a session
    #[command(
        after_help = "Example:\n  throughline prompt 0b5f6c1e --format anthropic --request request.json"
    )]
    Prompt(Prompt),
}

#[derive(Debug, ClapArgs)]
pub(super) struct Redact {
    /// The file; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(super) file: PathBuf,
    /// Print what is replaced, in place of the text
    #[arg(long)]
    pub(super) report: bool,
    /// Which findings are replaced
    #[arg(long, value_enum, default_value_t = RedactMode::Default)]
    pub(super) mode: RedactMode,
    /// A file of values that are secrets wherever they stand, one a line
    #[arg(long, value_name = "FILE")]
    pub(super) exact: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RedactMode {
    /// Certain and likely findings
    Default,
    /// Possible findings too
    Paranoid,
    /// None: only with --report
    #[value(name = "report_only", alias = "report-only")]
    ReportOnly,
}

impl From<RedactMode> for Mode {
    fn from(mode: RedactMode) -> Self {
        match mode {
            RedactMode::Default => Self::Default,
            RedactMode::Paranoid => Self::Paranoid,
            RedactMode::ReportOnly => Self::ReportOnly,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(super) struct Rules {
    /// One rule
    #[arg(value_name = "ID")]
    pub(super) id: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct Ingest {
    /// The logs; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct Sessions {
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) limit: u32,
    /// Go on after this place: the `cursor` of the last session seen
    #[arg(long)]
    pub(super) cursor: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct Checkpoints {
    /// The session's key; without it, checkpoints of all sessions
    #[arg(value_name = "SESSION")]
    pub(super) session: Option<String>,
    /// At most this many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) limit: u32,
}

#[derive(Debug, ClapArgs)]
pub(super) struct Show {
    /// The checkpoint's id
    #[arg(value_name = "ID")]
    pub(super) id: String,
}

#[derive(Debug, ClapArgs)]
pub(super) struct Recover {
    /// The session's key; without it, the newest work of the project or of the store
    #[arg(long, value_name = "KEY")]
    pub(super) session: Option<String>,
    /// Length of the text in characters
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(200..=10_000))]
    pub(super) budget: Option<u32>,
}

#[derive(Debug, ClapArgs)]
pub(super) struct Prompt {
    /// The session's key
    #[arg(value_name = "SESSION")]
    pub(super) session: String,
    /// Print the request body of a provider, and nothing else
    #[arg(long, value_enum)]
    pub(super) format: Option<Format>,
    /// A JSON file with model, system, tools and settings
    #[arg(long, value_name = "FILE")]
    pub(super) request: Option<PathBuf>,
}

/// Providers that a prompt is rendered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Anthropic Messages
    Anthropic,
}
