//! What is measured of the redactor, as closures over texts.
use super::{floods, log};
use throughline_core::redact::{Redaction, Redactor};

/// How large the texts are, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Of a log.
    pub log: usize,
    /// Of a flood.
    pub flood: usize,
}

impl Sizes {
    /// The sizes of the bar.
    pub const FULL: Self = Self { log: 64 << 20, flood: 16 << 20 };
    /// For a first look.
    pub const QUICK: Self = Self { log: 16 << 20, flood: 4 << 20 };
}

/// How far apart secrets are in the log that has some.
const EVERY: usize = 4096;

/// One piece of work.
pub struct Case {
    /// What it is.
    pub name: String,
    /// Bytes that one run reads.
    pub bytes: usize,
    /// Does it once, and gives something that depends on all of it.
    pub run: Box<dyn Fn() -> usize>,
}

/// The log without secrets.
pub fn clean(sizes: Sizes) -> String {
    log::make(sizes.log, None)
}

/// The log with secrets.
pub fn planted(sizes: Sizes) -> String {
    log::make(sizes.log, Some(EVERY))
}

/// The texts, with their names.
pub fn texts(sizes: Sizes) -> Vec<(String, String)> {
    let mut texts = vec![
        ("log, clean".to_owned(), clean(sizes)),
        ("log, a secret every 4 KB".to_owned(), planted(sizes)),
    ];
    texts.extend(floods::all(sizes.flood).into_iter().map(|(name, text)| (format!("flood: {name}"), text)));
    texts
}

/// All of them: each text scrubbed, the logs also looked through without an output, and the making of a redactor.
pub fn all(sizes: Sizes) -> Vec<Case> {
    let mut cases = vec![Case {
        name: "ready for use".to_owned(),
        bytes: 0,
        run: Box::new(|| usize::from(!Redactor::standard().clean("password: x1y2z3").is_empty())),
    }];
    cases.extend(texts(sizes).into_iter().map(|(name, text)| scrub(name, text)));
    cases
}

/// The case of this name.
pub fn one(name: &str, sizes: Sizes) -> Case {
    let (name, text) = if name == "planted" {
        (name.to_owned(), planted(sizes))
    } else if name == "clean" {
        (name.to_owned(), clean(sizes))
    } else {
        let flood = floods::all(sizes.flood).into_iter().find(|(flood, _)| *flood == name);
        flood.map_or_else(|| panic!("no case is called {name}"), |(name, text)| (name.to_owned(), text))
    };
    scrub(name, text)
}

/// The work itself; callgrind counts from here.
#[inline(never)]
fn measured(redactor: &Redactor, text: &str) -> Redaction {
    redactor.redact(text)
}

fn scrub(name: String, text: String) -> Case {
    let (redactor, bytes) = (Redactor::standard(), text.len());
    let run = move || {
        let redaction = measured(&redactor, &text);
        redaction.findings.len() + usize::from(redaction.text.is_empty())
    };
    Case { name, bytes, run: Box::new(run) }
}
