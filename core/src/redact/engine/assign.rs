//! Assignments: a name that holds a secret, a delimiter, a value.
use super::accept::{self, Context};
use super::bytes::{self, at, back, blank, ends, inc, part, quote, run, run_back, run_back_shown};
use super::calls;
use super::headers;
use super::markup;
use super::memo::Memo;
use super::names::{self, Name};
use super::parts::Parts;
use super::score::score;
use super::span::Span;
use super::urls::in_query;
use super::values::{self, Stops, Value};
use super::yaml;
use crate::redact::rules::names::Strength;
use alloc::vec::Vec;

/// Looks at delimiters one after the other.
#[derive(Debug, Default)]
pub(super) struct Finder {
    pub stops: Stops,
    /// Up to here all was looked at.
    pub past: usize,
}

impl Finder {
    /// Adds the value of the assignment whose delimiter stands at `delimiter`; whether there may be one by what stands
    /// before it.
    pub(super) fn find(
        &mut self,
        bytes: &[u8],
        delimiter: usize,
        names: &mut Memo,
        spans: &mut Vec<Span>,
    ) -> bool {
        if delimiter < self.past {
            return true;
        }
        let (before, stops) = (spans.len(), &mut self.stops);
        let may = match at(bytes, delimiter) {
            b'>' => markup::element(bytes, delimiter, names, spans),
            b',' => pair(bytes, delimiter, stops, names, spans),
            b'(' => calls::find(bytes, delimiter, stops, names, spans),
            _ => assignment(bytes, delimiter, stops, names, spans),
        };
        self.past = match spans.get(before..).and_then(<[Span]>::last) {
            Some(span) => span.end.max(inc(delimiter)),
            None if stops.read.spent(inc(delimiter)) => stops.read.far(),
            None => inc(delimiter),
        };
        may
    }
}

/// `setProperty("API_TOKEN", "…")`: a quoted name, a comma, a quoted value that looks random; whether the name tells.
fn pair(bytes: &[u8], comma: usize, stops: &mut Stops, said: &mut Memo, spans: &mut Vec<Span>) -> bool {
    if !quote(back(bytes, run_back(bytes, comma, 4, blank), 1)) {
        return false;
    }
    let Some(name) = names::before(bytes, comma) else { return false };
    let word = part(bytes, name.start, name.end);
    let Some(strength) = said.strength(word) else { return false };
    let start = run(bytes, inc(comma), comma.saturating_add(16), blank);
    let random = |value: &Value| {
        let text = part(bytes, value.start, value.end);
        value.quoted && text.iter().any(u8::is_ascii_digit) && score(text) >= 1
    };
    let here = Context { strength, name: word, ..Context::default() };
    let value = values::read(bytes, start, stops).filter(random);
    spans.extend(value.and_then(|value| accept::judge(bytes, value, &here)));
    true
}

/// A name, a delimiter (`:` or `=`, also as the start of `:=`, `=>`, `?=` and the like), a value; whether the name, or
/// what comes behind, says that there may be one.
fn assignment(
    bytes: &[u8],
    delimiter: usize,
    stops: &mut Stops,
    said: &mut Memo,
    spans: &mut Vec<Span>,
) -> bool {
    let byte = at(bytes, delimiter);
    if !delimits(bytes, delimiter) || binds(bytes, delimiter) {
        return true;
    }
    let operator = if byte == b'=' {
        run_back(bytes, delimiter, 2, |b| matches!(b, b'?' | b'+' | b'.' | b'|' | b'!' | b'*'))
    } else {
        delimiter
    };
    let name = names::before(bytes, operator);
    let named = name.and_then(|name| telling_name(bytes, name, byte, said));
    if let Some(named) = named {
        assigned(bytes, delimiter, named, stops, said, spans);
    }
    named.is_some()
}

