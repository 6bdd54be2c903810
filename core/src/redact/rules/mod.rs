//! The rule tables: what is a secret, as data.
mod clouds;
mod context;
mod forges;
mod models;
pub(super) mod names;

pub(super) use context::Place;

use super::Confidence;
use serde::Serialize;

/// Version of the rule set; higher with every change that can alter an output.
pub const RULES_VERSION: u32 = 1;

/// One rule: a row of a table.
///
/// Examples are stored in parts, which are joined when they are used: no file then holds a whole token, and
/// the push protection of code hosts does not stop people who fork this.
///
/// ```
/// use throughline_core::redact::{Redactor, rules};
/// let rule = rules().iter().find(|rule| rule.id == "github-pat").ok_or("no such rule")?;
/// let text = rule.example.first().ok_or("no example")?.concat();
/// assert_eq!(Redactor::standard().clean(&text).as_str(), "[REDACTED:github-token]");
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Rule {
    /// Stable id, in kebab case.
    pub id: &'static str,
    /// The kind that the mark names: `[REDACTED:<kind>]`.
    pub kind: &'static str,
    /// How sure the rule is.
    pub confidence: Confidence,
    /// The literals of which a text must hold one for the rule to fire; empty when there is none.
    pub keywords: &'static [&'static str],
    /// What it finds, in a line.
    pub description: &'static str,
    /// Texts in which it fires, each in parts.
    #[serde(rename = "example_parts")]
    pub example: &'static [&'static [&'static str]],
    /// Texts in which it does not, each in parts.
    #[serde(skip)]
    #[cfg_attr(not(test), allow(dead_code, reason = "what the tests of the tables read"))]
    pub(super) counter: &'static [&'static [&'static str]],
    #[serde(skip)]
    pub(super) shape: Shape,
}

/// How a rule finds its secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// One of the keywords, then a run of an alphabet.
    Token { alphabet: Alphabet, min: usize, max: usize, needs: Needs },
    /// By the place where the secret stands.
    Place(Place),
}

/// The bytes that a token consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    /// Letters and digits.
    Alnum,
    /// Upper-case letters and digits.
    Upper,
    /// Hexadecimal digits.
    Hex,
    /// Hexadecimal digits and `-`.
    Dashed,
    /// Letters, digits, `_`, `-`.
    Word,
    /// [`Alphabet::Word`] and `.`, `~`.
    Dotted,
    /// [`Alphabet::Word`] and `=`, `.`.
    Padded,
    /// [`Alphabet::Word`] and `:`.
    Colon,
    /// Base64 of both kinds, with its padding.
    Base64,
    /// [`Alphabet::Base64`] and `%`, `.`: percent-encoded.
    Cookie,
    /// The path of a URL.
    Path,
    /// The path and query of a URL.
    Query,
}

impl Alphabet {
    /// Whether the alphabet holds a byte.
    pub(super) fn holds(self, b: u8) -> bool {
        let word = b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
        match self {
            Self::Alnum => b.is_ascii_alphanumeric(),
            Self::Upper => b.is_ascii_uppercase() || b.is_ascii_digit(),
            Self::Hex => b.is_ascii_hexdigit(),
            Self::Dashed => b.is_ascii_hexdigit() || b == b'-',
            Self::Word => word,
            Self::Dotted => word || matches!(b, b'.' | b'~'),
            Self::Padded => word || matches!(b, b'=' | b'.'),
            Self::Colon => word || b == b':',
            Self::Base64 => word || matches!(b, b'+' | b'/' | b'='),
            Self::Cookie => word || matches!(b, b'+' | b'/' | b'=' | b'%' | b'.'),
            Self::Path => word || matches!(b, b'/' | b'.' | b'%' | b'@' | b'~'),
            Self::Query => word || matches!(b, b'/' | b'.' | b'%' | b'@' | b'~' | b'?' | b'=' | b'&'),
        }
    }
}

/// What the run must hold beside its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// Nothing.
    Any,
    /// A digit.
    Digit,
    /// The look of a random value: for prefixes that also start words.
    Random,
    /// Nothing; the secret is the whole URL, with what stands left of the keyword.
    Url,
}

impl Needs {
    const ANY: Self = Self::Any;
    const DIGIT: Self = Self::Digit;
    const RANDOM: Self = Self::Random;
    const URL: Self = Self::Url;
}

/// All rules, in the order of the tables.
#[must_use]
pub fn rules() -> &'static [Rule] {
    TABLE
}

type Parts = &'static [&'static [&'static str]];

#[allow(clippy::too_many_arguments, reason = "a row of a table")]
const fn token(
    id: &'static str,
    kind: &'static str,
    confidence: Confidence,
    description: &'static str,
    keywords: &'static [&'static str],
    alphabet: Alphabet,
    min: usize,
    max: usize,
    needs: Needs,
    example: Parts,
    counter: Parts,
) -> Rule {
    let shape = Shape::Token { alphabet, min, max, needs };
    Rule { id, kind, confidence, keywords, description, example, counter, shape }
}

#[allow(clippy::too_many_arguments, reason = "a row of a table")]
const fn place(
    place: Place,
    id: &'static str,
    kind: &'static str,
    confidence: Confidence,
    description: &'static str,
    keywords: &'static [&'static str],
    example: Parts,
    counter: Parts,
) -> Rule {
    Rule { id, kind, confidence, keywords, description, example, counter, shape: Shape::Place(place) }
}

const TABLES: [&[Rule]; 4] = [context::ROWS, models::ROWS, forges::ROWS, clouds::ROWS];
const COUNT: usize = context::ROWS.len() + models::ROWS.len() + forges::ROWS.len() + clouds::ROWS.len();
static TABLE: &[Rule; COUNT] = &joined();

/// The tables one after the other; made when the crate is built.
const fn joined() -> [Rule; COUNT] {
    let [context, models, forges, clouds] = TABLES;
    let Some(first) = context.first() else { return [NONE; COUNT] };
    let mut all = [*first; COUNT];
    let rest = fill(all.as_mut_slice(), context);
    let rest = fill(rest, models);
    let rest = fill(rest, forges);
    fill(rest, clouds);
    all
}

const NONE: Rule = place(Place::Exact, "", "", Confidence::Possible, "", &[], &[], &[]);

/// Copies rows to the start of a slice and gives back its rest.
const fn fill<'a>(mut slots: &'a mut [Rule], mut rows: &[Rule]) -> &'a mut [Rule] {
    while let [row, after @ ..] = rows {
        let [slot, more @ ..] = slots else { return &mut [] };
        *slot = *row;
        slots = more;
        rows = after;
    }
    slots
}

/// The row of a place.
pub(super) fn of(place: Place) -> &'static Rule {
    // The tests of the tables show that every place has its row.
    TABLE.iter().find(|r| r.shape == Shape::Place(place)).unwrap_or(&NONE_ROW)
}
static NONE_ROW: Rule = NONE;

/// Whether a mark may name this kind.
pub(super) fn is_kind(kind: &[u8]) -> bool {
    !kind.is_empty() && TABLE.iter().any(|r| r.kind.as_bytes() == kind)
}

#[cfg(test)]
mod tests;
