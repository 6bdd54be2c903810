//! Scrubbing JSON as JSON: structure, numbers, constants and key order stay, only strings change.
use super::clean::CleanJson;
use super::engine::{Memo, Span};
use super::stream::{Known, MOST, Piece};
use super::{Clean, Confidence, Finding, Redaction, Redactor, engine};
use crate::json::{Json, JsonError, Object, canonical, parse};
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
        let mut scrub = Scrub {
            redactor: self,
            known: Known::default(),
            names: Memo::default(),
            path: Vec::new(),
            list: Vec::new(),
        };
        let scrubbed = scrub.value(value);
        (CleanJson::seal(canonical(&scrubbed)), scrub.list)
    }

    /// Scrubs a JSON text, so that it is JSON of the same structure afterwards. It stays as it is written, but for the
    /// secrets in it; where a secret stands in the place of a number or where keys become alike, it is written anew, as
    /// [`Redactor::redact_json`] writes it, and offsets of the findings are those in their strings.
    ///
    /// # Errors
    /// `json_invalid`, `json_too_deep`, `json_trailing` for a text that is no JSON.
    ///
    /// ```
    /// use throughline_core::redact::Redactor;
    /// let out = Redactor::standard().redact_json_text(r#"{ "password": "hunter2", "n": 1.0 }"#)?;
    /// assert_eq!(out.text.as_str(), r#"{ "password": "[REDACTED:assignment]", "n": 1.0 }"#);
    /// # Ok::<(), throughline_core::json::JsonError>(())
    /// ```
    pub fn redact_json_text(&self, text: &str) -> Result<Redaction, JsonError> {
        let value = parse(text)?;
        let pieces = self.scan(text);
        let (clean, findings) = self.written(text, &pieces);
        if pieces.is_empty() || parse(&clean).is_ok_and(|scrubbed| alike(&value, &scrubbed)) {
            return Ok(Redaction { text: Clean::seal(clean), findings });
        }
        let (clean, findings) = self.redact_json(&value);
        Ok(Redaction { text: clean.to_clean(), findings })
    }
}

/// Whether two values have the same structure: they differ in strings and in names alone.
fn alike(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::String(_), Json::String(_)) => true,
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one.iter().zip(other.iter()).all(|((_, one), (_, other))| alike(one, other))
        }
        _ => one == other,
    }
}

/// The way through a value.
struct Scrub<'r> {
    redactor: &'r Redactor,
    /// What was found in other strings: each is a record.
    known: Known,
    /// What names say.
    names: Memo,
    /// The names above, scrubbed, so that a value says the same when it is scrubbed again.
    path: Vec<String>,
    list: Vec<Finding>,
}

impl Scrub<'_> {
    fn value(&mut self, value: &Json) -> Json {
        match value {
            Json::String(text) => Json::String(self.string(text)),
            Json::Array(items) => Json::Array(items.iter().map(|item| self.value(item)).collect()),
            Json::Object(object) => Json::Object(self.object(object)),
            Json::Null | Json::Bool(_) | Json::Number(_) => value.clone(),
        }
    }

    fn object(&mut self, object: &Object) -> Object {
        let mut members: Vec<_> =
            object.iter().map(|(key, value)| Member { before: key, key: self.key(key), value }).collect();
        tell_apart(&mut members);
        let scrubbed = members.into_iter().map(|Member { key: (key, found), value, .. }| {
            self.list.extend(found);
            self.path.push(key);
            let value = self.value(value);
            (self.path.pop().unwrap_or_default(), value)
        });
        scrubbed.collect()
    }

    /// A key without the secrets in it. What is no more than possible stays: keys are names more often than not.
    fn key(&mut self, key: &str) -> (String, Vec<Finding>) {
        let mut spans = self.record(key);
        spans.retain(|span| span.rule.confidence >= Confidence::Likely);
        self.written(key, spans)
    }

    fn string(&mut self, text: &str) -> String {
        let mut spans = self.record(text);
        let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
        if self.redactor.engine.allows(&path) {
            spans.retain(|span| span.start > 0 || span.end < text.len());
        } else if let Some(name) = path.last() {
            spans.extend(self.redactor.engine.named(name, text));
            spans = engine::merge(text, spans, Confidence::Possible);
        }
        let (clean, found) = self.written(text, spans);
        self.list.extend(found);
        clean
    }

    /// What is found in a string, and what was found in others before.
    fn record(&mut self, text: &str) -> Vec<Span> {
        let known = self.known.find(text.as_bytes());
        if text.len() <= MOST {
            return self.redactor.engine.scan(text, known, &mut self.names);
        }
        let mut spans = known;
        for piece in self.redactor.scan(text) {
            match spans.last_mut().filter(|_| piece.continues) {
                Some(last) => last.end = piece.end,
                None => spans.push(Span { start: piece.start, end: piece.end, rule: piece.rule }),
            }
        }
        engine::merge(text, spans, Confidence::Possible)
    }

    fn written(&mut self, text: &str, spans: Vec<Span>) -> (String, Vec<Finding>) {
        for span in &spans {
            self.known.add(text.as_bytes().get(span.start..span.end).unwrap_or_default(), span.rule);
        }
        let pieces: Vec<Piece> = spans.into_iter().map(Piece::from).collect();
        self.redactor.written(text, &pieces)
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
