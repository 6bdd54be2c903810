//! Texts that rendering adds; a change of one is a new
//! [`RENDER_TEXT_VERSION`](crate::prompt::RENDER_TEXT_VERSION).
use crate::prompt::Media;
use alloc::{format, string::String};

/// Stands before the result of a failed call, where the provider has no flag for it.
pub(super) const FAILED: &str = "[error]";

/// A note for the model in its fixed wrapper, for providers without such a role.
pub(super) fn developer_note(text: &str) -> String {
    format!("<developer-note>{text}</developer-note>")
}

/// Stands for an image or document that cannot be sent.
pub(super) fn not_sent(media: &Media, kind: &str) -> String {
    let name = media.name.as_ref().map(|name| format!(" {}", name.as_str())).unwrap_or_default();
    format!("[{kind} not sent:{name} {}]", media.media_type.as_str())
}

/// The text of a failed call's result.
pub(super) fn failed(text: &str) -> String {
    if text.is_empty() { FAILED.into() } else { format!("{FAILED} {text}") }
}
