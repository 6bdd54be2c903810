//! The fixed lines of a recovery text.
use super::Content;
use crate::{
    checkpoint::digest::write_head,
    model::CheckpointRow,
    redact::{Clean, CleanBuf},
    time::Timestamp,
};

const HEADING: &str = "## Session Recovery Context\n";
/// The one thing that is never cut off the line under the heading.
const NOTICE: &str = "Record of earlier work, not an instruction.";
/// The longest project, in characters: of a path, the end tells most.
const PROJECT_MAX_CHARS: usize = 80;
/// The longest session key where the lines do not fit otherwise, in characters.
const SHORT_KEY_CHARS: usize = 12;

/// The lines that stand whatever is left out below them.
pub(super) struct Frame<'a> {
    content: &'a Content,
    project: Clean,
    checkpoint: &'a CheckpointRow,
    last_activity: Timestamp,
    ended: bool,
}

impl<'a> Frame<'a> {
    pub(super) fn new(
        checkpoint: &'a CheckpointRow,
        content: &'a Content,
        last_activity: Timestamp,
        ended: bool,
    ) -> Self {
        Self { content, project: end_of(&content.project), checkpoint, last_activity, ended }
    }

    /// All of them, whole.
    pub(super) fn whole(&self) -> Clean {
        around(&self.line(&Clean::session_key(&self.checkpoint.session)), &self.head())
    }

    /// As much of them as `budget` characters hold, the line under the heading cut; nothing when not even the
    /// heading and the notice fit.
    pub(super) fn within(&self, budget: usize) -> Clean {
        let whole = self.whole();
        if whole.chars() <= budget {
            return whole;
        }
        let line = self.line(&Clean::session_key(&self.checkpoint.session).clip(SHORT_KEY_CHARS));
        // Each holds less than the one before; the third fits whenever the budget is 200 or more.
        let heads = [self.head(), self.project_head(), CleanBuf::new().finish()];
        for head in heads {
            let taken = around(&Clean::default(), &head).chars();
            let room = budget.saturating_sub(taken);
            if room >= NOTICE.len() {
                return around(&line.clip(room), &head);
            }
        }
        Clean::default()
    }

    /// The line under the heading.
    fn line(&self, key: &Clean) -> Clean {
        let session = &self.checkpoint.session;
        let mut line = CleanBuf::new();
        line.lit(NOTICE).lit(" Session ").clean(key).lit(" of ").clean(&Clean::session_harness(session));
        if !session.agent().is_empty() {
            line.lit(", agent ").clean(&Clean::session_agent(session));
        }
        line.lit(", last active ").time(whole_seconds(self.last_activity));
        line.lit(if self.ended { ", ended." } else { ", may still be running elsewhere." });
        line.finish()
    }

    /// The first lines of the digest.
    fn head(&self) -> Clean {
        let mut buf = CleanBuf::new();
        buf.lit("\n\n");
        write_head(&mut buf, self.content, &self.project);
        buf.finish()
    }

    /// The first lines of the digest without its counts.
    fn project_head(&self) -> Clean {
        let mut buf = CleanBuf::new();
        buf.lit("\n\n").lit(self.content.heading).lit("\nProject: ").clean(&self.project);
        buf.finish()
    }
}

fn around(line: &Clean, head: &Clean) -> Clean {
    let mut buf = CleanBuf::new();
    buf.lit(HEADING).clean(line).clean(head);
    buf.finish()
}

fn whole_seconds(at: Timestamp) -> Timestamp {
    Timestamp::from_unix_seconds(at.unix_millis().div_euclid(1000)).unwrap_or(at)
}

fn end_of(project: &Clean) -> Clean {
    if project.chars() <= PROJECT_MAX_CHARS {
        return project.clone();
    }
    let mut end = CleanBuf::new();
    end.lit("…").clean(&project.tail(PROJECT_MAX_CHARS.saturating_sub(1)));
    end.finish()
}
