//! Command lines, netrc lines, SQL, and tokens after a name without a delimiter.
use super::accept;
use super::bytes::{MARK, at, back, blank, ends, part, quote, run, run_back};
use super::judge::{expression, number, placeholder, uuid, wordy};
use super::names;
use super::score::{odd, score};
use super::values::{self, Stops, Value};
use super::{Span, inc};
use crate::redact::rules::names::Strength;
use crate::redact::rules::{Place, of};
use alloc::vec::Vec;
use memchr::memmem;

/// Programs, their short flag for a password, and how its value is written.
const PROGRAMS: &[(&[u8], u8, Form)] = &[
    (b"curl", b'u', Form::Pair),
    (b"wget", b'u', Form::Pair),
    (b"http", b'a', Form::Pair),
    (b"docker", b'p', Form::After),
    (b"podman", b'p', Form::After),
    (b"helm", b'p', Form::After),
    (b"az", b'p', Form::After),
    (b"oc", b'p', Form::After),
    (b"psexec", b'p', Form::After),
    (b"psexec.exe", b'p', Form::After),
    (b"sshpass", b'p', Form::Either),
    (b"mongo", b'p', Form::Either),
    (b"mongosh", b'p', Form::Either),
    (b"mongodump", b'p', Form::Either),
    (b"mysql", b'p', Form::Glued),
    (b"mysqldump", b'p', Form::Glued),
    (b"mysqladmin", b'p', Form::Glued),
    (b"mariadb", b'p', Form::Glued),
    (b"7z", b'p', Form::Glued),
    (b"redis-cli", b'a', Form::After),
    (b"unzip", b'P', Form::After),
    (b"zip", b'P', Form::After),
    (b"sqlcmd", b'P', Form::After),
    (b"bcp", b'P', Form::After),
    (b"ldapsearch", b'w', Form::After),
    (b"ldapadd", b'w', Form::After),
    (b"ipmitool", b'P', Form::After),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `-p secret`
    After,
    /// `-psecret`
    Glued,
    /// Either of them.
    Either,
    /// `-u user:secret`
    Pair,
}

/// Adds the secrets in the command lines of a text.
pub(super) fn find(bytes: &[u8], spans: &mut Vec<Span>) {
    let mut stops = Stops::default();
    let mut line = Line::default();
    for dash in memchr::memchr_iter(b'-', bytes) {
        let before = back(bytes, dash, 1);
        let opens = dash == 0
            || before.is_ascii_whitespace()
            || quote(before)
            || matches!(before, b'[' | b'(' | b',');
        if !opens {
            continue;
        }
        let name = run(bytes, dash, dash.saturating_add(2), |b| b == b'-');
        let end = names::end_of(bytes, name);
        let long = name.saturating_sub(dash) == 2 || end.saturating_sub(name) >= 4;
        let glued = end.saturating_sub(name) > 1 && name.saturating_sub(dash) == 1;
        if long && let Some(strength) = names::judge(part(bytes, name, end)) {
            if strength >= Strength::Medium
                && let Some(span) = argument(bytes, end, strength, &mut stops)
            {
                spans.push(span);
            }
        } else if name.saturating_sub(dash) == 1 || part(bytes, name, end) == b"user" {
            let flag = if part(bytes, name, end) == b"user" { b'u' } else { at(bytes, name) };
            let Some((form, _)) = line.program(bytes, dash, flag) else { continue };
            if let Some(span) = short(bytes, name, end, form, glued, &mut stops) {
                spans.push(span);
            }
        }
    }
    logins(bytes, &mut Stops::default(), spans);
    named(bytes, &mut Stops::default(), spans);
}

/// The program of the command line up to here; each line is read once.
#[derive(Default)]
struct Line {
    read: usize,
    program: Option<&'static [u8]>,
}

