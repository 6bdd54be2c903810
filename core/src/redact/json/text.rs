//! Scrubbing a JSON text, which stays as it is written.
use super::super::engine::{self, Span, opaque};
use super::super::rules::Row;
use super::super::stream::Piece;
use super::super::{Clean, Confidence, Finding, Records, Redaction, Redactor, written_by};
use super::apart::{Name, tell_apart};
use super::places::{Content, Node, Place};
use super::strings::Strings;
use crate::json::{JsonError, parse};
use alloc::{borrow::Cow, string::String, vec::Vec};

/// How often what marks bring to light is looked for.
const SETTLES: usize = 4;

impl Redactor {
    /// Scrubs a JSON text, so that it is JSON of the same structure afterwards. Only what stands in strings and in keys
    /// changes, and all else stays as it is written: white space, escapes, numbers, the order of members, and members
    /// that are there twice. Offsets of the findings are those in the text.
    ///
    /// What [`Redactor::redact_json`] finds in each string goes here as well. What strings say of each other
    /// (`"name": "Authorization", "value": …`, `["--password", …]`), and where what was found stands in those before it, is
    /// read as it is written and in the order in which it stands. As there, a number stays a number, keys that become
    /// alike get a number, and what is no more than possible stays in keys.
    ///
    /// # Errors
    /// `json_invalid`, `json_too_deep`, `json_trailing` for a text that is no JSON.
    ///
    /// ```
    /// use throughline_core::redact::Redactor;
    /// let out = Redactor::standard().redact_json_text(r#"{ "password": "hunter2", "n": 1.0 }"#)?;
    /// assert_eq!(out.text.as_str(), r#"{ "password": "[REDACTED:assignment]", "n": 1.0 }"#);
    /// # Ok::<(), throughline_core::json::JsonError>(())
    /// ```
    pub fn redact_json_text(&self, text: &str) -> Result<Redaction, JsonError> {
        let value = parse(text)?;
        if let Some(Scrubbed { text, findings, .. }) = self.text_behind(&mut Records::default(), text) {
            return Ok(Redaction { text: Clean::seal(text), findings });
        }
        let (clean, findings) = self.redact_json(&value);
        Ok(Redaction { text: clean.to_clean(), findings })
    }

    /// A JSON text scrubbed behind other records; `None` when it would not be of the same structure.
    pub(super) fn text_behind(&self, records: &mut Records, text: &str) -> Option<Scrubbed> {
        let node = &Node::of(text)?;
        let mut spans = self.look(records, text, node);
        if spans.is_empty() {
            return Some(Scrubbed { text: text.into(), ..Scrubbed::default() });
        }
        // What a mark brings to light goes now, so that scrubbing twice changes nothing.
        for _ in 0..SETTLES {
            let (clean, findings) = self.with_marks(text, &spans);
            let more = self.look(records, &clean, &Node::of(&clean)?);
            if more.is_empty() {
                break;
            }
            spans.extend(more.into_iter().map(|span| before(&findings, span)));
            spans = engine::merge(text, spans, Confidence::Possible);
        }
        let (clean, mut findings) = self.with_marks(text, &spans);
        let scrubbed = Node::of(&clean).filter(|scrubbed| scrubbed.alike(node))?;
        let mut numbers = Vec::new();
        number(text, node, &clean, &scrubbed, &mut numbers);
        let secret = |span: &Span| {
            (Content::of(text, Place { start: span.start, end: span.end }).text.into_owned(), span.rule)
        };
        let secrets = spans.iter().map(secret).collect();
        Some(Scrubbed { text: numbered(clean, &numbers, &mut findings), findings, secrets })
    }

    /// The text with marks. They are made of what is said, not of how it is written, so that equal secrets have equal
    /// tags.
    fn with_marks(&self, text: &str, spans: &[Span]) -> (String, Vec<Finding>) {
        let pieces: Vec<Piece> = spans.iter().map(|span| Piece::from(*span)).collect();
        let content = |piece: &Piece| Content::of(text, Place { start: piece.start, end: piece.end });
        written_by(text, &pieces, |piece| self.marker.mark(piece.rule, content(piece).text.as_bytes()))
    }

