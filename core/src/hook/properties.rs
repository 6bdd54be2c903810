use super::{CLAUDE_CODE, Event, Happening, Spooled, decide};
use crate::{redact::Redactor, time::Timestamp};
use proptest::prelude::*;
use std::{format, string::String};

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop_oneof![
            Just("SessionStart"), Just("UserPromptSubmit"), Just("PreCompact"), Just("PostCompact"),
            Just("Stop"), Just("SubagentStop"), Just("SessionEnd"), Just("Notification"),
        ].prop_map(String::from),
        1 => any::<String>(),
    ]
}

prop_compose! {
    fn event()(
        name in name(),
        session in "[a-z0-9-]{1,40}",
        prompt in any::<String>(),
        source in prop_oneof![Just("startup"), Just("compact"), Just("resume"), Just("x")],
        agent in proptest::option::of("[a-z]{1,8}"),
        log in proptest::option::of("/[a-z/]{1,20}"),
    ) -> Event {
        let json = serde_json::json!({
            "hook_event_name": name, "session_id": session, "prompt": prompt, "source": source,
            "agent_id": agent, "transcript_path": log, "compact_summary": prompt,
        });
        CLAUDE_CODE.read(format!("{json}").as_bytes()).unwrap()
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Ok(event) = CLAUDE_CODE.read(&bytes) {
            let _ = decide(&event);
        }
    }

    #[test]
    fn a_spooled_event_comes_back_as_it_was(event in event()) {
        let redactor = Redactor::standard();
        // What is scrubbed is another text, and stays that one.
        let clean = |text: &str| redactor.clean(text).as_str() == text;
        if let Happening::Prompt { text, .. } = &event.happening {
            prop_assume!(clean(text));
        }
        let spooled = Spooled::new(event, "e", Timestamp::EPOCH);
        let read = Spooled::read(spooled.file(&redactor).as_str()).unwrap();
        if redactor.report(&format!("{spooled:?}")).is_empty() {
            prop_assert_eq!(&read, &spooled);
        }
        prop_assert_eq!(Spooled::read(read.file(&redactor).as_str()), Some(read));
    }

    #[test]
    fn a_subagent_never_moves_its_session(event in event()) {
        if let Some(decisions) = decide(&event).filter(|_| event.subagent.is_some()) {
            prop_assert_eq!(decisions.step, super::Move::Seen);
        }
    }
}
