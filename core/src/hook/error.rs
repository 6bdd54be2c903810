use crate::json::JsonError;

/// Why an event cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HookError {
    /// It is no JSON.
    #[error("the event is no JSON: {0}")]
    Json(#[from] JsonError),
    /// A field that every event has is missing, or is of another type.
    #[error("the event has no `{field}`; accepted: {accepted}")]
    Field {
        /// The field.
        field: &'static str,
        /// What it has to be.
        accepted: &'static str,
    },
}

impl HookError {
    /// The stable code: those of JSON, and `event_invalid`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Json(error) => error.code(),
            Self::Field { .. } => "event_invalid",
        }
    }
}
