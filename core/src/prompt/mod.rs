//! Prompt assembly: rows into a neutral prompt that extends the one before it byte for byte.
//!
//! [`assemble`] turns the rows of a conversation into a [`Prompt`]; `render` makes a provider's request of it.
//! Each message carries the hash of the chain up to it, so that the first difference between two prompts is
//! found by comparing hashes, and [`Prompt::stable_len`] says how many messages are promised to stay.
//!
//! # Codes of diagnostics
//!
//! | code | what happened |
//! |---|---|
//! | `rows_unordered` | the rows came out of order and were sorted |
//! | `duplicate_row`, `duplicate_part`, `duplicate_call`, `duplicate_tool`, `duplicate_keys` | the same stands twice; it is sent once |
//! | `orphan_result` | a result without a call is left out |
//! | `call_empty`, `tool_name_missing` | a row without a call, or a call without a tool, is left out |
//! | `call_without_message` | the message that asked for a call is closed or not in the prompt: the call stands as a pair |
//! | `part_misplaced` | a part that its row cannot hold is left out |
//! | `part_withheld`, `thinking_withheld` | a part that may not be sent again is left out |
//! | `result_pending` | a call without a result yet renders as [`INCOMPLETE`] |
//! | `result_missing` | a call whose round was closed without a result renders as [`INTERRUPTED`] |
//! | `late_result` | a result that came after its round was closed is not rendered |
//! | `thinking_unverified` | thinking is sent that no chain hash vouches for |
//! | `thinking_kept_for_round` | stale thinking is sent until its tool round ends |
//! | `thinking_left_out` | thinking of another model, or stale, is left out |
//! | `restored_request_gone` | the request that a compaction restored is of an earlier turn, and left out |

mod assemble;
mod hash;
mod layout;
mod markers;
mod neutral;
mod parts;
mod request;
mod restore;
mod texts;
mod thinking;
mod write;

#[cfg(test)]
pub(crate) mod tests;

pub use assemble::{Input, assemble};
pub use neutral::{
    Body, Diagnostic, IssuedData, Marker, MarkerAt, Media, Message, Part, Prompt, ResultContent, Role,
    Sections, Ttl,
};
pub use request::{PromptError, Request, Settings, Tool};
pub use texts::{INCOMPLETE, INTERRUPTED, RENDER_TEXT_VERSION, RESUME_NOTE};
