//! Values that the host named, in the encodings in which they travel, over line ends as well.
use super::base64::{encode, six};
use super::bytes::{at, run};
use super::span::Span;
use crate::redact::rules::{Place, of};
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use memchr::memmem;

/// How often strings of JSON in strings of JSON are escaped.
const ESCAPES: usize = 3;

/// A value without the line ends around it: those of the file it stood in.
pub(in crate::redact) fn trimmed(value: &str) -> &str {
    value.trim_matches(['\n', '\r'])
}

/// The length of the longest form in which a value is looked for.
pub(in crate::redact) fn longest(value: &str) -> usize {
    forms(value).iter().map(|form| form.text.len()).max().unwrap_or(0)
}

/// A form of a value.
#[derive(Debug, PartialEq, Eq)]
struct Form {
    text: Vec<u8>,
    /// The letters of base64 that stand for what is left of a value behind its groups of three bytes; of the last one
    /// the first bits alone.
    rest: Vec<u8>,
}

/// How a writer of JSON escapes beside quotes, backslashes and line ends.
struct Writer {
    /// What is written as `\u00XX`.
    barred: &'static [char],
    /// Whether slashes are escaped.
    slashes: bool,
    /// Whether the rest is ASCII.
    ascii: bool,
    upper: bool,
}

/// Ways to write JSON: as little escaped as may be; ASCII; with slashes; what may not stand in HTML, as .NET writes it,
/// as it is usual, and as Gson does.
const WRITERS: [Writer; 7] = [
    Writer { barred: &[], slashes: false, ascii: false, upper: false },
    Writer { barred: &[], slashes: false, ascii: true, upper: false },
    Writer { barred: &[], slashes: true, ascii: false, upper: false },
    Writer { barred: &[], slashes: true, ascii: true, upper: false },
    Writer { barred: &['"', '&', '\'', '+', '<', '>', '`'], slashes: false, ascii: true, upper: true },
    Writer { barred: &['&', '<', '>'], slashes: false, ascii: false, upper: false },
    Writer { barred: &['&', '<', '>', '=', '\''], slashes: false, ascii: false, upper: false },
];

/// What stays in percent-encoding beside letters and digits: by RFC 3986, in a part of an address in JavaScript, in
/// forms, elsewhere in forms, and in paths.
const UNRESERVED: [&[u8]; 6] = [b"-_.~", b"-_.~!*'()", b"-_.*", b"-_.", b"-_.!*()", b"-_.~/"];

/// A value as it is and with either line ends: escaped for JSON, percent-encoded, in hexadecimal and in base64.
fn forms(value: &str) -> Vec<Form> {
    let value = trimmed(value);
    let lines = value.replace("\r\n", "\n");
    let returns = lines.replace('\n', "\r\n");
    let ends = [value, &lines, &returns];
    let mut all: Vec<Vec<u8>> = Vec::new();
    for value in ends {
        all.push(Vec::from(value));
        for writer in &WRITERS {
            let (mut once, mut outer) = (String::from(value), String::from(value));
            for n in 0..ESCAPES {
                once = writer.escaped(&once);
                // What another one wrote, in JSON as little escaped as may be.
                outer = if n == 0 { once.clone() } else { escaped(&outer) };
                all.extend([&once, &outer].map(|form| form.clone().into_bytes()));
            }
        }
        for lower in [true, false] {
            let digits = |b: u8| if lower { format!("{b:02x}") } else { format!("{b:02X}") };
            for unreserved in UNRESERVED {
                let mut percent = String::new();
                for b in value.bytes() {
                    if b.is_ascii_alphanumeric() || unreserved.contains(&b) {
                        percent.push(char::from(b));
                    } else {
                        percent.push('%');
                        percent.push_str(&digits(b));
                    }
                }
                all.extend([percent.replace("%20", "+"), percent].map(String::into_bytes));
            }
            all.push(value.bytes().map(digits).collect::<String>().into_bytes());
        }
    }
    let mut all: Vec<Form> = all.into_iter().map(|text| Form { text, rest: Vec::new() }).collect();
    for value in ends {
        all.extend([b"+/", b"-_"].map(|last| {
            let (text, rest) = encode(value.as_bytes(), *last);
            Form { text, rest }
        }));
    }
    let mut apart: Vec<Form> = Vec::new();
    for form in all {
        if !apart.contains(&form) {
            apart.push(form);
        }
    }
    apart
}

impl Writer {
    /// A text in a string of JSON.
    fn escaped(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for c in text.chars() {
            if self.barred.contains(&c) || (self.ascii && !c.is_ascii()) {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    out.push_str(&if self.upper {
                        format!("\\u{unit:04X}")
                    } else {
                        format!("\\u{unit:04x}")
                    });
                }
                continue;
            }
            let short = match c {
                '\\' | '"' => c,
                '/' if self.slashes => c,
                '\n' => 'n',
                '\t' => 't',
                '\r' => 'r',
                _ => {
                    out.push(c);
                    continue;
                }
            };
            out.extend(['\\', short]);
        }
        out
    }
}

