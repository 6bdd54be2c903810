//! The words of the command line, as data: what is read and what `--help` prints come from here.

/// A flag; with a value when `takes` names one.
#[derive(Debug)]
pub(super) struct Flag {
    pub(super) name: &'static str,
    pub(super) takes: Option<&'static str>,
    pub(super) help: &'static str,
    /// The values that are accepted, each with what it means; empty when any is.
    pub(super) values: &'static [(&'static str, &'static str)],
}

/// A word that is no flag.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) needed: bool,
    pub(super) many: bool,
}

/// A command.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) word: Option<Word>,
    pub(super) flags: &'static [Flag],
    pub(super) example: &'static str,
}

const fn value(name: &'static str, takes: &'static str, help: &'static str) -> Flag {
    Flag { name, takes: Some(takes), help, values: &[] }
}

const fn switch(name: &'static str, help: &'static str) -> Flag {
    Flag { name, takes: None, help, values: &[] }
}

const fn word(name: &'static str, help: &'static str) -> Option<Word> {
    Some(Word { name, help, needed: false, many: false })
}

const fn needed(name: &'static str, help: &'static str) -> Option<Word> {
    Some(Word { name, help, needed: true, many: false })
}

pub(super) const ABOUT: &str = "Keeps the line of an agent's work: scrubs, checkpoints, recovers";
pub(super) const NOTES: &str = "\
Everything is kept in one SQLite file; --store, THROUGHLINE_STORE or THROUGHLINE_HOME name another.
Exit status: 0 done, 1 the thing asked about is not so, 2 bad input or usage, 3 storage failed.
";
pub(super) const EXAMPLE: &str = "throughline ingest ~/.claude/projects/*/*.jsonl";

/// Flags that every command takes, before its name or after it.
pub(super) const GLOBAL: &[Flag] = &[
    value(
        "--store",
        "STORE",
        "Where everything is kept: sqlite:PATH [default: $THROUGHLINE_STORE, else \
         sqlite:$THROUGHLINE_HOME/throughline.db, with ~/.throughline as home]",
    ),
    value("--now", "INSTANT", "The time to go by, in place of the clock's"),
    switch("--json", "Print one JSON value with sorted keys"),
    value("--project", "PATH", "The project's path"),
    value("--agent", "NAME", "The agent's name"),
    value("--harness", "NAME", "The harness's name"),
];

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "redact",
        about: "Scrub secrets out of a text",
        word: word("FILE", "The file; - is standard input, as is none"),
        flags: &[
            switch("--report", "Print what is replaced, in place of the text"),
            Flag {
                name: "--mode",
                takes: Some("MODE"),
                help: "Which findings are replaced [default: default]",
                values: &[
                    ("default", "certain and likely ones"),
                    ("paranoid", "possible ones too"),
                    ("report_only", "none; only with --report or --json"),
                ],
            },
            value("--exact", "FILE", "A file of values that are secrets wherever they stand, one a line"),
        ],
        example: "throughline redact build.log > clean.log",
    },
    Command {
        name: "rules",
        about: "List what counts as a secret",
        word: word("ID", "One rule"),
        flags: &[],
        example: "throughline rules --json",
    },
    Command {
        name: "ingest",
        about: "Read logs of a coding agent; again after they grew adds only what is new",
        word: Some(Word { name: "FILE", help: "The logs; - is standard input", needed: true, many: true }),
        flags: &[],
        example: "throughline ingest ~/.claude/projects/*/*.jsonl",
    },
    Command {
        name: "sessions",
        about: "List sessions, newest first",
        word: None,
        flags: &[
            value("--limit", "N", "At most this many, 1 to 1000 [default: 50]"),
            value("--cursor", "CURSOR", "Go on after this place: the `cursor` of the last session seen"),
        ],
        example: "throughline sessions --limit 10",
    },
    Command {
        name: "checkpoints",
        about: "List checkpoints, newest first",
        word: word("SESSION", "The session's key; without it, checkpoints of all sessions"),
        flags: &[value("--limit", "N", "At most this many, 1 to 1000 [default: 50]")],
        example: "throughline checkpoints 0b5f6c1e",
    },
    Command {
        name: "show",
        about: "Show a checkpoint",
        word: needed("ID", "The checkpoint's id"),
        flags: &[],
        example: "throughline show 019cb6d2-7c00-7d52-a3f0-0f7f4a8d6b11",
    },
    Command {
        name: "recover",
        about: "Print what the next run must know",
        word: None,
        flags: &[
            value(
                "--session",
                "KEY",
                "The session's key; without it, the newest work of the project or of the store",
            ),
            value("--budget", "N", "Length of the text in characters, 200 to 10000 [default: 2000]"),
        ],
        example: "throughline recover --project . --budget 4000",
    },
    Command {
        name: "prompt",
        about: "Assemble the prompt that goes on with a session",
        word: needed("SESSION", "The session's key"),
        flags: &[
            Flag {
                name: "--format",
                takes: Some("FORMAT"),
                help: "Print the request body of a provider, and nothing else",
                values: &[("anthropic", "Anthropic Messages")],
            },
            value("--request", "FILE", "A JSON file with model, system, tools and settings"),
        ],
        example: "throughline prompt 0b5f6c1e --format anthropic --request request.json",
    },
    Command {
        name: "options",
        about: "Show what layers of compaction options come to, and which layer set what",
        word: needed("ACTION", "resolve"),
        flags: &[
            value("--session", "FILE", "A JSON file with the session-wide defaults"),
            value("--agent", "FILE", "A JSON file with agent_options.checkpoint and the traits"),
            value("--config", "FILE", "A JSON file with the host's checkpoint configuration"),
        ],
        example: "throughline options resolve --session session.json --agent agent.json",
    },
    Command {
        name: "compact",
        about: "Fold what stands before the newest turn of a session, without a model",
        word: needed("SESSION", "The session's key"),
        flags: &[switch("--dry-run", "Show what it would come to, and write nothing")],
        example: "throughline compact 0b5f6c1e --dry-run",
    },
];