/// Adds the value of a name that tells.
fn assigned(
    bytes: &[u8],
    delimiter: usize,
    (strength, name): (Strength, Name),
    stops: &mut Stops,
    said: &mut Memo,
    spans: &mut Vec<Span>,
) {
    let (byte, word) = (at(bytes, delimiter), part(bytes, name.start, name.end));
    let after =
        run(bytes, inc(delimiter), delimiter.saturating_add(6), |b| matches!(b, b':' | b'=' | b'>' | b'~'));
    // `**Password:** …`
    let stressed = byte == b':' && emphasis(bytes, name.start, after);
    let after = if stressed { after.saturating_add(2) } else { after };
    let start = values::behind(bytes, after, 64, stops);
    let tagged = byte == b':' && start > after && matches!(at(bytes, start), b'!' | b'&');
    let Some(start) = (if tagged { yaml::content(bytes, start) } else { Some(start) }) else { return };
    let header = headers::is_header(word);
    if header && !stops.read.spent(start) && headers::value(bytes, start, stops, spans) {
        return;
    }
    let here = Context {
        strength,
        name: word,
        colon: byte == b':',
        spaced: name.spaced || start > after,
        compared: byte == b'=' && (at(bytes, inc(delimiter)) == b'=' || back(bytes, delimiter, 1) == b'!'),
        first_on_line: !stressed && first_on_line(bytes, name.start),
        query: in_query(bytes, name.start),
        password_source: word.ends_with(b"pass")
            && (ends(bytes, name.end, b"-passin pass") || ends(bytes, name.end, b"-passout pass")),
        connection: byte == b'=' && start == after && in_connection(bytes, name.start),
        beside_user: strength == Strength::Medium
            && word.eq_ignore_ascii_case(b"pass")
            && beside_user(bytes, name.start),
    };
    // Of what a secret holds, to tell whether that changed.
    if ends(bytes, name.start, b"checksum/") {
        return;
    }
    if byte == b':' && (in_resource(bytes, name.start) || (start == after && in_user_info(bytes, name.start)))
    {
        return;
    }
    if at(bytes, start) == b'(' && calls::takes_user(word) {
        spans.extend(calls::second(bytes, start, word, stops));
        return;
    }
    if at(bytes, start) == b'[' {
        elements(bytes, start, &here, header, stops, said, spans);
        return;
    }
    if let Some(value) = calls::wrapped(bytes, start, stops) {
        spans.extend(accept::judge(bytes, value, &here));
        return;
    }
    let Some(value) = values::read(bytes, start, stops) else { return };
    // The scheme of a header whose parameters are assignments of their own.
    if header && !value.quoted && value.next.is_ascii_alphanumeric() {
        return;
    }
    let value = match () {
        () if is_type(bytes, value, byte) => after_type(bytes, value, stops),
        () if byte == b':' && is_generic(bytes, value) => None,
        () if in_path(bytes, name.start) => Some(segment(bytes, value)),
        () => Some(value),
    };
    spans.extend(value.and_then(|value| said.dismissed.judge(bytes, value, &here)));
    let changed = value.filter(|value| value.quoted).and_then(|value| calls::changed(bytes, value, stops));
    spans.extend(changed.and_then(|value| accept::judge(bytes, value, &here)));
}

/// Whether a `:` or `=` may stand between a name and its value.
fn delimits(bytes: &[u8], delimiter: usize) -> bool {
    let (next, second) = (at(bytes, inc(delimiter)), at(bytes, delimiter.saturating_add(2)));
    // The second half of `::`, `:=` and `==`.
    if matches!(back(bytes, delimiter, 1), b':' | b'=') {
        return false;
    }
    match (at(bytes, delimiter), next) {
        // `://`
        (b':', b'/') => second != b'/',
        // A path of names: `Foo::Bar`.
        (b':', b':') => !bytes::name(second),
        // A match against a pattern.
        (b'=', b'~') => false,
        _ => true,
    }
}

