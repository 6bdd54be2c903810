//! How long the sections of a digest are, counted without writing them.
use super::{Content, LeftOut};
use crate::{
    checkpoint::content::{
        BULLET, CONTEXT, NOTE, PROMPTS, QUERIES, QUERY_SEP, REMEMBER_SEP, REMEMBERED, SECTION, STRUCTURAL,
    },
    redact::{Clean, CleanBuf},
};

/// Entries of one list.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct List {
    entries: usize,
    chars: usize,
}

impl List {
    pub(super) fn add(&mut self, chars: usize) {
        self.entries = self.entries.saturating_add(1);
        self.chars = self.chars.saturating_add(chars);
    }

    fn of(texts: &[Clean]) -> Self {
        let mut list = Self::default();
        texts.iter().for_each(|text| list.add(text.chars()));
        list
    }

    /// Its length with so many characters before each entry.
    fn with_lead(self, lead: usize) -> usize {
        self.chars.saturating_add(self.entries.saturating_mul(lead))
    }

    /// Its length on a line of its own under a name; nothing without entries.
    fn named(self, name: &str, separator: &str) -> usize {
        match self.entries.checked_sub(1) {
            None => 0,
            Some(gaps) => sum([1, name.len(), self.chars, gaps.saturating_mul(separator.len())]),
        }
    }
}

/// The entries of a digest that are chosen, in characters.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Size {
    pub(super) context: Option<usize>,
    pub(super) note: Option<usize>,
    pub(super) structural: Option<List>,
    pub(super) prompts: List,
    pub(super) queries: List,
    pub(super) remembers: List,
}

impl Size {
    /// That of a whole digest.
    pub(super) fn of(content: &Content) -> Self {
        Self {
            context: content.context.as_ref().map(Clean::chars),
            note: content.note.as_ref().map(Clean::chars),
            structural: (!content.structural.is_empty()).then(|| List::of(&content.structural)),
            prompts: List::of(&content.prompts),
            queries: List::of(&content.queries),
            remembers: List::of(&content.remembers),
        }
    }

    /// The length of the sections, and of the line that names what of `content` is not in them.
    pub(super) fn chars(&self, content: &Content) -> usize {
        let block = |heading, text: Option<usize>| text.map_or(0, |text| block_chars(heading, text));
        let section = |heading: &str, body: usize| match body {
            0 => 0,
            _ => sum([SECTION.len(), heading.len(), body]),
        };
        let memory = self.queries.named(QUERIES, QUERY_SEP);
        let memory = memory.saturating_add(self.remembers.named(REMEMBERED, REMEMBER_SEP));
        let left = self.left_line(content).map_or(0, |line| sum([SECTION.len(), line.chars()]));
        sum([
            block(CONTEXT, self.context),
            block(NOTE, self.note),
            section(STRUCTURAL, self.structural.map_or(0, |lines| lines.with_lead(1))),
            section(PROMPTS, self.prompts.with_lead(BULLET.len())),
            section(content.memory_heading, memory),
            left,
        ])
    }

    /// How many entries of `content` are not among the chosen.
    pub(super) fn left_out(&self, content: &Content) -> LeftOut {
        let left = |of: &[Clean], chosen: List| of.len().saturating_sub(chosen.entries);
        LeftOut {
            prompts: left(&content.prompts, self.prompts),
            queries: left(&content.queries, self.queries),
            remembers: left(&content.remembers, self.remembers),
        }
    }

    /// The line that names what of `content` is not among the chosen, if anything.
    pub(super) fn left_line(&self, content: &Content) -> Option<Clean> {
        let left = self.left_out(content);
        let older = self.prompts.entries > 0;
        let counted = [
            (
                left.prompts,
                if older { " older prompt" } else { " prompt" },
                if older { " older prompts" } else { " prompts" },
            ),
            (left.queries, " query", " queries"),
            (left.remembers, " remember", " remembers"),
        ];
        let whole = [
            (content.context.is_some() && self.context.is_none(), "session context"),
            (content.note.is_some() && self.note.is_none(), "note"),
            (!content.structural.is_empty() && self.structural.is_none(), "structural context"),
        ];
        let mut line = CleanBuf::new();
        for (count, one, more) in counted.into_iter().filter(|(count, ..)| *count > 0) {
            line.lit(if line.is_empty() { "[" } else { ", " });
            line.num(u64::try_from(count).unwrap_or(u64::MAX)).lit(if count == 1 { one } else { more });
        }
        for (_, name) in whole.into_iter().filter(|(is_left_out, _)| *is_left_out) {
            line.lit(if line.is_empty() { "[" } else { ", " }).lit(name);
        }
        if line.is_empty() {
            return None;
        }
        line.lit(" left out]");
        Some(line.finish())
    }
}

/// The length of a section that is one text of so many characters.
pub(super) fn block_chars(heading: &str, text: usize) -> usize {
    sum([SECTION.len(), heading.len(), 1, text])
}

fn sum<const N: usize>(parts: [usize; N]) -> usize {
    parts.into_iter().fold(0, usize::saturating_add)
}
