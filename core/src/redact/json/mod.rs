//! Scrubbing JSON as JSON: structure, numbers, constants and key order stay, only strings change.
//!
//! A text is scrubbed string by string ([`strings`]), and as a text besides ([`text`]); so is a value, with its members as
//! they stand and in the order of canonical JSON.
mod apart;
mod places;
mod strings;
mod text;

use super::clean::CleanJson;
use super::engine::opaque;
use super::{Finding, Records, Redactor};
use crate::json::{Json, Object, canonical, parse, text as text_of};
use alloc::{borrow::Cow, vec::Vec};
use apart::{Name, tell_apart};
use strings::Strings;

/// How often the members of a value are put in their order, at most: keys that were scrubbed may stand elsewhere.
const ORDERS: usize = 4;

impl Redactor {
    /// Scrubs every string of a JSON value. A string under a name that holds a secret goes whole, in lists as well;
    /// of other strings goes what [`Redactor::redact`] finds in them, and of keys as well, but for what is no more than
    /// possible; where that makes keys of an object alike, the later ones get a number: `[REDACTED:jwt] 2`. Numbers,
    /// constants, and ids stay, and so do signatures of thinking and what is encrypted of it: base64 of 64 bytes and more
    /// under their keys. A string is one record with all of its lines, in which what was found is looked for again up to
    /// 8 KB before; of one that is longer than 64 KB each line is. What strings say of each other counts as in
    /// [`Redactor::redact_json_text`], with the members in their order as well as in that of canonical JSON.
    ///
    /// Offsets of the findings are those in the JSON text that they were found in.
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
        Records::default().redact_json(self, value)
    }

    /// Scrubs a value behind other records.
    pub(super) fn value_behind(&self, records: &mut Records, value: &Json) -> (CleanJson, Vec<Finding>) {
        let (mut value, mut now) = (Cow::Borrowed(value), text_of(value));
        let (mut findings, mut secrets) = (Vec::new(), Vec::new());
        for _ in 0..ORDERS {
            let read =
                self.text_behind(records, &now).and_then(|found| Some((parse(&found.text).ok()?, found)));
            let Some((read, found)) = read else {
                // By its strings alone, where marks in its text would not leave it as it is.
                let mut scrub =
                    Scrub { redactor: self, strings: Strings::new(self, records), list: findings };
                now = canonical(&scrub.value(&value));
                findings = scrub.list;
                break;
            };
            secrets.extend(found.secrets);
            findings.extend(found.findings);
            value = Cow::Owned(read);
            now = canonical(&value);
            if now == found.text {
                break;
            }
        }
        secrets.iter().for_each(|(secret, rule)| records.keep(secret, rule));
        (CleanJson::seal(now), findings)
    }
}

/// The way through a value.
struct Scrub<'r> {
    redactor: &'r Redactor,
    strings: Strings<'r>,
    list: Vec<Finding>,
}

impl Scrub<'_> {
    fn value(&mut self, value: &Json) -> Json {
        match value {
            Json::String(text) => {
                let spans = self.strings.value(text);
                let (clean, found) = self.redactor.replaced(text, spans);
                self.list.extend(found);
                Json::String(clean)
            }
            Json::Array(items) => Json::Array(items.iter().map(|item| self.value(item)).collect()),
            Json::Object(object) => Json::Object(self.object(object)),
            Json::Null | Json::Bool(_) | Json::Number(_) => value.clone(),
        }
    }

    fn object(&mut self, object: &Object) -> Object {
        let (mut names, mut list) = (Vec::with_capacity(object.len()), Vec::with_capacity(object.len()));
        for (key, _) in object.iter() {
            let spans = self.strings.key(key);
            let (now, found) = self.redactor.replaced(key, spans);
            names.push(Name { before: key, now });
            list.push(found);
        }
        tell_apart(&mut names);
        let kind = object.get("type").and_then(Json::as_str);
        let members = object.iter().zip(names).zip(list);
        let scrubbed = members.map(|(((_, value), name), found)| {
            self.list.extend(found);
            if value.as_str().is_some_and(|text| opaque::is(name.before, kind, text)) {
                return (name.now, value.clone());
            }
            self.strings.enter(name.now);
            let value = self.value(value);
            (self.strings.leave(), value)
        });
        scrubbed.collect()
    }
}
