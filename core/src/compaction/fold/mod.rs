//! A summary that needs no model: old rounds become short lists of what was done, what users wrote stays word
//! for word, and earlier folds stay as they are.

mod condense;
mod render;
mod turns;

#[cfg(test)]
mod tests;

use crate::{
    model::{StoredRow, TokenCounter, total_tokens},
    redact::{Clean, CleanBuf, Redactor},
};
use condense::{HEAD, condensed};
use render::{LEVELS, render};

/// How much a fold may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoldOptions {
    /// Tokens of one fold beside what users wrote; where the lists are longer they say less of each round.
    pub max_tokens: u64,
    /// Tokens of the whole summary, above which earlier folds lose their lists, the oldest first. `None`: they
    /// stay as they are.
    pub keep_below: Option<u64>,
}

impl Default for FoldOptions {
    fn default() -> Self {
        Self { max_tokens: 3000, keep_below: None }
    }
}

/// Folds rows onto the summary that stands before them.
///
/// The same rows give the same text; nothing but `counter` and `redactor` is asked. Every user text is in it,
/// to the byte. Text of several lines stands in a fence that nothing inside it closes, and text of tools is
/// kept to one line, so that neither can pass for another speaker's.
///
/// ```
/// use throughline_core::{compaction::{FoldOptions, fold}, host::EstimatedTokens, redact::Redactor};
/// # use throughline_core::{id::RowId, model::{Part, PartBody, Row, RowKind, StoredRow}, time::Timestamp};
/// let redactor = Redactor::standard();
/// # let id = RowId::new("u1")?;
/// # let part = Part::new(id.clone(), 0, PartBody::Text { text: redactor.clean("Fix the parser.") });
/// # let rows = vec![StoredRow { row: Row::new(id, RowKind::User, Timestamp::EPOCH), parts: vec![part] }];
/// let summary = fold(&rows, None, FoldOptions::default(), &EstimatedTokens, &redactor);
/// assert!(summary.as_str().ends_with("\nUser: Fix the parser.\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fold<C: TokenCounter + ?Sized>(
    rows: &[StoredRow],
    previous: Option<&Clean>,
    options: FoldOptions,
    counter: &C,
    redactor: &Redactor,
) -> Clean {
    let turns = turns::turns(rows, redactor);
    let mut folded = Clean::default();
    for level in LEVELS {
        let (text, typed) = render(&turns, level);
        let work =
            total_tokens(counter, &[text.as_str()]).saturating_sub(total_tokens(counter, &[typed.as_str()]));
        folded = text;
        if work <= options.max_tokens {
            break;
        }
    }
    let previous = previous.filter(|previous| !previous.as_str().trim().is_empty());
    let shorter = match (previous, options.keep_below) {
        (Some(previous), Some(limit)) => {
            let new = total_tokens(counter, &[folded.as_str()]);
            condensed(previous, limit.saturating_sub(new), counter)
        }
        _ => None,
    };
    let mut buf = CleanBuf::new();
    match shorter.as_ref().or(previous) {
        Some(previous) => {
            buf.clean(previous);
            if !previous.as_str().ends_with('\n') {
                buf.lit("\n");
            }
            if !previous.as_str().contains(HEAD) {
                buf.lit("\n").lit(HEAD);
            }
        }
        None => {
            buf.lit(HEAD);
        }
    }
    buf.clean(&folded);
    buf.finish()
}
