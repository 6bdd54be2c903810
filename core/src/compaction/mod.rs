//! When a conversation is compacted, by whom, and to what (`spec/compaction.md`).
//!
//! The room decides and calls nothing: [`resolve`] merges layers of options, [`is_due`] says whether a response
//! asks for a compaction, [`AttemptPlan`] who is asked for the summary, [`summary_input`] what a summarizer
//! reads. [`Operation`] puts these together as a machine: it owns a snapshot of all it needs, gives a [`Step`]
//! to be done, and takes the [`Event`] that came of it. [`fold()`] writes a summary without a model.
//!
//! # Codes
//!
//! | code | what happened |
//! |---|---|
//! | `option_invalid` | an option has another type than it must have |
//! | `compaction_disabled` | `enabled` is false |
//! | `summarizer_missing` | neither a binding nor a function is named |
//! | `host_required` | what is named must be called by a host, and none is there |
//! | `nothing_to_compact` | nothing stands before the anchor |
//! | `compaction_held_back` | the last try failed with the same input, or gained under 5 % |
//! | `summary_input_too_large` | the conversation does not fit the summarizer; it is never shortened |
//! | `summary_empty`, `summary_truncated` | a blank summary; one that was cut off at its limit |
//! | `summary_too_large` | the summary saves nothing |
//! | `summarizer_failed` | the last binding or function failed, or a strict one did |
//! | `prompt_exceeds_window` | the prompt cannot be sent, and nothing shortened it |
//! | `compaction_superseded` | another compaction was made in between, or the anchor left the live conversation |
//! | `event_unexpected` | an answer came that nothing waits for |
//!
//! Diagnostics: `context_tokens_missing` (a response named no size: an estimate decided), `summarizer_too_small`
//! (the summarizer's window has no room for the conversation), `option_replaced` (an option of the summarizer is
//! not usable, and its default stands in).

mod anchor;
mod backoff;
mod bindings;
mod error;
mod fold;
mod input;
mod operation;
mod options;
mod rows;
mod schedule;
mod summarizer;

pub use anchor::{Cut, Opening, after_step, before_sending, originating_request, when_idle};
pub use backoff::{FailedAttempt, Gain};
pub(crate) use bindings::is_kept;
pub use bindings::{Attempt, AttemptPlan, Binding, FOLD_FUNCTION};
pub use error::CompactionError;
pub use fold::{FoldOptions, fold};
pub use input::{SummaryInput, summary_input};
pub use operation::{Diagnostic, Draft, Event, Operation, Scheduled, Step, Summarize};
pub use options::{DEFAULT_TOKEN_THRESHOLD, Effective, Layers, Origin, TraitLayer, resolve};
pub use schedule::{Measured, Reported, Window, is_available, is_due, measured};
pub use summarizer::{Budget, MAX_CONVERSATION_BYTES, SummarizerConfig};
