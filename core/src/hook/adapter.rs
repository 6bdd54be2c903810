use super::{Event, HookError};
use crate::{
    json::{Json, Options, Reader},
    redact::Clean,
};
use alloc::string::String;

/// What is known of a harness's hooks, as data.
#[derive(Debug)]
pub struct Adapter {
    /// The harness's name, such as `claude-code`.
    pub harness: &'static str,
    pub(super) read: fn(&Json) -> Result<Event, HookError>,
    pub(super) answer: fn(&Event, &Clean) -> Option<String>,
}

impl Adapter {
    /// Reads an event. Lone surrogates and invalid UTF-8 in it become U+FFFD; what stands behind it is not
    /// looked at.
    ///
    /// ```
    /// use throughline_core::hook::{CLAUDE_CODE, Happening};
    /// let json = br#"{"session_id": "s1", "hook_event_name": "Stop", "transcript_path": "/t.jsonl", "cwd": "/app"}"#;
    /// let event = CLAUDE_CODE.read(json)?;
    /// assert_eq!((event.session.as_str(), event.happening), ("s1", Happening::Stopped));
    /// assert_eq!(CLAUDE_CODE.read(b"{").unwrap_err().code(), "json_invalid");
    /// # Ok::<(), throughline_core::hook::HookError>(())
    /// ```
    ///
    /// # Errors
    /// `json_invalid`, `json_too_deep`; `event_invalid` where it names no session or no event.
    pub fn read(&self, bytes: &[u8]) -> Result<Event, HookError> {
        let mut reader = Reader::new(bytes, Options { lenient: true, max_depth: Options::DEPTH_LIMIT });
        (self.read)(&reader.value()?)
    }

    /// The answer to an event that hands the agent a text, as the harness takes it; `None` where the harness
    /// takes none, and for an empty text.
    ///
    /// ```
    /// use throughline_core::{hook::CLAUDE_CODE, redact::Redactor};
    /// let start = CLAUDE_CODE.read(br#"{"session_id": "s1", "hook_event_name": "SessionStart", "source": "startup"}"#)?;
    /// let text = Redactor::standard().clean("Go on.");
    /// assert_eq!(
    ///     CLAUDE_CODE.answer(&start, &text).unwrap(),
    ///     r#"{"hookSpecificOutput":{"additionalContext":"Go on.","hookEventName":"SessionStart"}}"#
    /// );
    /// # Ok::<(), throughline_core::hook::HookError>(())
    /// ```
    #[must_use]
    pub fn answer(&self, event: &Event, text: &Clean) -> Option<String> {
        if text.is_empty() { None } else { (self.answer)(event, text) }
    }
}
