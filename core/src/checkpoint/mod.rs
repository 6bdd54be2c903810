//! Checkpoints: snapshots of where a conversation stands, and the text that the next run recovers from
//! (`spec/checkpoints.md`).
//!
//! [`record_prompt`] and its neighbours count what happens in a session, and [`is_due`] says when it is time.
//! [`draft`] takes what is new, [`take`] moves it out of the session, [`merge`] makes one draft of two, and
//! [`Draft::into_row`](crate::model::Draft::into_row) makes the stored row with its digest. [`Queue`] holds
//! drafts back while more may come; [`beyond_cap`] says which rows have to go when one is added. [`choose`] says
//! which session a new run may go on from, and [`recovery`] writes what it is told.
//!
//! ```
//! use throughline_core::{checkpoint::{self, Words}, id::{CheckpointId, SessionId}, model::{SessionRow, Trigger}};
//! use throughline_core::{redact::Redactor, time::Timestamp};
//! let redactor = Redactor::standard();
//! let start = Timestamp::EPOCH;
//! let mut session = SessionRow::new(SessionId::new("claude-code", "", "3f2c")?, start);
//! session.project = Some(redactor.clean("/work/app"));
//! checkpoint::record_prompt(&mut session.continuity, &redactor.clean("Make the build green."));
//! let now = start.saturating_add_millis(65 * 60_000);
//! let draft = checkpoint::draft(&session, Trigger::Periodic, Words::default(), now);
//! checkpoint::take(&mut session.continuity, now);
//! let row = draft.into_row(CheckpointId::generate(now, [0; 10]), 1);
//! let digest = "## Session Checkpoint\nProject: /work/app\nPrompts: 1 | Duration: 1h 5m\n";
//! assert!(row.digest.as_str().starts_with(digest));
//! assert!(row.digest.as_str().ends_with("\n\n### Recent Prompts\n- Make the build green."));
//! let recovery = checkpoint::recovery(&row, now, false, 2000);
//! assert!(recovery.text.as_str().starts_with("## Session Recovery Context\n"));
//! # Ok::<(), throughline_core::id::IdError>(())
//! ```

mod cap;
mod choose;
mod content;
mod continuity;
mod deadlines;
mod digest;
mod draft;
mod due;
mod escape;
mod merge;
mod options;
mod queue;
mod recovery;
#[cfg(test)]
mod samples;
mod window;

pub use cap::{beyond_cap, kept_since};
pub use choose::{ACTIVE_MILLIS, Candidate, RECOVERY_WINDOW_MILLIS, choose};
pub use continuity::{
    PROMPT_MAX_CHARS, PROMPTS_MAX, QUERIES_MAX, REMEMBERS_MAX, has_news, record_prompt, record_query,
    record_remember, take,
};
pub use deadlines::Deadlines;
pub use digest::digest;
pub use draft::{CONTEXT_MAX_CHARS, Words, draft};
pub use due::{is_due, next_due, settle_clock};
pub use merge::merge;
pub use options::{ContinuityError, ContinuityOptions, ContinuityWarning, ResolvedContinuity};
pub use queue::Queue;
pub use recovery::{LeftOut, Recovery, recovery};
pub use window::{MAX_WAIT_MILLIS, WINDOW_MILLIS, backoff_millis, closes_window, enqueued, window_end};
