//! Command lines: values of long flags that name a secret, and of the short flags of known programs.
use super::bytes::{
    ALNUM, MARK, Set, at, back, before_hidden, blank, inc, judged, part, quote, run, run_back,
};
use super::code::expression;
use super::memo::Memo;
use super::names;
use super::placeholder::placeholder;
use super::plain::{number, wordy};
use super::score::{odd, score};
use super::span::Span;
use super::values::{self, Stops, Value};
use crate::redact::rules::{Place, names::Strength, of};
use alloc::vec::Vec;
use core::ops::Range;

/// How the value of a short flag is written.
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
use Form::{After, Either, Glued, Pair};

/// Programs, their short flag for a password, and how its value is written.
#[rustfmt::skip] // A table.
const PROGRAMS: &[(&str, u8, Form)] = &[
    ("curl", b'u', Pair), ("wget", b'u', Pair), ("http", b'a', Pair), ("docker", b'p', After),
    ("podman", b'p', After), ("helm", b'p', After), ("az", b'p', After), ("oc", b'p', After),
    ("psexec", b'p', After), ("psexec.exe", b'p', After), ("sshpass", b'p', Either),
    ("mongo", b'p', Either), ("mongosh", b'p', Either), ("mongodump", b'p', Either),
    ("mysql", b'p', Glued), ("mysqldump", b'p', Glued), ("mysqladmin", b'p', Glued),
    ("mariadb", b'p', Glued), ("7z", b'p', Glued), ("redis-cli", b'a', After), ("unzip", b'P', After),
    ("zip", b'P', After), ("sqlcmd", b'P', After), ("bcp", b'P', After), ("ldapsearch", b'w', After),
    ("ldapadd", b'w', After), ("ipmitool", b'P', After), ("ldapmodify", b'w', After),
    ("ldapdelete", b'w', After), ("ldappasswd", b'w', After), ("ldappasswd", b's', After),
    ("snmpwalk", b'A', After), ("snmpwalk", b'X', After), ("snmpget", b'A', After),
    ("snmpget", b'X', After), ("snmpset", b'A', After), ("snmpset", b'X', After),
    ("mosquitto_pub", b'P', After), ("mosquitto_sub", b'P', After), ("rabbitmqadmin", b'p', After),
    ("influx", b'p', After), ("cqlsh", b'p', After), ("mongoimport", b'p', Either),
    ("mongoexport", b'p', Either), ("mongorestore", b'p', Either), ("twine", b'p', After),
    ("evil-winrm", b'p', After), ("crackmapexec", b'p', After), ("netexec", b'p', After),
    ("nxc", b'p', After), ("isql", b'P', After), ("mysqlimport", b'p', Glued), ("mysqlcheck", b'p', Glued),
    ("7za", b'p', Glued), ("httpie", b'a', Pair),
    ("neo4j-admin", b'p', After), ("cypher-shell", b'p', After),
];

/// How far behind its program a flag may stand.
const FAR: usize = 512;

/// The program of this name.
fn program(name: &[u8]) -> Option<&'static str> {
    // For each length a bit for the first letters of the programs, and for their last ones.
    const ENDS: [(u32, u32); LONGEST + 1] = {
        let mut rows = [(0u32, 0u32); LONGEST + 1];
        let mut list = PROGRAMS;
        while let [(program, ..), rest @ ..] = list {
            if let ([first, .., last], (_, [row, ..])) =
                (program.as_bytes(), rows.split_at_mut(program.len()))
            {
                row.0 |= 1u32.wrapping_shl((*first & 31) as u32);
                row.1 |= 1u32.wrapping_shl((*last & 31) as u32);
            }
            list = rest;
        }
        rows
    };
    let (firsts, lasts) = ENDS.get(name.len())?;
    let bit = |letter: &u8| 1u32.wrapping_shl(u32::from(letter & 31));
    if firsts & bit(name.first()?) == 0 || lasts & bit(name.last()?) == 0 {
        return None;
    }
    let same = |p: &str| p.len() == name.len() && name.eq_ignore_ascii_case(p.as_bytes());
    PROGRAMS.iter().find(|(p, ..)| same(p)).map(|(p, ..)| *p)
}

/// The longest name of a program.
const LONGEST: usize = 13;

/// Whether a letter is a flag for a password of some program.
fn known(flag: u8) -> bool {
    const FLAGS: u128 = {
        let (mut bits, mut list) = (0u128, PROGRAMS);
        while let [(_, flag, _), rest @ ..] = list {
            bits |= 1u128.wrapping_shl(*flag as u32);
            list = rest;
        }
        bits
    };
    flag.is_ascii() && FLAGS & 1u128.wrapping_shl(u32::from(flag)) != 0
}

/// A byte of a name of a program.
fn word(b: u8) -> bool {
    static WORD: Set = Set::of(ALNUM).and(b"-._");
    WORD.holds(b)
}

/// Whether a flag may stand behind a byte.
fn apart(b: u8) -> bool {
    b.is_ascii_whitespace() || quote(b) || matches!(b, b'(' | b',' | b'[')
}

