//! What a row of the tables holds.
use super::alphabet::Alphabet;
use super::place::Place;
use crate::redact::Confidence;
use serde::Serialize;

/// One rule: a row of a table, with what people read about it.
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
    /// The set it belongs to.
    pub set: RuleSet,
    /// The literals of which a text must hold one for the rule to fire; empty when there is none.
    pub keywords: &'static [&'static str],
    /// What it finds, in a line.
    pub description: &'static str,
    /// Texts in which it fires, each in parts.
    #[serde(rename = "example_parts")]
    pub example: Parts,
    /// Texts in which it does not, each in parts.
    #[cfg(test)]
    #[serde(skip)]
    pub(super) counter: Parts,
    #[serde(skip)]
    pub(super) shape: Shape,
}

impl Rule {
    /// What finding needs of it.
    pub(super) const fn row(&self) -> Row {
        let Self { id, kind, confidence, keywords, shape, .. } = *self;
        Row { id, kind, confidence, keywords, shape }
    }
}

/// What finding needs of a rule. Who only scrubs carries no descriptions and no examples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::redact) struct Row {
    pub id: &'static str,
    pub kind: &'static str,
    pub confidence: Confidence,
    pub keywords: &'static [&'static str],
    pub shape: Shape,
}

/// A set of rules that is switched on or off as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RuleSet {
    /// Secrets: always on.
    Secrets,
    /// Personal data: off unless it is asked for.
    Pii,
}

/// Texts, each in parts.
type Parts = &'static [&'static [&'static str]];

/// How a rule finds its secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::redact) enum Shape {
    /// One of the keywords, then a run of an alphabet of `min` to `max` bytes.
    Token { alphabet: Alphabet, min: usize, max: usize, needs: Needs },
    /// By the place where the secret stands.
    Place(Place),
}

/// What the run must hold beside its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::redact) enum Needs {
    /// Nothing: for prefixes that start nothing else, before at least thirty letters and digits in a row.
    Any,
    /// A digit: for alphabets that spell no words.
    Digit,
    /// Letters and digits, or small letters and capitals, mixed as in no word: for alphabets that spell words.
    Mixed,
    /// The same, in samples of documentation as well (`…EXAMPLE`): the spec lets that of `AKIA` alone stay.
    EvenSample,
    /// The look of a random value, with a digit: for prefixes that also start words.
    Random,
    /// Nothing more; the secret is the whole URL, with what stands left of the keyword.
    Url,
}

/// The row of a token with a keyword before it.
#[allow(clippy::too_many_arguments, reason = "a row of a table")]
pub(super) const fn token(
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
    row(id, kind, confidence, keywords, description, example, counter, shape)
}

/// The row of a place.
#[allow(clippy::too_many_arguments, reason = "a row of a table")]
pub(super) const fn place(
    place: Place,
    id: &'static str,
    kind: &'static str,
    confidence: Confidence,
    description: &'static str,
    keywords: &'static [&'static str],
    example: Parts,
    counter: Parts,
) -> Rule {
    row(id, kind, confidence, keywords, description, example, counter, Shape::Place(place))
}

/// The row of personal data.
#[allow(clippy::too_many_arguments, reason = "a row of a table")]
pub(super) const fn personal(
    place: Place,
    id: &'static str,
    kind: &'static str,
    confidence: Confidence,
    description: &'static str,
    keywords: &'static [&'static str],
    example: Parts,
    counter: Parts,
) -> Rule {
    let row = row(id, kind, confidence, keywords, description, example, counter, Shape::Place(place));
    Rule { set: RuleSet::Pii, ..row }
}

#[allow(clippy::too_many_arguments, reason = "a row of a table")]
#[cfg_attr(not(test), allow(unused_variables, reason = "no one but the tests reads counter-examples"))]
const fn row(
    id: &'static str,
    kind: &'static str,
    confidence: Confidence,
    keywords: &'static [&'static str],
    description: &'static str,
    example: Parts,
    counter: Parts,
    shape: Shape,
) -> Rule {
    Rule {
        id,
        kind,
        confidence,
        set: RuleSet::Secrets,
        keywords,
        description,
        example,
        #[cfg(test)]
        counter,
        shape,
    }
}
