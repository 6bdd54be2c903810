//! Rules of the host: rows like those of the tables.
mod pool;
mod read;

pub(super) use pool::keep;

use super::{Confidence, RedactError, rules};
use alloc::{format, string::String, vec::Vec};
use serde::Serialize;

/// A rule of the host: a token with a keyword in front, or (in native builds with the feature `host-regex`) what an
/// expression finds.
///
/// ```
/// use throughline_core::{json, redact::{HostRule, Options, Redactor}};
/// let rows = r#"[{"id": "acme-token", "kind": "acme-token", "keywords": ["acme_"], "alphabet": "alnum", "min": 20}]"#;
/// let mut options = Options::default();
/// options.rules = HostRule::list(&json::parse(rows)?)?;
/// let redactor = Redactor::new(options)?;
/// let text = ["acme_", "q9x2mn7pk4rt8wy1cv5b"].concat();
/// assert_eq!(redactor.clean(&text).as_str(), "[REDACTED:acme-token]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HostRule {
    /// Id in kebab case, of 2 to 40 bytes, that no other rule has.
    pub id: String,
    /// The kind that the mark names, in kebab case, of 2 to 40 bytes: one of the tables, or a new one.
    pub kind: String,
    /// How sure it is.
    pub confidence: Confidence,
    /// What it finds, in a line of up to 200 bytes; may be empty.
    pub description: String,
    /// How it finds that.
    #[serde(flatten)]
    pub shape: HostShape,
}

/// How a rule of the host finds its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
#[serde(untagged)]
pub enum HostShape {
    /// One of the keywords, then a run of an alphabet. The keyword is part of the secret.
    Token {
        /// 1 to 32 keywords of 2 to 64 visible ASCII characters. Before one with letters stands none.
        keywords: Vec<String>,
        /// Name of the alphabet: one of [`HostRule::ALPHABETS`].
        alphabet: String,
        /// The fewest bytes behind the keyword: 1 to 512.
        min: usize,
        /// The most; a longer run is no such token when `max` is at most 8 more than `min`. Up to 512.
        max: usize,
        /// What the run must hold: one of [`HostRule::NEEDS`].
        needs: String,
    },
    /// An expression, looked for in each line by itself, without its line end. What its group `secret` takes is the
    /// secret, else its first group, else the whole.
    Regex {
        /// In the syntax of the crate `regex`, up to 4,096 bytes.
        regex: String,
    },
}

impl HostRule {
    /// The most rules of a host.
    pub const MOST: usize = 256;
    /// Names of alphabets.
    pub const ALPHABETS: &[&str] = rules::ALPHABETS;
    /// What a run may have to hold: nothing, a digit, letters mixed with digits or capitals, the look of a random
    /// value.
    pub const NEEDS: &[&str] = rules::NEEDS;

    /// Whether everything is as it must be.
    pub(super) fn check(&self, path: &str) -> Result<(), RedactError> {
        let wrong =
            |field: &str, reason: &'static str| Err(RedactError::option(format!("{path}.{field}"), reason));
        if !kebab(&self.id) {
            return wrong("id", "not in kebab case, 2 to 40 bytes of a-z, 0-9 and -");
        }
        if rules::rows().iter().any(|rule| rule.id == self.id) {
            return wrong("id", "a rule of the tables has this id");
        }
        if !kebab(&self.kind) {
            return wrong("kind", "not in kebab case, 2 to 40 bytes of a-z, 0-9 and -");
        }
        if self.description.len() > 200 || self.description.chars().any(char::is_control) {
            return wrong("description", "not a line of up to 200 bytes");
        }
        match &self.shape {
            HostShape::Token { keywords, alphabet, min, max, needs } => {
                check_keywords(keywords, path)?;
                if rules::alphabet(alphabet).is_none() {
                    let reason = format!("no alphabet; it is one of {}", Self::ALPHABETS.join(", "));
                    return Err(RedactError::option(format!("{path}.alphabet"), reason));
                }
                if rules::needs(needs).is_none() {
                    let reason = format!("no such need; it is one of {}", Self::NEEDS.join(", "));
                    return Err(RedactError::option(format!("{path}.needs"), reason));
                }
                if !(1..=512).contains(min) {
                    return wrong("min", "not 1 to 512");
                }
                if max < min || *max > 512 {
                    return wrong("max", "not from min to 512");
                }
                Ok(())
            }
            HostShape::Regex { regex } => check_regex(regex, path),
        }
    }
}

fn check_keywords(keywords: &[String], path: &str) -> Result<(), RedactError> {
    if !(1..=32).contains(&keywords.len()) {
        return Err(RedactError::option(format!("{path}.keywords"), "not 1 to 32 keywords"));
    }
    let good = |k: &String| (2..=64).contains(&k.len()) && k.bytes().all(|b| b.is_ascii_graphic());
    match keywords.iter().position(|k| !good(k)) {
        Some(n) => {
            Err(RedactError::option(format!("{path}.keywords[{n}]"), "not 2 to 64 visible ASCII characters"))
        }
        None => Ok(()),
    }
}

#[cfg(all(feature = "host-regex", not(target_family = "wasm")))]
fn check_regex(regex: &str, path: &str) -> Result<(), RedactError> {
    expression(regex).map(drop).ok_or_else(|| {
        RedactError::option(format!("{path}.regex"), "no expression of the crate regex of up to 4096 bytes")
    })
}

/// The compiled expression.
#[cfg(all(feature = "host-regex", not(target_family = "wasm")))]
pub(super) fn expression(regex: &str) -> Option<regex::bytes::Regex> {
    let short = regex.len() <= 4096;
    short.then(|| regex::bytes::RegexBuilder::new(regex).size_limit(1024 * 1024).build().ok()).flatten()
}

#[cfg(not(all(feature = "host-regex", not(target_family = "wasm"))))]
fn check_regex(_: &str, path: &str) -> Result<(), RedactError> {
    Err(RedactError::RegexUnavailable { path: format!("{path}.regex") })
}

/// Lower-case letters, digits and single dashes between them.
fn kebab(text: &str) -> bool {
    (2..=40).contains(&text.len())
        && text.split('-').all(|word| {
            !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        })
}

#[cfg(test)]
mod tests;
