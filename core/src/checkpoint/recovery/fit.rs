//! Choosing what of a digest fits.
use super::{
    Content, LeftOut,
    size::{Size, block_chars},
};
use crate::{
    checkpoint::{
        content::{CONTEXT, NOTE, SECTION},
        digest::write_sections,
    },
    redact::{Clean, CleanBuf},
};
use alloc::vec::Vec;

/// The least that is shown of a newest prompt, a context or a note that is cut, in characters.
const CUT_MIN_CHARS: usize = 40;

/// The part of a digest that fits.
pub(super) struct Fitted {
    kept: Content,
    left_line: Option<Clean>,
    /// How many entries are not in it.
    pub(super) left_out: LeftOut,
}

impl Fitted {
    /// The sections, and the line that names what is not in them.
    pub(super) fn write(&self, buf: &mut CleanBuf) {
        write_sections(buf, &self.kept);
        if let Some(line) = &self.left_line {
            buf.lit(SECTION).clean(line);
        }
    }
}

/// Chooses what of a digest fits below its first lines into `room` characters; none when not even the line
/// that names what is left out does.
pub(super) fn fit(content: &Content, room: usize) -> Option<Fitted> {
    let whole = Size::of(content);
    if whole.chars(content) <= room {
        return Some(Fitted { kept: content.clone(), left_line: None, left_out: LeftOut::default() });
    }
    let mut fit = Fit { content, room, size: Size::default() };
    if !fit.take(|_| ()) {
        return None;
    }
    let mut kept = Content { memory_heading: content.memory_heading, ..Content::default() };
    fit.blocks(&mut kept);
    let newest = fit.newest_prompt();
    if let Some(cut) = newest.as_ref().filter(|newest| content.prompts.last() != Some(*newest)) {
        // It took all the room there was.
        kept.prompts.push(cut.clone());
        return Some(fit.finish(kept));
    }
    kept.remembers = fit.newest_of(&content.remembers, |size, chars| size.remembers.add(chars));
    kept.queries = fit.newest_of(&content.queries, |size, chars| size.queries.add(chars));
    kept.prompts = newest.map(|newest| fit.prompts_up_to(newest)).unwrap_or_default();
    if fit.take(|size| size.structural = whole.structural) {
        kept.structural.clone_from(&content.structural);
    }
    Some(fit.finish(kept))
}

/// What is left out when nothing is shown.
pub(super) fn all_left_out(content: &Content) -> LeftOut {
    Size::default().left_out(content)
}

/// What is chosen so far.
struct Fit<'a> {
    content: &'a Content,
    room: usize,
    size: Size,
}

impl Fit<'_> {
    /// Chooses something more, if it fits.
    fn take(&mut self, with: impl FnOnce(&mut Size)) -> bool {
        let mut size = self.size;
        with(&mut size);
        let fits = size.chars(self.content) <= self.room;
        if fits {
            self.size = size;
        }
        fits
    }

    fn finish(self, kept: Content) -> Fitted {
        let (left_line, left_out) = (self.size.left_line(self.content), self.size.left_out(self.content));
        Fitted { kept, left_line, left_out }
    }

    /// How many characters are left.
    fn left(&self) -> usize {
        self.room.saturating_sub(self.size.chars(self.content))
    }

    /// Context and note, cut where together they are longer than half of what is left.
    fn blocks(&mut self, kept: &mut Content) {
        let mut half = self.left() / 2;
        if let Some(text) = block(self.content.context.as_ref(), CONTEXT, &mut half)
            && self.take(|size| size.context = Some(text.chars()))
        {
            kept.context = Some(text);
        }
        if let Some(text) = block(self.content.note.as_ref(), NOTE, &mut half)
            && self.take(|size| size.note = Some(text.chars()))
        {
            kept.note = Some(text);
        }
    }

    /// The newest prompt, cut when it does not fit whole.
    fn newest_prompt(&mut self) -> Option<Clean> {
        let newest = self.content.prompts.last()?;
        if self.take(|size| size.prompts.add(newest.chars())) {
            return Some(newest.clone());
        }
        let mut bare = self.size;
        bare.prompts.add(0);
        let room = self.room.checked_sub(bare.chars(self.content)).filter(|room| *room >= CUT_MIN_CHARS)?;
        let cut = newest.clip(room);
        self.take(|size| size.prompts.add(cut.chars())).then_some(cut)
    }

    /// The prompts that fit above the newest one, without a gap.
    fn prompts_up_to(&mut self, newest: Clean) -> Vec<Clean> {
        let mut prompts = Vec::from([newest]);
        for prompt in self.content.prompts.iter().rev().skip(1) {
            if !self.take(|size| size.prompts.add(prompt.chars())) {
                break;
            }
            prompts.push(prompt.clone());
        }
        prompts.reverse();
        prompts
    }

    /// The entries that fit, tried from the newest on.
    fn newest_of(&mut self, entries: &[Clean], add: impl Fn(&mut Size, usize)) -> Vec<Clean> {
        let newest_first = entries.iter().rev();
        let mut chosen: Vec<Clean> =
            newest_first.filter(|entry| self.take(|size| add(size, entry.chars()))).cloned().collect();
        chosen.reverse();
        chosen
    }
}

/// As much of a text as a section of `room` characters holds; the section is taken off the room.
fn block(text: Option<&Clean>, heading: &str, room: &mut usize) -> Option<Clean> {
    let text = text?;
    let inside = room.checked_sub(block_chars(heading, 0))?;
    let text = if text.chars() <= inside {
        text.clone()
    } else if inside >= CUT_MIN_CHARS {
        text.excerpt(inside)
    } else {
        return None;
    };
    *room = room.saturating_sub(block_chars(heading, text.chars()));
    Some(text)
}