/// A text in a string of JSON, as little escaped as may be.
fn escaped(text: &str) -> String {
    let [least, ..] = &WRITERS;
    least.escaped(text)
}

/// The values, ready to be looked for.
#[derive(Debug)]
pub(super) struct Exact {
    /// Set up once, since that costs as much as a form is long; with the rest of each.
    forms: Vec<(memmem::Finder<'static>, Vec<u8>)>,
}

impl Exact {
    /// The values to look for, and those that go over lines.
    pub(super) fn new(values: &[String]) -> (Self, FirstLines) {
        let mut lines = FirstLines { by_last: BTreeMap::new(), longest: 0 };
        let ready = values.iter().flat_map(|value| forms(value)).map(|form| {
            lines.add(&form.text);
            (memmem::Finder::new(&form.text).into_owned(), form.rest)
        });
        let forms = ready.collect();
        (Self { forms }, lines)
    }

    /// Adds the places where the values stand.
    pub(super) fn find(&self, bytes: &[u8], spans: &mut Vec<Span>) {
        for (form, rest) in &self.forms {
            for start in form.find_iter(bytes) {
                let end = behind_rest(bytes, start.saturating_add(form.needle().len()), rest);
                spans.push(Span { start, end, rule: of(Place::Exact) });
            }
        }
    }
}

/// Behind the letters of base64 that end a value, and what fills up their group.
fn behind_rest(bytes: &[u8], i: usize, rest: &[u8]) -> usize {
    let Some((last, whole)) = rest.split_last() else { return i };
    let end = i.saturating_add(whole.len());
    // What follows a value in base64 has a part in its last letter.
    let mask = if whole.len() == 1 { 0x30 } else { 0x3c };
    let same = six(at(bytes, end)).is_some_and(|bits| Some(bits & mask) == six(*last));
    if !same || bytes.get(i..end) != Some(whole) {
        return i;
    }
    let end = end.saturating_add(1);
    run(bytes, end, end.saturating_add(2), |b| b == b'=')
}

/// Where values begin that go on in the next line.
#[derive(Debug)]
pub(super) struct FirstLines {
    /// The first lines of values, by their last bytes, each with the bytes behind it.
    by_last: BTreeMap<u8, Vec<(Vec<u8>, usize)>>,
    longest: usize,
}

impl FirstLines {
    fn add(&mut self, form: &[u8]) {
        let Some(newline) = memchr::memchr(b'\n', form) else { return };
        let (first, rest) = form.split_at(newline);
        let Some(last) = first.last() else { return };
        self.by_last.entry(*last).or_default().push((first.into(), rest.len()));
        self.longest = self.longest.max(form.len());
    }

    /// The bytes of the longest value that goes over lines.
    pub(super) fn longest(&self) -> usize {
        self.longest
    }

    /// Where a value ends at most that begins in a line which ends at `end`; 0 when none does.
    pub(super) fn until(&self, line: &[u8], end: usize) -> usize {
        let begun = line.last().and_then(|last| self.by_last.get(last)).into_iter().flatten();
        let rest = begun.filter(|(first, _)| line.ends_with(first)).map(|(_, rest)| *rest).max();
        rest.map_or(0, |rest| end.saturating_add(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::{Exact, forms};
    use alloc::{string::String, vec::Vec};

    fn found(value: &str, text: &str) -> Vec<String> {
        let (exact, _) = Exact::new(&[value.into()]);
        let mut spans = Vec::new();
        exact.find(text.as_bytes(), &mut spans);
        spans.iter().map(|span| text[span.start..span.end].into()).collect()
    }

    #[test]
    fn base64_is_found_to_its_last_letter() {
        for (value, encoded) in [
            ("abcdef", "YWJjZGVm"),
            ("abcdefg", "YWJjZGVmZw=="),
            ("abcdefg", "YWJjZGVmZw"),
            ("abcdefgh", "YWJjZGVmZ2g="),
            // More follows the value in what is encoded.
            ("abcdefg", "YWJjZGVmZ3"),
            ("abcdefgh", "YWJjZGVmZ2h"),
        ] {
            assert_eq!(found(value, &[".", encoded, "."].concat()), [encoded]);
        }
        assert_eq!(found("abcdefg", ".YWJjZGVmaa."), ["YWJjZGVm"]);
    }

    #[test]
    fn forms_are_few_when_there_is_nothing_to_encode() {
        // As it is, two of hexadecimal, and base64.
        assert_eq!(forms("correct-horse9").len(), 4);
        assert_eq!(forms("\ncorrect-horse9\r\n"), forms("correct-horse9"));
    }
}
