//! The storage of an engine: in memory, an object of the host, or an SQL driver of it under the core's SQL.

use crate::{
    fault::{Fault, Thrown},
    js_object::JsObject,
    value::{json_text, kind, plain},
    watch::Watch,
};
use js_sys::{Array, Reflect};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;
use throughline_core::{
    host::{Committed, MemoryStorage, Storage, StorageError},
    model::{Answer, Batch, Query},
    sql::{self, Value},
};
use wasm_bindgen::JsValue;

/// Where an engine keeps everything.
#[derive(Debug)]
pub struct JsStorage {
    place: Place,
    watch: Watch,
}

#[derive(Debug)]
enum Place {
    Memory(Box<MemoryStorage>),
    Object(JsObject),
    Driver(JsObject),
}

const REPEATED: &str = "an object such as {\"repeated\": false}";

impl JsStorage {
    /// A storage in memory.
    #[must_use]
    pub fn memory(watch: Watch) -> Self {
        Self { place: Place::Memory(Box::default()), watch }
    }

    /// A storage that is an object with the methods `commit` and `read`.
    ///
    /// # Errors
    /// `host_invalid`, with path `storage` or `storage.commit`.
    pub fn object(storage: JsValue, watch: Watch) -> Result<Self, Fault> {
        let object = JsObject::check(storage, "storage", &["commit", "read"])?;
        Ok(Self { place: Place::Object(object), watch })
    }

    /// An SQL driver: an object with the methods `transaction` and `query`, which run the core's statements.
    ///
    /// # Errors
    /// `host_invalid`, with path `driver` or `driver.transaction`.
    pub fn driver(driver: JsValue, watch: Watch) -> Result<Self, Fault> {
        let object = JsObject::check(driver, "driver", &["transaction", "query"])?;
        Ok(Self { place: Place::Driver(object), watch })
    }

    /// Whether an object is meant as a driver, and not as a storage.
    #[must_use]
    pub fn is_driver(value: &JsValue) -> bool {
        value.is_object() && Reflect::has(value, &"transaction".into()).unwrap_or_default()
    }

    /// Calls a method with plain values, and gives what it answers.
    async fn ask(
        &self,
        object: &JsObject,
        path: &str,
        arguments: &[JsValue],
    ) -> Result<JsValue, StorageError> {
        let method = path.split_once('.').map_or(path, |(_, method)| method);
        object.call(method, arguments).await.map_err(|thrown| {
            let error = storage_error(&thrown);
            self.watch.storage(path.into(), thrown.into_value());
            error
        })
    }

    /// Reads what a method answered.
    fn read_answer<T: DeserializeOwned>(
        &self,
        answer: &JsValue,
        path: &str,
        expected: &'static str,
    ) -> Result<T, StorageError> {
        read_answer(answer, expected).inspect_err(|_| self.watch.storage(path.into(), JsValue::UNDEFINED))
    }

    async fn transaction(&self, driver: &JsObject, batch: &Batch) -> Result<Committed, StorageError> {
        let (already, statements) = (argument(&sql::already(batch))?, argument(&sql::statements(batch)?)?);
        let arguments = [already, statements, argument(&sql::locks(batch))?];
        let answer = self.ask(driver, TRANSACTION, &arguments).await?;
        self.read_answer(&answer, TRANSACTION, REPEATED)
    }

    async fn query(&self, driver: &JsObject, query: &Query) -> Result<Answer, StorageError> {
        let answer = self.ask(driver, QUERY, &[argument(&sql::read(query))?]).await?;
        let rows = rows(&answer).and_then(|rows| sql::answer(query, rows));
        rows.inspect_err(|_| self.watch.storage(QUERY.into(), JsValue::UNDEFINED))
    }
}

impl Storage for JsStorage {
    async fn commit(&self, batch: &Batch) -> Result<Committed, StorageError> {
        if let Some(why) = self.watch.why_not_to_write() {
            return Err(StorageError::Unavailable { why });
        }
        match &self.place {
            Place::Memory(memory) => memory.commit(batch).await,
            Place::Object(object) => {
                let answer = self.ask(object, COMMIT, &[argument(batch)?]).await?;
                self.read_answer(&answer, COMMIT, REPEATED)
            }
            Place::Driver(driver) => self.transaction(driver, batch).await,
        }
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        match &self.place {
            Place::Memory(memory) => memory.read(query).await,
            Place::Object(object) => {
                let answer = self.ask(object, READ, &[argument(query)?]).await?;
                let expected = "an object such as {\"rows\": []} that answers the query";
                self.read_answer(&answer, READ, expected)
            }
            Place::Driver(driver) => self.query(driver, query).await,
        }
    }
}

