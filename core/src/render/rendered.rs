//! A request with its tables as JSON.
use super::{Rendered, object::object};
use crate::json::{self, Json};
use alloc::vec::Vec;

impl Rendered {
    /// `{body, diagnostics, renamed: [{row, call_id, sent}], renamed_tools: [{name, sent}], betas}`.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let note = |note| json::parse(&serde_json::to_string(note).unwrap_or_default()).unwrap_or(Json::Null);
        let ids = self.renamed.iter().map(|id| {
            let (row, call_id) = (id.row.as_str().into(), id.call_id.as_str().into());
            object([("row", row), ("call_id", call_id), ("sent", id.sent.as_str().into())]).into()
        });
        let tools = self.renamed_tools.iter().map(|tool| {
            object([("name", tool.name.as_str().into()), ("sent", tool.sent.as_str().into())]).into()
        });
        object([
            ("body", self.body.clone()),
            ("diagnostics", self.diagnostics.iter().map(note).collect::<Vec<Json>>().into()),
            ("renamed", ids.collect::<Vec<Json>>().into()),
            ("renamed_tools", tools.collect::<Vec<Json>>().into()),
            ("betas", self.betas.iter().map(|beta| Json::from(*beta)).collect::<Vec<Json>>().into()),
        ])
        .into()
    }
}
