//! Where the strings of a JSON text stand, and what they say.
use alloc::{borrow::Cow, string::String, vec::Vec};

/// What stands between the quotes of a string, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub start: usize,
    pub end: usize,
}

/// A value, by the places of its strings.
#[derive(Debug)]
pub(super) enum Node {
    String(Place),
    Array(Vec<Node>),
    /// Members in their order, those that are there twice as well.
    Object(Vec<(Place, Node)>),
    Other,
}

impl Node {
    /// The places of a text that is JSON; `None` where it is none, which is not made sure of in all of it.
    pub(super) fn of(text: &str) -> Option<Self> {
        Walk { bytes: text.as_bytes(), at: 0 }.value()
    }

    /// Whether two values differ in strings and names alone.
    pub(super) fn alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Array(one), Self::Array(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.alike(other))
            }
            (Self::Object(one), Self::Object(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|((_, one), (_, other))| one.alike(other))
            }
            (Self::String(_), Self::String(_)) | (Self::Other, Self::Other) => true,
            _ => false,
        }
    }
}

struct Walk<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl Walk<'_> {
    fn value(&mut self) -> Option<Node> {
        match self.next()? {
            b'"' => self.string().map(Node::String),
            b'[' => {
                let mut items = Vec::new();
                self.list(b']', |walk| {
                    items.push(walk.value()?);
                    Some(())
                })?;
                Some(Node::Array(items))
            }
            b'{' => {
                let mut members = Vec::new();
                self.list(b'}', |walk| {
                    let key = (walk.next()? == b'"').then(|| walk.string()).flatten()?;
                    (walk.next()? == b':').then_some(())?;
                    walk.step();
                    members.push((key, walk.value()?));
                    Some(())
                })?;
                Some(Node::Object(members))
            }
            _ => {
                let rest = self.bytes.get(self.at..)?;
                let ends = |b: &u8| matches!(b, b',' | b']' | b'}') || b.is_ascii_whitespace();
                self.at = self.at.saturating_add(rest.iter().position(ends).unwrap_or(rest.len()));
                Some(Node::Other)
            }
        }
    }

    /// Items up to `close`, with commas between them.
    fn list(&mut self, close: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.step();
        if self.next()? == close {
            self.step();
            return Some(());
        }
        loop {
            item(self)?;
            let b = self.next()?;
            self.step();
            match b {
                b',' => {}
                b if b == close => return Some(()),
                _ => return None,
            }
        }
    }

    fn string(&mut self) -> Option<Place> {
        self.step();
        let start = self.at;
        loop {
            let found = memchr::memchr2(b'"', b'\\', self.bytes.get(self.at..)?)?;
            let end = self.at.saturating_add(found);
            self.at = end.saturating_add(1);
            if self.bytes.get(end) == Some(&b'"') {
                return Some(Place { start, end });
            }
            self.step();
        }
    }

    /// The next byte that is no white space.
    fn next(&mut self) -> Option<u8> {
        while self.bytes.get(self.at)?.is_ascii_whitespace() {
            self.step();
        }
        self.bytes.get(self.at).copied()
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }
}

/// What a string says, with what it is written as.
pub(super) struct Content<'t> {
    pub text: Cow<'t, str>,
    place: Place,
    escapes: Vec<Escape>,
}

/// An escape, in the JSON text and in what the string says.
struct Escape {
    written: Place,
    read: Place,
}

impl<'t> Content<'t> {
    pub(super) fn of(text: &'t str, place: Place) -> Self {
        let raw = text.get(place.start..place.end).unwrap_or_default();
        if memchr::memchr(b'\\', raw.as_bytes()).is_none() {
            return Self { text: Cow::Borrowed(raw), place, escapes: Vec::new() };
        }
        let (mut out, mut escapes, mut at) = (String::with_capacity(raw.len()), Vec::new(), 0usize);
        while let Some(found) = raw.get(at..).and_then(|rest| memchr::memchr(b'\\', rest.as_bytes())) {
            let start = at.saturating_add(found);
            out.push_str(raw.get(at..start).unwrap_or_default());
            let (letter, length) = escape(raw.get(start..).unwrap_or_default());
            let before = out.len();
            out.push(letter);
            at = start.saturating_add(length);
            let written =
                Place { start: place.start.saturating_add(start), end: place.start.saturating_add(at) };
            escapes.push(Escape { written, read: Place { start: before, end: out.len() } });
        }
        out.push_str(raw.get(at..).unwrap_or_default());
        Self { text: Cow::Owned(out), place, escapes }
    }