    /// What is found in the strings, and in the text as it stands as far as it lies in strings.
    fn look(&self, records: &mut Records, text: &str, node: &Node) -> Vec<Span> {
        let mut way = Way {
            redactor: self,
            text,
            strings: Strings::new(self, records),
            read: Vec::new(),
            spans: Vec::new(),
        };
        way.value(node);
        let Way { mut read, mut spans, .. } = way;
        let found = self.joined(text);
        if !found.is_empty() {
            read.sort_by_key(|string| string.place.start);
            parts(text, &read, &found, &mut spans);
        }
        engine::merge(text, spans, Confidence::Possible)
    }
}

/// A JSON text without its secrets.
#[derive(Default)]
pub(super) struct Scrubbed {
    pub text: String,
    pub findings: Vec<Finding>,
    /// What the secrets say, and their rules.
    pub secrets: Vec<(String, &'static Row)>,
}

/// A string that was read.
struct Read {
    place: Place,
    key: bool,
    /// Whether the host says that it stays.
    allowed: bool,
}

/// Adds what of spans lies in strings and goes; both stand in their order.
fn parts(text: &str, read: &[Read], found: &[Span], spans: &mut Vec<Span>) {
    let mut first = 0usize;
    for string in read {
        while found.get(first).is_some_and(|span| span.end <= string.place.start) {
            first = first.saturating_add(1);
        }
        let here = found.get(first..).unwrap_or_default().iter();
        let mut here = here.take_while(|span| span.start < string.place.end).peekable();
        if here.peek().is_none() {
            continue;
        }
        let content = Content::of(text, string.place);
        for span in here {
            let Some(Place { start, end }) = content.within(span.start, span.end) else { continue };
            let sure = span.rule.confidence >= Confidence::Likely;
            if (sure || !string.key) && !(string.allowed && content.is_all(Place { start, end })) {
                spans.push(Span { start, end, ..*span });
            }
        }
    }
}

/// The way through a text, string by string.
struct Way<'t> {
    redactor: &'t Redactor,
    text: &'t str,
    strings: Strings<'t>,
    read: Vec<Read>,
    spans: Vec<Span>,
}

impl<'t> Way<'t> {
    fn value(&mut self, node: &Node) {
        match node {
            Node::String(place) => {
                let content = Content::of(self.text, *place);
                let found = self.strings.value(&content.text);
                let allowed = self.strings.allowed();
                self.take(&content, &found);
                self.read.push(Read { place: *place, key: false, allowed });
            }
            Node::Array(items) => items.iter().for_each(|item| self.value(item)),
            Node::Object(members) => {
                let names: Vec<String> = members.iter().map(|(key, _)| self.key(*key)).collect();
                let kind = self.kind(members);
                for ((key, value), name) in members.iter().zip(names) {
                    if self.opaque(*key, kind.as_deref(), value) {
                        continue;
                    }
                    self.strings.enter(name);
                    self.value(value);
                    self.strings.leave();
                }
            }
            Node::Other => {}
        }
    }

    /// What an object says that it is.
    fn kind(&self, members: &[(Place, Node)]) -> Option<Cow<'t, str>> {
        let named = |key: &Place| Content::of(self.text, *key).text == "type";
        match members.iter().rev().find(|(key, _)| named(key)) {
            Some((_, Node::String(place))) => Some(Content::of(self.text, *place).text),
            _ => None,
        }
    }

    /// Whether a member is one that is passed on as it is, and not read.
    fn opaque(&self, key: Place, kind: Option<&str>, value: &Node) -> bool {
        let Node::String(place) = value else { return false };
        let content = |place: Place| Content::of(self.text, place).text;
        opaque::is(&content(key), kind, &content(*place))
    }

    /// Reads a key, and says what it is without the secrets in it.
    fn key(&mut self, place: Place) -> String {
        let content = Content::of(self.text, place);
        let found = self.strings.key(&content.text);
        self.take(&content, &found);
        self.read.push(Read { place, key: true, allowed: false });
        let pieces: Vec<Piece> = found.into_iter().map(Piece::from).collect();
        self.redactor.written(&content.text, &pieces).0
    }

    fn take(&mut self, content: &Content<'_>, found: &[Span]) {
        let place = |at: usize| content.written(at);
        self.spans.extend(found.iter().map(|s| Span { start: place(s.start), end: place(s.end), ..*s }));
    }
}

