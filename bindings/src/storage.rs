//! The storage of an engine: in memory, or an object of the host.

use crate::{
    fault::{Fault, Thrown},
    js_object::JsObject,
    value::{json_text, kind, plain},
    watch::Watch,
};
use js_sys::Reflect;
use serde::{Serialize, de::DeserializeOwned};
use throughline_core::{
    host::{Committed, MemoryStorage, Storage, StorageError},
    model::{Answer, Batch, Query},
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
}

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

    /// Calls a method with a plain object, and reads a plain object or JSON text from its answer.
    async fn call<A: Serialize, T: DeserializeOwned>(
        &self,
        object: &JsObject,
        method: &str,
        argument: &A,
        expected: &'static str,
    ) -> Result<T, StorageError> {
        let argument =
            plain(argument).map_err(|fault| StorageError::Unavailable { why: fault.message().into() })?;
        let answer = match object.call(method, &[argument]).await {
            Ok(answer) => answer,
            Err(thrown) => {
                let error = storage_error(&thrown);
                self.watch.storage(path_of(method), thrown.into_value());
                return Err(error);
            }
        };
        read_answer(&answer, expected)
            .inspect_err(|_| self.watch.storage(path_of(method), JsValue::UNDEFINED))
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
                self.call(object, "commit", batch, "an object such as {\"repeated\": false}").await
            }
        }
    }

    async fn read(&self, query: &Query) -> Result<Answer, StorageError> {
        match &self.place {
            Place::Memory(memory) => memory.read(query).await,
            Place::Object(object) => {
                self.call(object, "read", query, "an object such as {\"rows\": []} that answers the query")
                    .await
            }
        }
    }
}

fn path_of(method: &str) -> String {
    format!("storage.{method}")
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
/// available.
fn storage_error(thrown: &Thrown) -> StorageError {
    let message = thrown.message();
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

/// A schema version that a `schema_newer` error names.
fn schema(thrown: &Thrown, key: &str) -> Option<u32> {
    let number = Reflect::get(thrown.value(), &key.into()).ok()?.as_f64()?;
    // Saturates; a version is a small whole number.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    Some(number as u32)
}
