//! Edits of a text that leave everything else as it is, in the manner in which the text is written.

use super::read::{Document, List, Node};
use crate::json::{Json, write_string, write_text};
use alloc::{borrow::ToOwned, collections::BTreeSet, string::String, vec::Vec};

/// Puts `with` in the place of the bytes from `start` to before `end`.
#[derive(Debug)]
pub(super) struct Edit {
    start: usize,
    end: usize,
    with: String,
}

impl Edit {
    pub(super) fn replace(node: &Node, with: String) -> Self {
        Self { start: node.start, end: node.end, with }
    }

    fn insert(at: usize, with: String) -> Self {
        Self { start: at, end: at, with }
    }

    fn delete(start: usize, end: usize) -> Self {
        Self { start, end, with: String::new() }
    }
}

/// The text after the edits, of which no two overlap; those at one place hold in the order given.
pub(super) fn apply(document: Document<'_>, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let (mut out, mut at) = (String::with_capacity(document.text.len()), 0);
    for edit in edits {
        out.push_str(document.slice(at, edit.start));
        out.push_str(&edit.with);
        at = edit.end;
    }
    out.push_str(document.slice(at, document.text.len()));
    out
}

/// What ends a line, and a comment on it: readers of JSON with comments end them at a carriage return as well.
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// How a text is written.
#[derive(Debug)]
pub(super) struct Style<'a> {
    document: Document<'a>,
    pub(super) newline: &'static str,
    /// One step of indentation.
    unit: String,
}

/// Where new items come to stand.
pub(super) struct Slot<'a> {
    pub(super) list: &'a List,
    /// The array or object that the list is of.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether what is around it stands on one line.
    pub(super) inline: bool,
}

impl<'a> Style<'a> {
    /// The style of a text whose outermost value is `root`.
    pub(super) fn of(document: Document<'a>, root: Option<&List>) -> Self {
        let first = memchr::memchr(b'\n', document.text.as_bytes());
        let is_crlf = first.is_some_and(|at| document.slice(0, at).ends_with('\r'));
        let mut style =
            Self { document, newline: if is_crlf { "\r\n" } else { "\n" }, unit: "  ".to_owned() };
        let items = root.map_or(&[][..], |list| &list.items);
        if let Some(indent) =
            items.iter().find_map(|item| style.indent_of(item.gap)).filter(|text| !text.is_empty())
        {
            style.unit = indent.to_owned();
        }
        style
    }