/// Looks at flags one after the other.
#[derive(Debug, Default)]
pub(super) struct Finder {
    pub stops: Stops,
    line: Line,
}

impl Finder {
    /// Adds the secret behind the flag whose name starts at `name`.
    pub(super) fn find(&mut self, bytes: &[u8], name: usize, said: &mut Memo, spans: &mut Vec<Span>) {
        let two = back(bytes, name, 2) == b'-';
        let dash = name.saturating_sub(if two { 2 } else { 1 });
        if dash > 0 && !apart(back(bytes, dash, 1)) {
            return;
        }
        let end = names::end_of(bytes, name);
        let word = part(bytes, name, end);
        if let Some(strength) = (two || word.len() >= 4).then(|| said.strength(word)).flatten() {
            if strength >= Strength::Medium {
                spans.extend(long(bytes, end, strength, &mut self.stops));
            }
        } else if !two || word == b"user" {
            // `-su ann:…` is `-s -u ann:…`.
            let cluster = !two && (2..=6).contains(&word.len()) && word.iter().all(u8::is_ascii_alphabetic);
            let start = if cluster && word.ends_with(b"u") { end.saturating_sub(1) } else { name };
            let flag = if word == b"user" { b'u' } else { at(bytes, start) };
            let behind =
                if known(flag) { behind(bytes, dash, start..end, two, &mut self.stops) } else { None };
            let Some(behind) = behind else { return };
            let Some(form) = self.line.form(bytes, dash, flag) else { return };
            spans.extend(short(bytes, start..end, behind, form, &mut self.stops));
        }
    }
}

/// The program of the command line up to here; each line is read once.
#[derive(Debug, Default)]
struct Line {
    read: usize,
    program: Option<&'static str>,
}

impl Line {
    /// How the program of the line that `i` is in writes the value of a flag.
    fn form(&mut self, bytes: &[u8], i: usize, flag: u8) -> Option<Form> {
        if i.saturating_sub(self.read) > FAR {
            let near = before_hidden(bytes, i, FAR);
            if self.read < near {
                (self.read, self.program) = (near, None);
            }
        }
        self.program = last(bytes, self.read, i).unwrap_or(self.program);
        self.read = self.read.max(i);
        let program = self.program?;
        PROGRAMS.iter().find(|(p, f, _)| *p == program && *f == flag).map(|(.., form)| *form)
    }
}

/// The last program of the command that goes on at `i`, of which no more than what stands from `from` on is read: none
/// where it starts there without one, and `None` where it starts before that.
fn last(bytes: &[u8], from: usize, i: usize) -> Option<Option<&'static str>> {
    let mut end = i;
    while from < end {
        let start = run_back(bytes, end, end.saturating_sub(from), word);
        // In JSON the letter of an escaped blank stands before a word; in a path it is the word's own.
        let escaped = back(bytes, start, 1) == b'\\' && matches!(at(bytes, start), b'n' | b'r' | b't');
        let behind = || program(part(bytes, inc(start), end)).filter(|_| escaped);
        if let Some(program) = program(part(bytes, start, end)).or_else(behind) {
            return Some(Some(program));
        }
        if start <= from {
            break;
        }
        end = start.saturating_sub(1);
        let ended = if escaped { ends_line(bytes, start) } else { ends_command(bytes, end) };
        if ended {
            return Some(None);
        }
    }
    None
}

/// Whether a command ends at `i`, with a sign that no backslash takes back.
fn ends_command(bytes: &[u8], i: usize) -> bool {
    let returns = usize::from(at(bytes, i) == b'\n' && back(bytes, i, 1) == b'\r');
    matches!(at(bytes, i), b'\n' | b'|' | b';') && back(bytes, i, inc(returns)) != b'\\'
}

/// Whether the letter at `i` and the backslashes before it are a line end, escaped any number of times, that no other
/// backslash takes back. What may be a path, a user of a domain or a machine is none: `C:\new`, `CORP\nina`, `\\nas`.
fn ends_line(bytes: &[u8], i: usize) -> bool {
    let first = run_back(bytes, i, 32, |b| b == b'\\');
    let before = back(bytes, first, 1);
    let closed = !word(before) && !before.is_ascii_whitespace() && !quote(before);
    at(bytes, i) == b'n'
        && i.saturating_sub(first).is_power_of_two()
        && closed
        && !matches!(before, b':' | b'=' | b'/' | 0)
}

/// The value after a long flag: `--password secret`, `"--password", "secret"`.
fn long(bytes: &[u8], end: usize, strength: Strength, stops: &mut Stops) -> Option<Span> {
    let listed = quote(at(bytes, end)) && at(bytes, inc(end)) == b',';
    let from = if listed { end.saturating_add(2) } else { end };
    let start = values::behind(bytes, from, 16, stops);
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
        || judged(text)
        || placeholder(text)
        || (!value.quoted && (expression(text) || (number(text) && strength < Strength::Strong)))
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

/// Where the value of a short flag may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// In the word of the flag, or behind the blanks after it.
    Word(usize),
    /// Behind the blanks after it.
    Blank(usize),
    /// At a quote right behind it: `-p'secret'`.
    Quote(usize),
    /// In a string of its own: `"-p", "secret"`.
    Listed(usize),
}