const COMMIT: &str = "storage.commit";
const READ: &str = "storage.read";
const TRANSACTION: &str = "driver.transaction";
const QUERY: &str = "driver.query";

/// A plain object, as an argument of a host's method.
fn argument<A: Serialize>(value: &A) -> Result<JsValue, StorageError> {
    plain(value).map_err(|fault| StorageError::Unavailable { why: fault.message().into() })
}

/// The rows of a driver's answer: an array of arrays of texts, whole numbers and nulls.
///
/// # Errors
/// `storage_corrupt`.
pub fn rows(answer: &JsValue) -> Result<Vec<Vec<Value>>, StorageError> {
    let expected = "rows, each an array of its columns";
    let odd = |what: String| StorageError::Corrupt { what, expected };
    let list =
        |value: &JsValue| Array::is_array(value).then(|| Array::from(value)).ok_or_else(|| odd(kind(value)));
    let row = |row: JsValue| list(&row)?.iter().map(|column| sql_value(&column).map_err(odd)).collect();
    list(answer)?.iter().map(row).collect()
}

fn sql_value(column: &JsValue) -> Result<Value, String> {
    if let Some(text) = column.as_string() {
        return Ok(Value::Text(text));
    }
    if column.is_null() {
        return Ok(Value::Null);
    }
    if let Ok(number) = i64::try_from(column.clone()) {
        return Ok(Value::Int(number));
    }
    // Whole numbers up to 2^53 are exact, and a cast saturates.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
    match column.as_f64() {
        Some(number) if (number as i64) as f64 == number => Ok(Value::Int(number as i64)),
        _ => Err(format!("{} as a column", kind(column))),
    }
}

/// An answer as the core's type; whatever else it is counts as damage.
fn read_answer<T: DeserializeOwned>(answer: &JsValue, expected: &'static str) -> Result<T, StorageError> {
    let text = json_text(answer).map_err(|what| StorageError::Corrupt { what, expected })?;
    if !text.trim_start().starts_with('{') {
        return Err(StorageError::Corrupt { what: kind(answer), expected });
    }
    serde_json::from_str(&text).map_err(|error| {
        let what = format!("{} that does not read: {error}", kind(answer));
        StorageError::Corrupt { what, expected }
    })
}

/// A thrown error by its `code`; whatever has none of the known codes says that the storage is not
/// available. An error that this package made says in its `details` what is to be said again.
pub fn storage_error(thrown: &Thrown) -> StorageError {
    let detail = |key: &str| thrown.detail(key).and_then(|value| value.as_string());
    let message = detail("why").or_else(|| detail("what")).unwrap_or_else(|| thrown.message());
    match thrown.code().as_deref() {
        Some("conflict") => StorageError::Conflict { what: message },
        Some("storage_locked") => StorageError::Locked { why: message },
        Some("storage_full") => StorageError::Full { why: message },
        Some("outcome_unknown") => StorageError::OutcomeUnknown { why: message },
        Some("storage_corrupt") => StorageError::Corrupt { what: message, expected: "a sound store" },
        Some("storage_foreign") => StorageError::Foreign { what: message },
        Some("schema_newer") => match (schema(thrown, "found"), schema(thrown, "known")) {
            (Some(found), Some(known)) => StorageError::SchemaNewer { found, known },
            _ => StorageError::Unavailable { why: message },
        },
        _ => StorageError::Unavailable { why: message },
    }
}

/// A schema version that a `schema_newer` error names, of its own or in its details.
fn schema(thrown: &Thrown, key: &str) -> Option<u32> {
    let own = Reflect::get(thrown.value(), &key.into()).ok().and_then(|value| value.as_f64());
    let number = own.or_else(|| thrown.detail(key)?.as_f64())?;
    // Saturates; a version is a small whole number.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Some(number as u32)
}

/// The error as JavaScript sees it, with its parts in `details`, from which [`storage_error`] makes it again.
#[must_use]
pub fn storage_fault(error: &StorageError) -> Fault {
    let fault = Fault::new(error.code(), error.to_string());
    let details = match error {
        StorageError::Conflict { what }
        | StorageError::Corrupt { what, .. }
        | StorageError::Foreign { what } => plain(&json!({ "what": what })),
        StorageError::Unavailable { why }
        | StorageError::Locked { why }
        | StorageError::Full { why }
        | StorageError::OutcomeUnknown { why } => plain(&json!({ "why": why })),
        StorageError::SchemaNewer { found, known } => plain(&json!({ "found": found, "known": known })),
        _ => return fault,
    };
    match details {
        Ok(details) => fault.with_details(details),
        Err(_) => fault,
    }
}