    /// The indentation of what comes after the white space that begins at `gap`, when it begins a line.
    fn indent_of(&self, gap: usize) -> Option<&'a str> {
        let rest = self.document.slice(gap, self.document.text.len());
        let space = rest.split(|character: char| !" \t\r\n".contains(character)).next()?;
        space.rsplit_once(LINE_ENDS).map(|(_, indent)| indent)
    }

    /// The indentation of the line that holds this place.
    fn line_indent(&self, at: usize) -> &'a str {
        let line = self.document.slice(0, at).rsplit(LINE_ENDS).next().unwrap_or_default();
        let start = at.saturating_sub(line.len());
        let line = self.document.slice(start, self.document.text.len()).trim_start_matches('\u{feff}');
        line.split(|character: char| !" \t".contains(character)).next().unwrap_or_default()
    }

    /// Whether a list stands on one line, and what is added to it does as well.
    pub(super) fn is_inline(&self, slot: &Slot<'_>) -> bool {
        let has_lines = self.document.slice(slot.start, slot.end).contains(LINE_ENDS);
        !has_lines && (slot.inline || !slot.list.items.is_empty())
    }

    /// Puts items behind the last one.
    pub(super) fn append(&self, slot: &Slot<'_>, values: &[(Option<&str>, Json)]) -> Vec<Edit> {
        let Slot { list, start, end, .. } = *slot;
        let inline = self.is_inline(slot);
        let last = list.items.last();
        let own = list.items.iter().rev().find_map(|item| self.indent_of(item.gap)).map(ToOwned::to_owned);
        let indent = own.unwrap_or_else(|| [self.line_indent(start), &self.unit].concat());
        let (mut edits, mut text) = (Vec::new(), String::new());
        let trailing = match last {
            Some(item) if item.comma.is_none() => {
                edits.push(Edit::insert(item.value.end, ",".to_owned()));
                false
            }
            last => last.is_some(),
        };
        for (index, (key, value)) in values.iter().enumerate() {
            if index > 0 && !trailing {
                text.push(',');
            }
            match inline {
                true if index > 0 || last.is_some() => text.push(' '),
                true => {}
                false => text.extend([self.newline, &indent]),
            }
            if let Some(key) = key {
                write_string(key, &mut text);
                text.push_str(": ");
            }
            self.write(value, (!inline).then_some(&*indent), &mut text);
            if trailing {
                text.push(',');
            }
        }
        let closes_line = self.document.slice(list.tail, end.saturating_sub(1)).contains(LINE_ENDS);
        if !inline && last.is_none() && !closes_line {
            text.extend([self.newline, self.line_indent(start)]);
        }
        edits.push(Edit::insert(list.tail, text));
        edits
    }

    /// A value as it is written at this indentation; on one line without one.
    pub(super) fn write(&self, value: &Json, indent: Option<&str>, out: &mut String) {
        let (open, close, items): (_, _, Vec<(Option<&str>, &Json)>) = match value {
            Json::Object(object) => {
                ("{", "}", object.iter().map(|(key, value)| (Some(key), value)).collect())
            }
            Json::Array(items) => ("[", "]", items.iter().map(|value| (None, value)).collect()),
            _ => return write_text(value, out),
        };
        let inner = indent.map(|indent| [indent, &self.unit].concat());
        out.push_str(open);
        for (index, (key, value)) in items.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            match &inner {
                Some(inner) => out.extend([self.newline, inner]),
                None if index > 0 => out.push(' '),
                None => {}
            }
            if let Some(key) = key {
                write_string(key, out);
                out.push_str(": ");
            }
            self.write(value, inner.as_deref(), out);
        }
        if let (Some(indent), false) = (indent, items.is_empty()) {
            out.extend([self.newline, indent]);
        }
        out.push_str(close);
    }
}

/// Takes items out of a list, with the white space before them and one comma each.
pub(super) fn remove(document: Document<'_>, list: &List, doomed: &BTreeSet<usize>) -> Vec<Edit> {
    let mut edits = Vec::new();
    for (index, item) in list.items.iter().enumerate().filter(|(index, _)| doomed.contains(index)) {
        let end = item.value.end;
        let comma = item.comma.map(|comma| comma.saturating_add(1));
        let is_near = item.comma.is_some_and(|comma| document.slice(end, comma).trim().is_empty());
        let end = comma.filter(|_| is_near).unwrap_or(end);
        let mut start = item.gap;
        let next_stays = !doomed.contains(&index.saturating_add(1));
        if item.ends_comment && !(next_stays && line_end(document, end) > 0) {
            start = start.saturating_add(line_end(document, start));
        }
        edits.push(Edit::delete(start, end));
        if let (Some(after), false) = (comma, is_near) {
            edits.push(Edit::delete(after.saturating_sub(1), after));
        }
    }
    // The last one that stays does not end in a comma when the last one of all did not.
    let stays = list.items.iter().enumerate().rev().find(|(index, _)| !doomed.contains(index));
    let was_bare = list.items.last().is_some_and(|item| item.comma.is_none());
    if let Some((index, item)) = stays
        && was_bare
        && index.saturating_add(1) < list.items.len()
    {
        edits.extend(item.comma.map(|comma| Edit::delete(comma, comma.saturating_add(1))));
    }
    edits
}

/// The length of the line end that stands here, 0 when there is none.
fn line_end(document: Document<'_>, at: usize) -> usize {
    let rest = document.slice(at, document.text.len());
    ["\r\n", "\n", "\r"].into_iter().find(|end| rest.starts_with(end)).map_or(0, str::len)
}