    /// Where in the JSON text a place of what the string says is.
    pub(super) fn written(&self, at: usize) -> usize {
        let before = self.escapes.partition_point(|escape| escape.read.end <= at);
        match before.checked_sub(1).and_then(|n| self.escapes.get(n)) {
            Some(Escape { written, read }) => written.end.saturating_add(at.saturating_sub(read.end)),
            None => self.place.start.saturating_add(at),
        }
    }

    /// What of a stretch of the JSON text lies in the string; an escape is in it whole.
    pub(super) fn within(&self, start: usize, end: usize) -> Option<Place> {
        let inside = |at: usize| {
            let n = self.escapes.partition_point(|escape| escape.written.end <= at);
            self.escapes.get(n).map(|escape| escape.written).filter(|written| written.start < at)
        };
        let start = start.max(self.place.start);
        let end = end.min(self.place.end);
        let start = inside(start).map_or(start, |escape| escape.start);
        let end = inside(end).map_or(end, |escape| escape.end);
        (start < end).then_some(Place { start, end })
    }

    /// Whether a stretch of the JSON text is all of the string.
    pub(super) fn is_all(&self, stretch: Place) -> bool {
        stretch == self.place
    }
}

/// The letter that an escape stands for, and its length.
fn escape(raw: &str) -> (char, usize) {
    let unit = |from: usize| {
        let digits = raw.get(from..from.saturating_add(4))?;
        u16::from_str_radix(digits, 16).ok()
    };
    match raw.as_bytes().get(1) {
        Some(b'n') => ('\n', 2),
        Some(b't') => ('\t', 2),
        Some(b'r') => ('\r', 2),
        Some(b'b') => ('\u{8}', 2),
        Some(b'f') => ('\u{c}', 2),
        Some(b'u') => {
            let first = unit(2).unwrap_or(0xfffd);
            let second = raw.get(6..8).filter(|head| *head == "\\u").and_then(|_| unit(8));
            let pair = char::decode_utf16(core::iter::once(first).chain(second)).next();
            let letter = pair.and_then(Result::ok).unwrap_or(char::REPLACEMENT_CHARACTER);
            (letter, if letter.len_utf16() == 2 { 12 } else { 6 })
        }
        Some(b) => (char::from(*b), 2),
        None => ('\\', 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{Content, Node, Place};
    use crate::json::parse;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    #[test]
    fn escapes_are_read_and_found_again() {
        let text = r#""a\n\"\u00e9\ud83d\ude42\\nz""#;
        let Some(Node::String(place)) = Node::of(text) else { panic!("no string") };
        let content = Content::of(text, place);
        assert_eq!(content.text, "a\n\"é🙂\\nz");
        assert_eq!(Some(&*content.text), parse(text).unwrap().as_str());
        let places: Vec<usize> = content.text.char_indices().map(|(at, _)| content.written(at)).collect();
        assert_eq!(places, [1, 2, 4, 6, 12, 24, 26, 27]);
        assert_eq!(content.written(content.text.len()), 28);
        // From inside of an escape to inside of another one.
        assert_eq!(content.within(3, 20), Some(Place { start: 2, end: 24 }));
        assert_eq!(content.within(0, 100), Some(place));
        assert_eq!(content.within(28, 100), None);
    }

    proptest! {
        #[test]
        fn what_a_string_says_is_what_it_is_parsed_to(text in "(\\\\[nrtbf/\"\\\\]|\\\\u00[0-7][0-9a-f]|\\\\ud83d\\\\ude4[0-9]|[a-zé🙂 ]){0,12}") {
            let json = ["\"", &text, "\""].concat();
            let Some(Node::String(place)) = Node::of(&json) else { panic!("no string") };
            prop_assert_eq!(place, Place { start: 1, end: json.len() - 1 });
            let content = Content::of(&json, place);
            let value = parse(&json).unwrap();
            prop_assert_eq!(Some(&*content.text), value.as_str());
        }
    }
}
