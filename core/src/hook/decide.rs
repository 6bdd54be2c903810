use super::event::{Ending, Event, Happening, Start};
use crate::model::Told;
use alloc::{string::String, vec::Vec};
use serde::Serialize;

/// What an event does to its session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Move {
    /// Nothing, but that hooks are the counter of its prompts from the first event on.
    Seen,
    /// It goes on, and is to be told something.
    Start(Option<Told>),
    /// A prompt is counted.
    Prompt {
        /// The prompt's id: a repeated event changes nothing.
        id: Option<String>,
        /// Its text.
        text: String,
    },
    /// A checkpoint is taken before the compaction.
    Compacting,
    /// It ends with a checkpoint.
    End,
    /// It ends, and what it held is cleared.
    Clear,
}

/// A log that an event is a reason to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Log {
    /// Its path, as the harness gave it.
    pub path: String,
    /// Whether it is a sub-agent's.
    pub subagent: bool,
}

/// What follows from an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decisions {
    /// What it does to its session.
    pub step: Move,
    /// What is read of its logs.
    pub logs: Vec<Log>,
}

/// What follows from an event; `None` for one that is of no concern here.
///
/// A sub-agent's events are a reason to read, and no more: they count no prompt, take no checkpoint, and end
/// and clear nothing (`spec/hosts.md`, "Hooks").
///
/// ```
/// use throughline_core::{hook::{CLAUDE_CODE, Move, decide}, model::Told};
/// let start = CLAUDE_CODE.read(br#"{"session_id": "s1", "hook_event_name": "SessionStart", "source": "startup"}"#)?;
/// assert_eq!(decide(&start).unwrap().step, Move::Start(Some(Told::Project)));
/// # Ok::<(), throughline_core::hook::HookError>(())
/// ```
#[must_use]
pub fn decide(event: &Event) -> Option<Decisions> {
    if event.happening == Happening::Unknown {
        return None;
    }
    let step = match &event.happening {
        _ if event.subagent.is_some() => Move::Seen,
        Happening::Started { how } => Move::Start(match how {
            Start::Startup => Some(Told::Project),
            Start::Compact => Some(Told::Session),
            // The conversation itself is there; behind a clear it is not wanted.
            Start::Resume | Start::Fork | Start::Clear | Start::Other => None,
        }),
        Happening::Prompt { id, text } => Move::Prompt { id: id.clone(), text: text.clone() },
        Happening::Compacting { .. } => Move::Compacting,
        Happening::Ended { why: Ending::Clear } => Move::Clear,
        Happening::Ended { .. } => Move::End,
        Happening::Compacted { .. }
        | Happening::Stopped
        | Happening::SubagentStopped
        | Happening::Unknown => Move::Seen,
    };
    Some(Decisions { step, logs: logs(event).into_iter().collect() })
}

/// The log that tells of the event. A sub-agent's event that names no log of its own is one of its session's
/// where the log is named like the session.
fn logs(event: &Event) -> Option<Log> {
    let own = |path: &String| Log { path: path.clone(), subagent: false };
    if event.subagent.is_none() {
        return event.log.as_ref().map(own);
    }
    let named = event.subagent_log.as_ref();
    let path = named.or(event.log.as_ref())?;
    let subagent = named.is_some() || stem(path) != event.session;
    Some(Log { path: path.clone(), subagent })
}

/// The file's name without its last extension.
fn stem(path: &str) -> &str {
    let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::CLAUDE_CODE;
    use std::{format, vec};

    fn of(rest: &str) -> Option<Decisions> {
        let json = format!(r#"{{"session_id": "s", "transcript_path": "/t/s.jsonl", {rest}}}"#);
        decide(&CLAUDE_CODE.read(json.as_bytes()).unwrap())
    }

    fn step(rest: &str) -> Move {
        of(rest).unwrap().step
    }

    #[test]
    fn a_start_is_told_by_its_source() {
        for (source, told) in [
            ("startup", Some(Told::Project)),
            ("compact", Some(Told::Session)),
            ("resume", None),
            ("fork", None),
            ("clear", None),
            ("elsewhere", None),
        ] {
            let rest = format!(r#""hook_event_name": "SessionStart", "source": "{source}""#);
            assert_eq!(step(&rest), Move::Start(told), "{source}");
        }
    }

    #[test]
    fn an_end_takes_a_checkpoint_but_for_a_clear() {
        assert_eq!(step(r#""hook_event_name": "SessionEnd", "reason": "clear""#), Move::Clear);
        for reason in ["resume", "logout", "prompt_input_exit", "bypass_permissions_disabled", "other", "new"]
        {
            let rest = format!(r#""hook_event_name": "SessionEnd", "reason": "{reason}""#);
            assert_eq!(step(&rest), Move::End, "{reason}");
        }
    }

    #[test]
    fn a_subagent_only_reads() {
        for name in ["UserPromptSubmit", "PreCompact", "SessionEnd", "Stop", "SubagentStop", "SessionStart"] {
            let rest =
                format!(r#""hook_event_name": "{name}", "prompt": "p", "reason": "clear", "agent_id": "a""#);
            assert_eq!(step(&rest), Move::Seen, "{name}");
        }
    }

    #[test]
    fn whose_log_is_read() {
        let log = |path: &str, subagent| vec![Log { path: path.into(), subagent }];
        let logs = |rest| of(rest).unwrap().logs;
        assert_eq!(logs(r#""hook_event_name": "Stop""#), log("/t/s.jsonl", false));
        let rest = r#""hook_event_name": "SubagentStop", "agent_id": "a", "agent_transcript_path": "/t/s/agent-a.jsonl""#;
        assert_eq!(logs(rest), log("/t/s/agent-a.jsonl", true));
        assert_eq!(logs(r#""hook_event_name": "SubagentStop", "agent_id": "a""#), log("/t/s.jsonl", false));
        let rest = r#""hook_event_name": "Stop", "agent_id": "a", "transcript_path": "/t/agent-a.jsonl""#;
        assert_eq!(logs(rest), log("/t/agent-a.jsonl", true));
        assert_eq!(logs(r#""hook_event_name": "Stop", "transcript_path": null"#), vec![]);
        assert_eq!(of(r#""hook_event_name": "Notification""#), None);
    }
}
