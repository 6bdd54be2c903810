//! Claude Code's hooks.

use super::{
    Adapter,
    error::HookError,
    event::{Ending, Event, Happening, Start},
};
use crate::{json::Json, redact::Clean};
use alloc::string::String;
use serde_json::json;

/// The hooks of Claude Code.
pub const CLAUDE_CODE: Adapter = Adapter { harness: "claude-code", read, answer };

fn read(json: &Json) -> Result<Event, HookError> {
    let text = |key: &str| json.get(key).and_then(Json::as_str);
    let some = |key: &str| text(key).filter(|text| !text.is_empty()).map(String::from);
    let missing = |field, accepted| HookError::Field { field, accepted };
    let session = some("session_id").ok_or_else(|| missing("session_id", "a text that names the session"))?;
    let name = text("hook_event_name")
        .ok_or_else(|| missing("hook_event_name", "a text that names the event, such as SessionStart"))?;
    let happening = match name {
        "SessionStart" => Happening::Started { how: start(text("source").unwrap_or_default()) },
        "UserPromptSubmit" => {
            Happening::Prompt { id: some("prompt_id"), text: text("prompt").unwrap_or_default().into() }
        }
        "PreCompact" => Happening::Compacting {
            manual: text("trigger") == Some("manual"),
            instructions: some("custom_instructions"),
        },
        "PostCompact" => Happening::Compacted { summary: some("compact_summary") },
        "Stop" => Happening::Stopped,
        "SubagentStop" => Happening::SubagentStopped,
        "SessionEnd" => Happening::Ended { why: ending(text("reason").unwrap_or_default()) },
        _ => Happening::Unknown,
    };
    Ok(Event {
        session,
        happening,
        project: some("cwd"),
        log: some("transcript_path"),
        subagent: some("agent_id"),
        subagent_log: some("agent_transcript_path"),
    })
}

fn start(source: &str) -> Start {
    match source {
        "startup" => Start::Startup,
        "resume" => Start::Resume,
        "clear" => Start::Clear,
        "compact" => Start::Compact,
        "fork" => Start::Fork,
        _ => Start::Other,
    }
}

fn ending(reason: &str) -> Ending {
    match reason {
        "clear" => Ending::Clear,
        "resume" => Ending::Resume,
        "logout" => Ending::Logout,
        "prompt_input_exit" => Ending::PromptInputExit,
        "bypass_permissions_disabled" => Ending::BypassPermissionsDisabled,
        _ => Ending::Other,
    }
}

/// Context is taken at a start and with a prompt.
fn answer(event: &Event, text: &Clean) -> Option<String> {
    let name = match event.happening {
        Happening::Started { .. } => "SessionStart",
        Happening::Prompt { .. } => "UserPromptSubmit",
        _ => return None,
    };
    let output = json!({ "hookEventName": name, "additionalContext": text.as_str() });
    Some(alloc::format!("{}", json!({ "hookSpecificOutput": output })))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::redact::Redactor;
    use std::format;

    fn event(rest: &str) -> Event {
        let json =
            format!(r#"{{"session_id": "s", "cwd": "/app", "transcript_path": "/t/s.jsonl", {rest}}}"#);
        CLAUDE_CODE.read(json.as_bytes()).unwrap()
    }

    fn happening(rest: &str) -> Happening {
        event(rest).happening
    }

    #[test]
    fn sources_and_reasons_are_known_or_other() {
        for (source, how) in [
            ("startup", Start::Startup),
            ("resume", Start::Resume),
            ("clear", Start::Clear),
            ("compact", Start::Compact),
            ("fork", Start::Fork),
            ("teleport", Start::Other),
            ("", Start::Other),
        ] {
            let rest = format!(r#""hook_event_name": "SessionStart", "source": "{source}""#);
            assert_eq!(happening(&rest), Happening::Started { how }, "{source}");
        }
        for (reason, why) in [
            ("clear", Ending::Clear),
            ("resume", Ending::Resume),
            ("logout", Ending::Logout),
            ("prompt_input_exit", Ending::PromptInputExit),
            ("bypass_permissions_disabled", Ending::BypassPermissionsDisabled),
            ("other", Ending::Other),
            ("power_cut", Ending::Other),
        ] {
            let rest = format!(r#""hook_event_name": "SessionEnd", "reason": "{reason}""#);
            assert_eq!(happening(&rest), Happening::Ended { why }, "{reason}");
        }
    }

    #[test]
    fn unknown_events_and_fields_are_ignored() {
        let rest = r#""hook_event_name": "PreToolUse", "tool_input": {"a": [1, {"b": null}]}, "x": 1e400"#;
        assert_eq!(happening(rest), Happening::Unknown);
    }

    #[test]
    fn fields_of_another_type_count_as_missing() {
        let event =
            event(r#""hook_event_name": "UserPromptSubmit", "prompt": 7, "prompt_id": {}, "agent_id": null"#);
        assert_eq!(event.happening, Happening::Prompt { id: None, text: String::new() });
        assert_eq!(event.subagent, None);
        for (json, field) in
            [(r#"{"hook_event_name": "Stop"}"#, "session_id"), (r#"{"session_id": "s"}"#, "hook_event_name")]
        {
            let error = CLAUDE_CODE.read(json.as_bytes()).unwrap_err();
            assert_eq!(error.code(), "event_invalid");
            assert!(format!("{error}").contains(field), "{error}");
        }
        assert_eq!(CLAUDE_CODE.read(b"[]").unwrap_err().code(), "event_invalid");
    }

    #[test]
    fn a_lone_surrogate_is_no_reason_to_lose_a_prompt() {
        let rest = r#""hook_event_name": "UserPromptSubmit", "prompt": "a \ud800 b""#;
        assert_eq!(happening(rest), Happening::Prompt { id: None, text: "a \u{fffd} b".into() });
    }

    #[test]
    fn only_starts_and_prompts_take_a_text() {
        let text = Redactor::standard().clean("note");
        for (name, takes) in [
            ("SessionStart", true),
            ("UserPromptSubmit", true),
            ("PreCompact", false),
            ("PostCompact", false),
            ("Stop", false),
            ("SubagentStop", false),
            ("SessionEnd", false),
            ("Notification", false),
        ] {
            let event = event(&format!(r#""hook_event_name": "{name}""#));
            assert_eq!(CLAUDE_CODE.answer(&event, &text).is_some(), takes, "{name}");
            assert_eq!(CLAUDE_CODE.answer(&event, &Clean::default()), None);
        }
    }
}
