//! A look at everything that is stored, for `doctor`.
use super::{Engine, EngineError, commit::unexpected};
use crate::{
    host::{Host, Storage, StorageError},
    json::{Json, parse},
    model::{Answer, Body, BodyKey, DueDraft, Query, Table, Tally},
    redact::Redactor,
    time::Timestamp,
};
use alloc::{format, string::String, vec::Vec};
use serde::Serialize;

const PAGE: u32 = 500;
/// As many are told of; the rest is counted.
const TOLD: usize = 100;
/// What is passed on unread, and held no text when it came.
const OPAQUE: [&str; 3] = ["signature", "data", "value"];

/// A secret that stands in the store. Its value is not repeated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SecretAtRest {
    /// The table.
    pub table: &'static str,
    /// The place in its body, such as `digest` or `recent_prompts[2].text`.
    pub column: String,
    /// The key of its row.
    pub row: String,
    /// The rule that fires.
    pub rule: &'static str,
}

/// What a store holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inspection {
    /// How much each table holds.
    pub tables: Vec<(Table, Tally)>,
    /// When the earliest window of a pending draft closes.
    pub first_due: Option<Timestamp>,
    /// Secrets that stand in the store: the first hundred.
    pub secrets: Vec<SecretAtRest>,
    /// How many there are.
    pub secrets_found: usize,
    /// Bodies that are no JSON.
    pub unreadable: u64,
}

impl<H: Host> Engine<H> {
    /// Counts what is stored, and looks through all of it for secrets with the engine's redactor. It costs as
    /// much as the store is long.
    ///
    /// # Errors
    /// The codes of the storage.
    pub async fn inspect(&self) -> Result<Inspection, EngineError> {
        let mut inspection = Inspection::default();
        for table in Table::ALL {
            let tally = match self.host.storage().read(&Query::Tally { table }).await? {
                Answer::Tally(tally) => tally,
                other => return Err(unexpected(&other, "the size of a table").into()),
            };
            inspection.tables.push((table, tally));
            let mut after = None;
            loop {
                let page = self.bodies(table, after).await?;
                page.iter().for_each(|body| inspection.look_at(table, body, &self.redactor));
                if page.len() < usize::try_from(PAGE).unwrap_or(usize::MAX) {
                    break;
                }
                after = page.into_iter().last().map(|body| body.key);
            }
        }
        let query = Query::Due { until: Timestamp::MAX, limit: 1 };
        inspection.first_due = match self.host.storage().read(&query).await? {
            Answer::Due(found) => found.first().map(|DueDraft { due_at, .. }| *due_at),
            other => return Err(unexpected(&other, "ends of windows").into()),
        };
        Ok(inspection)
    }

    async fn bodies(&self, table: Table, after: Option<BodyKey>) -> Result<Vec<Body>, StorageError> {
        match self.host.storage().read(&Query::Bodies { table, after, limit: PAGE }).await? {
            Answer::Bodies(found) => Ok(found),
            other => Err(unexpected(&other, "stored bodies")),
        }
    }
}

impl Inspection {
    fn look_at(&mut self, table: Table, body: &Body, redactor: &Redactor) {
        if body.text.is_empty() {
            return;
        }
        let Ok(json) = parse(&body.text) else {
            self.unreadable = self.unreadable.saturating_add(1);
            return;
        };
        let row = row_name(&body.key);
        walk(&json, "", &mut |column, text| {
            let Some(rule) = secret_in(text, redactor) else { return };
            self.secrets_found = self.secrets_found.saturating_add(1);
            if self.secrets.len() < TOLD {
                let (table, column, row) = (table.as_str(), column.into(), row.clone());
                self.secrets.push(SecretAtRest { table, column, row, rule });
            }
        });
    }
}

/// The rule of the first secret that scrubbing would replace.
fn secret_in(text: &str, redactor: &Redactor) -> Option<&'static str> {
    match parse(text) {
        Ok(json @ (Json::Object(_) | Json::Array(_))) => {
            let (clean, findings) = redactor.redact_json(&json);
            let before = crate::json::canonical(&json);
            (clean.as_str() != before).then(|| findings.first().map(|finding| finding.rule))?
        }
        _ => {
            let redaction = redactor.redact_record(text);
            if redaction.text.as_str() == text {
                return None;
            }
            let value = |at: usize, length: usize| text.get(at..at.saturating_add(length));
            // Where a text was cut, what is around the cut may look like the beginning and the end of one.
            let is_cut = |at, length| value(at, length).is_some_and(|value| value.contains('…'));
            redaction
                .findings
                .iter()
                .find(|found| !is_cut(found.offset, found.length))
                .map(|found| found.rule)
        }
    }
}

/// Every text in a body, with its place.
fn walk(json: &Json, path: &str, each: &mut impl FnMut(&str, &str)) {
    match json {
        Json::String(text) => each(path, text),
        Json::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &format!("{path}[{index}]"), each);
            }
        }
        Json::Object(object) => {
            for (name, value) in object.iter().filter(|(name, _)| !OPAQUE.contains(name)) {
                let path = if path.is_empty() { String::from(name) } else { format!("{path}.{name}") };
                walk(value, &path, each);
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

fn row_name(key: &BodyKey) -> String {
    let mut name = key.first.clone();
    if !key.second.is_empty() {
        name.push('/');
        name.push_str(&key.second);
    }
    if key.third > 0 {
        name.push_str(&format!("#{}", key.third));
    }
    name
}
