//! JSON with comments, read for the places of its parts.

use super::error::{SettingsError, SettingsProblem};
use crate::json::{Json, JsonError, Options, Place, Problem, Reader};
use alloc::{string::String, vec::Vec};

/// The deepest nesting of arrays and objects.
const DEPTH: usize = 100;

/// A value, from `start` to before `end`.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Object(List),
    Array(List),
    Text(String),
    True,
    Other,
}

/// What an array or object holds.
#[derive(Debug)]
pub(super) struct List {
    pub(super) items: Vec<Item>,
    /// Where the white space begins that stands directly before the closing bracket.
    pub(super) tail: usize,
}

/// An element, or a member with its key.
#[derive(Debug)]
pub(super) struct Item {
    /// Where the white space begins that stands directly before it.
    pub(super) gap: usize,
    /// Whether that white space ends the line of a comment, which would go on without it.
    pub(super) ends_comment: bool,
    pub(super) key: Option<String>,
    pub(super) value: Node,
    /// How many comments stand in it.
    pub(super) comments: usize,
    /// The comma after it.
    pub(super) comma: Option<usize>,
}

/// The text of settings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Document<'a> {
    pub(super) text: &'a str,
}

/// The bytes as text.
pub(super) fn decode(bytes: &[u8]) -> Result<&str, SettingsError> {
    core::str::from_utf8(bytes).map_err(|error| SettingsError {
        problem: SettingsProblem::Utf8,
        at: place(bytes, error.valid_up_to()),
    })
}

fn place(bytes: &[u8], offset: usize) -> Place {
    let before = bytes.get(..offset).unwrap_or(bytes);
    let line = before.iter().filter(|byte| **byte == b'\n').count().saturating_add(1);
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count().saturating_add(1);
    Place { offset, line, column }
}

impl<'a> Document<'a> {
    pub(super) fn error(&self, problem: SettingsProblem, offset: usize) -> SettingsError {
        SettingsError { problem, at: place(self.text.as_bytes(), offset) }
    }

    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The value, `None` when there are only comments and white space; and where those behind it end.
    pub(super) fn read(&self) -> Result<Option<Node>, SettingsError> {
        let at = if self.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut scanner = Scanner { document: *self, at, comments: 0, ends_comment: false };
        scanner.gap()?;
        if scanner.byte().is_none() {
            return Ok(None);
        }
        let root = scanner.value(0)?;
        scanner.gap()?;
        match scanner.byte() {
            None => Ok(Some(root)),
            Some(_) => Err(scanner.wrong(SettingsProblem::Trailing)),
        }
    }
}

struct Scanner<'a> {
    document: Document<'a>,
    at: usize,
    /// How many comments were passed.
    comments: usize,
    /// Whether the last gap ends with white space behind a line comment.
    ends_comment: bool,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a [u8] {
        self.document.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn step(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    fn takes(&mut self, byte: u8) -> bool {
        let found = self.byte() == Some(byte);
        self.step(usize::from(found));
        found
    }

    fn wrong(&self, problem: SettingsProblem) -> SettingsError {
        self.document.error(problem, self.at)
    }

    fn expected(&self, problem: Problem) -> SettingsError {
        let problem = if self.byte().is_none() { Problem::EndOfInput } else { problem };
        self.wrong(SettingsProblem::Json(problem))
    }

    /// Skips white space and comments; gives where the white space at their end begins.
    fn gap(&mut self) -> Result<usize, SettingsError> {
        let mut start = self.at;
        self.ends_comment = false;
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\n' | b'\r', ..] => self.step(1),
                [b'/', b'/', comment @ ..] => {
                    let length = memchr::memchr2(b'\n', b'\r', comment).unwrap_or(comment.len());
                    self.step(length.saturating_add(2));
                    self.comments = self.comments.saturating_add(1);
                    (start, self.ends_comment) = (self.at, true);
                }
                [b'/', b'*', comment @ ..] => {
                    let Some(length) = memchr::memmem::find(comment, b"*/") else {
                        return Err(self.wrong(SettingsProblem::CommentOpen));
                    };
                    self.step(length.saturating_add(4));
                    self.comments = self.comments.saturating_add(1);
                    (start, self.ends_comment) = (self.at, false);
                }
                _ => return Ok(start),
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Node, SettingsError> {
        let start = self.at;
        let kind = match self.byte() {
            Some(b'{' | b'[') if depth >= DEPTH => {
                return Err(self.wrong(SettingsProblem::TooDeep { max: DEPTH }));
            }
            Some(b'{') => Kind::Object(self.list(depth, true)?),
            Some(b'[') => Kind::Array(self.list(depth, false)?),
            _ => match self.scalar()? {
                Json::String(text) => Kind::Text(text),
                Json::Bool(true) => Kind::True,
                _ => Kind::Other,
            },
        };
        Ok(Node { start, end: self.at, kind })
    }

    /// A string, number or word, as the reader of JSON reads it.
    fn scalar(&mut self) -> Result<Json, SettingsError> {
        let mut reader = Reader::new(self.rest(), Options::LENIENT);
        let value = reader.value().map_err(|error| {
            let problem = match &error {
                JsonError::Invalid { problem, .. } => *problem,
                _ => Problem::NoValue,
            };
            let offset = self.at.saturating_add(error.place().offset);
            self.document.error(SettingsProblem::Json(problem), offset)
        })?;
        let length = reader.position();
        self.step(length);
        Ok(value)
    }

    fn list(&mut self, depth: usize, keyed: bool) -> Result<List, SettingsError> {
        let closer = if keyed { b'}' } else { b']' };
        self.step(1);
        let mut items = Vec::new();
        loop {
            let gap = self.gap()?;
            if self.takes(closer) {
                return Ok(List { items, tail: gap });
            }
            let (ends_comment, before) = (self.ends_comment, self.comments);
            let key = if keyed { Some(self.key()?) } else { None };
            let value = self.value(depth.saturating_add(1))?;
            let comments = self.comments.saturating_sub(before);
            let tail = self.gap()?;
            let comma = Some(self.at).filter(|_| self.takes(b','));
            items.push(Item { gap, ends_comment, key, value, comments, comma });
            if comma.is_some() {
                continue;
            }
            if self.takes(closer) {
                return Ok(List { items, tail });
            }
            return Err(self.expected(if keyed { Problem::ObjectGoesOn } else { Problem::ArrayGoesOn }));
        }
    }

    /// A key with its colon and what stands before the value.
    fn key(&mut self) -> Result<String, SettingsError> {
        if self.byte() != Some(b'"') {
            return Err(self.expected(Problem::NoKey));
        }
        let Json::String(key) = self.scalar()? else {
            return Err(self.expected(Problem::NoKey));
        };
        self.gap()?;
        if !self.takes(b':') {
            return Err(self.expected(Problem::NoColon));
        }
        self.gap()?;
        Ok(key)
    }
}
