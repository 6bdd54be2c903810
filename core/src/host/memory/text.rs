//! Values as the text that a database would hold.
pub(super) use crate::host::StorageError;
use alloc::{format, string::String};
use serde::{Serialize, de::DeserializeOwned};

pub(super) fn write<T: Serialize>(value: &T) -> Result<String, StorageError> {
    serde_json::to_string(value).map_err(|error| StorageError::Unavailable { why: format!("{error}") })
}

pub(super) fn read_back<T: DeserializeOwned>(text: &str, expected: &'static str) -> Result<T, StorageError> {
    serde_json::from_str(text).map_err(|error| StorageError::Corrupt { what: format!("{error}"), expected })
}

pub(super) fn conflict(what: String) -> StorageError {
    StorageError::Conflict { what }
}