impl Line {
    fn program(&mut self, bytes: &[u8], i: usize, flag: u8) -> Option<(Form, &'static [u8])> {
        let mut at_word = self.read;
        while at_word < i {
            let word_end =
                run(bytes, at_word, i, |b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'));
            let word = part(bytes, at_word, word_end);
            if let Some((name, ..)) = PROGRAMS.iter().find(|(p, ..)| word.eq_ignore_ascii_case(p)) {
                self.program = Some(name);
            }
            let b = at(bytes, word_end);
            if matches!(b, b'\n' | b'|' | b';') && back(bytes, word_end, 1) != b'\\' {
                self.program = None;
            }
            at_word = word_end.max(at_word).saturating_add(1);
        }
        self.read = self.read.max(at_word.min(i));
        let program = self.program?;
        PROGRAMS.iter().find(|(p, f, _)| *p == program && *f == flag).map(|(p, _, form)| (*form, *p))
    }
}

/// The value after a long flag: `--password secret`, `"--password", "secret"`.
fn argument(bytes: &[u8], end: usize, strength: Strength, stops: &mut Stops) -> Option<Span> {
    let listed = quote(at(bytes, end)) && at(bytes, inc(end)) == b',';
    let from = if listed { end.saturating_add(2) } else { end };
    let start = run(bytes, from, from.saturating_add(16), blank);
    if (start == end || (!listed && start == from)) || at(bytes, start) == b'-' {
        return None;
    }
    let value = values::read(bytes, start, stops)?;
    let text = part(bytes, value.start, value.end);
    if listed && !value.quoted {
        return None;
    }
    let blanks = text.iter().any(u8::is_ascii_whitespace);
    if text.len() < 3
        || blanks
        || placeholder(text)
        || (!value.quoted && (expression(text) || number(text) && strength < Strength::Strong))
    {
        return None;
    }
    let plain = wordy(text);
    let good = match (value.quoted, plain) {
        (_, true) => odd(text) >= 30 && text.len() >= 5,
        (true, false) => true,
        (false, false) => text.iter().any(|b| b.is_ascii_digit()) || odd(text) >= 20,
    };
    good.then(|| Span { start: value.start, end: value.end, rule: of(Place::Argument) })
}

fn short(bytes: &[u8], name: usize, end: usize, form: Form, glued: bool, stops: &mut Stops) -> Option<Span> {
    if glued && !matches!(form, Form::Glued | Form::Either) && end.saturating_sub(name) != 4 {
        return None;
    }
    let start = match form {
        Form::Glued | Form::Either if glued => inc(name),
        Form::Glued => return None,
        _ => run(bytes, end, end.saturating_add(8), blank),
    };
    if at(bytes, start) == b'-' || (start == end && !glued) {
        return None;
    }
    let value = values::read(bytes, start, stops)?;
    let mut from = value.start;
    if form == Form::Pair {
        let colon = memchr::memchr(b':', part(bytes, value.start, value.end))?;
        from = value.start.saturating_add(colon).saturating_add(1);
        if from == value.end && at(bytes, from) == MARK {
            return None;
        }
        if from == value.end {
            // `-u token:`, the password left empty.
            let user = part(bytes, value.start, from.saturating_sub(1));
            let good = user.len() >= 16 && !placeholder(user);
            return good.then(|| Span {
                start: value.start,
                end: from.saturating_sub(1),
                rule: of(Place::Argument),
            });
        }
    }
    let text = part(bytes, from, value.end);
    // `docker run -p 8080:80` maps ports.
    let ports = text.iter().all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.' | b'/' | b'-'))
        && form == Form::After;
    let good =
        text.len() >= 3 && !ports && !placeholder(text) && !text.contains(&b'/') && !text.contains(&b'$');
    good.then(|| Span { start: from, end: value.end, rule: of(Place::Argument) })
}

/// `login app password secret`, `IDENTIFIED BY 'secret'`, `PASSWORD 'secret'`.
fn logins(bytes: &[u8], stops: &mut Stops, spans: &mut Vec<Span>) {
    let words =
        [(&b"assword"[..], false), (b"ASSWORD", true), (b"DENTIFIED BY", true), (b"dentified by", true)];
    for (tail, sql) in words {
        *stops = Stops::default();
        for found in memmem::find_iter(bytes, tail) {
            let end = found.saturating_add(tail.len());
            let start = run(bytes, end, end.saturating_add(8), blank);
            if start == end {
                continue;
            }
            let string = at(bytes, start) == b'\''
                && (sql || ends(bytes, found, b"WITH p") || ends(bytes, found, b"with p"));
            if !string && !after_login(bytes, found.saturating_sub(1)) {
                continue;
            }
            let Some(value) = values::read(bytes, start, stops) else { continue };
            let text = part(bytes, value.start, value.end);
            let word = (!string || tail == b"dentified by") && wordy(text) && odd(text) < 30;
            if text.len() >= 3 && !word && !placeholder(text) && !text.iter().any(u8::is_ascii_whitespace) {
                spans.push(Span { start: value.start, end: value.end, rule: of(Place::Login) });
            }
        }
    }
}

/// Whether `login <name>` ends before `i`.
fn after_login(bytes: &[u8], i: usize) -> bool {
    let space = |b: u8| b.is_ascii_whitespace();
    let name_end = run_back(bytes, i, 32, space);
    let name = run_back(bytes, name_end, 64, |b| b > b' ');
    let word_end = run_back(bytes, name, 32, space);
    name_end < i && name < name_end && word_end < name && ends(bytes, word_end, b"login")
}

/// A random token after a name without a delimiter: `deepl KEY Zf3D…`, `razorpay token - 'rzp…'`; after
/// `password`, a string that is no word.
fn named(bytes: &[u8], stops: &mut Stops, spans: &mut Vec<Span>) {
    const ENDS: [&[u8]; 12] = [
        b"token", b"TOKEN", b"Token", b"key", b"KEY", b"Key", b"ecret", b"ECRET", b"assword", b"ASSWORD",
        b"pass", b"PASS",
    ];
    for space in memchr::memchr_iter(b' ', bytes) {
        let last = back(bytes, space, 1).to_ascii_lowercase();
        if !matches!(last, b'n' | b'y' | b't' | b'd' | b's') || !ENDS.iter().any(|e| ends(bytes, space, e)) {
            continue;
        }
        let mut start = run(bytes, space, space.saturating_add(8), blank);
        for link in [&b"- "[..], b"is "] {
            if super::bytes::has(bytes, start, link) {
                start = start.saturating_add(link.len());
            }
        }
        let word = run_back(bytes, space, 40, super::bytes::name);
        if names::after_mark(bytes, word) {
            continue;
        }
        let Some(strength) = names::judge(part(bytes, names::phrase_start(bytes, word), space)) else {
            continue;
        };
        let Some(value) = values::read(bytes, start, stops) else { continue };
        if matches!(last, b'd' | b's') {
            let text = part(bytes, value.start, value.end);
            let digit = text.iter().any(u8::is_ascii_digit);
            let blanks = text.iter().any(u8::is_ascii_whitespace);
            if value.quoted && digit && !blanks && text.len() >= 6 && !number(text) && !placeholder(text) {
                spans.push(Span { start: value.start, end: value.end, rule: of(Place::Login) });
            }
        } else if random(bytes, value, strength) {
            spans.push(Span { start: value.start, end: value.end, rule: of(Place::NamedToken) });
        }
    }
}

fn random(bytes: &[u8], value: Value, strength: Strength) -> bool {
    let text = part(bytes, value.start, value.end);
    let digits = text.iter().filter(|b| b.is_ascii_digit()).count();
    let plain =
        text.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'+' | b'=' | b'.'));
    let hex = text.iter().all(u8::is_ascii_hexdigit);
    // A commit is named after its key words as often as not, an id after its key.
    if (uuid(text) && strength < Strength::Strong) || (hex && text.len() == 40 && strength < Strength::Medium)
    {
        return false;
    }
    plain && text.len() >= 20 && digits >= 3 && score(text) >= 3 && !accept::id(text) && !placeholder(text)
}
