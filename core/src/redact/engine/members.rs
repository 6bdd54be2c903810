//! Members of an object that say of each other what they are: `{"name": "DB_PASSWORD", "value": "…"}`, the same over
//! lines, and `"db_password": {"sensitive": true, "value": "…"}`.
use super::bytes::{MARK, at, back, blank, ends_fold, inc, part, quote, run_back};
use super::names;
use crate::redact::rules::names::Strength;
use core::ops::Range;

/// The keys of members that give a name.
const KEYS: [&[u8]; 5] = [b"name", b"key", b"id", b"type", b"variable"];
/// The most members between a name and its value.
const BETWEEN: usize = 2;
/// How far a value may stand from the line of the name that says what it is.
pub(super) const FAR: usize = 384;
/// The most bytes between two members.
const APART: usize = 96;
/// How far before a value its object opens at most.
const OBJECT: usize = 256;

/// The name under which a value stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named<'t> {
    pub name: &'t [u8],
    pub strength: Strength,
    /// Whether it stands on a line before that of the value.
    pub over: bool,
}

/// A key and what stands under it, if that is one word.
struct Member {
    key: Range<usize>,
    value: Range<usize>,
    quoted: bool,
    /// Whether its line ends behind it.
    over: bool,
}

/// The name of the value whose key starts at `i`: that of its object, or the one before the brace.
pub(super) fn name_of(text: &[u8], i: usize) -> Option<Named<'_>> {
    let (mut before, mut over) = (i, false);
    for _ in 0..=BETWEEN {
        let Some(member) = Member::before(text, before) else { break };
        over |= member.over;
        if let Some(named) = member.named(text) {
            return named.map(|named| Named { over, ..named });
        }
        before = member.key.start;
    }
    object(text, i)
}

/// The name that the member before `i` gives: `"name": "DB_PASSWORD"`, `key="ApiKey"`.
pub(super) fn named(text: &[u8], i: usize) -> Option<(&[u8], Strength)> {
    let Named { name, strength, .. } = Member::before(text, i)?.named(text)??;
    Some((name, strength))
}

/// Whether a line ends in a member that gives a name, whose value may come in the next ones.
pub(super) fn ends_in_name(line: &[u8]) -> bool {
    let member = Member::at_end(line, line.len(), true);
    member.is_some_and(|member| member.named(line).flatten().is_some())
}

/// Whether a line opens an object under a name that holds a secret.
pub(super) fn opens_object(line: &[u8]) -> bool {
    before_brace(line, line.len()).is_some()
}

/// Where the line ends before that of the key at `i`, if nothing of another member stands before that: blanks, the sign of a
/// diff, the name and number of a line. Line ends may be escaped.
fn line_before(text: &[u8], i: usize) -> Option<usize> {
    if at(text, i) == b'n' && back(text, i, 1) == b'\\' {
        return Some(i.saturating_sub(1));
    }
    let ends = |b: u8| matches!(b, b'\n' | b'{' | b'}' | b'[' | b']' | b'=' | b',' | MARK);
    let start = run_back(text, i, APART, |b| !ends(b));
    let lead = part(text, start, i);
    let end = match memchr::memmem::rfind(lead, b"\\n") {
        Some(escaped) => start.saturating_add(escaped),
        None => start.checked_sub(1).filter(|_| back(text, start, 1) == b'\n')?,
    };
    let lead = part(text, end, i);
    let near = back(text, i, 1);
    let quotes = lead.iter().filter(|b| quote(**b)).count();
    (matches!(near, b' ' | b'\t' | b'"' | b'\'' | b'n' | b'\n' | b'+' | b'-') && quotes <= 1).then_some(end)
}

/// The name before the brace that opens the object in which `i` stands: `"db_password": {"type": "string", `. Over what is
/// hidden it does not reach: its mark may be longer or shorter.
fn object(text: &[u8], i: usize) -> Option<Named<'_>> {
    let open = run_back(text, i, OBJECT, |b| !matches!(b, b'{' | b'}' | b'[' | b']' | MARK));
    before_brace(text, open).map(|name| Named { name, strength: Strength::Strong, over: false })
}

/// The name before the brace that stands before `i`.
fn before_brace(text: &[u8], i: usize) -> Option<&[u8]> {
    let brace = i.checked_sub(1).filter(|_| back(text, i, 1) == b'{')?;
    let delimiter = run_back(text, brace, 8, blank);
    if !matches!(back(text, delimiter, 1), b':' | b'=') {
        return None;
    }
    let name = names::before(text, delimiter.saturating_sub(1))?;
    let name = part(text, name.start, name.end);
    (names::strength(name) == Some(Strength::Strong)).then_some(name)
}

impl Member {
    /// The member before `i`: nothing but quotes, blanks, a line end with what stands before lines, and what joins members
    /// stands between.
    fn before(text: &[u8], i: usize) -> Option<Self> {
        if let Some(end) = line_before(text, i) {
            return Self::at_end(text, end, true);
        }
        let joins = |b: u8| quote(b) || matches!(b, b' ' | b'\t' | b',' | b'\\' | b';');
        let end = run_back(text, i, APART, joins);
        part(text, end, i).iter().any(|b| quote(*b)).then(|| Self::at_end(text, end, false)).flatten()
    }

    /// The member whose value ends at `end` or before the quotes there.
    fn at_end(text: &[u8], end: usize, over: bool) -> Option<Self> {
        let end =
            run_back(text, end, 16, |b| quote(b) || blank(b) || matches!(b, b',' | b';' | b'\\' | b'\r'));
        // Parameters are named by paths: `/prod/db/password`.
        let start = run_back(text, end, 80, |b| super::bytes::name(b) || b == b'/');
        let open = run_back(text, start, 16, |b| quote(b) || b == b'\\');
        let delimiter = run_back(text, open, 8, blank);
        if start == end || !matches!(back(text, delimiter, 1), b':' | b'=') {
            return None;
        }
        let key_end = run_back(text, delimiter.saturating_sub(1), 16, |b| quote(b) || blank(b) || b == b'\\');
        let key_start = run_back(text, key_end, 24, |b| b.is_ascii_alphanumeric() || b == b'_');
        let (key, value) = (key_start..key_end, start..end);
        (!key.is_empty()).then_some(Self { key, value, quoted: open < start, over })
    }

    /// What it says of the members beside it: nothing, that their value is no secret, or that it is one.
    #[allow(clippy::option_option, reason = "three answers")]
    fn named<'t>(&self, text: &'t [u8]) -> Option<Option<Named<'t>>> {
        let key = part(text, self.key.start, self.key.end);
        if !KEYS.iter().any(|k| ends_fold(key, k)) {
            return None;
        }
        let name = part(text, self.value.start, self.value.end);
        let name = memchr::memrchr(b'/', name).map_or(name, |slash| part(name, inc(slash), name.len()));
        let strength = names::strength(name).filter(|s| *s >= Strength::Medium);
        // `"type": "string"` is no name.
        let kind = ends_fold(key, b"type");
        let tells = self.quoted || (self.over && !kind);
        let named = strength.filter(|_| tells).map(|strength| Named { name, strength, over: self.over });
        if kind && named.is_none() { None } else { Some(named) }
    }
}
