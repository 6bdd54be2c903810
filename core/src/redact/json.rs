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
    /// of other strings goes what [`Redactor::redact`] finds in them, and of keys as well, but for what is no more than
    /// possible; where that makes keys of an object alike, the later ones get a number: `[REDACTED:jwt] 2`. Numbers,
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
        let mut members: Vec<_> =
            object.iter().map(|(key, value)| Member { before: key, key: self.key(key), value }).collect();
        tell_apart(&mut members);
        let scrubbed = members.into_iter().map(|Member { key: (key, found), value, .. }| {
            list.extend(found);
            // By the scrubbed key, so that a value says the same when it is scrubbed again.
            let value = self.value(value, Some(&key), list);
            (key, value)
        });
        scrubbed.collect()
    }

    /// A key without the secrets in it. What is no more than possible stays: keys are names more often than not.
    fn key(&self, key: &str) -> (String, Vec<Finding>) {
        let mut spans = self.scan(key);
        spans.retain(|span| span.rule.confidence >= Confidence::Likely);
        (rebuild(key, &spans), findings(key, &spans))
    }

    fn string(&self, text: &str, name: Option<&str>, list: &mut Vec<Finding>) -> String {
        let mut spans = self.scan(text);
        spans.extend(name.map(|name| self.engine.named(name, text)).unwrap_or_default());
        let spans = engine::merge(text, spans, Confidence::Possible);
        list.extend(findings(text, &spans));
        rebuild(text, &spans)
    }
}

/// A member of an object: its key as it was, the key scrubbed with what was found in it, its value.
struct Member<'a> {
    before: &'a str,
    key: (String, Vec<Finding>),
    value: &'a Json,
}

impl Member<'_> {
    fn kept(&self) -> bool {
        self.before == self.key.0
    }
}

/// Numbers the changed keys that are like another key of their object, so that no member is lost. Keys that did not
/// change keep their names.
fn tell_apart(members: &mut [Member<'_>]) {
    if members.iter().all(Member::kept) {
        return;
    }
    let kept = members.iter().filter(|member| member.kept());
    let mut taken: BTreeSet<String> = kept.map(|member| member.key.0.clone()).collect();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for member in members.iter_mut().filter(|member| !member.kept()) {
        let key = &mut member.key.0;
        let number = numbers.entry(key.clone()).or_insert(1);
        let mut name = key.clone();
        while !taken.insert(name.clone()) {
            *number = number.saturating_add(1);
            name = format!("{key} {number}");
        }
        *key = name;
    }
}
