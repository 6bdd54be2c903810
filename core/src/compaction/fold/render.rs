//! Turns as text, in as much detail as there is room for.

use super::turns::{Turn, Work};
use crate::redact::{Clean, CleanBuf};

/// How much is said of each turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    /// Targets of each tool.
    targets: usize,
    /// Characters of each target.
    target: usize,
    /// Characters of an older answer, and of a note.
    answer: usize,
    /// Characters of each answer of the newest turn, which stands word for word as far as they reach.
    newest: usize,
}

/// From much to little.
pub(super) const LEVELS: [Level; 4] = [
    Level { targets: 12, target: 100, answer: 300, newest: 4000 },
    Level { targets: 6, target: 80, answer: 160, newest: 1000 },
    Level { targets: 2, target: 60, answer: 80, newest: 300 },
    Level { targets: 0, target: 0, answer: 0, newest: 0 },
];

/// The turns as text, and that part of it which users wrote.
pub(super) fn render(turns: &[Turn], level: Level) -> (Clean, Clean) {
    let (mut buf, mut typed) = (CleanBuf::new(), CleanBuf::new());
    for (index, turn) in turns.iter().enumerate() {
        let is_newest = index.saturating_add(1) == turns.len();
        buf.lit("\n");
        for text in &turn.user {
            said(&mut buf, "User:", text);
            said(&mut typed, "User:", text);
        }
        list(&mut buf, "Attached: ", &turn.attached, usize::MAX, usize::MAX);
        if level.answer > 0 {
            for note in &turn.notes {
                buf.lit("Note: ").clean(&note.one_line().clip(level.answer)).lit("\n");
            }
        }
        turn.work.iter().for_each(|work| done(&mut buf, work, level));
        answers(&mut buf, turn, level, is_newest);
    }
    (buf.finish(), typed.finish())
}

/// Of an older turn its last answer on a line, of the newest one all of them.
fn answers(buf: &mut CleanBuf, turn: &Turn, level: Level, is_newest: bool) {
    if is_newest && level.newest > 0 {
        for answer in &turn.answers {
            said(buf, "Answer:", &answer.clip(level.newest));
        }
    } else if let Some(answer) = turn.answers.last().filter(|_| level.answer > 0) {
        buf.lit("Answer: ").clean(&answer.one_line().clip(level.answer)).lit("\n");
    }
}

fn done(buf: &mut CleanBuf, work: &Work, level: Level) {
    buf.lit("Work: ").clean(&work.tool);
    if work.calls > 1 {
        buf.lit(" ×").num(work.calls);
    }
    for (count, word) in [(work.failed, " failed"), (work.pending, " pending")] {
        if count > 0 {
            buf.lit(", ").num(count).lit(word);
        }
    }
    let lead = if level.targets == 0 { "" } else { ": " };
    if lead.is_empty() || work.targets.is_empty() {
        buf.lit("\n");
    } else {
        list(buf, lead, &work.targets, level.targets, level.target);
    }
}

fn list(buf: &mut CleanBuf, lead: &'static str, items: &[Clean], most: usize, chars: usize) {
    if items.is_empty() {
        return;
    }
    buf.lit(lead);
    for (index, item) in items.iter().take(most).enumerate() {
        buf.lit(if index == 0 { "" } else { "; " }).clean(&item.clip(chars));
    }
    let more = items.len().saturating_sub(most);
    if more > 0 {
        buf.lit("; ").num(u64::try_from(more).unwrap_or(u64::MAX)).lit(" more");
    }
    buf.lit("\n");
}

/// A text of its speaker: on the line of the label when it is one line, else fenced. The fence is longer than
/// any in the text, so that nothing inside closes it.
fn said(buf: &mut CleanBuf, label: &'static str, text: &Clean) {
    if !text.as_str().contains(['\n', '\r']) {
        buf.lit(label).lit(" ").clean(text).lit("\n");
        return;
    }
    let fence = longest_run(text.as_str()).saturating_add(1).max(3);
    let draw = |buf: &mut CleanBuf| {
        (0..fence).for_each(|_| {
            buf.lit("~");
        });
        buf.lit("\n");
    };
    buf.lit(label).lit("\n");
    draw(buf);
    buf.clean(text);
    if !text.as_str().ends_with('\n') {
        buf.lit("\n");
    }
    draw(buf);
}

fn longest_run(text: &str) -> usize {
    let (mut longest, mut run) = (0_usize, 0_usize);
    for byte in text.bytes() {
        run = if byte == b'~' { run.saturating_add(1) } else { 0 };
        longest = longest.max(run);
    }
    longest
}
