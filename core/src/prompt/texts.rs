//! The texts that rendering adds. They are part of every hash: a change of one is a new
//! [`RENDER_TEXT_VERSION`] and the named edit "compatibility".
use crate::redact::{Clean, CleanBuf};

/// Version of all the texts that rendering adds, in this room and in `render`.
pub const RENDER_TEXT_VERSION: u32 = 1;

/// Stands for the result of a call that still runs.
pub const INCOMPLETE: &str = "incomplete";

/// Stands for the result of a call whose round was closed without one.
pub const INTERRUPTED: &str = "interrupted, outcome unknown";

/// Opens a conversation that was cut, where no user or developer message does.
pub const RESUME_NOTE: &str = "This conversation continues from an earlier point. Later corrections win over \
earlier instructions, completed work stays completed, and attachments from before this point are described in \
the summary only.";

/// A text of the program as clean text.
pub(crate) fn fixed(text: &'static str) -> Clean {
    let mut buf = CleanBuf::new();
    buf.lit(text);
    buf.finish()
}
