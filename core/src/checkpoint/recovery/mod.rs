//! The text from which the next run learns where the work stood.
mod fit;
mod frame;
mod outcome;
mod size;

pub use outcome::{LeftOut, Recovery};

use super::content::Content;
use crate::{model::CheckpointRow, redact::CleanBuf, time::Timestamp};

/// Writes the recovery text of a checkpoint (`spec/checkpoints.md`, "Recovery"): a heading, one line that says
/// whose record it is and that it is no instruction, and the digest, fitted to `budget` characters for the
/// whole. The budget is never exceeded, and from 200 on the text is never empty.
///
/// `last_activity` and `ended` are those of the checkpoint's session.
///
/// Kept in this order: heading and project (of a long one, the last 80 characters); context and note, up to
/// half of what is left; the newest prompt, which alone may be cut; remembers; queries; older prompts from the
/// newest on, without gaps; structural context. What has no room is named in the last line.
#[must_use]
pub fn recovery(
    checkpoint: &CheckpointRow,
    last_activity: Timestamp,
    ended: bool,
    budget: usize,
) -> Recovery {
    let content = Content::of(checkpoint);
    let frame = frame::Frame::new(checkpoint, &content, last_activity, ended);
    let head = frame.whole();
    let fitted = budget.checked_sub(head.chars()).and_then(|room| fit::fit(&content, room));
    let (text, left_out) = match fitted {
        Some(fitted) => {
            let mut buf = CleanBuf::new();
            buf.clean(&head);
            fitted.write(&mut buf);
            (buf.finish(), fitted.left_out)
        }
        None => (frame.within(budget), fit::all_left_out(&content)),
    };
    Recovery { chars: text.chars(), text, left_out }
}

#[cfg(test)]
mod tests;
