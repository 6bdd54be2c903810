use crate::json::{Json, Options, Reader};
use alloc::string::String;
use serde::Serialize;

/// The formats of logs, as they are named on the command line and in results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Format {
    /// Claude Code's JSONL.
    ClaudeCode,
    /// Codex rollout JSONL.
    Codex,
    /// Gemini CLI chats.
    GeminiCli,
}

impl Format {
    /// The name, which is the harness's as well: `claude-code`, `codex`, `gemini-cli`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::GeminiCli => "gemini-cli",
        }
    }

    /// What the beginning of a log looks like, judged by its first record.
    ///
    /// ```
    /// use throughline_core::transcript::Format;
    /// assert_eq!(Format::detect(br#"{"type":"summary","summary":"x","leafUuid":"y"}"#), Some(Format::ClaudeCode));
    /// assert_eq!(Format::detect(b"PK\x03\x04"), None);
    /// ```
    #[must_use]
    pub fn detect(beginning: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(beginning, Options { lenient: true, ..Options::default() });
        let Ok(first) = reader.object_without(&[]) else {
            return Self::detect_cut(beginning);
        };
        if first.get("payload").is_some() && first.get("type").is_some() {
            return Some(Self::Codex);
        }
        if first.get("sessionId").is_some()
            && (first.get("messages").is_some() || first.get("projectHash").is_some())
        {
            return Some(Self::GeminiCli);
        }
        is_claude_code(&first).then_some(Self::ClaudeCode)
    }

    /// One JSON object that is longer than the beginning: told by its first keys.
    fn detect_cut(beginning: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(beginning);
        let keys = crate::text::head_bytes(text.trim_start(), 4096);
        let has = |key: &str| keys.contains(key);
        if !keys.starts_with('{') {
            return None;
        }
        if has("\"payload\"") && has("\"session_meta\"") {
            Some(Self::Codex)
        } else if has("\"sessionId\"") && has("\"startTime\"") && has("\"messages\"") {
            Some(Self::GeminiCli)
        } else if has("\"parentUuid\"") || has("\"sessionId\"") {
            Some(Self::ClaudeCode)
        } else {
            None
        }
    }
}

/// Whether a record is one of Claude Code's. Unknown kinds of it carry one of its linkage keys.
pub(super) fn is_claude_code(record: &Json) -> bool {
    let has = |key: &str| record.get(key).is_some();
    if has("payload") {
        return false;
    }
    has("parentUuid")
        || has("leafUuid")
        || (has("type") && (has("sessionId") || has("uuid") || has("messageId")))
        || record.get("type").and_then(Json::as_str).is_some_and(|kind| KINDS.contains(&kind))
}

/// Kinds of records that stand without any linkage key.
const KINDS: &[&str] = &[
    "agent-name",
    "ai-title",
    "atis-latch",
    "bridge-session",
    "custom-title",
    "file-history-snapshot",
    "frame-link",
    "last-prompt",
    "mode",
    "permission-mode",
    "pr-link",
    "queue-operation",
    "relocated",
    "result",
    "started",
    "summary",
    "worktree-state",
];

/// Why a whole log could not be read. (A line that does not parse is no error: it is skipped and reported.)
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TranscriptError {
    /// The log holds nothing.
    #[error("the log is empty; expected records of a session, one JSON object a line")]
    Empty,
    /// It is another tool's log.
    #[error("this is a {found} log; this version reads claude-code logs")]
    Unsupported {
        /// The tool.
        found: &'static str,
    },
    /// No line of it is a record that is known.
    #[error("no line of it is a record of a known log; accepted: claude-code (JSONL)")]
    Unknown,
    /// The session's own name cannot be an identifier.
    #[error(transparent)]
    Identifier(#[from] crate::id::IdError),
}

impl TranscriptError {
    /// `log_empty`, `format_unsupported`, `format_unknown` or `identifier_invalid`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "log_empty",
            Self::Unsupported { .. } => "format_unsupported",
            Self::Unknown => "format_unknown",
            Self::Identifier(error) => error.code(),
        }
    }
}
