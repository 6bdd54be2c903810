//! What is checked before something becomes a row.
use super::PromptError;
use crate::{
    id::RowId,
    model::{Metadata, Part, PartBody, Row, RowKind, StoredRow},
    redact::Clean,
    time::Timestamp,
};
use alloc::{boxed::Box, string::String, vec, vec::Vec};

/// Refuses a user's message in which there is nothing: no text that is not blank, no file, no attachment.
///
/// ```
/// use throughline_core::prompt::check_message;
/// assert_eq!(check_message(&[]).unwrap_err().code(), "empty_message");
/// ```
///
/// # Errors
/// `empty_message`.
pub fn check_message(content: &[PartBody]) -> Result<(), PromptError> {
    let is_something = |body: &PartBody| match body {
        PartBody::Text { text } => !text.as_str().trim().is_empty(),
        PartBody::Image { .. } | PartBody::Document { .. } | PartBody::File { .. } => true,
        _ => false,
    };
    if content.iter().any(is_something) { Ok(()) } else { Err(PromptError::EmptyMessage) }
}

/// A note of a step's lifecycle as it came from a binding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LifecycleNote {
    /// The phase, such as `before_step`.
    pub phase: String,
    /// `developer` or `system`.
    pub role: RowKind,
    /// What it says.
    pub text: Clean,
    /// The memories that it tells of: of a binding's own metadata, only this survives.
    pub memory_ids: Vec<String>,
}

impl LifecycleNote {
    /// The row that stands for the note in its place; `None` for a blank one, which is not stored.
    ///
    /// # Errors
    /// `lifecycle_role`: a host's note must not speak as the user or as the model.
    pub fn into_row(self, id: RowId, created_at: Timestamp) -> Result<Option<StoredRow>, PromptError> {
        if !matches!(self.role, RowKind::Developer | RowKind::System) {
            return Err(PromptError::LifecycleRole { role: self.role });
        }
        if self.text.as_str().trim().is_empty() {
            return Ok(None);
        }
        let metadata = Metadata {
            preserve_position: true,
            system_action: Some("lifecycle_note".into()),
            lifecycle_phase: Some(self.phase),
            memory_ids: self.memory_ids,
            ..Metadata::default()
        };
        let part = Part::new(id.clone(), 0, PartBody::Text { text: self.text });
        let row = Row { metadata: Some(Box::new(metadata)), ..Row::new(id, self.role, created_at) };
        Ok(Some(StoredRow { row, parts: vec![part] }))
    }
}
