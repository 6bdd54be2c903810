//! Earlier folds lose their lists where they would fill the window; what users wrote stays.

use crate::{
    model::{TokenCounter, total_tokens},
    redact::{Clean, CleanBuf},
};
use alloc::vec::Vec;

/// Stands at the beginning of the first fold; a summary of another kind may stand before it.
pub(super) const HEAD: &str =
    "# Folded conversation\n\nWhat users wrote stands word for word; the work is listed in short.\n";

/// Says that something was left out; once.
const LEFT_OUT: &str = "(What was done in the earliest turns is left out here.)\n";

/// Lines that belong together, and whether they may go.
struct Block {
    lines: Vec<Clean>,
    may_go: bool,
}

/// The summary with the lists of its oldest turns left out until it has at most `limit` tokens; `None` when it
/// fits as it is, or nothing of it may go. It goes down to three quarters, so that the next fold leaves it alone.
pub(super) fn condensed<C: TokenCounter + ?Sized>(
    previous: &Clean,
    limit: u64,
    counter: &C,
) -> Option<Clean> {
    let size = total_tokens(counter, &[previous.as_str()]);
    if size <= limit {
        return None;
    }
    let mut blocks = blocks(previous);
    let mut excess = size.saturating_sub((limit / 4).saturating_mul(3));
    let mut gone = false;
    for block in blocks.iter_mut().filter(|block| block.may_go) {
        if excess == 0 {
            break;
        }
        let lines = Clean::join(&core::mem::take(&mut block.lines), "");
        excess = excess.saturating_sub(total_tokens(counter, &[lines.as_str()]).max(1));
        gone = true;
    }
    if !gone {
        return None;
    }
    let mut buf = CleanBuf::new();
    let had = previous.as_str().contains(LEFT_OUT);
    let mut before_head = true;
    for line in blocks.iter().flat_map(|block| &block.lines) {
        buf.clean(line);
        // The head has three lines, and the mark follows its last.
        if before_head && line.as_str().starts_with("What users wrote stands") {
            before_head = false;
            buf.lit(if had { "" } else { LEFT_OUT });
        }
    }
    Some(buf.finish())
}

/// Blocks of a summary. What stands before the first fold is another's summary, and stays.
fn blocks(previous: &Clean) -> Vec<Block> {
    let begin = previous.as_str().find(HEAD).map_or(usize::MAX, |at| at.saturating_add(HEAD.len()));
    let mut blocks: Vec<Block> = Vec::new();
    let (mut at, mut fence, mut after_label) = (0_usize, None::<usize>, false);
    for line in previous.lines_with_ends() {
        let text = line.as_str().trim_end_matches('\n');
        let is_fence = text.len() >= 3 && text.bytes().all(|byte| byte == b'~');
        let is_folded = at >= begin;
        at = at.saturating_add(line.len());
        let continues = is_folded && (fence.is_some() || (after_label && is_fence));
        if continues {
            match fence {
                None => fence = Some(text.len()),
                Some(length) if is_fence && text.len() == length => fence = None,
                Some(_) => {}
            }
            after_label = false;
            if let Some(block) = blocks.last_mut() {
                block.lines.push(line);
                continue;
            }
        }
        after_label = text == "User:" || text == "Answer:";
        let may_go = is_folded && ["Work: ", "Note: ", "Answer:"].iter().any(|head| text.starts_with(head));
        blocks.push(Block { lines: alloc::vec![line], may_go });
    }
    blocks
}