/// `v-model="form.password" :type="…"`: an attribute of a template starts with a colon.
fn binds(bytes: &[u8], colon: usize) -> bool {
    if at(bytes, colon) != b':'
        || !blank(back(bytes, colon, 1))
        || !at(bytes, inc(colon)).is_ascii_lowercase()
    {
        return false;
    }
    let letter = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
    let end = run(bytes, inc(colon), colon.saturating_add(40), letter);
    let slashes = run(bytes, inc(end), end.saturating_add(8), |b| b == b'\\');
    at(bytes, end) == b'=' && quote(at(bytes, slashes))
}

/// What the name says, with the word before it where that makes it clearer; over a type to the name before it.
fn telling_name(bytes: &[u8], name: Name, byte: u8, said: &mut Memo) -> Option<(Strength, Name)> {
    const TYPES: [&[u8]; 6] = [b"string", b"String", b"str", b"text", b"varchar", b"char"];
    let word = part(bytes, name.start, name.end);
    if byte == b'=' && TYPES.contains(&word) && blank(back(bytes, name.start, 1)) {
        let before = names::before(bytes, name.start)?;
        let strength = said.strength(part(bytes, before.start, before.end))?;
        return Some((strength, before));
    }
    let own = said.strength(word);
    if own == Some(Strength::Strong) {
        return Some((Strength::Strong, name));
    }
    if names::after_mark(bytes, name.start) {
        return None;
    }
    let start = names::phrase_start(bytes, name.start);
    if name.quoted || start == name.start {
        return own.map(|strength| (strength, name));
    }
    let strength = said.strength(part(bytes, start, name.end))?;
    Some((strength, Name { start, ..name }))
}

/// `token: String = "…"`: what reads like a value is the type.
fn is_type(bytes: &[u8], value: Value, byte: u8) -> bool {
    let letter =
        |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'&' | b'[' | b']' | b'?' | b'.' | b'*');
    byte == b':'
        && !value.quoted
        && value.next == b'='
        && part(bytes, value.start, value.end).iter().all(letter)
}

/// `token: Wrapped2<T>`, `key: Seed32<'_>`: a type with what it is made of.
fn is_generic(bytes: &[u8], value: Value) -> bool {
    let text = part(bytes, value.start, value.end);
    let inner = at(bytes, inc(value.end));
    !value.quoted
        && at(bytes, value.end) == b'<'
        && at(text, 0).is_ascii_uppercase()
        && text.iter().all(u8::is_ascii_alphanumeric)
        && (matches!(inner, b'\'' | b'_' | b'&') || inner.is_ascii_uppercase())
        && !bytes::has(bytes, inc(value.end), b"BR")
}

/// Whether `**` or `__` at `i` ends what one of them before a name began.
fn emphasis(bytes: &[u8], name: usize, i: usize) -> bool {
    let sign = at(bytes, i);
    if !matches!(sign, b'*' | b'_') || at(bytes, inc(i)) != sign {
        return false;
    }
    let from = run_back(bytes, name, 48, |b| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'_'));
    let stressed = |text: &[u8]| text.windows(2).any(|two| two == b"__");
    match sign {
        b'*' => ends(bytes, from, b"**"),
        _ => stressed(part(bytes, from, name)) || bytes::has(bytes, name, b"__"),
    }
}

/// Whether a path stands before `i`: `/home/x/`, `./`, `~/`.
fn in_path(bytes: &[u8], i: usize) -> bool {
    if back(bytes, i, 1) != b'/' {
        return false;
    }
    let start = run_back(bytes, i, 128, |b| bytes::name(b) || matches!(b, b'/' | b'~'));
    matches!(at(bytes, start), b'/' | b'.' | b'~')
}

/// Whether a name at `i` is the user of a URL: `https://x-access-token:`.
fn in_user_info(bytes: &[u8], i: usize) -> bool {
    ends(bytes, i, b"://") || ends(bytes, i, b":\\/\\/")
}

/// Whether `i` stands in the name of a resource: `arn:aws:secretsmanager:eu-west-1:1234:secret:name`.
fn in_resource(bytes: &[u8], i: usize) -> bool {
    let start = run_back(bytes, i, 128, |b| b > b' ' && !quote(b) && b != b'=' && b != b',');
    [&b"arn:"[..], b"urn:", b"crn:"].iter().any(|scheme| bytes::has(bytes, start, scheme))
}

