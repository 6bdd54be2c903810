//! The texts that rendering adds. They are part of every hash: a change of one is a new
//! [`RENDER_TEXT_VERSION`] and the named edit "compatibility".
use super::Upload;
use crate::{
    model::Stale,
    redact::{Clean, CleanBuf},
};

/// Version of all the texts that rendering adds, in this room and in `render`.
pub const RENDER_TEXT_VERSION: u32 = 1;

/// Stands for the result of a call that still runs.
pub const INCOMPLETE: &str = "incomplete";

/// Stands for the result of a call whose round was closed without one.
pub const INTERRUPTED: &str = "interrupted, outcome unknown";

/// Stands for a result that was withdrawn; a reason goes behind a colon.
pub const WITHDRAWN: &str = "[STALE: this result was withdrawn]";

/// Stands for a result that is `null`.
pub const NIL: &str = "nil";

/// The name of an upload of which none is known.
pub const UNKNOWN_FILENAME: &str = "Unknown filename";

/// The media type of an upload of which none is known.
pub const UNKNOWN_TYPE: &str = "Unknown type";

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

/// What stands for a withdrawn result.
pub(super) fn withdrawn(stale: &Stale) -> Clean {
    match stale {
        Stale::Because(why) if !why.as_str().trim().is_empty() => {
            let mut buf = CleanBuf::new();
            buf.lit("[STALE: this result was withdrawn: ").clean(why).lit("]");
            buf.finish()
        }
        Stale::Withdrawn | Stale::Because(_) => fixed(WITHDRAWN),
    }
}

/// What the model is told of a file: `[file: NAME, TYPE, N bytes, id ID]`.
pub(super) fn file_note(id: &Clean, known: &Upload) -> Clean {
    let mut buf = CleanBuf::new();
    named(buf.lit("[file: "), known).lit(", ").num(known.size.unwrap_or_default());
    buf.lit(" bytes, id ").clean(id).lit("]");
    buf.finish()
}

/// What the model is told of an attachment that cannot be sent: `[attachment not sent: NAME, TYPE]`.
pub(super) fn attachment_note(known: &Upload) -> Clean {
    let mut buf = CleanBuf::new();
    named(buf.lit("[attachment not sent: "), known).lit("]");
    buf.finish()
}

fn named<'a>(buf: &'a mut CleanBuf, known: &Upload) -> &'a mut CleanBuf {
    let or = |text: &Option<Clean>, otherwise| text.clone().unwrap_or_else(|| fixed(otherwise));
    buf.clean(&or(&known.name, UNKNOWN_FILENAME)).lit(", ").clean(&or(&known.media_type, UNKNOWN_TYPE))
}

/// What the model is told of an artifact that has text: `[artifact]`, a line end, the text.
pub(super) fn artifact_note(text: &Clean) -> Clean {
    let mut buf = CleanBuf::new();
    buf.lit("[artifact]\n").clean(text);
    buf.finish()
}
