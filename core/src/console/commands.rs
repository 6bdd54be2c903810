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

const SETTINGS: Flag = value(
    "--settings",
    "FILE",
    "The settings file [default: settings.json in $CLAUDE_CONFIG_DIR, else in ~/.claude]",
);
const DRY_RUN: Flag = switch("--dry-run", "Change nothing; print what would be changed, as a diff");

pub(super) const ABOUT: &str = "Keeps the line of an agent's work: scrubs, checkpoints, recovers";
pub(super) const NOTES: &str = "\
Everything is kept in one SQLite file; --store, THROUGHLINE_STORE or THROUGHLINE_HOME name another place.
PGPASSWORD gives the password of a PostgreSQL server, so that it stands in no command.
Exit status: 0 done, 1 the thing asked about is not so, 2 bad input or usage, 3 storage failed.
";
pub(super) const EXAMPLE: &str = "throughline ingest ~/.claude/projects/*/*.jsonl";

/// Flags that every command takes, before its name or after it.
pub(super) const GLOBAL: &[Flag] = &[
    value(
        "--store",
        "STORE",
        "Where everything is kept: sqlite:PATH or postgres://USER@HOST/DATABASE [default: $THROUGHLINE_STORE, else \
         sqlite:$THROUGHLINE_HOME/throughline.db, with ~/.throughline as home]",
    ),
    value("--now", "INSTANT", "The time to go by, in place of the clock's"),
    switch("--json", "Print one JSON value with sorted keys"),
    value("--project", "PATH", "The project's path"),
    value("--agent", "NAME", "The agent's name"),
    value("--harness", "NAME", "The harness's name"),
    value(
        "--continuity",
        "FILE",
        "A JSON file: enabled, promptInterval, timeIntervalMs, maxCheckpointsPerSession, retentionDays, \
         recoveryBudgetChars",
    ),
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
            switch("--paranoid", "The same as --mode paranoid"),
            value("--exact", "FILE", "A file of values that are secrets wherever they stand, one a line"),
            value(
                "--exact-env",
                "NAMES",
                "Variables of the environment whose values are, with commas between",
            ),
            value(
                "--tag-key",
                "FILE",
                "A file with a key of 16 bytes and more, by which equal secrets get equal tags",
            ),
            value("--mark", "MARK", "What stands in the place of a secret; {kind} in it is its kind"),
            value("--rules", "FILE", "A JSON file with rules of one's own"),
            value("--keys", "FILE", "A JSON file with names of secrets: strong, weak"),
            value("--allow", "FILE", "A JSON file of what stays: values, keys, rules"),
            switch("--pii", "Replace personal data as well"),
            value("--decode-depth", "N", "How many encodings are seen through, 0 to 4 [default: 2]"),
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
        name: "checkpoint",
        about: "Take a checkpoint of a session as it stands",
        word: needed("SESSION", "The session's key"),
        flags: &[
            Flag {
                name: "--trigger",
                takes: Some("T"),
                help: "Why it is taken; has to be given",
                values: &[
                    ("periodic", "when something is new"),
                    ("agent", "when something is new, with a note"),
                    ("explicit", "always, with a note"),
                    ("pre_compaction", "always, with a context"),
                    ("session_end", "always; the session has ended"),
                ],
            },
            value("--note", "TEXT", "A note"),
            value("--context", "FILE", "A file with the session's context; - is standard input"),
        ],
        example: "throughline checkpoint 0b5f6c1e --trigger explicit --note half-way",
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
                values: &[
                    ("anthropic", "Anthropic Messages"),
                    ("openai-responses", "OpenAI Responses"),
                    ("openai-chat", "OpenAI Chat Completions"),
                    ("gemini", "Gemini generateContent; the model stands in the address, not in the body"),
                ],
            },
            value("--request", "FILE", "A JSON file with model, system, tools and settings"),
            switch("--explain", "Say as well what was left out, repaired and replaced, and why"),
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
    Command {
        name: "hook",
        about: "Take an event of a coding agent's hook from standard input, and answer as the agent expects",
        word: None,
        flags: &[],
        example: "throughline hook --harness claude-code",
    },
    Command {
        name: "prune",
        about: "Delete checkpoints and what belongs to them that are older than 7 days",
        word: None,
        flags: &[],
        example: "throughline prune",
    },
    Command {
        name: "clear",
        about: "Delete a session's checkpoints; what happened until now is not recovered any more",
        word: needed("SESSION", "The session's key"),
        flags: &[],
        example: "throughline clear 0b5f6c1e",
    },
    Command {
        name: "forget",
        about: "Delete a session with everything that is stored of it",
        word: needed("SESSION", "The session's key"),
        flags: &[],
        example: "throughline forget 0b5f6c1e",
    },
    Command {
        name: "install",
        about: "Put hooks into a harness's settings, which then keeps the line of its sessions",
        word: needed("HARNESS", "The harness: claude-code"),
        flags: &[SETTINGS, DRY_RUN],
        example: "throughline install claude-code --dry-run",
    },
    Command {
        name: "uninstall",
        about: "Take the hooks out of a harness's settings again",
        word: needed("HARNESS", "The harness: claude-code"),
        flags: &[SETTINGS, DRY_RUN],
        example: "throughline uninstall claude-code",
    },
    Command {
        name: "watch",
        about: "Read logs in a folder as they grow, for harnesses without hooks; prints a JSON line an event",
        word: needed("DIR", "The folder; every .jsonl file in it and in the folders in it is followed"),
        flags: &[],
        example: "throughline watch ~/.claude/projects",
    },
    Command {
        name: "doctor",
        about: "Look through the store: damage, sizes, what waits, secrets at rest",
        word: None,
        flags: &[],
        example: "throughline doctor",
    },
    Command {
        name: "diff",
        about: "Say where two prompts part, why, and what that costs",
        word: Some(Word {
            name: "A B",
            help: "Two files of `prompt --json`, or the keys of two sessions",
            needed: true,
            many: true,
        }),
        flags: &[
            Flag {
                name: "--provider",
                takes: Some("PROVIDER"),
                help: "In whose order the prompts are read [default: anthropic]",
                values: &[
                    ("anthropic", "tools, system, messages"),
                    ("openai-responses", "tools, system, messages"),
                    ("openai-chat", "tools, system, messages"),
                    ("gemini", "system, tools, messages"),
                ],
            },
            value("--prices", "CACHED,UNCACHED", "Prices of a million input tokens"),
        ],
        example: "throughline diff before.json after.json --prices 0.3,3",
    },
];