/// `/home/x/password=secret/notes.txt`: in a path a value without quotes ends with its segment.
fn segment(bytes: &[u8], value: Value) -> Value {
    match memchr::memchr(b'/', part(bytes, value.start, value.end)) {
        Some(n) if !value.quoted => Value { end: value.start.saturating_add(n), next: b'/', ..value },
        _ => value,
    }
}

fn after_type(bytes: &[u8], value: Value, stops: &mut Stops) -> Option<Value> {
    let equals = run(bytes, value.end, value.end.saturating_add(80), blank);
    let start = run(bytes, inc(equals), equals.saturating_add(64), blank);
    let read =
        |stops: &mut Stops| calls::wrapped(bytes, start, stops).or_else(|| values::read(bytes, start, stops));
    (at(bytes, inc(equals)) != b'=').then(|| read(stops)).flatten()
}

/// The strings of a list.
fn elements(
    bytes: &[u8],
    open: usize,
    here: &Context<'_>,
    header: bool,
    stops: &mut Stops,
    said: &mut Memo,
    spans: &mut Vec<Span>,
) {
    // The strings of a list in a list were judged by the name of the outer one.
    let most = if open < stops.list { 4 } else { 64 };
    let mut i = inc(open);
    for _ in 0..most {
        i = run(bytes, i, i.saturating_add(64), |b| b.is_ascii_whitespace() || b == b',');
        let string = run(bytes, i, i.saturating_add(16), |b| b == b'\\');
        if !quote(at(bytes, string)) {
            return;
        }
        let Some(value) = values::read(bytes, i, stops) else { return };
        let before = spans.len();
        if header {
            headers::value(bytes, value.start, stops, spans);
        }
        if before == spans.len() {
            spans.extend(said.dismissed.judge(bytes, value, here));
        }
        let slashes = run(bytes, value.end, value.end.saturating_add(64), |b| b == b'\\');
        i = inc(slashes);
        stops.list = stops.list.max(i);
    }
}

/// How the names of a connection string end that stand beside its password.
static BESIDE: Parts = Parts::of(&[
    "uid=",
    "server=",
    "user=",
    "user id=",
    "data source=",
    "host=",
    "database=",
    "catalog=",
    "username=",
    "port=",
]);

/// Whether a pair of a connection string ends before `i`: `User Id=app;`.
fn in_connection(bytes: &[u8], i: usize) -> bool {
    let semicolon = run_back(bytes, i, 4, blank);
    if back(bytes, semicolon, 1) != b';' {
        return false;
    }
    let from = run_back_shown(bytes, semicolon, 160, |b| b >= b' ' && b != b'"' && b != b'\'');
    let before = part(bytes, from, semicolon);
    BESIDE.stand_in(before)
}

/// Whether a user stands before `i`, in the same braces: `{user: "app", `.
fn beside_user(bytes: &[u8], i: usize) -> bool {
    let from = run_back_shown(bytes, i, 64, |b| !matches!(b, b'{' | b'}' | b'\n' | b';'));
    bytes::contains_fold(part(bytes, from, i), b"user")
}

/// Whether nothing but indentation, a list dash, a comment sign or `export` stands before a name.
fn first_on_line(bytes: &[u8], start: usize) -> bool {
    let mut i = run_back(bytes, start, 64, |b| blank(b) || matches!(b, b'-' | b'#' | b'/' | b'*'));
    let last = back(bytes, i, 1);
    if matches!(last, b't' | b'V' | b'e' | b'v') {
        for word in [&b"export"[..], b"set", b"ENV", b"-e", b"--env"] {
            if word.last() == Some(&last) && ends(bytes, i, word) {
                i = run_back(bytes, i.saturating_sub(word.len()), 64, blank);
            }
        }
    }
    i == 0
        || matches!(back(bytes, i, 1), b'\n' | b'\r')
        || (back(bytes, i, 1) == b'n' && back(bytes, i, 2) == b'\\')
}
