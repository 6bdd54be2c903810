//! The rule tables: what is a secret, as data.
use super::Confidence;
use serde::Serialize;

/// Version of the rule set; higher with every change that can alter an output.
pub const RULES_VERSION: u32 = 1;

/// One rule: a row of a table.
///
/// Examples are stored in parts, which are joined when they are used: no file then holds a whole token, and
/// the push protection of code hosts does not stop people who fork this.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Rule {
    /// Stable id, in kebab case.
    pub id: &'static str,
    /// The kind that the mark names: `[REDACTED:<kind>]`.
    pub kind: &'static str,
    /// How sure the rule is.
    pub confidence: Confidence,
    /// The literals that a text must hold for the rule to fire; empty when there is none.
    pub keywords: &'static [&'static str],
    /// What it finds, in a line.
    pub description: &'static str,
    /// Texts in which it fires, each in parts.
    #[serde(rename = "example_parts")]
    pub example: &'static [&'static [&'static str]],
}

/// All rules, in the order of the tables.
#[must_use]
pub fn rules() -> &'static [Rule] {
    &[]
}