/// What stands behind a short flag. To see that there is none takes less than to look for the program.
fn behind(bytes: &[u8], dash: usize, name: Range<usize>, two: bool, stops: &mut Stops) -> Option<Behind> {
    let end = name.end;
    let open = run(bytes, end, end.saturating_add(16), |b| b == b'\\');
    let alone = name.len() == 1 || two;
    if alone && quote(at(bytes, open)) {
        if back(bytes, dash, 1) == at(bytes, open) {
            let comma = run(bytes, inc(open), open.saturating_add(4), blank);
            let start = run(bytes, inc(comma), comma.saturating_add(8), blank);
            return (at(bytes, comma) == b',').then_some(Behind::Listed(start));
        }
        // It may be the end of a string that the flag stands in.
        let closes = open == end && at(bytes, open) == b'"' && stops.inside(bytes, open);
        return (!closes).then_some(Behind::Quote(end));
    }
    let start = run(bytes, end, end.saturating_add(8), blank);
    if !alone {
        return Some(Behind::Word(start));
    }
    (start > end && at(bytes, start) != b'-').then_some(Behind::Blank(start))
}

/// The value of a short flag of this name, and of what stands behind it.
fn short(bytes: &[u8], name: Range<usize>, behind: Behind, form: Form, stops: &mut Stops) -> Option<Span> {
    let start = match behind {
        // `-user a:b` is a whole word.
        Behind::Word(start) if form == Pair && part(bytes, name.start, name.end) == b"user" => start,
        Behind::Word(_) if form != After => inc(name.start),
        Behind::Blank(start) if form != Glued => start,
        Behind::Quote(start) | Behind::Listed(start) => start,
        _ => return None,
    };
    if at(bytes, start) == b'-' {
        return None;
    }
    let value = values::read(bytes, start, stops)?;
    let text = part(bytes, value.start, value.end);
    let good = match behind {
        Behind::Listed(_) => value.quoted && form != Glued,
        // Between two strings stands code.
        Behind::Quote(_) => {
            let joins = |b: u8| matches!(b, b',' | b'+' | b':' | b';' | b'.' | b')' | b']' | b'}' | b'>');
            !text.iter().any(u8::is_ascii_whitespace) && !joins(at(text, 0))
        }
        _ => true,
    };
    if !good {
        return None;
    }
    if form == Pair {
        return pair(bytes, value);
    }
    // `docker run -p 8080:80` maps ports.
    let port = |b: &u8| b.is_ascii_digit() || matches!(b, b':' | b'.' | b'/' | b'-');
    let ports = form == After && text.iter().all(port);
    let path = text.contains(&b'/') && !mixed(text);
    (!ports && !path).then(|| password(bytes, value.start, value)).flatten()
}

/// The password of `user:password`; of `token:`, with the password left empty, the token.
fn pair(bytes: &[u8], value: Value) -> Option<Span> {
    let Value { start, end, .. } = value;
    let colon = memchr::memchr(b':', part(bytes, start, end)).map(|n| start.saturating_add(n))?;
    if inc(colon) < end {
        let address = at(bytes, inc(colon)) == b'/';
        return (!address).then(|| password(bytes, inc(colon), value)).flatten();
    }
    let user = part(bytes, start, colon);
    let good = at(bytes, end) != MARK && user.len() >= 16 && !judged(user) && !placeholder(user);
    good.then(|| Span { start, end: colon, rule: of(Place::Argument) })
}

/// What stands from `start` on in a value, where it is a password.
fn password(bytes: &[u8], start: usize, value: Value) -> Option<Span> {
    let end = value.end;
    let text = part(bytes, start, end);
    // In single quotes a dollar sign is what it is, but for a line that a program is made of.
    let single = value.quoted && back(bytes, value.start, 1) == b'\'';
    let dollar = text.contains(&b'$') && !(single && text.iter().any(u8::is_ascii_digit));
    let good = text.len() >= 3 && !judged(text) && !placeholder(text) && !dollar;
    good.then(|| Span { start, end, rule: of(Place::Argument) })
}

/// Whether letters and digits alternate in what stands between slashes, as they do in no path.
fn mixed(text: &[u8]) -> bool {
    let changes = |word: &[u8]| {
        let change = |w: &&[u8]| {
            matches!(w, [a, b] if a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric()
                && a.is_ascii_digit() != b.is_ascii_digit())
        };
        word.windows(2).filter(change).count()
    };
    score(text) >= 2 && text.split(|b| *b == b'/').any(|word| changes(word) >= 3 && !word.contains(&b'.'))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_program_is_known_by_its_name() {
        for (name, ..) in super::PROGRAMS {
            assert_eq!(super::program(name.to_uppercase().as_bytes()), Some(*name));
        }
        assert_eq!(super::program(b"cat"), None);
    }
}
