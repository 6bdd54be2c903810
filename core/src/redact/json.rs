//! Scrubbing JSON as JSON: structure, numbers, constants and key order stay, only strings change.
use super::clean::CleanJson;
use super::{Confidence, Finding, Redactor, engine, findings, rebuild};
use crate::json::{Json, Object, canonical};
use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};

impl Redactor {
    /// Scrubs every string of a JSON value. A string under a name that holds a secret goes whole, in lists as well;
    /// of other strings goes what [`Redactor::redact`] finds in them. A key changes only where it holds a certain
    /// secret; where that makes keys of an object alike, the later ones get a number: `[REDACTED:jwt] 2`. Numbers,
    /// constants, and ids stay.
    ///
    /// Offsets of the findings are those in the string they were found in.
    ///
    /// ```
    /// use throughline_core::{json, redact::Redactor};
    /// let value = json::parse(r#"{"user": "ann", "password": "hunter2", "id": "toolu_01A09q90qw90lq917835lq9"}"#)?;
    /// let (clean, findings) = Redactor::standard().redact_json(&value);
    /// assert_eq!(
    ///     clean.as_str(),
    ///     r#"{"id":"toolu_01A09q90qw90lq917835lq9","password":"[REDACTED:assignment]","user":"ann"}"#
    /// );
    /// assert_eq!(findings.len(), 1);
    /// # Ok::<(), json::JsonError>(())
    /// ```
    #[must_use]
    pub fn redact_json(&self, value: &Json) -> (CleanJson, Vec<Finding>) {
        let mut list = Vec::new();
        let scrubbed = self.value(value, None, &mut list);
        (CleanJson::seal(canonical(&scrubbed)), list)
    }

    fn value(&self, value: &Json, name: Option<&str>, list: &mut Vec<Finding>) -> Json {
        match value {
            Json::String(text) => Json::String(self.string(text, name, list)),
            Json::Array(items) => {
                Json::Array(items.iter().map(|item| self.value(item, name, list)).collect())
            }
            Json::Object(object) => Json::Object(self.object(object, list)),
            Json::Null | Json::Bool(_) | Json::Number(_) => value.clone(),
        }
    }

    fn object(&self, object: &Object, list: &mut Vec<Finding>) -> Object {
        let scrubbed =
            object.iter().map(|(key, value)| (key, self.key(key, list), self.value(value, Some(key), list)));
        let mut members: Vec<_> = scrubbed.collect();
        tell_apart(&mut members);
        members.into_iter().map(|(_, key, value)| (key, value)).collect()
    }

    /// A key, without the certain secrets in it.
    fn key(&self, key: &str, list: &mut Vec<Finding>) -> String {
        let mut spans = self.scan(key);
        spans.retain(|span| span.rule.confidence == Confidence::Certain);
        list.extend(findings(key, &spans));
        rebuild(key, &spans)
    }

    fn string(&self, text: &str, name: Option<&str>, list: &mut Vec<Finding>) -> String {
        let mut spans = self.scan(text);
        spans.extend(name.map(|name| self.engine.named(name, text)).unwrap_or_default());
        let spans = engine::merge(text, spans, Confidence::Possible);
        list.extend(findings(text, &spans));
        rebuild(text, &spans)
    }
}

/// Numbers the changed keys that are like another key of their object, so that no member is lost. Keys that did not
/// change keep their names. A member is its key before, its key now, and its value.
fn tell_apart(members: &mut [(&str, String, Json)]) {
    if members.iter().all(|(old, new, _)| old == new) {
        return;
    }
    let kept = members.iter().filter(|(old, new, _)| old == new);
    let mut taken: BTreeSet<String> = kept.map(|(_, key, _)| key.clone()).collect();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for (_, key, _) in members.iter_mut().filter(|(old, new, _)| old != new) {
        let number = numbers.entry(key.clone()).or_insert(1);
        let mut name = key.clone();
        while !taken.insert(name.clone()) {
            *number = number.saturating_add(1);
            name = format!("{key} {number}");
        }
        *key = name;
    }
}