/// A span of the text with marks in the text without them. What touches a mark from within is all that the mark
/// stands for.
fn before(findings: &[Finding], span: Span) -> Span {
    let end_of = |found: &Finding| found.out_offset.saturating_add(found.out_length);
    let behind = |found: &Finding| found.offset.saturating_add(found.length);
    let start = match findings.partition_point(|found| end_of(found) <= span.start) {
        n if findings.get(n).is_some_and(|found| found.out_offset <= span.start) => {
            findings.get(n).map_or(0, |found| found.offset)
        }
        n => match n.checked_sub(1).and_then(|n| findings.get(n)) {
            Some(found) => behind(found).saturating_add(span.start.saturating_sub(end_of(found))),
            None => span.start,
        },
    };
    let end = match findings.partition_point(|found| found.out_offset < span.end).checked_sub(1) {
        Some(n) => findings
            .get(n)
            .map_or(span.end, |found| behind(found).saturating_add(span.end.saturating_sub(end_of(found)))),
        None => span.end,
    };
    Span { start, end, ..span }
}

/// Adds where keys that became alike get a number, with the number.
fn number(text: &str, node: &Node, clean: &str, scrubbed: &Node, numbers: &mut Vec<(usize, String)>) {
    match (node, scrubbed) {
        (Node::Array(one), Node::Array(other)) => {
            one.iter().zip(other).for_each(|(one, other)| number(text, one, clean, other, numbers));
        }
        (Node::Object(one), Node::Object(other)) => {
            let keys: Vec<_> = one.iter().map(|(key, _)| Content::of(text, *key)).collect();
            let now: Vec<_> = other.iter().map(|(key, _)| Content::of(clean, *key)).collect();
            let mut names: Vec<Name<'_>> = keys
                .iter()
                .zip(&now)
                .map(|(key, now)| Name { before: &key.text, now: String::from(&*now.text) })
                .collect();
            tell_apart(&mut names);
            for ((name, now), (key, _)) in names.iter().zip(&now).zip(other) {
                let number = name.now.get(now.text.len()..).filter(|number| !number.is_empty());
                numbers.extend(number.map(|number| (key.end, String::from(number))));
            }
            one.iter().zip(other).for_each(|((_, one), (_, other))| number(text, one, clean, other, numbers));
        }
        _ => {}
    }
}

/// The text with these numbers in it; findings behind them move.
fn numbered(clean: String, numbers: &[(usize, String)], findings: &mut [Finding]) -> String {
    if numbers.is_empty() {
        return clean;
    }
    let mut numbers: Vec<&(usize, String)> = numbers.iter().collect();
    numbers.sort_by_key(|(place, _)| *place);
    let (mut out, mut at) = (String::with_capacity(clean.len()), 0);
    let mut findings = findings.iter_mut().peekable();
    for (place, number) in numbers {
        let shift = out.len().saturating_sub(at);
        while let Some(found) = findings.next_if(|found| found.out_offset < *place) {
            found.out_offset = found.out_offset.saturating_add(shift);
        }
        out.push_str(clean.get(at..*place).unwrap_or_default());
        out.push_str(number);
        at = *place;
    }
    let shift = out.len().saturating_sub(at);
    findings.for_each(|found| found.out_offset = found.out_offset.saturating_add(shift));
    out.push_str(clean.get(at..).unwrap_or_default());
    out
}
