//! Checkpoints: snapshots of where a conversation stands, and the text that the next run recovers from
//! (`spec/checkpoints.md`).
//!
//! [`record_prompt`] and its neighbours count what happens in a session. [`draft`] takes what is new,
//! [`take`] moves it out of the session, and [`Draft::into_row`] makes the stored row with its digest.
//! [`choose`] says which session a new run may go on from, and [`recovery`] writes what it is told.
//!
//! ```
//! use throughline_core::{checkpoint, id::{CheckpointId, SessionId}, model::{SessionRow, Status, Trigger}};
//! use throughline_core::{redact::Redactor, time::Timestamp};
//! # use throughline_core::model::{Continuity, Counts};
//! let redactor = Redactor::standard();
//! let start = Timestamp::EPOCH;
//! let mut session = SessionRow {
//!     id: SessionId::new("claude-code", "", "3f2c")?,
//!     project: Some(redactor.clean("/work/app")),
//!     started_at: start,
//!     // …
//! #   version: 1, status: Status::Idle, project_normalized: None, project_hash: None,
//! #   last_activity: start, last_created_at: None, counts: Counts::default(),
//! #   checkpoint_seq: 0, boundary_seq: 0, continuity: Continuity::default(), compaction: Default::default(),
//! };
//! checkpoint::record_prompt(&mut session.continuity, &redactor.clean("Make the build green."));
//! let now = start.saturating_add_millis(65 * 60_000);
//! let draft = checkpoint::draft(&session, Trigger::Periodic, None, None, None, now);
//! checkpoint::take(&mut session.continuity, now);
//! let row = draft.into_row(CheckpointId::generate(now, [0; 10]), 1);
//! let digest = "## Session Checkpoint\nProject: /work/app\nPrompts: 1 | Duration: 1h 5m\n";
//! assert!(row.digest.as_str().starts_with(digest));
//! assert!(row.digest.as_str().ends_with("\n\n### Recent Prompts\n- Make the build green."));
//! let recovery = checkpoint::recovery(&row, now, false, 2000);
//! assert!(recovery.text.as_str().starts_with("## Session Recovery Context\n"));
//! # Ok::<(), throughline_core::id::IdError>(())
//! ```

mod choose;
mod content;
mod continuity;
mod digest;
mod draft;
mod escape;
mod recovery;
#[cfg(test)]
mod samples;

pub use choose::{ACTIVE_MILLIS, Candidate, RECOVERY_WINDOW_MILLIS, choose};
pub use continuity::{
    PROMPT_MAX_CHARS, PROMPTS_MAX, QUERIES_MAX, REMEMBERS_MAX, has_news, record_prompt, record_query,
    record_remember, take,
};
pub use digest::digest;
pub use draft::{CONTEXT_MAX_CHARS, Draft, draft};
pub use recovery::{LeftOut, Recovery, recovery};
