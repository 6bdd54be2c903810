//! Rules of the host from JSON.
use super::{HostRule, HostShape};
use crate::json::{Json, Object};
use crate::redact::{Confidence, RedactError};
use alloc::{format, string::String, vec::Vec};

const FIELDS: &[&str] =
    &["id", "kind", "confidence", "description", "keywords", "alphabet", "min", "max", "needs", "regex"];

impl HostRule {
    /// Rules from a JSON array of objects: `id`; `kind` (the id when absent), `confidence` (`certain` when absent),
    /// `description`; and either `keywords`, `alphabet`, `min`, `max` (512 when absent), `needs` (`any` when absent), or
    /// `regex`.
    ///
    /// # Errors
    /// `option_invalid` with a path such as `rules[2].alphabet`. Whether they can be used says
    /// [`Redactor::new`](crate::redact::Redactor::new).
    pub fn list(value: &Json) -> Result<Vec<Self>, RedactError> {
        let Json::Array(rows) = value else {
            return Err(RedactError::option("rules", "not an array of rules"));
        };
        rows.iter().enumerate().map(|(n, row)| rule(row, &format!("rules[{n}]"))).collect()
    }
}

fn rule(value: &Json, path: &str) -> Result<HostRule, RedactError> {
    let Json::Object(row) = value else { return Err(RedactError::option(path, "not an object")) };
    if let Some((field, _)) = row.iter().find(|(field, _)| !FIELDS.contains(field)) {
        // A name that is none of a rule's may be anything, so it is not shown.
        let known = FIELDS.join(", ");
        let position = row.iter().position(|(other, _)| other == field).unwrap_or(0);
        return Err(RedactError::option(path, format!("field {position} is unknown; there are {known}")));
    }
    let row = Row { row, path };
    let id = row.text("id")?.ok_or_else(|| row.wrong("id", "missing"))?;
    let confidence = match row.text("confidence")?.as_deref() {
        None | Some("certain") => Confidence::Certain,
        Some("likely") => Confidence::Likely,
        Some("possible") => Confidence::Possible,
        Some(_) => return Err(row.wrong("confidence", "none of certain, likely, possible")),
    };
    let shape = match row.text("regex")? {
        Some(regex) => match ["keywords", "alphabet", "min", "max", "needs"].iter().find(|f| row.has(f)) {
            Some(field) => return Err(row.wrong(field, "beside regex; a rule has one or the other")),
            None => HostShape::Regex { regex },
        },
        None => HostShape::Token {
            keywords: row.texts("keywords")?,
            alphabet: row.text("alphabet")?.ok_or_else(|| row.wrong("alphabet", "missing"))?,
            min: row.number("min")?.ok_or_else(|| row.wrong("min", "missing"))?,
            max: row.number("max")?.unwrap_or(512),
            needs: row.text("needs")?.unwrap_or_else(|| "any".into()),
        },
    };
    Ok(HostRule {
        kind: row.text("kind")?.unwrap_or_else(|| id.clone()),
        id,
        confidence,
        description: row.text("description")?.unwrap_or_default(),
        shape,
    })
}

struct Row<'a> {
    row: &'a Object,
    path: &'a str,
}

impl Row<'_> {
    fn has(&self, field: &str) -> bool {
        self.row.get(field).is_some()
    }

    fn wrong(&self, field: &str, reason: &'static str) -> RedactError {
        RedactError::option(format!("{}.{field}", self.path), reason)
    }

    fn text(&self, field: &str) -> Result<Option<String>, RedactError> {
        match self.row.get(field) {
            None => Ok(None),
            Some(Json::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.wrong(field, "not a string")),
        }
    }

    fn number(&self, field: &str) -> Result<Option<usize>, RedactError> {
        match self.row.get(field) {
            None => Ok(None),
            Some(Json::Number(number)) => {
                let whole = number.as_i64().and_then(|n| usize::try_from(n).ok());
                whole.map(Some).ok_or_else(|| self.wrong(field, "not a whole number"))
            }
            Some(_) => Err(self.wrong(field, "not a number")),
        }
    }

    fn texts(&self, field: &str) -> Result<Vec<String>, RedactError> {
        let Some(value) = self.row.get(field) else { return Err(self.wrong(field, "missing")) };
        let Json::Array(items) = value else { return Err(self.wrong(field, "not an array of strings")) };
        let text = |item: &Json| match item {
            Json::String(text) => Ok(text.clone()),
            _ => Err(self.wrong(field, "not an array of strings")),
        };
        items.iter().map(text).collect()
    }
}
