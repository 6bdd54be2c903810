//! A merged stream as JSON.
use super::value::Merged;
use crate::json::{self, Json, Object};
use alloc::vec::Vec;

impl Merged {
    /// `{response, is_complete, error, diagnostics}`; `error` is `null` where none came.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let note = |note| json::parse(&serde_json::to_string(note).unwrap_or_default()).unwrap_or(Json::Null);
        let mut out = Object::new();
        out.insert("response", self.response.clone());
        out.insert("is_complete", self.is_complete);
        out.insert("error", self.error.clone().unwrap_or(Json::Null));
        out.insert("diagnostics", self.diagnostics.iter().map(note).collect::<Vec<Json>>());
        out.into()
    }
}
