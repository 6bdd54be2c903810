use alloc::string::String;
use serde::{Deserialize, Serialize};

/// How a session started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Start {
    /// A new one.
    Startup,
    /// An earlier one goes on, with its conversation.
    Resume,
    /// A new one in the place of one that was cleared.
    Clear,
    /// The same one goes on behind its compaction.
    Compact,
    /// A copy of an earlier one, with its conversation.
    Fork,
    /// In a way that is not known.
    #[serde(other)]
    Other,
}

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ending {
    /// What it held is to be forgotten.
    Clear,
    /// Another one is resumed.
    Resume,
    /// The user logged out.
    Logout,
    /// The user left at the prompt.
    PromptInputExit,
    /// A mode that skips permissions was turned off.
    BypassPermissionsDisabled,
    /// For another reason.
    #[serde(other)]
    Other,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "happened", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Happening {
    /// The session started or goes on.
    Started {
        /// How.
        how: Start,
    },
    /// A user sent a prompt.
    Prompt {
        /// Its id, where the harness gives one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// Its text.
        text: String,
    },
    /// The context is about to be compacted.
    Compacting {
        /// Whether the user asked for it.
        manual: bool,
        /// What the user wants to be kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instructions: Option<String>,
    },
    /// The context was compacted.
    Compacted {
        /// The summary, where the harness gives it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<String>,
    },
    /// The agent ended its turn.
    Stopped,
    /// A sub-agent ended its turn.
    SubagentStopped,
    /// The session ended.
    Ended {
        /// Why.
        why: Ending,
    },
    /// Something that is of no concern here.
    #[serde(other)]
    Unknown,
}

/// An event of a harness: the same for all of them. Texts are as the harness gave them, not scrubbed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The session's key.
    pub session: String,
    /// What happened.
    #[serde(flatten)]
    pub happening: Happening,
    /// The working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The path of the session's log; not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// The sub-agent that it is of, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent: Option<String>,
    /// The path of the sub-agent's own log; not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subagent_log: Option<String>,
}
