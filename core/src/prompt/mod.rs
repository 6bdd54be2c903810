//! Prompt assembly: rows into a neutral prompt that extends the one before it byte for byte.
//!
//! [`assemble`] turns the rows of a conversation into a [`Prompt`], and a [`Conversation`] keeps one assembled
//! while rows come and change; `render` makes a provider's request of it. Each message carries the hash of the
//! chain up to it, so that the first difference between two prompts is found by comparing hashes, and
//! [`Prompt::stable_len`] says how many messages are promised to stay. What parts from a promise is a named
//! [`Edit`]: the conversation tells it as it happens, [`explain`] finds it in two prompts alone.
//!
//! # Codes of diagnostics
//!
//! | code | what happened |
//! |---|---|
//! | `rows_unordered` | the rows came out of order and were sorted |
//! | `duplicate_row`, `duplicate_part`, `duplicate_call`, `duplicate_tool`, `duplicate_keys` | the same stands twice; it is sent once |
//! | `orphan_result` | a result without a call is left out |
//! | `call_empty`, `tool_name_missing`, `status_unknown` | a row without a call, or a call without a tool or with a status that is not known, is left out with its result |
//! | `call_without_message` | the message that asked for a call is closed or not in the prompt: the call stands as a pair |
//! | `part_misplaced` | a part that its row cannot hold is left out |
//! | `part_withheld`, `thinking_withheld` | a part that may not be sent again is left out |
//! | `attachment_expired` | an attachment that can no longer be sent is named in a note |
//! | `result_pending` | a call without a result yet renders as [`INCOMPLETE`] |
//! | `result_missing` | a call whose round was closed without a result renders as [`INTERRUPTED`] |
//! | `result_withdrawn` | a result that was withdrawn renders as [`WITHDRAWN`] |
//! | `late_result` | a result that came after its round was closed is not rendered |
//! | `request_restored` | the request of the turn stands before the boundary, and opens the messages again |
//! | `steering_applied` | a message that came during a turn stands behind its anchor |
//! | `thinking_unverified` | thinking is sent that no chain hash vouches for |
//! | `thinking_kept_for_round` | stale thinking is sent until its tool round ends |
//! | `thinking_held` | thinking that may not be stored is sent from memory until its tool round ends |
//! | `thinking_left_out` | thinking of another model, or stale, is left out |
//!
//! [`Diagnostic::effect`] says which of them left something out, repaired or replaced it.

mod arrival;
mod assemble;
mod conversation;
mod edit;
mod effect;
mod excerpt;
mod explain;
mod hash;
mod held;
mod input;
mod layout;
mod markers;
mod neutral;
mod parts;
mod request;
mod segment;
mod texts;
mod thinking;
mod write;

#[cfg(test)]
pub(crate) mod tests;

pub use arrival::{LifecycleNote, check_message};
pub use assemble::assemble;
pub use conversation::{Change, Conversation, Removal, request_of};
pub use edit::Edit;
pub use effect::Effect;
pub use excerpt::{RESTORED_MAX_BYTES, restored_request};
pub use explain::{
    Cause, Difference, Explanation, Prices, PromptFile, Provider, Section, explain, explain_files,
};
pub use held::{HeldTexts, HeldThinking};
pub use input::{Applying, Contexts, Input, Options, Retention, Turn, Upload};
pub use neutral::{
    Body, Diagnostic, IssuedData, Marker, MarkerAt, Media, Message, Part, Prompt, ResultContent, Role,
    Sections, Ttl,
};
pub use request::{PromptError, Request, Settings, Tool};
pub use texts::{
    INCOMPLETE, INTERRUPTED, NIL, RENDER_TEXT_VERSION, RESUME_NOTE, UNKNOWN_FILENAME, UNKNOWN_TYPE, WITHDRAWN,
};
